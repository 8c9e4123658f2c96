// The three-way diff where it hangs on what is uncertain: whose doing a difference is, and what is sent although nothing shows it.
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../base/json.ts'
import { DhcpSettings } from '../../../kinds/dhcp-settings.ts'
import { Instance } from '../../../kinds/instance.ts'
import { K3sService } from '../../../kinds/k3s-service.ts'
import { Vpc } from '../../../kinds/vpc.ts'
import { WorkspaceInvite } from '../../../kinds/workspace-invite.ts'
import { differences, drifts, isBlindlySent } from './diff.ts'
import type { Facts } from './diff.ts'
import { saysNothing } from './equal.ts'
import { recordedOutputs } from './recorded-outputs.ts'

const spec = { name: 'shop', image: 'nginx:2', mode: 'SPREAD', target_instances: ['1'] }
const earlier = { ...spec, image: 'nginx:1', replicas: 3, ports: [], volumes: [{ host_path: '/a', container_path: '/b' }] }
const facts = (more: Partial<Facts>): Facts => ({ desired: spec, recorded: spec, seen: spec, uncertain: [], strays: {}, imported: false, ...more })

describe('what a request of ours may have changed', () => {
  test('is no change from outside, and no drift', () => {
    const changed = { image: 'nginx:1', target_instances: ['2'] }
    const found = facts({ seen: { ...spec, ...changed }, uncertain: ['image'] })
    expect(differences(K3sService, found).map(({ field, drifted }) => [field, drifted])).toEqual([
      ['image', false],
      ['target_instances', true],
    ])
    expect(drifts(K3sService, found).map((one) => one.field)).toEqual(['target_instances'])
  })

  test('is sent where no answer shows it, declared or not, and cleared where an earlier revision shows what nobody declares', () => {
    const found = differences(
      K3sService,
      facts({ seen: earlier, uncertain: ['environment', 'ports', 'replicas', 'volumes'], restored: ['environment', 'ports', 'replicas', 'volumes'] }),
    )
    expect(found.map(({ field, after, inDoubt }) => [field, after, inDoubt])).toEqual([
      ['image', 'nginx:2', undefined],
      ['replicas', undefined, undefined],
      ['volumes', undefined, undefined],
      ['environment', undefined, true],
    ])
    const declared = facts({ desired: { ...spec, environment: { A: 'a' } }, recorded: { ...spec, environment: { A: 'a' } }, uncertain: ['environment'] })
    expect(differences(K3sService, declared)).toEqual([
      { field: 'environment', before: { A: 'a' }, after: { A: 'a' }, effect: 'update', drifted: false, inDoubt: true },
    ])
    expect(differences(K3sService, declared).every((one) => isBlindlySent(K3sService, one))).toBe(true)
    expect(found.filter((one) => isBlindlySent(K3sService, one)).map((one) => one.field)).toEqual(['environment'])
  })

  test('makes nothing anew that may not be there: what a reset alone would clear is cleared where something is known to be there', () => {
    const desired: JsonObject = { instance: '1', enabled: true }
    const unread = { desired, recorded: desired, seen: {}, uncertain: ['v4'], restored: ['v4'] }
    expect(differences(DhcpSettings, facts(unread))).toEqual([])
    const v4 = '198.18.0.9'
    for (const known of [{ recorded: { ...desired, v4 } }, { seen: { ...desired, v4 } }])
      expect(differences(DhcpSettings, facts({ ...unread, ...known }))).toMatchObject([{ field: 'v4', before: v4, after: undefined, effect: 'replace' }])
  })

  test('stays where it may be what others made: unless a revision came back, what is shown and nobody declares is theirs', () => {
    expect(differences(K3sService, facts({ seen: { ...spec, replicas: 5 }, uncertain: ['replicas'] }))).toEqual([])
    const seen: JsonObject = { name: 'web', vpcs: ['1'] }
    const desired = { name: 'web' }
    expect(differences(Instance, facts({ desired, recorded: desired, seen, uncertain: ['vpcs'] }))).toEqual([])
  })
})

test('what is told once is recorded of no read', () => {
  expect(recordedOutputs(WorkspaceInvite, { id: '1', code: 'abc', expires: 'later' }, {})).toEqual({ id: '1', expires: 'later' })
})

test('a text that is empty may come back as none', () => {
  const spec: JsonObject = { name: 'main', description: '', range: '10.0.0.0/24' }
  const of = (description: string | null) => differences(Vpc, facts({ desired: spec, recorded: spec, seen: { ...spec, description } }))
  expect([of(null), of('').length, of('by hand').length]).toEqual([[], 0, 1])
})

test.each([
  [undefined, true],
  [null, true],
  [[], true],
  [{}, true],
  [1, true],
  ['', false],
  [0, false],
  [['x'], false],
])('%j of a field that usually has 1 says nothing: %j', (value, nothing) => {
  expect(saysNothing(value, { usual: 1 })).toBe(nothing)
})
