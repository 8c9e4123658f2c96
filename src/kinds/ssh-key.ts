// SSH keys of a workspace: installed in instances when they are provisioned, never changed.
import * as z from 'zod'
import { call } from '../api/calls/call.ts'
import { routes } from '../api/routes/routes.ts'
import { publicKeyFault } from '../base/public-key.ts'
import { mark } from './definition/fields.ts'
import { defineKind, pick } from './definition/kind.ts'
import type { Problem } from './definition/kind.ts'
import { maybe, present } from './definition/live-fields.ts'
import { defineShape, idOf } from './definition/shape.ts'
import { knownText } from './definition/token.ts'

const spec = z.strictObject({
  name: mark(z.string().min(4).max(32), { immutable: true, shown: true }).describe('name, 4 to 32 characters'),
  public_key: mark(z.string(), { immutable: true, shown: true, form: 'public_key' }).describe(
    'the key as OpenSSH writes it: type and base64; a comment behind them is dropped',
  ),
})

const live = defineShape('SshKey', () => z.object({ id: idOf, name: maybe(z.string()), public_key: maybe(z.string()) }))

const deploy = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAILe9VcEbeBsMzEOqblf52t8GYOnR1OJ+CXnuQ6QH1FSu deploy@example.com'
const laptop = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIF7sDcQZqoM3v3JfAm/anHjByxxkLur/nW4REvN3g+lC laptop'

export const SshKey = defineKind({
  name: 'SshKey',
  plural: 'sshkeys',
  about: 'A public key that instances get when they are provisioned; those that run already keep what they have.',
  section: 'SSH keys',
  scope: 'workspace',
  confirmedByLists: true,
  calls: { making: [routes.createSshKey], removing: [routes.deleteSshKey] },
  spec,
  live,
  outputs: {
    id: { type: 'string', about: 'id of the key' },
    name: { type: 'string', about: 'its name' },
  },
  examples: [
    {
      title: 'The key of a deployment',
      spec: { name: 'deploy', public_key: deploy },
      changes: { name: 'deploy-2', public_key: laptop },
    },
  ],
  list: (api, at) => api.all(call(routes.listSshKeys, { wid: at.workspaceId }), live),
  read: (api, id) => api.one(call(routes.getSshKey, { id }), live),
  id: (one) => one.id,
  toSpec: (one) => pick(one, ['name', 'public_key']),
  outputsOf: (one) => present({ id: one.id, name: one.name }),
  status: () => 'ready',
  naturalKey: (one) => `${one.name} ${one.public_key}`,
  provides: (_, workspaceId) => [`keys:${workspaceId}`],
  check: checkKey,
  quota: () => ({ max_ssh_keys: 1 }),
  steps: ({ workspaceId, desired, live: there }) =>
    there ? [] : [{ name: 'create', creates: true, call: call(routes.createSshKey, { wid: workspaceId }, desired), sets: desired }],
  removal: ({ id }) => [{ name: 'delete', removes: true, call: call(routes.deleteSshKey, { id }), sets: {} }],
})

function checkKey({ public_key: given }: { readonly public_key?: unknown }): Problem[] {
  const key = knownText(given)
  const fault = key === undefined ? undefined : publicKeyFault(key)
  return fault === undefined ? [] : [{ path: ['public_key'], message: `not ${fault}`, hint: 'the content of a file such as ~/.ssh/id_ed25519.pub' }]
}
