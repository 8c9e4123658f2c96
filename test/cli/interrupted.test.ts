// An apply that was told to stop: what it held back went not wrong, and is not told as if it had.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCommand } from '../../src/cli/program.ts'
import { createSandbox } from '../../src/sandbox/sandbox.ts'
import { serveSandbox } from '../../src/sandbox/server.ts'
import { manifest } from '../builders/project.ts'
import { operatingBench } from './operating-bench.ts'
import { newFolder, surroundingsFor, testsClock } from './run-cli.ts'

/** An apply that is stopped between the two requests that an address takes, with a network to follow it. */
async function stoppedApply(...words: string[]): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
  const sandbox = createSandbox({ clock: testsClock, profile: 'instant' })
  const server = await serveSandbox({ sandbox })
  const options = { folder: newFolder(), environment: { IAC_BASE_URL: server.url }, token: sandbox.token }
  const address = manifest('FloatingIp', 'mail', 'type: IPv4\nregion: fra-1\nddos: false\ndns: mail.example.com')
  const network = manifest('Vpc', 'later', 'description: d\nrange: 10.20.0.0/24', 'depends_on: [FloatingIp/mail]')
  writeFileSync(join(options.folder, 'main.yaml'), address + network)
  const printed = { stdout: '', stderr: '' }
  const stop = new AbortController()
  sandbox.faults.hook = (request) => {
    if (request.operation === 'createFloatingIp') stop.abort()
    return undefined
  }
  const code = await runCommand(['apply', '--auto-approve', ...words], { ...surroundingsFor(options, printed), stop: stop.signal })
  await server.close()
  return { code, ...printed }
}

test('is told in notes, with 130', async () => {
  const { code, stdout, stderr } = await stoppedApply()
  expect([code, stderr]).toEqual([130, expect.stringMatching(/^FloatingIp\/mail: Creation stopped after \d+s$/m)])
  expect(stderr).toContain('note: FloatingIp/mail: stopped before its next request\n')
  expect(stderr).toContain('Vpc/later: Not begun: FloatingIp/mail\n')
  expect(stdout + stderr).not.toMatch(/error|failed/)
})

test('is told in a stream without an error', async () => {
  const { code, stdout } = await stoppedApply('--json')
  const lines: { readonly '@level': string; readonly type: string }[] = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect([code, lines.filter((one) => one['@level'] === 'error')]).toEqual([130, []])
  expect(lines.filter((one) => one.type === 'apply_errored')).toMatchObject([
    { hook: { resource: { addr: 'FloatingIp/mail' } } },
    { hook: { resource: { addr: 'Vpc/later' } } },
  ])
})

const ends = [
  { words: ['apply', '--auto-approve'], operation: 'createVpc', says: '`iac status` shows what is unfinished, and the next run goes on' },
  {
    words: ['import', 'Vpc/main', '77'],
    operation: 'getVpc',
    says: 'an import changes nothing at the service; `iac status` shows whether the lock was left',
  },
  {
    words: ['api', 'DELETE', '/v1/vpcs/77', '--auto-approve'],
    operation: 'deleteVpc',
    says: 'what was sent may take effect: look before sending it again; `iac status` knows runs alone, and nothing of it',
  },
]
test.each(ends)('what ends at once says how many requests were on their way, and where to look: $words', async ({ words, operation, says }) => {
  const sandbox = createSandbox({ clock: testsClock, profile: 'instant' })
  const server = await serveSandbox({ sandbox })
  const options = { folder: newFolder(), environment: { IAC_BASE_URL: server.url }, token: sandbox.token }
  writeFileSync(join(options.folder, 'main.yaml'), manifest('Vpc', 'main', 'description: d\nrange: 10.20.0.0/24'))
  const printed = { stdout: '', stderr: '' }
  const actions: (() => void)[] = []
  const atExit = (action: () => void): (() => void) => {
    actions.push(action)
    return () => void actions.splice(actions.indexOf(action), 1)
  }
  sandbox.faults.hook = (request) => {
    if (request.operation === operation) for (const action of actions.toReversed()) action()
    return undefined
  }
  await runCommand(words, { ...surroundingsFor(options, printed), atExit })
  await server.close()
  expect(actions).toEqual([])
  expect(printed.stderr).toContain(`ended at once: 1 request was on the way; ${says}\n`)
})

test('a connection that is refused on this machine is tried for 5 s, and says so', async () => {
  const sandbox = createSandbox({ clock: testsClock, profile: 'instant' })
  const server = await serveSandbox({ sandbox })
  await server.close()
  const printed = { stdout: '', stderr: '' }
  const startedMs = testsClock.now()
  const surroundings = surroundingsFor({ folder: newFolder(), environment: { IAC_BASE_URL: server.url }, token: sandbox.token }, printed)
  // Pauses of no luck: one of the tries comes after it has been silent for a while, and before the last.
  const code = await runCommand(['get', 'plans'], { ...surroundings, random: () => 0.5 })
  expect([code, testsClock.now() - startedMs < 15_000]).toEqual([1, true])
  expect(printed.stderr).toMatch(/^still trying, for another [1-4] s: .*the connection was refused/m)
})

test.each([
  { words: ['get', 'plans'], operation: 'listPlans', request: 'GET /v1/plans' },
  { words: ['apply', '--auto-approve'], operation: 'createVpc', request: String.raw`POST /v1/workspaces/\d+/vpcs` },
] as const)('a pause of some length that the service asks for says how long it is, and for what: $words', async ({ words, operation, request }) => {
  const { folder, run, sandbox } = await operatingBench('')
  writeFileSync(join(folder, 'main.yaml'), manifest('Vpc', 'main', 'description: d\nrange: 10.20.0.0/24'))
  sandbox.faults.list.push({ operation, status: 429, retryAfterSeconds: 5, message: 'slow down', times: 1 })
  const said = `^waiting for [56]s, as asked: the service answered 429 to ${request}: slow down$`
  expect(await run(words)).toMatchObject({ code: 0, stderr: expect.stringMatching(new RegExp(said, 'm')) })
})
