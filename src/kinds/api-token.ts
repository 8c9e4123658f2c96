// API tokens of users, workspaces and single resources: never changed, replaced before they expire, their code told once.
import * as z from 'zod'
import { call } from '../api/calls/call.ts'
import { grantKind, timestamp } from '../api/routes/fields.ts'
import { routes } from '../api/routes/routes.ts'
import { instantMs } from '../base/instant.ts'
import { parseDuration } from '../base/units.ts'
import { adviseTokens, checkToken, checkTokenPlaces, endOf, refuseEnd, refuseSubject } from './api-token-checks.ts'
import { delivery, deliveryRoute } from './definition/delivery.ts'
import { mark, ref } from './definition/fields.ts'
import { defineKind, pick } from './definition/kind.ts'
import type { At, Reader, Seen, Step } from './definition/kind.ts'
import { anyCase, mapOf, maybe, present } from './definition/live-fields.ts'
import { defineShape, idOf } from './definition/shape.ts'
import { holdsToken, knownText } from './definition/token.ts'

const levels = ['NONE', 'READ', 'WRITE'] as const
const grants = z.strictObject(
  Object.fromEntries(grantKind.options.map((kind) => [kind, z.enum(levels).optional().describe(`what it may do with what the API calls ${kind}`)])),
)
const subjects = ['WORKSPACE', 'RESOURCE', 'USER'] as const

const spec = z.strictObject({
  name: mark(z.string().min(4).max(48), { immutable: true, shown: true }).describe('name, 4 to 48 characters'),
  grants: mark(grants, { immutable: true, shown: true }).describe('kind of resource → NONE, READ or WRITE; what is left out is not allowed'),
  expires: mark(timestamp, { immutable: true, shown: true, form: 'instant' })
    .optional()
    .describe('when it ends, 7 to 365 days from its making; this or lifetime'),
  lifetime: mark(z.string(), { immutable: true, computed: true, form: 'duration' })
    .optional()
    .describe('how long it lives from its making, 7d to 365d; this or expires'),
  rotate_before: mark(z.string(), { local: true, computed: true, form: 'duration' })
    .optional()
    .describe('it is replaced by the next apply once that little is left of it'),
  subject: mark(z.enum(subjects), { immutable: true, shown: true })
    .default('WORKSPACE')
    .describe('what it is bound to; a token of the USER stands in no workspace'),
  subject_id: mark(ref('Instance', 'Dedibox', 'App'), { immutable: true })
    .optional()
    .describe('the resource that a token of subject RESOURCE is bound to'),
  write_code_to: mark(z.strictObject({ file: z.string().min(1).describe('path inside of the project folder') }), { immutable: true })
    .optional()
    .describe('file that its code is written into, mode 0600, when it is made'),
})
type Spec = z.output<typeof spec>

const live = defineShape('ApiToken', () =>
  z.object({
    id: idOf,
    name: maybe(z.string()),
    expires: maybe(z.string()),
    origin: maybe(z.string()),
    subject: maybe(anyCase(subjects)),
    subject_id: maybe(idOf),
    user: maybe(z.object({ id: maybe(idOf) })),
    grants: maybe(z.record(z.string(), anyCase(levels))),
    created: maybe(z.string()),
    last_used: maybe(z.string()),
  }),
)
type Live = z.output<typeof live.schema>

