// A state that moves within its project and its environment, what is told of those that stay, and a former state that nobody has moved.
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSandbox } from '../../src/sandbox/sandbox.ts'
import { serveSandbox } from '../../src/sandbox/server.ts'
import { encodeJournal } from '../../src/state/journal-file.ts'
import { inClear } from '../../src/state/sealing.ts'
import { drawn } from '../builders/long-form.ts'
import { sharedPlaces } from '../builders/state-places.ts'
import type { StatePlace } from '../builders/state-places.ts'
import { newFolder, runCli, testsClock } from './run-cli.ts'
import type { Ran } from './run-cli.ts'

const sandbox = createSandbox({ clock: testsClock, profile: 'instant' })
let api: Awaited<ReturnType<typeof serveSandbox>>
beforeAll(async () => void (api = await serveSandbox({ sandbox })))
afterAll(() => api.close())

let count = 0
const both = 'environments: { staging: {}, prod: {} }\n'
const key = { IAC_STATE_KEY: Buffer.alloc(32, 4).toString('base64') }
const migrate = ['state', 'migrate', '--to', 'to/iac.yaml']
const apply = ['apply', '--auto-approve']

/** A project `shop` with one network of its own, and beside it the file that it moves to. */
function project(from: string, to: string) {
  const folder = newFolder()
  count += 1
  const made = `net-${count}`
  const say = (file: string, text: string): void => writeFileSync(join(folder, file), `apiVersion: iac/v1\nkind: Project\n${text}`)
  mkdirSync(join(folder, 'to'))
  say('iac.yaml', from)
  say('to/iac.yaml', to)
  writeFileSync(
    join(folder, 'main.yaml'),
    `apiVersion: iac/v1\nkind: Vpc\nmetadata: { name: main }\nspec: { name: ${made}, description: "", range: 10.1.0.0/24 }\n`,
  )
  const run = (environment: Readonly<Record<string, string>>, ...words: string[]): Promise<Ran> =>
    runCli(words, { folder, environment: { IAC_BASE_URL: api.url, ...environment }, token: sandbox.token })
  return {
    folder,
    say,
    run,
    iac: (...words: string[]) => run({}, ...words),
    made: () => sandbox.world.tables.vpcs.all().filter((one) => one.name === made).length,
  }
}

/** The paths of the generations in the new place, newest first. */
function generationsOf(folder: string): readonly string[] {
  const serials = readdirSync(join(folder, 'new.json.history')).map(Number)
  return serials.toSorted((one, other) => other - one).map((serial) => `new.json.history/${serial}`)
}

