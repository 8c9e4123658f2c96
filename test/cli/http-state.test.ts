// Commands on a state that lies on a server: what they say, what they end with, and what never shows.
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { realClock } from '../../src/base/clock.ts'
import type { Clock } from '../../src/base/clock.ts'
import { createSandbox } from '../../src/sandbox/sandbox.ts'
import { serveSandbox } from '../../src/sandbox/server.ts'
import { startHttpStates } from '../builders/http-state-server.ts'
import type { HttpStateServer } from '../builders/http-state-server.ts'
import { testUser } from '../builders/http-states.ts'
import { httpStoreAt } from '../builders/http-stores.ts'
import { newFolder, runCli, testsClock } from './run-cli.ts'
import type { Ran } from './run-cli.ts'

const manifest = 'apiVersion: iac/v1\nkind: Vpc\nmetadata: { name: main }\nspec: { name: main, description: "", range: 10.1.0.0/24 }\n'
const sandbox = createSandbox({ clock: testsClock, profile: 'instant' })
let api: Awaited<ReturnType<typeof serveSandbox>>
let states: HttpStateServer

beforeAll(async () => {
  api = await serveSandbox({ sandbox })
  states = await startHttpStates('plain')
})
afterAll(async () => {
  await api.close()
  await states.close()
})

/** A folder whose project has its state there. */
function project(name: string, withLock: boolean): string {
  const folder = newFolder()
  const { origin, state } = states.address(name)
  const locks = withLock ? `, lock_address: '${origin}${state}', unlock_address: '${origin}${state}'` : ''
  writeFileSync(join(folder, 'iac.yaml'), `apiVersion: iac/v1\nkind: Project\nname: ${name}\nstate: { backend: http, address: '${origin}${state}'${locks} }\n`)
  writeFileSync(join(folder, 'main.yaml'), manifest)
  return folder
}

async function iac(
  folder: string,
  words: readonly string[],
  more: Readonly<Record<string, string>> = {},
  clock: Clock = testsClock,
  build?: string,
): Promise<Ran> {
  const { username, password } = testUser
  const caller = { TF_HTTP_USERNAME: username, TF_HTTP_PASSWORD: password, IAC_STATE_HOST: new URL(states.origin).host }
  const ran = await runCli(words, { folder, clock, environment: { IAC_BASE_URL: api.url, ...caller, ...more }, token: sandbox.token, build })
  for (const text of [ran.stdout, ran.stderr]) expect(text).not.toMatch(/canary|Y2k6Y2/)
  return ran
}

test('without a lock each run that changes something is warned, and none that looks', async () => {
  const folder = project('unlocked', false)
  const apply = ['apply', '--auto-approve']
  const warning = expect.stringMatching(/warning: the state \S+\/unlocked is used without a lock\n[^]*set lock_address and unlock_address/)
  for (const words of [apply, apply, [...apply, '--refresh-only'], ['state', 'mv', 'Vpc/main', 'Vpc/other']]) {
    const ran = await iac(folder, words)
    expect(ran).toMatchObject({ code: 0, stderr: warning })
    expect(ran.stderr.match(/without a lock/g)).toHaveLength(1)
  }
  for (const words of [['plan'], ['status'], ['state', 'list'], ['state', 'history']]) expect((await iac(folder, words)).stderr).not.toContain('without a lock')
  expect((await iac(folder, ['status'])).stdout).toContain('Lock: there is none, since no lock_address is set\n')
  expect(existsSync(join(folder, '.iac'))).toBe(false)
})

test('a run that finds it locked ends with 7, names the holder, and the lock can be broken', async () => {
  const folder = project('locked', true)
  expect((await iac(folder, ['apply', '--auto-approve'])).stderr).not.toContain('without a lock')
  const owner = { id: 'b2f1', operation: 'apply', who: 'other@there', host: 'there', pid: 7, created: '2026-01-01T00:00:00Z', run_url: null }
  const process = { host: 'there', boot: 'x', namespace: '', pid: 7, start: '1' }
  const lease = await httpStoreAt(states.address('locked'), { process, leaseMs: 60_000 }).lock(owner, 0)
  expect((await iac(folder, ['status'])).stdout).toMatch(/Lock: apply by other@there.*, id b2f1\n {6}last sign of life \d+s ago, within its lease of 1m/)
  expect(JSON.parse((await iac(folder, ['status', '--json'])).stdout)).toMatchObject({
    lock: { ...owner, heartbeat: { signs: expect.any(Number), lease_ms: 60_000, quiet_ms: expect.any(Number) } },
  })
  expect(await iac(folder, ['destroy', '--auto-approve'])).toMatchObject({ code: 7, stderr: expect.stringContaining('iac state unlock b2f1') })
  expect(await iac(folder, ['state', 'unlock', 'b2f1', '--auto-approve'])).toMatchObject({ code: 0 })
  expect(await iac(folder, ['destroy', '--auto-approve'])).toMatchObject({ code: 0 })
  expect(await lease.release()).toBeUndefined()
})

