// Instances: their steps in every situation, their readings of live, their checks.
import { describe, expect, test } from 'vitest'
import { cannedAt, cannedReader } from '../../test/builders/canned-reader.ts'
import { runSteps, wantedView } from '../../test/builders/wanted-view.ts'
import { ApiError } from '../api/calls/call.ts'
import { compatSchema } from '../api/calls/compat.ts'
import { routes } from '../api/routes/routes.ts'
import type { Lookup, Peer } from './definition/kind.ts'
import { readShape } from './definition/shape.ts'
import { priceInstance } from './instance-cost.ts'
import { Instance } from './instance.ts'

const base = { name: 'web', type: 'PLAN', plan: '4', region: 'fra-1', start: true } as const
const live = (answer: Readonly<Record<string, unknown>> = {}) => ({ ...readShape(Instance.live, { id: '1', state: 'AVAILABLE', online: true }, {}), ...answer })
const names = (steps: readonly { readonly name: string }[]) => steps.map((step) => step.name)
const bodyOf = (step: { readonly call: object } | undefined) => (step && 'body' in step.call ? step.call.body : undefined)
const view = (extra: object, seen: Readonly<Record<string, unknown>>, recorded: object = base, fresh = false) =>
  wantedView(Instance, { desired: { ...base, ...extra }, recorded, live: live(seen), fresh })
const noLookup: Lookup = () => undefined

describe('making one', () => {
  test.each([
    { desired: {}, start: true, steps: ['create'] },
    { desired: { power: 'ON' }, start: true, steps: ['create'] },
    { desired: { power: 'OFF' }, start: false, steps: ['create'] },
    { desired: { start: false }, start: false, steps: ['create'] },
    { desired: { boot: 'ISO' }, start: true, steps: ['create'] },
    { desired: { uefi: true }, start: false, steps: ['create', 'update', 'power on'] },
    { desired: { firewall_enabled: true, power: 'ON' }, start: false, steps: ['create', 'update', 'power on'] },
    { desired: { firewall_enabled: true, power: 'OFF' }, start: false, steps: ['create', 'update'] },
    { desired: { uefi: true, start: false }, start: false, steps: ['create', 'update'] },
  ] as const)('$desired gives $steps with start $start', ({ desired, start, steps }) => {
    const planned = Instance.steps(wantedView(Instance, { desired: { ...base, ...desired } }))
    expect(names(planned)).toEqual(steps)
    expect(bodyOf(planned[0])).toMatchObject({ start })
    const made = { id: '1', state: 'AVAILABLE' }
    expect(names(runSteps(Instance, { ...base, ...desired }, { recorded: {}, live: undefined }, made).done)).toEqual(steps)
  })
  test.each([
    [{ power: 'ON' }, 'ON'],
    [{ power: 'OFF' }, 'OFF'],
    [{ power: 'ON', uefi: true }, undefined],
    [{}, undefined],
  ] as const)('with %o its create records power %s: what it does itself', (desired, power) => {
    expect(Instance.steps(wantedView(Instance, { desired: { ...base, ...desired } }))[0]?.sets.power).toBe(power)
  })
  test('killed before its first boot, it is powered on by the next run, whether power is declared or not', () => {
    const recorded = { ...base, start: false, uefi: true }
    for (const declared of [{}, { power: 'ON' }]) {
      expect(names(Instance.steps(view({ uefi: true, ...declared }, { online: false }, recorded, true)))).toEqual(['power on'])
    }
  })
  test('on already, it needs no first boot; declared off, it is switched off', () => {
    const recorded = { ...base, start: false, uefi: true }
    expect(names(Instance.steps(view({ uefi: true }, { online: true }, recorded, true)))).toEqual([])
    expect(names(Instance.steps(view({ uefi: true, power: 'OFF' }, { online: true }, recorded, true)))).toEqual(['power off'])
  })
  test('is not powered on while it boots by itself, nor later when nobody declares power', () => {
    expect(Instance.steps(view({ power: 'ON' }, { online: false }, base, true))).toEqual([])
    expect(Instance.steps(view({}, { online: false }, { ...base, start: false }))).toEqual([])
  })
})