describe('a move', () => {
  test.each([
    [`default_environment: staging\n${both}`, '', [], 'write `default_environment: staging` into it'],
    [`default_environment: staging\n${both}`, both, [], 'write `default_environment: staging` into it'],
    [`default_environment: staging\n${both}`, `default_environment: prod\n${both}`, [], 'write `default_environment: staging` into it'],
    [both, `default_environment: prod\n${both}`, [], 'take default_environment out of it'],
    [both, '', ['-e', 'staging'], 'write it below its environments'],
  ])('is refused where the file is for another environment: %j, %j', async (own, other, flags, hint) => {
    const { folder, iac } = project(`name: shop\n${own}`, `name: shop\nstate: { path: new.json }\n${other}`)
    expect(await iac(...apply, ...flags)).toMatchObject({ code: 0 })
    expect(await iac(...migrate, '--auto-approve', ...flags)).toMatchObject({ code: 3, stderr: expect.stringContaining(hint) })
    expect(['new.json', 'new-staging.json', 'to'].map((one) => existsSync(join(folder, one)))).toEqual([false, false, true])
    expect(await iac('plan', '--detailed-exitcode', ...flags)).toMatchObject({ code: 0 })
  })

  test('is refused where the file leaves out the name', async () => {
    const { iac } = project('name: shop\n', 'state: { path: new.json }\n')
    expect(await iac(...apply)).toMatchObject({ code: 0 })
    expect(await iac(...migrate, '--auto-approve')).toMatchObject({ code: 3, stderr: expect.stringContaining('write `name: shop` into it') })
  })

  test('of the environment that is chosen by default goes where that one lies', async () => {
    const chosen = `default_environment: staging\n${both}`
    const { folder, iac } = project(`name: shop\n${chosen}`, `name: shop\nstate: { path: new.json }\n${chosen}`)
    expect(await iac(...apply)).toMatchObject({ code: 0 })
    expect(await iac(...migrate, '--auto-approve')).toMatchObject({ code: 0 })
    expect([existsSync(join(folder, 'new-staging.json')), existsSync(join(folder, 'new.json'))]).toEqual([true, false])
  })

  test('to a file leaves it where it is found once the project file says so', async () => {
    const { folder, iac, say, made } = project('name: shop\n', 'name: shop\nstate: { path: new.json }\n')
    expect(await iac(...apply)).toMatchObject({ code: 0 })
    expect(await iac(...migrate, '--auto-approve')).toMatchObject({ code: 0 })
    expect([existsSync(join(folder, 'new.json')), existsSync(join(folder, 'to/new.json'))]).toEqual([true, false])
    say('iac.yaml', 'name: shop\nstate: { path: new.json }\n')
    expect(await iac('plan', '--detailed-exitcode')).toMatchObject({ code: 0 })
    expect(await iac(...apply)).toMatchObject({ code: 0 })
    expect(made()).toBe(1)
  })

  test('that was ended behind the mark is finished from where it was begun, which a run on the new place says', async () => {
    const [own, shared] = ['name: shop\n', 'name: shop\nstate: { path: new.json }\n']
    const { folder, iac, say } = project(own, shared)
    expect(await iac(...apply)).toMatchObject({ code: 0 })
    expect(await iac(...migrate, '--auto-approve')).toMatchObject({ code: 0 })
    // What stood there before the last write.
    const [last = '', waiting = ''] = generationsOf(folder)
    for (const name of ['new.json.lock', last]) rmSync(join(folder, name))
    copyFileSync(join(folder, waiting), join(folder, 'new.json'))
    writeFileSync(join(folder, 'new.json.journal'), encodeJournal(JSON.parse(readFileSync(join(folder, waiting), 'utf8')), [], inClear).bytes)
    say('iac.yaml', shared)
    for (const words of [['plan'], apply, ['state', 'list'], ['state', 'restore', '--auto-approve'], ['state', 'push', waiting, '--auto-approve']]) {
      const { code, stderr } = await iac(...words)
      expect([words, code, stderr]).toEqual([
        words,
        9,
        expect.stringMatching(/new\.json is not done[^]*`iac state migrate --to FILE` again where it was begun[^]*iac\.yaml names the old place there/),
      ])
    }
    const pulled = await iac('state', 'pull')
    expect(pulled).toMatchObject({ code: 0, stderr: expect.stringContaining('is not done') })
    say('iac.yaml', own)
    expect(await iac('plan')).toMatchObject({ code: 9, stderr: expect.stringMatching(/was moved to \S+new\.json/) })
    // Where the old place is lost, what was brought is all there is.
    renameSync(join(folder, '.iac'), join(folder, 'kept'))
    writeFileSync(join(folder, 'copy.json'), pulled.stdout)
    expect(await iac('state', 'push', 'copy.json', '--auto-approve')).toMatchObject({ code: 0 })
    expect(await iac('plan', '--detailed-exitcode')).toMatchObject({ code: 0 })
    rmSync(join(folder, '.iac'), { recursive: true })
    renameSync(join(folder, 'kept'), join(folder, '.iac'))
    expect(await iac(...migrate, '--auto-approve')).toMatchObject({ code: 0, stderr: expect.stringContaining('the state was moved: ') })
    expect(await iac(...migrate, '--auto-approve')).toMatchObject({ code: 0, stderr: expect.stringContaining('the state was moved before: ') })
    say('iac.yaml', shared)
    expect(await iac('plan', '--detailed-exitcode')).toMatchObject({ code: 0 })
    // What a move brought last is what the state is: one before it is put back.
    const restored = await iac('state', 'restore', '--auto-approve')
    expect(restored).toMatchObject({ code: 0 })
    expect(Number(/what serial (\d+) held/.exec(restored.stderr)?.[1])).toBeLessThan(Number(basename(waiting)))
  })

  test('is one generation in the history, there and back, and another where it cannot be read', async () => {
    const [own, shared] = ['name: shop\n', 'name: shop\nstate: { path: new.json }\n']
    const { folder, iac, say } = project(own, shared)
    const history = async () => JSON.parse((await iac('state', 'history', '--json')).stdout)
    const commands = async () => (await history()).map((one: { command: string | null; resources: number | null }) => [one.command, one.resources])
    expect(await iac(...apply)).toMatchObject({ code: 0 })
    const before = await commands()
    const serialsBefore = (await history()).map((one: { serial: number }) => one.serial)
    expect(await iac(...migrate, '--auto-approve')).toMatchObject({ code: 0 })
    say('iac.yaml', shared)
    expect(await commands()).toEqual([['state migrate', 1], ...before])
    const [moved] = await history()
    // It lies there all the same, and is all that is left of it where the last one is damaged.
    writeFileSync(join(folder, generationsOf(folder)[0] ?? ''), 'damaged')
    writeFileSync(join(folder, 'new.json'), 'damaged')
    expect((await history()).map((one: { serial: number }) => one.serial)).toEqual([moved.serial, moved.serial - 1, ...serialsBefore])
    expect(await iac('state', 'restore', String(moved.serial - 1), '--auto-approve')).toMatchObject({ code: 0 })
    say('to/iac.yaml', own)
    expect(await iac(...migrate, '--auto-approve')).toMatchObject({ code: 0 })
    say('iac.yaml', own)
    expect(await commands()).toEqual([['state migrate', 1], ['state restore', 1], ...before])
  })

  test('leaves generations of which a copy is pushed as a state like any other, and a mark that is none', async () => {
    const { folder, iac, say } = project('name: shop\n', 'name: shop\nstate: { path: new.json }\n')
    expect(await iac(...apply)).toMatchObject({ code: 0 })
    expect(await iac(...migrate, '--auto-approve')).toMatchObject({ code: 0 })
    say('iac.yaml', 'name: shop\nstate: { path: new.json }\n')
    copyFileSync(join(folder, '.iac/state.json'), join(folder, 'mark.json'))
    for (const generation of generationsOf(folder)) {
      copyFileSync(join(folder, generation), join(folder, 'copy.json'))
      writeFileSync(join(folder, 'new.json'), 'damaged')
      expect(await iac('state', 'push', 'mark.json', '--auto-approve')).toMatchObject({
        code: 3,
        stderr: expect.stringMatching(/mark\.json only says that the state was moved to \S+new\.json/),
      })
      expect(await iac('state', 'push', 'copy.json', '--auto-approve')).toMatchObject({ code: 0 })
      const [{ serial }] = JSON.parse((await iac('state', 'history', '--json')).stdout)
      expect(JSON.parse((await iac('state', 'pull')).stdout)).toMatchObject({ serial })
      expect(await iac('state', 'restore', String(serial), '--auto-approve')).toMatchObject({ code: 0 })
    }
    expect(await iac(...apply)).toMatchObject({ code: 0 })
    expect(await iac('state', 'list')).toMatchObject({ code: 0, stdout: 'Vpc/main\n' })
  })

  test('is refused where the place is the same once the file stands where the project file does', async () => {
    const { folder, iac } = project('name: shop\n', 'name: shop\n')
    expect(await iac(...apply)).toMatchObject({ code: 0 })
    expect(await iac(...migrate, '--auto-approve')).toMatchObject({ code: 3, stderr: expect.stringContaining('names the place where the state is') })
    expect(existsSync(join(folder, 'to/.iac'))).toBe(false)
    expect(await iac('plan', '--detailed-exitcode')).toMatchObject({ code: 0 })
  })

  test('names before and afterwards the states that stay, each with its command, until all are moved', async () => {
    const { iac } = project(`name: shop\n${both}`, `name: shop\nstate: { path: new.json }\n${both}`)
    for (const flags of [[], ['-e', 'staging']]) expect(await iac(...apply, ...flags)).toMatchObject({ code: 0 })
    expect(await iac(...apply, '-e', 'prod', '--sandbox')).toMatchObject({ code: 0 })
    const asked = await iac(...migrate)
    expect([asked.code, asked.stderr]).toEqual([
      1,
      expect.stringMatching(/stay where they are:\n.*of staging, \S+\.iac\/state-staging\.json: iac state migrate --to to\/iac\.yaml -e staging\n/),
    ])
    const first = await iac(...migrate, '--auto-approve')
    expect([first.code, first.stderr]).toEqual([
      0,
      expect.stringMatching(/of staging, \S+: iac state migrate --to to\/iac\.yaml -e staging\nonce all of them are moved, let to\/iac\.yaml take the place/),
    ])
    expect(first.stderr).not.toContain('prod')
    const last = await iac(...migrate, '-e', 'staging', '--auto-approve')
    expect([last.code, last.stderr]).toEqual([0, expect.stringMatching(/\(serial \d+, 1 resource\)\nlet to\/iac\.yaml take the place/)])
  })

  test('leaves out of that a state that has the same place in both files', async () => {
    const settings = 'environments: { staging: {}, prod: { state: { path: own.json } } }\n'
    const { iac } = project(`name: shop\n${settings}`, `name: shop\nstate: { path: new.json }\n${settings}`)
    for (const flags of [[], ['-e', 'prod']]) expect(await iac(...apply, ...flags)).toMatchObject({ code: 0 })
    const moved = await iac(...migrate, '--auto-approve')
    expect([moved.code, moved.stderr]).toEqual([0, expect.not.stringContaining('prod')])
  })

  test('out of the encrypted into the clear is warned of, before and afterwards', async () => {
    const encryption = 'encryption: { keys: [env:IAC_STATE_KEY] }'
    const { run, say } = project(`name: shop\nstate: { ${encryption} }\n`, 'name: shop\nstate: { path: new.json }\n')
    expect(await run(key, ...apply)).toMatchObject({ code: 0 })
    const warning = expect.stringMatching(
      /warning: the state is encrypted, and will lie in clear: to\/iac\.yaml names no key\n[^]*encryption: \{ keys: \[env:IAC_STATE_KEY\] \}/,
    )
    expect(await run(key, ...migrate)).toMatchObject({ code: 1, stderr: warning })
    const moved = await run(key, ...migrate, '--auto-approve')
    expect([moved.stderr, moved.stderr]).toEqual([warning, expect.stringContaining('1 resource, in clear)')])
    say('to/iac.yaml', `name: shop\nstate: { path: new.json, ${encryption} }\n`)
    expect((await run(key, ...migrate, '--auto-approve')).stderr).not.toContain('in clear')
  })

  test('out of the clear into the encrypted tells what stays in clear in the old place, for as long as it lies there', async () => {
    const { folder, run } = project('name: shop\n', 'name: shop\nstate: { path: new.json, encryption: { keys: [env:IAC_STATE_KEY] } }\n')
    expect(await run(key, ...apply)).toMatchObject({ code: 0 })
    const history = join(folder, '.iac/state.json.history')
    const told = (words: string) => ({
      code: 0,
      stderr: expect.stringContaining(`warning: the state is encrypted now, and ${words} in clear: the history of ${join(folder, '.iac/state.json')}\n`),
    })
    expect(await run(key, ...migrate, '--auto-approve')).toMatchObject(told('3 generations stay'))
    expect(readdirSync(history)).toHaveLength(3)
    for (const serial of readdirSync(history).slice(1)) rmSync(join(history, serial))
    expect(await run(key, ...migrate, '--auto-approve')).toMatchObject(told('1 generation stays'))
    rmSync(history, { recursive: true })
    expect(await run(key, ...migrate, '--auto-approve')).toMatchObject({ code: 0, stderr: expect.not.stringContaining('in clear') })
  })
})

