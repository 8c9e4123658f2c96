// A sandbox in somebody's test: however a request is written, it is this one that answers.
import { expect, test } from 'vitest'
import { service } from './service.ts'
import { createTestSandbox } from './test-sandbox.ts'
import { workflowOperations } from './time/durations.ts'

test('a path, an address with any host, a URL and a Request are answered alike', async () => {
  const sandbox = createTestSandbox()
  const headers = { authorization: `Bearer ${sandbox.token}` }
  const path = `/v1/workspaces/${sandbox.workspaceId}/vpcs`
  const far = `https://api.example.test${path}`
  const answers = [
    await sandbox.fetch(path, { headers }),
    await sandbox.fetch(far, { headers }),
    await sandbox.fetch(new URL(far), { headers }),
    await sandbox.fetch(new Request(far, { headers })),
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(sandbox.requests({ operation: 'listVpcs' })).toHaveLength(4)
})

test('an answer without a body has none', async () => {
  const sandbox = createTestSandbox()
  const headers = { authorization: `Bearer ${sandbox.operatorToken}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ amount: 1000, uses: 1 })
  const made: unknown = await (await sandbox.fetch('/v1/coupons', { method: 'POST', headers, body })).json()
  const id = typeof made === 'object' && made !== null && 'id' in made ? String(made.id) : ''
  const removed = await sandbox.fetch(`/v1/coupons/${id}`, { method: 'DELETE', headers })
  expect([removed.status, removed.body]).toEqual([204, null])
})

test('it listens on the port that is asked for, once, until it is closed', async () => {
  const sandbox = createTestSandbox()
  const url = await sandbox.listen()
  expect(await sandbox.listen(1)).toBe(url)
  await sandbox.close()
  expect(() => sandbox.url).toThrow('does not listen')
  await sandbox.close()
  const port = Number(new URL(url).port)
  expect(await sandbox.listen(port)).toBe(url)
  await sandbox.close()
})

test.each([
  [{ clock: 'nope' }, 'no clock is called nope'],
  [{ profile: 'slow' }, 'no profile is called slow'],
  [{ readings: { lists: 'slimm' } }, 'the reading lists is one of'],
  [{ readings: { list: 'slim' } }, 'no reading is called list; did you mean lists?'],
  [{ quota: { max_vpc: 1 } }, 'no limit is called max_vpc; did you mean max_vpcs?'],
  [{ clok: 'frozen' }, 'no option is called clok; did you mean clock?'],
  [{ courses: [{ operation: 'k3s.crate', outcome: 'FAILED' }] }, 'no workflow is called k3s.crate; did you mean k3s.create?'],
  [{ courses: [{ operation: 'k3s.create', outcome: 'FAIL' }] }, 'not a course'],
  [{ courses: [{ operation: 'k3s.create', outcome: 'COMPLETED', lagMs: 0.5 }] }, 'not a course'],
  [{ faults: { lst: [] } }, 'no option of faults is called lst; did you mean list?'],
  [{ faults: { list: [{ status: 503, operation: 'listVpc' }] } }, 'did you mean listVpcs?'],
])('%j is no sandbox', (options, message) => {
  // As from JavaScript, where no type stands in the way.
  expect(() => Reflect.apply(createTestSandbox, undefined, [options])).toThrow(message)
})

test.each([
  [{ status: 503, probability: 0.5 }, 'a probability needs a seed'],
  [{ status: 503, operation: 'listVpc' }, 'did you mean listVpcs?'],
  [{ operation: 'listVpcs' }, 'a fault needs at least one of'],
  [{ status: 503, staleMs: 5 }, 'in place of handling'],
  [{ nope: 1 }, 'nope'],
  [{ workflow: { outcome: 'COMPLETED', durationMs: 0.5 } }, 'not a fault'],
])('%j is no fault', (fault, message) => {
  const { faults } = createTestSandbox()
  expect(() => Reflect.apply(faults.add, faults, [fault])).toThrow(message)
  expect(faults.list()).toEqual([])
})

test('a fault of a test is the one that was meant, and a preset has a name', () => {
  const { faults } = createTestSandbox()
  faults.add({ operation: 'createVpc', times: 2, workflow: { outcome: 'FAILED', leaves: 'failed', durationMs: 5 } })
  expect(faults.list()).toMatchObject([{ operation: 'createVpc', times: 2, workflow: { outcome: 'FAILED', leaves: 'failed', durationMs: 5 } }])
  expect(() => Reflect.apply(faults.preset, faults, ['outag'])).toThrow('did you mean outage?')
})

test('a word that is no word of the sandbox is told at once, and changes nothing', () => {
  const { faults, requests, clock } = createTestSandbox({ faults: { list: [{ id: 'mine', status: 503 }] }, courses: [{ operation: '*', outcome: 'FAILED' }] })
  const failing = (work: (...words: never[]) => unknown, given: unknown): (() => unknown) => {
    return () => Reflect.apply(work, undefined, [given])
  }
  expect(failing(faults.course, { operation: 'k3s.crate', outcome: 'FAILED' })).toThrow('did you mean k3s.create?')
  expect(failing(faults.course, { operation: 'k3s.create', outcome: 'FAIL' })).toThrow('not a course')
  expect(failing(faults.course, { outcome: 'FAILED' })).toThrow(TypeError)
  expect(failing(faults.course, { operation: 'k3s.create', outcome: 'FAILED', lag_ms: 5 })).toThrow('did you mean lagMs?')
  expect(failing(faults.add, { operation: 'createVpc', delay_ms: 5 })).toThrow('did you mean delayMs?')
  expect(failing(faults.add, { operation: 'createVpc', workflow: { outcome: 'FAILED', duration_ms: 9 } })).toThrow('did you mean durationMs?')
  expect(failing(requests, { operation: 'createVcp' })).toThrow('did you mean createVpc?')
  expect(failing(requests, { operations: 'createVpc' })).toThrow('did you mean operation?')
  expect(failing(clock.set, 'frosen')).toThrow('no clock is called frosen')
  expect([clock.course.mode, faults.list().map((one) => one.id)]).toEqual(['jumping', ['mine']])
  faults.course({ operation: 'k3s.create', outcome: 'FAILED', leaves: 'failed', lagMs: 1, durationMs: 1 })
})

test('every workflow of the service has a name that a course can be set for', () => {
  expect(Object.keys(service.effects).filter((name) => !workflowOperations.includes(name))).toEqual([])
})

test.each([[Number.NaN], [-1], [Infinity]])('time does not go on by %s ms', async (ms) => {
  const { clock } = createTestSandbox()
  await expect(clock.advance(ms)).rejects.toThrow(RangeError)
  expect(Number.isFinite(clock.wall())).toBe(true)
})