test('the lock of another tool, of which only the server knows, is broken by whoever says so alone', async () => {
  const folder = project('foreign', true)
  const body = { ID: 'b1e4-of-tofu', Operation: 'OperationTypeApply', Info: '', Who: 'me@laptop', Version: '1.11.4', Created: 'today', Path: '' }
  const kept = { text: undefined, versions: new Map<number, string>(), lock: JSON.stringify(body) }
  states.states.set(states.address('foreign').state, kept)
  const unlock = ['state', 'unlock', 'b1e4-of-tofu']
  for (const [words, more] of [
    [[...unlock, '--no-input'], {}],
    [unlock, { CI: 'true' }],
  ] as const)
    expect(await iac(folder, words, more)).toMatchObject({ code: 3, stderr: expect.stringContaining('add --auto-approve') })
  const no = await iac(folder, unlock)
  expect([no.code, no.stderr, kept.lock]).toEqual([
    1,
    expect.stringMatching(/Nothing tells who has a lock with this id[^]*Unlock cancelled/),
    JSON.stringify(body),
  ])
  expect([(await iac(folder, [...unlock, '--auto-approve'])).code, kept.lock]).toEqual([0, undefined])
})

test('a journal_address is no other place for a state that is there, and comes with another address', async () => {
  const folder = project('grown', true)
  const own = readFileSync(join(folder, 'iac.yaml'), 'utf8')
  const named = (text: string): void => writeFileSync(join(folder, 'to/iac.yaml'), text.replace(' }', `, journal_address: '${states.origin}/journal' }`))
  const migrate = ['state', 'migrate', '--to', 'to/iac.yaml', '--auto-approve']
  mkdirSync(join(folder, 'to'))
  named(own)
  expect(await iac(folder, migrate)).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('give it another state.address, too, where a journal_address is'),
  })
  expect((await iac(folder, ['state', 'list'])).stderr).toMatch(/^the state http\S+\/grown is not there yet \(with --sandbox it is another one\)\n/)
  const other = own.replaceAll('/grown', '/grown-up')
  named(other)
  expect(await iac(folder, migrate)).toMatchObject({ code: 3, stderr: expect.stringMatching(/there is nothing to move: the state \S+\/grown is not there\n/) })
  expect(await iac(folder, ['apply', '--auto-approve'])).toMatchObject({ code: 0 })
  expect(await iac(folder, migrate)).toMatchObject({ code: 0 })
  writeFileSync(join(folder, 'iac.yaml'), readFileSync(join(folder, 'to/iac.yaml')))
  expect(await iac(folder, ['plan', '--detailed-exitcode'])).toMatchObject({ code: 0 })
  expect(await iac(folder, ['destroy', '--auto-approve'])).toMatchObject({ code: 0 })
})

test('a server that refuses, holds something else or is not named ends a run before anything is sent', async () => {
  const folder = project('refused', true)
  const standing = sandbox.world.tables.vpcs.all().length
  expect(await iac(folder, ['plan'], { TF_HTTP_PASSWORD: 'canary-other' })).toMatchObject({ code: 4, stderr: expect.stringContaining('refuses the caller') })
  expect(await iac(folder, ['plan'], { IAC_STATE_HOST: 'elsewhere' })).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('the environment does not name'),
  })
  states.states.set(states.address('refused').state, { text: '{"version":4,"serial":1,"lineage":"x"}', versions: new Map(), lock: undefined })
  expect(await iac(folder, ['apply', '--auto-approve'])).toMatchObject({ code: 9, stderr: expect.stringContaining('holds something else') })
  expect(sandbox.world.tables.vpcs.all()).toHaveLength(standing)
})

