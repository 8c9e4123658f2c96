// The BGP kinds: which requests each situation asks for, and what is refused before any.
import { describe, expect, test } from 'vitest'
import { cannedAt, cannedReader } from '../../test/builders/canned-reader.ts'
import { wantedView } from '../../test/builders/wanted-view.ts'
import { BgpConfiguration } from './bgp-configuration.ts'
import { BgpPrefix } from './bgp-prefix.ts'
import type { Peer } from './definition/kind.ts'
import { readShape } from './definition/shape.ts'

const peer = (address: string, spec: Peer['spec']): Peer => ({ address, kind: address.split('/')[0] ?? '', workspace: '9', spec })
const bodyOf = (step: { readonly call: object } | undefined) => (step && 'body' in step.call ? step.call.body : undefined)

describe('session', () => {
  const answer = { data: { id: 7, asn: 64512, instance: { id: '1', name: 'router' }, max_prefixes: 8 }, live: { password: 'x' } }
  const live = readShape(BgpConfiguration.live, answer, {})
  const recorded = { asn: 64512, instance: '1' }

  test('is read with its password, by its own id', async () => {
    const reader = cannedReader({ '/v1/workspaces/9/bgp': answer })
    const [one] = await BgpConfiguration.list(reader, cannedAt())
    expect(one && BgpConfiguration.toSpec(one)).toEqual({ asn: 64512, instance: '1', max_prefixes: 8, password: 'x' })
    expect(await BgpConfiguration.read(reader, '8', cannedAt())).toBeUndefined()
    expect(await BgpConfiguration.list(cannedReader({}), cannedAt())).toEqual([])
  })
  test('sends what changed alone', () => {
    const [step] = BgpConfiguration.steps(wantedView(BgpConfiguration, { desired: { asn: 64513, instance: '1' }, recorded, live }))
    expect([step?.name, bodyOf(step), step?.disruption]).toEqual(['update', { asn: 64513 }, undefined])
  })
  test.each([
    ['removed', { asn: 64512 }, { sets: {}, clears: ['instance'] }],
    ['null', { asn: 64512, instance: null }, { sets: { instance: null } }],
  ] as const)('an instance that is %s is cleared', (_, desired, outcome) => {
    const [step, ...more] = BgpConfiguration.steps(wantedView(BgpConfiguration, { desired, recorded, live }))
    expect(bodyOf(step)).toEqual({ instance_id: null })
    expect(step).toMatchObject({ ...outcome, disruption: 'interruption' })
    expect(more).toEqual([])
  })
  test('is made without any field, too', () => {
    expect(BgpConfiguration.steps(wantedView(BgpConfiguration, { desired: {} }))).toMatchObject([{ name: 'create', creates: true, call: { body: {} } }])
  })
})

describe('prefix', () => {
  const desired = { prefix: '203.0.113.0/24', source: 'MANUAL', enabled: true, community: 'DEFAULT' } as const
  const live = readShape(BgpPrefix.live, { id: 12, ...desired }, {})

  test.each([
    [{}, undefined, []],
    [{ community: 'PROTECTED' }, undefined, ['update']],
    [{ enabled: false }, 'interruption', ['update']],
    [{ prefix: '198.51.100.0/24' }, 'interruption', ['update']],
  ] as const)('%o: %s, %o', (other, disruption, names) => {
    const steps = BgpPrefix.steps(wantedView(BgpPrefix, { desired: { ...desired, ...other }, recorded: desired, live }))
    expect(steps.map((step) => step.name)).toEqual(names)
    expect(steps[0]?.disruption).toBe(disruption)
    if (steps[0]) expect(bodyOf(steps[0])).toEqual({ ...desired, ...other })
  })
  test('is found in the list, its integer id as text', async () => {
    const reader = cannedReader({ '/v1/workspaces/9/bgp/prefixes': [{ id: 12, ...desired }] })
    expect(await BgpPrefix.read(reader, '12', cannedAt())).toMatchObject({ id: '12' })
    expect(await BgpPrefix.read(reader, '13', cannedAt())).toBeUndefined()
    expect(await BgpPrefix.read(cannedReader({}), '12', cannedAt())).toBeUndefined()
  })
  test('is no nonsense, not there twice, and not one too many', () => {
    expect(BgpPrefix.check?.({ prefix: '203.0.113.0/33' })).toHaveLength(1)
    expect(BgpPrefix.check?.({ prefix: '\u0001unknown' })).toEqual([])
    const peers = [
      peer('BgpConfiguration/c', { max_prefixes: 2 }),
      peer('BgpPrefix/a', desired),
      peer('BgpPrefix/b', { prefix: '203.0.113.9/24' }),
      peer('BgpPrefix/c', { prefix: '198.51.100.0/24' }),
    ]
    expect(BgpPrefix.checkAll?.(peers).map((problem) => [problem.address, problem.path])).toEqual([
      ['BgpPrefix/b', ['prefix']],
      ['BgpPrefix/c', []],
    ])
    expect(BgpPrefix.checkAll?.(peers.slice(1)).map((problem) => problem.address)).toEqual(['BgpPrefix/b'])
  })
})
