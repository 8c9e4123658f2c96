// The path of a local state that is changed by hand: what the former one holds is not made a second time.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSandbox } from '../../src/sandbox/sandbox.ts'
import { serveSandbox } from '../../src/sandbox/server.ts'
import { newFolder, runCli, testsClock } from './run-cli.ts'

const sandbox = createSandbox({ clock: testsClock, profile: 'instant' })
let api: Awaited<ReturnType<typeof serveSandbox>>
beforeAll(async () => void (api = await serveSandbox({ sandbox })))
afterAll(() => api.close())

let count = 0
const apply = ['apply', '--auto-approve']
const migrate = ['state', 'migrate', '--to', 'shared/iac.yaml', '--auto-approve']

/** An applied project of one network. */
async function applied(settings: string, flags: readonly string[] = [], whose: 'flags of all' | 'flags of each' = 'flags of all') {
  count += 1
  const own = `renamed-${count}`
  const folder = newFolder()
  const say = (text: string, file = 'iac.yaml'): void => writeFileSync(join(folder, file), `apiVersion: iac/v1\nkind: Project\nname: shop\n${text}`)
  const iac = (...words: string[]) =>
    runCli([...words, ...(whose === 'flags of all' ? flags : [])], { folder, environment: { IAC_BASE_URL: api.url }, token: sandbox.token })
  say(settings)
  writeFileSync(
    join(folder, 'main.yaml'),
    `apiVersion: iac/v1\nkind: Vpc\nmetadata: { name: main }\nspec: { name: ${own}, description: "", range: 10.1.0.0/24 }\n`,
  )
  expect(await iac(...apply, ...(whose === 'flags of all' ? [] : flags))).toMatchObject({ code: 0 })
  return { folder, say, iac, made: () => sandbox.world.tables.vpcs.all().filter((one) => one.name === own).length }
}

test.each([
  ['', 'state: { path: .iac/infra.json }\n', [], '.iac/state.json'],
  ['', 'state: { path: kept/infra.json }\n', [], '.iac/state.json'],
  ['state: { path: .iac/infra.json }\n', '', [], '.iac/infra.json'],
  ['environments: { prod: {} }\n', 'environments: { prod: { state: { path: .iac/prod.json } } }\n', ['-e', 'prod'], '.iac/state-prod.json'],
])('from %j to %j ends with 9 and says how the former state is kept and moved', async (from, to, flags, former) => {
  const { folder, say, iac, made } = await applied(from, flags)
  const written = readFileSync(join(folder, former), 'utf8')
  say(to)
  for (const words of [['plan'], apply, ['destroy', '--auto-approve'], ['drift'], ['status'], ['state', 'list']]) {
    const refused = await iac(...words)
    expect([words, refused.code, refused.stderr]).toEqual([words, 9, expect.stringMatching(/code: state_unmoved/)])
    expect(refused.stderr).toContain(`${former} holds one of this project`)
    expect(refused.stderr).toContain(`\`path: ${former}\` in the state settings of iac.yaml`)
  }
  expect([made(), readFileSync(join(folder, former), 'utf8')]).toEqual([1, written])
  // As the message says: moved by the settings of before, and put in place.
  mkdirSync(join(folder, 'shared'))
  say(to, 'shared/iac.yaml')
  say(from)
  expect(await iac(...migrate)).toMatchObject({ code: 0 })
  say(to)
  expect(await iac('plan', '--detailed-exitcode')).toMatchObject({ code: 0 })
})

test('is taken for new beside what is no former one: of another environment, or of the sandbox', async () => {
  const { say, iac, made } = await applied('environments: { prod: {} }\n')
  expect(await iac('plan', '-e', 'prod')).toMatchObject({ code: 0, stdout: expect.stringContaining('Plan: 1 to add') })
  expect(await iac('plan', '--sandbox')).toMatchObject({ code: 0, stdout: expect.stringContaining('Plan: 1 to add') })
  say('environments: { prod: { state: { path: .iac/other.json } } }\n')
  expect(await iac('plan', '-e', 'prod')).toMatchObject({ code: 0, stdout: expect.stringContaining('Plan: 1 to add') })
  expect(made()).toBe(1)
})