test('an apply of a hundred objects, ten at once, writes the state at most twice for each ten, and twice more', async () => {
  const folder = project('many', true)
  const keys = Array.from({ length: 100 }, (_, index) => `n${index}`)
  expect(await iac(folder, ['apply', '--auto-approve'])).toMatchObject({ code: 0 })
  writeFileSync(
    join(folder, 'many.yaml'),
    `apiVersion: iac/v1\nkind: Vpc\nmetadata: { name: net, for_each: [${keys.join(', ')}] }\nspec: { name: "many-\${each.key}", description: "", range: 10.3.0.0/24 }\n`,
  )
  states.requests = []
  const slowClock = realClock(0.5) // What comes together is judged by time: a busy machine must not tear it apart.
  expect(await iac(folder, ['apply', '--auto-approve', '--parallelism', '10'], {}, slowClock)).toMatchObject({ code: 0 })
  const writes = states.requests.filter(({ method, path }) => method === 'POST' && !path.endsWith('/lock'))
  expect(sandbox.world.tables.vpcs.all().filter((one) => one.name.startsWith('many-'))).toHaveLength(100)
  expect(writes.length).toBeLessThanOrEqual(2 * 10 + 2)
})

/** An apply of six objects that loses the server after the first ones. */
async function cutOff(folder: string, name: string): Promise<Ran> {
  const six = `apiVersion: iac/v1\nkind: Vpc\nmetadata: { name: ${name}, for_each: [a, b, c, d, e, f] }\nspec: { name: "${name}-\${each.key}", description: "", range: 10.2.0.0/24 }\n`
  writeFileSync(join(folder, 'main.yaml'), six)
  let writes = 0
  states.hook = ({ method, query }) => (method === 'POST' && query.includes('ID=') && (writes += 1) > 3 ? 'fails before' : undefined)
  const cut = await iac(folder, ['apply', '--auto-approve', '--parallelism', '2'], { IAC_LOCK_LEASE: '10s' })
  states.hook = undefined
  return cut
}