describe('status', () => {
  test.each([
    { seen: { online: true }, recorded: {}, fresh: true, status: 'ready' },
    { seen: { online: false }, recorded: { start: true }, fresh: true, status: 'pending' },
    { seen: { online: undefined }, recorded: { start: true }, fresh: true, status: 'pending' },
    { seen: { online: false }, recorded: {}, fresh: true, status: 'ready' },
    { seen: { online: false }, recorded: { start: false }, fresh: true, status: 'ready' },
    { seen: { online: false }, recorded: { power: 'OFF' }, fresh: true, status: 'ready' },
    { seen: { online: false }, recorded: {}, fresh: false, status: 'ready' },
    { seen: { state: 'UNPLACED' }, recorded: {}, fresh: false, status: 'pending' },
    { seen: { state: 'SUSPENDED' }, recorded: {}, fresh: false, status: 'stopped' },
    { seen: { state: 'DELETING' }, recorded: {}, fresh: false, status: 'leaving' },
    { seen: { state: 'MIGRATING' }, recorded: {}, fresh: false, status: 'pending' },
  ] as const)('$seen, recorded $recorded, fresh $fresh: $status', ({ seen, recorded, fresh, status }) => {
    expect(Instance.status(live(seen), { id: '1', workspaceId: '9', recorded, live: undefined, fresh, nowMs: 0 })).toBe(status)
  })
})

describe('changing one', () => {
  test('patches what changed and says that boot settings wait for a restart', () => {
    const [step] = Instance.steps(view({ name: 'api', uefi: true }, { name: 'web', uefi: false }))
    expect(step).toMatchObject({ name: 'update', disruption: 'restart', sets: { name: 'api', uefi: true } })
    expect(bodyOf(step)).toEqual({ name: 'api', uefi: true })
  })
  test('joins and leaves one VPC at a time, by what is there', () => {
    const steps = Instance.steps(view({ vpcs: ['12', '13'] }, { memberships: [{ vpc: '11' }, { vpc: '13' }] }, { ...base, vpcs: ['11'] }))
    expect(names(steps)).toEqual(['join VPC 12', 'leave VPC 11'])
    expect(steps.map((step) => step.sets.vpcs)).toEqual([
      ['11', '13', '12'],
      ['13', '12'],
    ])
    expect(steps[1]?.disruption).toBe('interruption')
  })
  test('leaves a list alone that is a token as a whole', () => {
    expect(Instance.steps(view(JSON.parse('{"vpcs":"\\u0001unknown"}'), { memberships: [{ vpc: '11' }] }))).toEqual([])
  })
  test.each([
    { power: 'ON', online: false, steps: ['power on'] },
    { power: 'OFF', online: true, steps: ['power off'] },
    { power: 'OFF', online: false, steps: [] },
    { power: undefined, online: false, steps: [] },
  ] as const)('keeps power $power while online is $online', ({ power, online, steps }) => {
    expect(names(Instance.steps(view(power ? { power } : {}, { online })))).toEqual(steps)
  })
})

test('detaches extra disks before it is deleted', () => {
  const steps = Instance.removal({
    id: '1',
    workspaceId: '9',
    recorded: base,
    live: live({ extra_disks: [{ id: '12' }, { id: '13' }] }),
    fresh: false,
    nowMs: 0,
  })
  expect(names(steps)).toEqual(['detach disk 12', 'detach disk 13', 'delete'])
  expect(steps.at(-1)).toMatchObject({ removes: true, disruption: 'data_loss' })
})
test('names the disks in no state that it detaches: they stay, and cost', () => {
  const there = live({ extra_disks: [{ id: '12' }, { id: '13', name: 'web-1' }, { id: '14' }] })
  expect(Instance.takenOff?.(there, (kind, id) => kind === 'Disk' && id === '12')).toEqual([
    { kind: 'Disk', id: '13', words: 'disk web-1 (id 13)' },
    { kind: 'Disk', id: '14', words: 'disk unknown (id 14)' },
  ])
  expect(Instance.takenOff?.(live(), () => false)).toEqual([])
})