test('is taken for new beside the state of the project that this one was copied from, as its refusal says', async () => {
  const { folder, iac } = await applied('')
  const say = (text: string): void => writeFileSync(join(folder, 'iac.yaml'), `apiVersion: iac/v1\nkind: Project\nname: copy\n${text}`)
  say('')
  expect(await iac('plan')).toMatchObject({ code: 9, stderr: expect.stringContaining('give each a state.path of its own in iac.yaml') })
  say('state: { path: .iac/copy.json }\n')
  expect(await iac('plan')).toMatchObject({ code: 0, stdout: expect.stringContaining('Plan: 1 to add') })
})

test.each([
  ['environments: { prod: {} }\n', 'environments: { production: {} }\n', 'prod', ['-e', 'production'], '.iac/state-prod.json'],
  ['default_environment: prod\nenvironments: { prod: {} }\n', 'default_environment: live\nenvironments: { live: {} }\n', undefined, [], '.iac/state-prod.json'],
  ['environments: { prod: {} }\n', '', 'prod', [], '.iac/state-prod.json'],
  [
    'state: { path: kept/shop.json }\nenvironments: { prod: {} }\n',
    'state: { path: kept/shop.json }\nenvironments: { live: {} }\n',
    'prod',
    ['-e', 'live'],
    'kept/shop-prod.json',
  ],
])('an environment renamed from %j to %j ends with 9 and says how its state is kept', async (from, to, old, flags, former) => {
  const { folder, say, iac, made } = await applied(from, old === undefined ? [] : ['-e', old], 'flags of each')
  say(to)
  for (const words of [['plan'], apply, ['destroy', '--auto-approve'], ['drift'], ['state', 'list']]) {
    const refused = await iac(...words, ...flags)
    expect([words, refused.code, refused.stderr]).toEqual([words, 9, expect.stringMatching(/code: state_unmoved/)])
    expect(refused.stderr).toContain(`${former} holds the state of the environment "prod", which iac.yaml does not declare any more`)
  }
  expect(made()).toBe(1)
  // As the message says: its path is written out, and its name put into it.
  say(to.includes('environments') ? to.replace(/: \{\} \}/, `: { state: { path: ${former} } } }`) : `state: { path: ${former} }\n`)
  const foreign = await iac('plan', ...flags)
  expect([foreign.code, foreign.stderr]).toEqual([9, expect.stringContaining('write "environment": ')])
  const name = /write ("environment": [^ ]+) in it/.exec(foreign.stderr)?.[1] ?? ''
  const { stdout } = await iac('state', 'pull', ...flags)
  writeFileSync(join(folder, 'pulled'), stdout.replace('"environment": "prod"', name))
  expect(await iac('state', 'push', 'pulled', ...flags)).toMatchObject({ code: 0 })
  expect(await iac('plan', '--detailed-exitcode', ...flags)).toMatchObject({ code: 0 })
})

test('a new environment beside one that is no longer declared is taken for new where that one is declared again, destroyed or put elsewhere', async () => {
  const { folder, say, iac } = await applied('environments: { prod: {} }\n', ['-e', 'prod'], 'flags of each')
  const isNew = async () => expect(await iac('plan', '-e', 'next')).toMatchObject({ code: 0, stdout: expect.stringContaining('Plan: 1 to add') })
  say('environments: { prod: {}, next: {} }\n')
  await isNew()
  expect(await iac('destroy', '--auto-approve', '-e', 'prod')).toMatchObject({ code: 0 })
  say('environments: { next: {} }\n')
  await isNew()
  say('environments: { prod: {} }\n')
  expect(await iac(...apply, '-e', 'prod')).toMatchObject({ code: 0 })
  say('environments: { next: {} }\n')
  expect(await iac('plan', '-e', 'next')).toMatchObject({ code: 9, stderr: expect.stringContaining('mkdir .iac/old && mv .iac/state-prod.json* .iac/old/') })
  mkdirSync(join(folder, '.iac', 'old'))
  for (const end of ['', '.journal', '.lock', '.history'])
    renameSync(join(folder, `.iac/state-prod.json${end}`), join(folder, `.iac/old/state-prod.json${end}`))
  await isNew()
})

