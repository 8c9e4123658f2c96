// What an address changes of the server that it is attached to: who reads that sees it in the same apply, and nobody else is touched.
import { expect, test } from 'vitest'
import { manifest } from '../builders/project.ts'
import { createWorld } from '../builders/world.ts'
import { all, brief, effects, files, instance, said, vpc } from './stage.ts'

const address = (name: string, on: string, metadata = '', type = 'IPv4') =>
  manifest('FloatingIp', name, `type: ${type}\nregion: fra-1\nddos: false\ninstance: ${on}`, metadata)
const note = (expression: string, metadata = '') => manifest('Vpc', 'note', `name: note\nrange: 10.9.0.0/24\ndescription: "\${${expression}}"`, metadata)
const count = (server: string) => `string(size(Instance['${server}'].ips))`
const bare = instance('web', 'ips: []')
const web = instance('web')
const servers = all(web, instance('api'))
const first = `Instance['web'].ip4 == null ? 'none' : Instance['web'].ip4`

/** Applies both, the first one until nothing is left, and gives the plan of the second with what was sent for it and what the note says then; a third finds nothing to do. */
async function step(before: string, after: string) {
  const world = createWorld()
  for (const _ of [1, 2]) expect((await world.apply(before)).exitCode).toBe(0)
  const sent = effects(world)
  const done = await world.apply(after)
  expect(done.exitCode).toBe(0)
  expect(brief((await world.plan(after)).plan)).toEqual([])
  const { ips, vpcs } = world.sandbox.world.tables
  return { plan: brief(done.plan), sent: [...sent], says: vpcs.all()[0]?.description, ips: ips.all() }
}

test.each([
  [
    'one is attached',
    all(servers, note(count('web'))),
    all(servers, address('a', 'web'), note(count('web'))),
    '3',
    ['createFloatingIp', 'attachIp', 'updateVpc'],
  ],
  [
    'one is let go of',
    all(servers, address('a', 'web'), note(count('web'))),
    all(servers, address('a', 'null'), note(count('web'))),
    '2',
    ['detachIp', 'updateVpc'],
  ],
  [
    'one is deleted',
    all(servers, address('a', 'web'), note(count('web'))),
    all(servers, note(count('web'))),
    '2',
    ['detachIp', 'deleteFloatingIp', 'updateVpc'],
  ],
  [
    'one moves here',
    all(servers, address('a', 'api'), note(count('web'))),
    all(servers, address('a', 'web'), note(count('web'))),
    '3',
    ['detachIp', 'attachIp', 'updateVpc'],
  ],
  [
    'one moves away',
    all(servers, address('a', 'web'), note(count('web'))),
    all(servers, address('a', 'api'), note(count('web'))),
    '2',
    ['detachIp', 'attachIp', 'updateVpc'],
  ],
])('the addresses of a server that stays are read anew once %s', async (_, before, after, says, sent) => {
  expect(await step(before, after)).toMatchObject({ says, sent })
})

test('the first address is known where there was none, and none once it has gone', async () => {
  const [without, on] = [all(bare, note(first)), all(bare, address('a', 'web'), note(first))]
  const { says, ips } = await step(without, on)
  expect([says]).toEqual(ips.map((one) => one.address))
  expect(await step(on, without)).toMatchObject({ says: 'none' })
})

test.each([
  ['a further address', first, servers, all(servers, address('a', 'web'))],
  ['an address of another family', first, servers, all(servers, address('a', 'web', '', 'IPv6'))],
  ['an address of another server', count('web'), servers, all(servers, address('a', 'api'))],
  ['the end of a further address', first, all(web, address('a', 'web')), web],
  ['another name of the server', count('web'), all(web, address('a', 'web')), all(instance('web', 'name: other'), address('a', 'web'))],
  ['another name of the address', count('web'), all(web, address('a', 'web')), all(web, address('a', 'web').trimEnd(), '  dns: a.example.com\n')],
])('%s changes nothing for who reads what stays', async (_, read, before, after) => {
  const { plan } = await step(all(before, note(read)), all(after, note(read)))
  expect(plan).toHaveLength(1)
  expect(plan).not.toContainEqual(expect.stringContaining('Vpc/note'))
})

test.each(['made', 'made anew, the new one first', 'made anew, the old one first', 'taken over'])(
  'of a server that is %s in the same run as well',
  async (how) => {
    const world = createWorld()
    const isFirst = how.endsWith('the new one first')
    const server = (metadata: string) => all(instance('web', '', metadata), instance('api'))
    const lifecycle = `lifecycle: { create_before_destroy: ${isFirst} }`
    const { instances } = world.sandbox.world.tables
    if (how === 'taken over') expect((await world.beside().apply(web)).exitCode).toBe(0)
    else if (how !== 'made') expect((await world.apply(all(server(lifecycle), isFirst ? note(count('web')) : ''))).exitCode).toBe(0)
    const taken = how === 'taken over' ? `import: { id: "${instances.all()[0]?.id}" }` : lifecycle
    const texts = all(server(taken), address('a', 'web'), note(count('web')))
    expect((await world.apply(texts, how.startsWith('made anew') ? { replace: ['Instance/web'] } : {})).exitCode).toBe(0)
    expect([world.sandbox.world.tables.vpcs.all()[0]?.description, brief((await world.plan(texts)).plan)]).toEqual(['3', []])
  },
)