describe('reading', () => {
  const record = {
    id: '1',
    name: 'web',
    state: 'AVAILABLE',
    online: true,
    plan: { id: '4', name: 'ryzen-4' },
    specs: { cpu: 4, memory: 8, group: 'RYZEN' },
    region: { code: 'fra-1' },
  }
  const answers = {
    '/v1/instances/1': record,
    '/v1/workspaces/9/instances': [record],
    '/v1/workspaces/9/vpcs': [{ id: '11' }, { id: '12' }],
    '/v1/vpcs/11/instances': [{ instance: { id: '1' }, private_ip: '10.0.0.2' }, { instance: { id: '2' } }],
    '/v1/vpcs/12/instances': [],
    '/v1/workspaces/9/disks': [
      { id: '21', boot: true, instance: '1' },
      { id: '22', name: 'web-1' },
      { id: '23', boot: false, instance: { id: '2' } },
      { id: '24', boot: false, instance: null },
    ],
    '/v1/disks/22': { id: '22', name: 'web-1', boot: false, instance: { id: '1' } },
    '/v1/workspaces/9/ips': [
      { id: '31', address: '2001:db8::1', instance: { id: '1' } },
      { id: '32', address: '203.0.113.9', instance: { id: '1' } },
      { id: '33', address: '203.0.113.8', instance: null },
    ],
  }
  test('asks for no more than the record when nobody compares more', async () => {
    const reader = cannedReader(answers)
    const [one] = await Instance.list(reader, cannedAt())
    expect(reader.asked).toEqual(['/v1/workspaces/9/instances'])
    expect(one?.memberships).toBeUndefined()
    expect(Instance.outputsOf(one ?? live())).toEqual({ id: '1', state: 'AVAILABLE', online: true })
  })
  test('believes no list that a disk still hangs on it', async () => {
    const moved = {
      ...answers,
      '/v1/workspaces/9/disks': [{ id: '25', boot: false, instance: { id: '1' } }],
      '/v1/disks/25': { id: '25', boot: false, instance: '2' },
    }
    expect(await Instance.read(cannedReader(moved), '1', cannedAt(['disks']))).toMatchObject({ extra_disks: [] })
    const lagging = { ...moved, '/v1/disks/25': { id: '25', boot: false, instance: '1' } }
    const at = (place: string) => ({ ...cannedAt(['disks']), recorded: () => ({ instance: place }) })
    expect(await Instance.read(cannedReader(lagging), '1', at('2'))).toMatchObject({ extra_disks: [] })
    expect(await Instance.read(cannedReader(lagging), '1', at('1'))).toMatchObject({ extra_disks: [{ id: '25' }] })
    const gone = { ...answers, '/v1/workspaces/9/disks': [{ id: '26', boot: false, instance: { id: '1' } }] }
    expect(await Instance.read(cannedReader(gone), '1', cannedAt(['disks']))).toMatchObject({ extra_disks: [] })
  })
  test('finds memberships from the VPC side, extra disks by their records, addresses in the list', async () => {
    for (const one of [
      await Instance.read(cannedReader(answers), '1', cannedAt(['vpcs', 'disks'])),
      ...(await Instance.list(cannedReader(answers), cannedAt(['vpcs', 'disks']))),
    ]) {
      expect(one).toMatchObject({ memberships: [{ vpc: '11', address: '10.0.0.2' }], extra_disks: [{ id: '22', name: 'web-1' }] })
    }
    const one = await Instance.read(cannedReader(answers), '1', cannedAt(['vpcs']))
    expect(one && Instance.outputsOf(one)).toMatchObject({ ip4: '203.0.113.9', ip6: '2001:db8::1', ips: ['31', '32'], vpc_addresses: { 11: '10.0.0.2' } })
  })
  test('has no disks where the service has no call for them; any other refusal is one', async () => {
    const refusing = (status: number) => {
      const reader = cannedReader(answers)
      const all: typeof reader.all = async (call, shape) => {
        if (call.route === routes.listDisks) throw new ApiError(status, '', 'GET disks')
        return reader.all(call, shape)
      }
      return Instance.read({ ...reader, all }, '1', cannedAt(['disks']))
    }
    for (const status of [404, 501]) expect((await refusing(status))?.extra_disks).toBeUndefined()
    await expect(refusing(403)).rejects.toThrow('403')
  })
  test('shows a plan without the parts that come from it', () => {
    expect(Instance.toSpec(readShape(Instance.live, record, {}))).toMatchObject({ type: 'PLAN', plan: '4', region: 'fra-1', power: 'ON' })
    expect(Instance.toSpec(readShape(Instance.live, record, {}))).not.toHaveProperty('cpu')
  })
  test('takes emptiness for no reason to replace', () => {
    const seen = Instance.toSpec(readShape(Instance.live, { ...record, plan: null, region: null, image: null }, {}))
    expect([seen.plan, seen.region, seen.image]).toEqual([undefined, undefined, undefined])
  })
  test('takes a name where an id is due for no reason to replace either', () => {
    const seen = Instance.toSpec(readShape(Instance.live, { ...record, plan: 'ryzen-4', image: 'debian-13' }, {}))
    expect([seen.plan, seen.image]).toEqual([undefined, undefined])
    expect(Instance.toSpec(readShape(Instance.live, { ...record, plan: 4, image: { id: 9007199254740993n } }, {}))).toMatchObject({
      plan: '4',
      image: '9007199254740993',
    })
  })
})

