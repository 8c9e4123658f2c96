// Which kind a word means, and what is said of one that means none.
import { expect, test } from 'vitest'
import { kinds } from '../../kinds/registry.ts'
import { findKind, unknownKind } from './find-kind.ts'

const words = kinds.flatMap((one) => [one.name, one.plural])
const hint = (word: string): string | undefined => unknownKind(word, words).diagnostics[0]?.hint

test.each([
  ['Instance', 'Instance'],
  ['instances', 'Instance'],
  ['VPCS', 'Vpc'],
  ['rules', 'FirewallRule'],
  ['rule', 'FirewallRule'],
  ['keys', 'SshKey'],
  ['tokens', 'ApiToken'],
  ['invites', 'WorkspaceInvite'],
  ['secrets', 'K3sSecret'],
  ['services', 'K3sService'],
  ['prefixes', 'BgpPrefix'],
  ['nodes', 'Node'],
  ['ips', undefined],
  ['s', undefined],
  ['', undefined],
  ['constructor', undefined],
])('%s means %s', (word, name) => {
  expect(findKind(word)?.name).toBe(name)
})

test.each([
  ['ips', 'did you mean floatingips or dediboxips?'],
  ['servers', 'did you mean Instance?'],
  ['nets', 'did you mean Vpc?'],
  ['bgp', 'did you mean BgpConfiguration or BgpPrefix?'],
  ['images', 'the API lists no images: Instance.spec.image is an id'],
  ['quota', 'limits are no objects: `iac quota` shows them, and every plan is held against them'],
  ['Topology', 'it is drawn of what is live: see `iac topology`'],
  ['instnaces', 'did you mean instances?'],
  ['xyz', '`iac explain` lists the kinds'],
  ['constructor', '`iac explain` lists the kinds'],
])('of %s is said: %s', (word, said) => {
  expect(hint(word)).toBe(said)
})