test('a server that is made anew, and whose address moves over, is read until that shows on the new one', async () => {
  const world = createWorld({ compat: { read_grace: '6s' } })
  const texts = all(web, address('a', 'web'), note(count('web')))
  for (const _ of [1, 2]) expect((await world.apply(texts)).exitCode).toBe(0)
  world.sandbox.world.courses.push({ operation: 'instance.create', outcome: 'COMPLETED', durationMs: 20_000 })
  let isAttached = false
  world.sandbox.faults.hook = ({ operation = '', method }) => {
    isAttached ||= operation === 'attachIp'
    return isAttached && method === 'GET' && /Instance|Ips/.test(operation) ? { staleMs: 4000 } : undefined
  }
  expect((await world.apply(texts, { replace: ['Instance/web'] })).exitCode).toBe(0)
  world.sandbox.faults.hook = undefined
  expect([isAttached, world.sandbox.world.tables.vpcs.all()[0]?.description, brief((await world.plan(texts)).plan)]).toEqual([true, '3', []])
})

test('an address that waits for who reads closes no circle', async () => {
  const world = createWorld()
  const after = all(web, address('a', 'web', 'depends_on: [Vpc/note]'), note(count('web')))
  expect((await world.apply(all(web, note(count('web'))))).exitCode).toBe(0)
  expect((await world.apply(after)).exitCode).toBe(0)
  expect((await world.apply(after)).exitCode).toBe(0)
  expect(brief((await world.plan(after)).plan)).toEqual([])
})

test('an address that is left out changes nothing for who reads', async () => {
  const world = createWorld()
  const after = all(web, address('a', 'web'), note(count('web')))
  expect((await world.apply(all(web, note(count('web'))))).exitCode).toBe(0)
  expect(brief((await world.plan(after, { excludes: ['FloatingIp/a'] })).plan)).toEqual([])
})

test('an output of the project tells what is so after the apply', async () => {
  const world = createWorld()
  const lines = `outputs:\n  many: { value: "\${${count('web')}}" }`
  expect((await world.apply(files(lines, web))).exitCode).toBe(0)
  const done = await world.apply(files(lines, web, address('a', 'web')))
  expect(done.document.outputs).toMatchObject({ many: { value: '3' } })
})

test('and where something else of the apply failed', async () => {
  const world = createWorld()
  const lines = `outputs:\n  many: { value: "\${${count('web')}}" }`
  expect((await world.apply(files(lines, web))).exitCode).toBe(0)
  world.sandbox.faults.list.push({ operation: 'createVpc', status: 400, times: 'always' })
  const done = await world.apply(files(lines, web, address('a', 'web'), vpc('main')))
  expect([done.exitCode, done.document.outputs['many']?.value]).toEqual([8, '3'])
})

test.each([
  ['stays as it is', "size(Instance['web'].ips) > 100 ? '10.30.0.0/24' : '10.20.0.0/24'", []],
  ['does change', "size(Instance['web'].ips) > 2 ? '10.30.0.0/24' : '10.20.0.0/24'", ['replace Vpc/base (immutable_field): delete, create']],
])('nothing is made anew for a value that may change; where it %s the next plan tells', async (_, range, next) => {
  const world = createWorld()
  const base = vpc('base').replace(/range: .*/, `range: "\${${range}}"`)
  const goesBy = 'note Vpc/base: range goes by what others show now; where this apply changes that, the next plan replaces it'
  expect((await world.apply(all(web, base))).exitCode).toBe(0)
  const sent = effects(world)
  const done = await world.apply(all(web, base, address('a', 'web')))
  expect([done.exitCode, brief(done.plan), sent]).toEqual([0, ['create FloatingIp/a (new): create, attach'], ['createFloatingIp', 'attachIp']])
  expect(said(done.plan)).toContain(goesBy)
  expect(brief((await world.plan(all(web, base, address('a', 'web')))).plan)).toEqual(next)
})

test('what reads it in such a field and in another one sees it in the other one', async () => {
  const base = vpc('base').replace(/range: .*/, `range: "\${size(Instance['web'].ips) > 100 ? '10.30.0.0/24' : '10.20.0.0/24'}"`)
  const both = base.replace(/description: .*/, `description: "\${${count('web')}}"`)
  const { sent, says } = await step(all(web, both), all(web, both, address('a', 'web')))
  expect([sent, says]).toEqual([['createFloatingIp', 'attachIp', 'updateVpc'], '3'])
})