describe('checks', () => {
  const custom = {
    type: 'CUSTOM',
    name: 'a',
    region: 'fra-1',
    group: 'RYZEN',
    cpu: 1,
    memory_bytes: 1,
    storage: [{ size_bytes: 1, boot: true, backing: 'LOCAL' }],
  } as const
  test.each([
    [base, []],
    [custom, []],
    [{ ...base, node: '5' }, [['node']]],
    [{ name: 'a', type: 'PLAN', plan: '4' }, [['region']]],
    [{ ...base, cpu: 4 }, [['cpu']]],
    [{ type: 'CUSTOM', name: 'a', region: 'fra-1', plan: '4' }, [['plan'], ['group'], ['cpu'], ['memory_bytes'], ['storage']]],
    [{ ...custom, storage: [{ size_bytes: 1, boot: false, backing: 'LOCAL' }] }, [['storage']]],
    [{ ...base, power: 'ON', start: false }, [['start']]],
    [
      {
        ...base,
        ips: [
          { family: 'IPv4', ddos: true },
          { family: 'IPv6', ddos: false },
        ],
      },
      [],
    ],
    [
      {
        ...base,
        ips: [
          { family: 'IPv4', ddos: true },
          { family: 'IPv6', ddos: true },
        ],
      },
      [['ips', 1, 'ddos']],
    ],
    [JSON.parse('{"type":"\\u0001t","region":"\\u0001r","storage":"\\u0001s","ips":["\\u0001i",{"family":"\\u0001f","ddos":true}]}'), []],
  ])('%o', (spec, paths) => {
    expect(Instance.check?.(spec).map((problem) => problem.path)).toEqual(paths)
  })
  test('an attachment to an instance that lists its vpcs is an error', () => {
    const peer = (address: string, spec: Peer['spec']): Peer => ({ address, kind: address.split('/')[0] ?? '', workspace: '9', spec })
    const peers = [
      peer('Instance/a', { vpcs: [] }),
      peer('Instance/b', {}),
      peer('VpcAttachment/a', { instance: 'Instance/a', vpc: 'Vpc/v' }),
      peer('VpcAttachment/b', { instance: 'Instance/b', vpc: 'Vpc/v' }),
    ]
    expect(Instance.checkAll?.(peers).map((problem) => problem.address)).toEqual(['VpcAttachment/a'])
  })
  test('a disabled plan is refused where an instance would be made of it', () => {
    const disabled: Lookup = (kind, id) => (kind === 'Plan' && id === '4' ? { disabled: true } : undefined)
    expect(Instance.refuse?.(wantedView(Instance, { desired: base }), disabled)).toHaveLength(1)
    expect(Instance.refuse?.(view({}, {}, { ...base, region: 'ams-1' }), disabled)).toHaveLength(1)
    expect(Instance.refuse?.(view({ name: 'other' }, {}), disabled)).toEqual([])
    expect(Instance.refuse?.(wantedView(Instance, { desired: base }), noLookup)).toEqual([])
  })
})