describe.each(drawn(sharedPlaces, 1, 'where a state is expected'))('a state that is expected in %s', { tags: ['longer'] }, (_, row) => {
  let place: StatePlace
  beforeAll(async () => void (place = await row.open()))
  afterAll(() => place.close())

  test.each([
    ['', [], '.iac/state.json'],
    [both, ['-e', 'staging'], '.iac/state-staging.json'],
  ])('and was never moved there is not made anew: %j', async (environments, flags, path) => {
    const name = `left-${count}`
    const shared = `name: ${name}\nstate: ${place.settings(name)}\n${environments}`
    const own = `name: ${name}\n${environments}`
    const { folder, run, say, made } = project(own, shared)
    const iac = (...words: string[]) => run(place.environment, ...words, ...flags)
    expect(await iac(...apply)).toMatchObject({ code: 0 })
    const written = readFileSync(join(folder, path), 'utf8')
    say('iac.yaml', shared)
    const ofStates = ['list', 'pull', 'history', 'show Vpc/main', 'rm Vpc/main', 'mv Vpc/main Vpc/b', 'ready Vpc/main', 'restore --auto-approve']
    for (const words of [['plan'], apply, ['drift'], ['output'], ...ofStates.map((one) => ['state', ...one.split(' ')])]) {
      const refused = await iac(...words)
      expect([words, refused.code, refused.stderr]).toEqual([words, 9, expect.stringMatching(/code: state_unmoved/)])
      expect(refused.stderr).toContain(`${path} holds one of this project`)
    }
    expect([made(), readFileSync(join(folder, path), 'utf8')]).toEqual([1, written])
    say('iac.yaml', own)
    expect(await iac(...migrate, '--auto-approve')).toMatchObject({ code: 0 })
    say('iac.yaml', shared)
    expect(await iac('plan', '--detailed-exitcode')).toMatchObject({ code: 0 })
    // Whose mark stands there is no sign, whatever became of the other place.
    place.forget(flags.length === 0 ? name : `${name}-staging`)
    if (flags.length === 0) expect(await iac('plan')).toMatchObject({ code: 0, stdout: expect.stringContaining('There is no state yet') })
  })

  test('and was never moved there is told of with its lock and the way from where one is, and a push fills it', async () => {
    const name = `told-${count}`
    const shared = `name: ${name}\nstate: ${place.settings(name)}\n`
    const { folder, run, say } = project(`name: ${name}\n`, '')
    expect(await run(place.environment, ...apply)).toMatchObject({ code: 0 })
    const { stdout } = await run(place.environment, 'state', 'pull')
    say('iac.yaml', shared)
    writeFileSync(join(folder, 'copy.json'), stdout)
    const told = await run(place.environment, 'status')
    expect(told).toMatchObject({
      code: 9,
      stdout: expect.stringMatching(/^Lock: /),
      stderr: expect.stringContaining(' is not there yet, and .iac/state.json holds'),
    })
    expect(told.stderr).toContain('`mkdir shared && cp iac.yaml shared/`')
    const above = { folder: join(folder, '..'), environment: { IAC_BASE_URL: api.url, ...place.environment }, token: sandbox.token }
    const at = basename(folder)
    const { stderr } = await runCli(['state', 'list', '--dir', at], above)
    expect(stderr).toContain(`\`mkdir ${at}/shared && cp ${at}/iac.yaml ${at}/shared/\``)
    expect(stderr).toContain(`\`iac state migrate --dir ${at} --to ${at}/shared/iac.yaml\``)
    expect(stderr).toContain(`\`mkdir ${at}/.iac/old && mv ${at}/.iac/state.json* ${at}/.iac/old/\``)
    expect(await run(place.environment, 'state', 'push', 'copy.json')).toMatchObject({ code: 0 })
    expect(await run(place.environment, 'plan', '--detailed-exitcode')).toMatchObject({ code: 0 })
  })

  test('is taken for new beside states that are no sign: of the sandbox, of another environment, or put away', async () => {
    const name = `new-${count}`
    const shared = `name: ${name}\nstate: ${place.settings(name)}\n${both}`
    const { folder, run, say, made } = project(`name: ${name}\n${both}`, '')
    const iac = (...words: string[]) => run(place.environment, ...words)
    expect(await iac(...apply, '--sandbox')).toMatchObject({ code: 0 })
    expect(await iac(...apply, '-e', 'staging')).toMatchObject({ code: 0 })
    say('iac.yaml', shared)
    expect(await iac('plan')).toMatchObject({ code: 0 })
    expect(await iac('plan', '-e', 'prod')).toMatchObject({ code: 0 })
    const state = join(folder, '.iac/state-staging.json')
    expect(await iac('plan', '-e', 'staging')).toMatchObject({
      code: 9,
      stderr: expect.stringContaining('`mkdir .iac/old && mv .iac/state-staging.json* .iac/old/`'),
    })
    // Nobody can name it any more, and a path is no setting of this place.
    say('iac.yaml', shared.replace(both, 'environments: { next: {} }\n'))
    expect(await iac('plan', '-e', 'next')).toMatchObject({
      code: 9,
      stderr: expect.stringContaining('under another name: declare staging again, and move it first; if both'),
    })
    say('iac.yaml', shared)
    const text = readFileSync(state, 'utf8')
    writeFileSync(state, text.slice(1))
    expect(await iac('plan', '-e', 'staging')).toMatchObject({ code: 9, stderr: expect.stringContaining('may hold one of this project: ') })
    writeFileSync(state, text)
    say('iac.yaml', shared.replace(`name: ${name}`, 'name: other'))
    expect((await iac('plan', '-e', 'staging')).code).toBe(9)
    say('iac.yaml', shared)
    const renamed = (from: string, to: string) => {
      for (const file of readdirSync(join(folder, '.iac')).filter((one) => one.startsWith(`${from}.json`)))
        renameSync(join(folder, '.iac', file), join(folder, '.iac', file.replace(from, to)))
    }
    renamed('state-staging', 'live')
    expect(await iac('plan', '-e', 'staging')).toMatchObject({ code: 9, stderr: expect.stringContaining('.iac/live.json holds one of this project') })
    renamed('live', 'state-staging')
    mkdirSync(join(folder, '.iac/old'))
    for (const file of readdirSync(join(folder, '.iac')).filter((one) => one.startsWith('state-staging.json')))
      renameSync(join(folder, '.iac', file), join(folder, '.iac/old', file))
    expect((await iac('plan', '-e', 'staging')).code).toBe(0)
    expect(made()).toBe(1)
  })
})