test('a default environment that hides what the project has so far ends with 9, and each way out is one', async () => {
  const { say, iac, made } = await applied('')
  const hiding = 'default_environment: prod\nenvironments: { prod: {}, other: {} }\n'
  for (const flags of [[], ['-e', 'other']]) {
    say(hiding)
    const refused = await iac(...apply, ...flags)
    expect([refused.code, refused.stderr]).toEqual([9, expect.stringContaining("holds the project's own state, which default_environment in iac.yaml hides")])
    expect(refused.stderr).toContain('if both are to be: take default_environment out')
  }
  expect(made()).toBe(1)
  say('environments: { prod: {}, other: {} }\n')
  expect(await iac('plan', '--detailed-exitcode')).toMatchObject({ code: 0 })
  expect(await iac('plan', '-e', 'prod')).toMatchObject({ code: 0, stdout: expect.stringContaining('Plan: 1 to add') })
  expect(await iac('destroy', '--auto-approve')).toMatchObject({ code: 0 })
  say(hiding)
  expect(await iac('plan')).toMatchObject({ code: 0, stdout: expect.stringContaining('Plan: 1 to add') })
})

describe('a path below IAC_STATE_DIR that is taken out', () => {
  async function outside(name: string) {
    const [folder, states] = [newFolder(), newFolder()]
    const say = (lines: string): void => writeFileSync(join(folder, 'iac.yaml'), `apiVersion: iac/v1\nkind: Project\n${name}${lines}`)
    const iac = (...words: string[]) => runCli(words, { folder, environment: { IAC_BASE_URL: api.url, IAC_STATE_DIR: states }, token: sandbox.token })
    writeFileSync(
      join(folder, 'main.yaml'),
      `apiVersion: iac/v1\nkind: Vpc\nmetadata: { name: main }\nspec: { name: outside, description: "", range: 10.1.0.0/24 }\n`,
    )
    const former = join(states, 'shop', 'state.json')
    say(`state: { path: ${former} }\n`)
    expect(await iac(...apply)).toMatchObject({ code: 0 })
    say('')
    return { former, say, iac, folder }
  }

  test('ends with 9 and names the state there, if it has a name: another one may be in a folder that is called alike', async () => {
    const { former, say, iac, folder } = await outside('name: shop\n')
    const refused = await iac('plan')
    expect([refused.code, refused.stderr]).toEqual([9, expect.stringContaining(`${former} holds one of this project`)])
    expect(refused.stderr).toContain(`mkdir -p .iac/old && mv ${former}* .iac/old/`)
    say(`state: { path: ${former} }\n`)
    expect(await iac('plan', '--detailed-exitcode')).toMatchObject({ code: 0 })
    say('')
    mkdirSync(join(folder, '.iac/old'), { recursive: true })
    for (const end of ['', '.journal', '.lock', '.history']) renameSync(former + end, join(folder, `.iac/old/state.json${end}`))
    expect(await iac('plan')).toMatchObject({ code: 0, stdout: expect.stringContaining('Plan: 1 to add') })
    expect(await (await outside('')).iac('plan')).toMatchObject({ code: 0, stdout: expect.stringContaining('Plan: 1 to add') })
  })

  test('is another one where projects without a name lie in folders that are called alike, however their paths are written', async () => {
    const [root, made] = [newFolder(), sandbox.world.tables.vpcs.all().length]
    const iacIn = (team: string, ...words: string[]) =>
      runCli(words, { folder: join(root, team, 'infra'), environment: { IAC_BASE_URL: api.url, IAC_STATE_DIR: join(root, 'states') }, token: sandbox.token })
    for (const [team, environment] of [
      ['shop', 'prod'],
      ['bank', 'live'],
    ] as const) {
      const folder = join(root, team, 'infra')
      mkdirSync(folder, { recursive: true })
      const settings = `state: { path: ../../states/${team}.json }\nenvironments: { ${environment}: {} }\n`
      writeFileSync(join(folder, 'iac.yaml'), `apiVersion: iac/v1\nkind: Project\n${settings}`)
      writeFileSync(
        join(folder, 'main.yaml'),
        `apiVersion: iac/v1\nkind: Vpc\nmetadata: { name: main }\nspec: { name: of-${team}, description: "", range: 10.1.0.0/24 }\n`,
      )
      expect(await iacIn(team, ...apply, '-e', environment)).toMatchObject({ code: 0 })
    }
    expect(sandbox.world.tables.vpcs.all()).toHaveLength(made + 2)
  })
})