describe('price and quota', () => {
  const included = compatSchema.parse({})
  const priced = compatSchema.parse({ plan_addresses: 'priced' })
  const plan: Lookup = (kind) => (kind === 'Plan' ? { rate: 5000, disk_size: 80 } : undefined)
  const parts = {
    type: 'CUSTOM',
    region: 'fra-1',
    group: 'RYZEN',
    cpu: 2,
    memory_bytes: 8,
    storage: [
      { size_bytes: 10, boot: true, backing: 'LOCAL' },
      { size_bytes: 5, boot: false, backing: 'CEPH' },
    ],
  } as const
  test('a plan has its rate, its disk and an address of each family', () => {
    expect(Instance.price?.(base, plan, included)).toEqual({ rateMicroUsd: 5000 })
    expect(Instance.price?.(base, noLookup, included)).toBeUndefined()
    expect(Instance.quota?.(base, plan)).toEqual({ max_instances: 1, max_floating_ipv4: 1, max_floating_ipv6: 1, max_floating_ips: 2, max_storage_bytes: 80 })
  })
  test('a plan covers one address of each family, and with plan_addresses: priced none', () => {
    const address = (family: 'IPv4' | 'IPv6', ddos = false) => ({ family, ddos })
    const two = { ...base, ips: [address('IPv4', true), address('IPv4'), address('IPv6')] }
    const extra = (ddos: boolean) => ({ type: 'FLOATING_IP', family: 'IPv4', ddos })
    expect(Instance.price?.(two, plan, included)).toEqual({ rateMicroUsd: 5000, estimate: { region: 'fra-1', parts: [extra(true)] } })
    const six = { type: 'FLOATING_IP', family: 'IPv6' }
    expect(Instance.price?.(base, plan, priced)).toEqual({ rateMicroUsd: 5000, estimate: { region: 'fra-1', parts: [extra(false), six] } })
    expect(Instance.price?.(two, plan, priced)).toEqual({ rateMicroUsd: 5000, estimate: { region: 'fra-1', parts: [extra(true), extra(false), six] } })
    expect(Instance.price?.({ ...base, ips: [] }, plan, priced)).toEqual({ rateMicroUsd: 5000 })
  })
  test.each([
    { cpu: '\u0001' },
    { memory_bytes: '\u0001' },
    { storage: '\u0001' },
    { storage: ['\u0001'] },
    { storage: [{ size_bytes: '\u0001', boot: true, backing: 'LOCAL' }] },
    { bandwidth: '\u0001' },
    { bandwidth: { upload_bytes_sec: 1, download_bytes_sec: '\u0001' } },
    { ips: ['\u0001'] },
    { ips: [{ family: 'IPv4', ddos: '\u0001' }] },
  ])('a custom one of which %o is not known has no price', (open) => {
    expect(priceInstance({ ...parts, ...open }, noLookup, included)).toBeUndefined()
  })
  test('a custom one that is shown in part has no price; its group may be missing', () => {
    for (const name of ['cpu', 'memory_bytes', 'storage']) {
      expect(priceInstance({ ...parts, [name]: undefined }, noLookup, included), name).toBeUndefined()
    }
    const price = priceInstance({ ...parts, group: undefined }, noLookup, included)
    expect(price?.estimate?.parts[0]).toEqual({ type: 'CPU', cpu: 2 })
  })
  test('a plan whose addresses are not known has no price', () => {
    expect(priceInstance({ ...base, ips: '\u0001' }, plan, included)).toBeUndefined()
    expect(priceInstance({ ...base, ips: ['\u0001'] }, plan, included)).toBeUndefined()
  })
  test('a custom one is the sum of its parts', () => {
    const spec = {
      ...parts,
      ips: [
        { family: 'IPv4', ddos: true },
        { family: 'IPv6', ddos: false },
      ],
      bandwidth: { upload_bytes_sec: 1, download_bytes_sec: 2 },
    } as const
    expect(Instance.price?.({ ...spec, ips: [...spec.ips], storage: [...parts.storage] }, noLookup, included)?.estimate).toEqual({
      region: 'fra-1',
      parts: [
        { type: 'CPU', cpu: 2, service_group: 'RYZEN' },
        { type: 'MEMORY', memory_bytes: 8 },
        { type: 'STORAGE', storage_bytes: 10, storage_backing: 'LOCAL' },
        { type: 'STORAGE', storage_bytes: 5, storage_backing: 'CEPH' },
        { type: 'BANDWIDTH', direction: 'UPLOAD', speed_bytes_sec: 1 },
        { type: 'BANDWIDTH', direction: 'DOWNLOAD', speed_bytes_sec: 2 },
        { type: 'FLOATING_IP', family: 'IPv4', ddos: true },
        { type: 'FLOATING_IP', family: 'IPv6' },
      ],
    })
    expect(Instance.quota?.({ ...parts, storage: [...parts.storage] }, noLookup)).toMatchObject({ max_storage_bytes: 15, max_floating_ips: 0 })
  })
})
