// Pointers of iac.yaml that lead to a secret, or to nothing that is read, are refused with their place.
import { expect, test } from 'vitest'
import { manifest, mistakes } from '../../../test/builders/project.ts'

const vpc = manifest('Vpc', 'main', 'name: main\ndescription: d\nrange: 10.0.0.0/24')
const pointing = (field: string, pointer: string) =>
  mistakes({ 'iac.yaml': `apiVersion: iac/v1\nkind: Project\nprovider:\n  compat:\n    fields:\n      ${field}: ${pointer}\n`, 'a.yaml': vpc })

test.each([
  ['BgpConfiguration.instance', '/password'],
  ['BgpConfiguration.asn', '/live/password'],
  ['BgpConfiguration.max_prefixes', '/Password/x'],
  ['BgpConfiguration.instance', '/pass-word'],
  ['BgpPrefix.prefix', '/session/password'],
  ['Vpc.name', '/password'],
  ['Instance.os_name', '/cloud_init'],
  ['K3sSecret.name', '/data/DB_PASSWORD'],
  ['K3sService.image', '/environment/TOKEN'],
  ['WorkspaceInvite.status', '/code'],
])('%s at %s', (field, pointer) => {
  expect(pointing(field, pointer)).toEqual([expect.stringMatching(new RegExp(`^invalid_value 6:\\d+ ${field} points at .*which is secret`))])
})
test.each([
  ['Vpc.id', '/other/id', 'unknown_field 6:7 where the id of an object stands is not to be set'],
  ['Vpc.vlam', '/vlan_tag', 'unknown_field 6:7 nothing called "vlam" is read of Vpc'],
  ['Vpx.vlan', '/vlan_tag', 'unknown_kind 6:7 no kind is called "Vpx"'],
])('%s at %s', (field, pointer, text) => {
  expect(pointing(field, pointer)).toEqual([text])
})
test.each([
  ['BgpConfiguration.password', '/secret/password'],
  ['WorkspaceInvite.code', '/invite/code'],
  ['Instance.region', '/place/code'],
  ['Vpc.vlan', '/vlan_tag'],
  ['FirewallCount.rules', '/count'],
])('%s may stand at %s', (field, pointer) => {
  expect(pointing(field, pointer)).toEqual([])
})
