// Public keys that new instances get: section "SSH keys".
import * as z from 'zod'
import { idsQuery, name, record, summary } from './fields.ts'
import { paged } from './pagination.ts'
import { lazy, route } from './route.ts'

const section = 'SSH keys'
const publicKey = lazy(() =>
  z
    .string()
    .regex(/^[a-z][\w@.-]* [A-Za-z0-9+/]+={0,2}(?:[ \t][^\r\n]*)?\r?\n?$/, 'an OpenSSH public key: type, base64, perhaps a comment')
    .refine(namesItsType, 'an OpenSSH public key: the base64 does not begin with the type'),
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

/** "Validated as well-formed": the first of the key's fields, each after its length in four bytes, is the type. */
function namesItsType(text: string): boolean {
  const [type = '', blob = ''] = text.split(' ')
  const bytes = Buffer.from(blob, 'base64')
  return bytes.length > 4 && bytes.subarray(4, 4 + bytes.readUInt32BE(0)).toString() === type
}
