// Public keys that new instances get: section "SSH keys".
import * as z from 'zod'
import { lazy } from '../../../base/lazy.ts'
import { publicKeyFault } from '../../../base/public-key.ts'
import { idsQuery, name, record, summary } from '../fields.ts'
import { paged } from '../pagination.ts'
import { route } from '../route.ts'

const section = 'SSH keys'
const publicKey = lazy(() =>
  z.string().superRefine((text, context) => {
    const fault = publicKeyFault(text)
    if (fault !== undefined) context.addIssue(fault)
  }),
)
const sshKey = lazy(() => record({ name: z.string(), public_key: z.string(), user: summary.nullable(), owner: summary.nullable() }))
const answer = { shape: 'object', item: sshKey } as const

export const sshKeys = {
  listSshKeys: route(section, 'GET', '/v1/workspaces/{wid}/ssh', {
    ...paged(sshKey, () => ({ q: z.string(), id: idsQuery, name: z.string() })),
    access: 'viewer',
  }),
  createSshKey: route(section, 'POST', '/v1/workspaces/{wid}/ssh', {
    body: lazy(() => z.strictObject({ name: name(4, 32), public_key: publicKey() })),
    answer,
    access: 'editor',
  }),
  getSshKey: route(section, 'GET', '/v1/ssh/{id}', { answer, access: 'viewer' }),
  deleteSshKey: route(section, 'DELETE', '/v1/ssh/{id}', { answer: { shape: 'empty' }, statuses: [202], access: 'editor' }),
}
