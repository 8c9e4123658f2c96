// SSH keys: compared without their comment, refused where they are none, never changed.
import { expect, test } from 'vitest'
import { wantedView } from '../../test/builders/wanted-view.ts'
import { normaliseSpec } from './definition/normalise.ts'
import { SshKey } from './ssh-key.ts'

const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl'
const desired = { name: 'laptop', public_key: key }

test.each([
  [key, 0],
  [`${key} me@example.com`, 0],
  ['\u0001unknown\u0001Vpc/a /id\u0002', 0],
  [key.slice(0, 60), 1],
  ['~/.ssh/id_ed25519.pub', 1],
])('the key %j has %i problems', (given, count) => {
  expect(SshKey.check?.({ ...desired, public_key: given })).toHaveLength(count)
})
test('is the same key with and without a comment', () => {
  expect(normaliseSpec(SshKey, { ...desired, public_key: `${key}  me@example.com\n` })).toEqual(desired)
})
test('is made once and never changed', () => {
  expect(SshKey.steps(wantedView(SshKey, { desired }))).toMatchObject([{ name: 'create', creates: true, call: { params: { wid: '9' }, body: desired } }])
  expect(SshKey.steps(wantedView(SshKey, { desired, recorded: desired, live: { id: '1', ...desired } }))).toEqual([])
})