export const ApiToken = defineKind({
  name: 'ApiToken',
  plural: 'apitokens',
  about: 'A token for programs, with the smallest grants that do. Its code is told when it is made, and never again.',
  section: 'Tokens',
  scope: 'workspace',
  workspaceless: true,
  createFirst: true,
  renewable: true,
  replaceCosts: ['interruption'],
  calls: { making: [routes.createToken, routes.createWorkspaceToken, deliveryRoute], removing: [routes.deleteToken] },
  spec,
  live,
  outputs: {
    id: { type: 'string', about: 'id of the token' },
    code: { type: 'string', about: 'the token itself, told when it is made', sensitive: true, once: true },
    expires: { type: 'string', about: 'when it ends' },
    user_id: { type: 'string', about: 'id of the user whose token it is, of one with subject USER' },
  },
  examples: [
    {
      title: 'A token that may look at instances, made anew before it ends',
      spec: {
        name: 'dashboard',
        grants: { INSTANCE: 'READ' },
        lifetime: '90d',
        rotate_before: '14d',
        subject: 'WORKSPACE',
        write_code_to: { file: 'secrets/dashboard.token' },
      },
      changes: { name: 'dashboards', grants: { INSTANCE: 'READ', DISK: 'READ' }, lifetime: '180d', write_code_to: { file: 'secrets/dashboards.token' } },
    },
    {
      title: 'A token for one instance, until an instant 7 to 365 days ahead',
      spec: {
        name: 'backup',
        grants: { INSTANCE: 'WRITE' },
        expires: '2026-12-31T00:00:00Z',
        subject: 'RESOURCE',
        subject_id: 'Instance/web',
        write_code_to: { file: 'secrets/backup.token' },
      },
      beside: ['web', 'api'].map((name) => ({ kind: 'Instance', name, spec: { type: 'PLAN', name, plan: 'ryzen-4', region: 'fra-1' } })),
      changes: { expires: '2026-12-30T00:00:00Z', subject_id: 'Instance/api' },
    },
    {
      title: "A token of the caller's own, in no workspace",
      spec: {
        name: 'laptop',
        grants: { WORKSPACE: 'READ', INSTANCE: 'WRITE' },
        lifetime: '30d',
        rotate_before: '7d',
        subject: 'USER',
        write_code_to: { file: 'secrets/laptop.token' },
      },
      changes: { grants: { WORKSPACE: 'READ' }, lifetime: '60d', rotate_before: '10d' },
    },
  ],
  list: listTokens,
  read: (api, id) => api.one(call(routes.getToken, { id }), live),
  id: (one) => one.id,
  toSpec: (one) => ({ ...pick(one, ['name', 'grants', 'subject']), expires: one.expires, subject_id: one.subject === 'RESOURCE' ? one.subject_id : undefined }),
  outputsOf: (one) => present({ id: one.id, expires: one.expires, user_id: one.subject === 'USER' ? (one.subject_id ?? one.user?.id) : undefined }),
  status: (one, { nowMs }) => (msLeft(one, nowMs) < 0 ? 'stopped' : 'ready'),
  naturalKey: (one) => `${one.name}`,
  ours: (one) => (one.origin ?? 'API').toUpperCase() === 'API',
  whose: ({ origin }) => `was not made as an API token: its origin is ${origin ?? 'not told'}`,
  // "USER tokens visible to their owner": a token that has ended lets nobody in any more, whoever it was of.
  ownedBy: ({ subject, expires }, outputs, nowMs) =>
    subject === 'USER' ? { owner: knownText(outputs['user_id']), isOver: msLeft({ expires: expires ?? knownText(outputs['expires']) }, nowMs) < 0 } : undefined,
  // A code whose answer was lost was told to nobody: what has been used is somebody else's.
  canBe: (one, { grants }) => !wasUsed(one) && (!one.grants || !grants || holdsToken(grants) || equalGrants(one.grants, grants)),
  normalise,
  standsAlone: (written) => written.subject === 'USER',
  check: checkToken,
  checkAll: checkTokenPlaces,
  advise: adviseTokens,
  refuse: ({ desired, live: there, nowMs }) => (there ? [] : [...refuseEnd(desired.expires, nowMs), ...refuseSubject(desired.subject_id)]),
  due: ({ desired, live: there, nowMs }) => {
    const beforeMs = parseDuration(knownText(desired.rotate_before) ?? '')
    return there && beforeMs !== undefined && msLeft(there, nowMs) <= beforeMs ? 'it ends soon' : undefined
  },
  steps({ workspaceId, desired, live: there, changed, nowMs }) {
    const steps: Step<Spec>[] = []
    const { lifetime, write_code_to: file, rotate_before: _, ...made } = desired
    const body = lifetime === undefined ? made : { ...made, expires: endOf(parseDuration(lifetime) ?? 0, nowMs) }
    const { subject, ...ofUser } = body
    const create = subject === 'USER' ? call(routes.createToken, {}, ofUser) : call(routes.createWorkspaceToken, { wid: workspaceId }, body)
    if (!there) steps.push({ name: 'create', creates: true, call: create, sets: present({ ...body, lifetime }) })
    if (file && changed('write_code_to'))
      steps.push({ name: `write its code to ${file.file}`, call: delivery('code', file.file), sets: { write_code_to: file } })
    return steps
  },
  removal: ({ id }) => [{ name: 'delete', removes: true, disruption: 'interruption', call: call(routes.deleteToken, { id }), sets: {} }],
})

/** Those of the workspace, or where there is none the caller's own. */
async function listTokens(api: Reader, at: At): Promise<Live[]> {
  const isOwn = at.workspaceId === ''
  const all = await api.all(isOwn ? call(routes.listUserTokens, { uid: '@me' }) : call(routes.listWorkspaceTokens, { wid: at.workspaceId }), live)
  return all.filter((one) => (one.subject === 'USER') === isOwn)
}

/** How long a token is good for; without an end for ever. */
function msLeft({ expires }: Pick<Live, 'expires'>, nowMs: number): number {
  const ends = instantMs(expires ?? '')
  return Number.isNaN(ends) ? Infinity : ends - nowMs
}

/** A grant of NONE is none at all. */
function normalise(one: Seen<Spec>): Seen<Spec> {
  const { grants: map } = one
  if (!map || !mapOf(map) || holdsToken(map)) return one
  return { ...one, grants: Object.fromEntries(Object.entries(map).filter(([, level]) => level !== 'NONE')) }
}

/** Whether two tokens may the same; a service may fill in what is not granted. */
function equalGrants(one: Readonly<Record<string, string | undefined>>, other: Readonly<Record<string, string | undefined>>): boolean {
  const levelOf = (map: typeof one, kind: string): string => map[kind] ?? 'NONE'
  return grantKind.options.every((kind) => levelOf(one, kind) === levelOf(other, kind))
}

/** Nothing is made and used within it, and of one instant a service may tell to the second here and to the millisecond there. */
const usedAfterMs = 2000

/** "last use" is a text like others ("Token"): a service may tell of it before there was one, by the time of the making. */
function wasUsed({ created, last_used: used }: Live): boolean {
  return Date.parse(used ?? '') - Date.parse(created ?? '') > usedAfterMs
}