test('a server that is lost in the middle ends an apply with 8; what it did not take is kept here and delivered, and nothing is made twice', async () => {
  const folder = project('cut', true)
  const cut = await cutOff(folder, 'net')
  expect([cut.code, cut.stderr]).toEqual([8, expect.stringMatching(/takes nothing more[^]*kept in \S+\.iac\/undelivered\/[0-9a-f]{32}\.journal/)])
  expect(cut.stderr + cut.stdout).not.toMatch(/at \w+ \(|\.ts:\d+/)
  const [lines = ''] = readdirSync(join(folder, '.iac/undelivered'))
  const file = join(folder, '.iac/undelivered', lines)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  appendFileSync(file, '{"crc":')
  const torn = expect.stringContaining(`note: the last line of ${file} was cut off, and is left out`)
  expect(await iac(folder, ['status'])).toMatchObject({ code: 0, stderr: torn })
  expect(await iac(folder, ['apply', '--auto-approve', '--lock-timeout', '30s'])).toMatchObject({ code: 0, stderr: torn })
  expect(readdirSync(join(folder, '.iac/undelivered'))).toEqual([])
  expect(await iac(folder, ['plan', '--detailed-exitcode'])).toMatchObject({ code: 0 })
  expect(sandbox.world.tables.vpcs.all().filter((one) => one.name.startsWith('net-'))).toHaveLength(6)
  writeFileSync(file, 'rubbish')
  const again = await iac(folder, ['apply', '--auto-approve'])
  expect([again.code, again.stderr]).toEqual([
    0,
    expect.stringMatching(/undelivered\/\S+ cannot be read: what a run from here could not store is not delivered/),
  ])
})

test('over a backup that is older than lines kept here no run goes on, and they stay; the newest state takes them', async () => {
  const folder = project('backup', true)
  expect(await iac(folder, ['apply', '--auto-approve'])).toMatchObject({ code: 0 })
  const standing = () => states.states.get(states.address('backup').state) ?? { text: undefined }
  const backup = standing().text
  writeFileSync(join(folder, 'main.yaml'), manifest.replaceAll('main', 'other').replace('10.1.', '10.4.'))
  expect(await iac(folder, ['apply', '--auto-approve'])).toMatchObject({ code: 0 })
  expect(await cutOff(folder, 'six')).toMatchObject({ code: 8 })
  const newest = standing().text
  const kept = readdirSync(join(folder, '.iac/undelivered'))
  Object.assign(standing(), { text: backup, lock: undefined })
  for (const words of [['plan'], ['apply', '--auto-approve'], ['state', 'list']])
    expect(await iac(folder, words)).toMatchObject({
      code: 9,
      stderr: expect.stringMatching(/an older state was put in its place\. They tell of Vpc\/six\["a"\] \(id \d+\)[^]*move \S+\/undelivered\/\S+ away first/),
    })
  expect(readdirSync(join(folder, '.iac/undelivered'))).toEqual(kept)
  Object.assign(standing(), { text: newest, lock: undefined })
  expect(await iac(folder, ['apply', '--auto-approve', '--lock-timeout', '30s'])).toMatchObject({ code: 0 })
  expect(readdirSync(join(folder, '.iac/undelivered'))).toEqual([])
  expect(sandbox.world.tables.vpcs.all().filter((one) => one.name.startsWith('six-'))).toHaveLength(6)
})

test('a state moves there from a file, encrypted on the way; what is run on the old place ends with 9 and names the new one', async () => {
  const folder = newFolder()
  const key = { IAC_STATE_KEY: 'a passphrase of some length' }
  const { origin, state } = states.address('moved')
  const own = 'apiVersion: iac/v1\nkind: Project\nname: moved\n'
  const shared = `${own}state: { backend: http, address: '${origin}${state}', lock_address: '${origin}${state}', unlock_address: '${origin}${state}', encryption: { keys: [env:IAC_STATE_KEY] } }\n`
  mkdirSync(join(folder, 'shared'))
  writeFileSync(join(folder, 'iac.yaml'), own)
  writeFileSync(join(folder, 'shared/iac.yaml'), shared)
  writeFileSync(join(folder, 'main.yaml'), manifest.replaceAll('main', 'wandering').replace('10.1.', '10.9.'))
  expect(await iac(folder, ['apply', '--auto-approve'])).toMatchObject({ code: 0 })
  const move = ['state', 'migrate', '--to', 'shared/iac.yaml']
  expect(await iac(folder, ['state', 'migrate'])).toMatchObject({ code: 3 })
  expect(await iac(folder, ['state', 'migrate', '--to', 'nowhere.yaml'], key)).toMatchObject({ code: 3 })
  expect(await iac(folder, ['state', 'migrate', '--to', 'iac.yaml'], key)).toMatchObject({ code: 3, stderr: expect.stringContaining('where the state is') })
  expect(await iac(folder, move, key)).toMatchObject({ code: 1, stderr: expect.stringContaining('Move cancelled') })
  expect(await iac(folder, [...move, '--auto-approve'])).toMatchObject({ code: 9, stderr: expect.stringContaining('IAC_STATE_KEY is not set') })
  expect(await iac(folder, [...move, '--auto-approve'], key)).toMatchObject({ code: 0, stderr: expect.stringContaining('the state was moved') })
  for (const words of [
    ['plan'],
    ['apply', '--auto-approve'],
    ['destroy', '--auto-approve'],
    ['state', 'list'],
    ['state', 'history'],
    ['state', 'restore', '--auto-approve'],
    ['status'],
  ])
    expect([words, await iac(folder, words)]).toEqual([
      words,
      expect.objectContaining({ code: 9, stderr: expect.stringContaining(`was moved to the state ${origin}${state}`) }),
    ])
  expect(await iac(folder, [...move, '--auto-approve'], key)).toMatchObject({ code: 0, stderr: expect.stringContaining('was moved before') })
  writeFileSync(join(folder, 'iac.yaml'), shared)
  rmSync(join(folder, 'shared'), { recursive: true })
  expect(await iac(folder, ['plan', '--detailed-exitcode'], key)).toMatchObject({ code: 0 })
  const history = JSON.parse((await iac(folder, ['state', 'history', '--json'], key)).stdout)
  expect(history.map((one: { command: string }) => one.command)).toEqual(['state migrate', 'apply', 'apply'])
  expect(states.states.get(state)?.text).not.toContain('wandering')
})

test('no look at a state that is not there yet is told again: a former one in the folder may hold something by now', async () => {
  const folder = project('left', true)
  const shared = readFileSync(join(folder, 'iac.yaml'), 'utf8')
  const formerly = shared.replace(/state: .*\n/, '')
  const run = async (text: string, words: string, wanted: string): Promise<Ran> => {
    writeFileSync(join(folder, 'iac.yaml'), text)
    writeFileSync(join(folder, 'main.yaml'), wanted)
    return await iac(folder, words.split(' '), {}, testsClock, 'one')
  }
  await run(formerly, 'apply --auto-approve', manifest.replaceAll('main', 'left'))
  await run(formerly, 'destroy --auto-approve', '')
  expect(await run(shared, 'plan', '')).toMatchObject({ code: 0, stdout: expect.stringContaining('No changes.') })
  expect(await run(shared, 'drift', '')).toMatchObject({ code: 3, stdout: expect.stringContaining('There is no state yet') })
  await run(formerly, 'apply --auto-approve', manifest.replaceAll('main', 'left'))
  for (const words of ['plan', 'drift']) expect(await run(shared, words, '')).toMatchObject({ code: 9, stderr: expect.stringContaining('state_unmoved') })
})
