// The path of a local state that is changed by hand: what the former one holds is not made a second time.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
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
async function applied(settings: string, flags: readonly string[] = []) {
  count += 1
  const own = `renamed-${count}`
  const folder = newFolder()
  const say = (text: string, file = 'iac.yaml'): void => writeFileSync(join(folder, file), `apiVersion: iac/v1\nkind: Project\nname: shop\n${text}`)
  const iac = (...words: string[]) => runCli([...words, ...flags], { folder, environment: { IAC_BASE_URL: api.url }, token: sandbox.token })
  say(settings)
  writeFileSync(
    join(folder, 'main.yaml'),
    `apiVersion: iac/v1\nkind: Vpc\nmetadata: { name: main }\nspec: { name: ${own}, description: "", range: 10.1.0.0/24 }\n`,
  )
  expect(await iac(...apply)).toMatchObject({ code: 0 })
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
