// By what objects are told apart: the natural key of each kind is made of these fields, and of no others.
import { expect, test } from 'vitest'
import { kinds } from '../../src/kinds/registry.ts'
import { wantedView } from '../builders/wanted-view.ts'
import { subjects } from './subject.ts'
import type { Subject } from './subject.ts'

/** Empty where there is one for each workspace. */
const keyFields: Readonly<Record<string, readonly string[]>> = {
  Workspace: ['name'],
  WorkspaceInvite: ['email'],
  ApiToken: ['name'],
  SshKey: ['name', 'public_key'],
  Instance: ['name'],
  Disk: ['name'],
  Vpc: ['name', 'range'],
  VpcAttachment: ['instance', 'vpc'],
  FirewallRule: ['instance', 'type', 'protocol', 'action', 'port_start', 'port_end', 'remote', 'local', 'bps_limit', 'pps_limit', 'priority', 'description'],
  FloatingIp: ['type'],
  DhcpSettings: ['instance'],
  BgpConfiguration: [],
  BgpPrefix: ['prefix'],
  K3sCluster: [],
  K3sNode: ['instance'],
  K3sSecret: ['name'],
  K3sService: ['name'],
  Coupon: ['code'],
  Recipe: ['name'],
  AppTemplate: ['name'],
  App: ['name'],
  Dedibox: ['name'],
  DediboxIp: ['address'],
  UserProfile: [],
  Price: ['type', 'region', 'service_group', 'cpu_model', 'storage_backing', 'direction', 'family', 'ddos', 'effective_from'],
}

/** The key of what a create of the spec would make. */
function keyOf({ kind }: Subject, spec: Readonly<Record<string, unknown>>): string | undefined {
  const made = kind.steps(wantedView(kind, { desired: spec })).find((step) => step.creates)
  return kind.naturalKey(made?.sets ?? spec)
}

test('every managed kind says by what', () => {
  const managed = kinds.filter((kind) => kind.managed).map((kind) => kind.name)
  expect(Object.keys(keyFields).toSorted(), 'each kind has a row in `keyFields` of this file').toEqual(managed.toSorted())
})

test.each(subjects)('$title', (subject) => {
  const { kind, example } = subject
  const before = keyOf(subject, example.spec)
  const telling = Object.entries(example.changes ?? {}).filter(([field, value]) => keyOf(subject, { ...example.spec, [field]: value }) !== before)
  const expected = Object.keys(example.changes ?? {}).filter((field) => keyFields[kind.name]?.includes(field))
  expect(
    telling.map(([field]) => field),
    `the fields by which a ${kind.name} is told apart: its row in \`keyFields\` of this file`,
  ).toEqual(expected)
})
