// Workspaces: made with a name alone, then their settings; the API has no delete, so removal forgets.
import * as z from 'zod'
import { call } from '../api/calls/call.ts'
import type { Compat } from '../api/calls/compat.ts'
import { routes } from '../api/routes/routes.ts'
import { mark } from './definition/fields.ts'
import { defineKind, pick } from './definition/kind.ts'
import type { Step } from './definition/kind.ts'
import { maybe } from './definition/live-fields.ts'
import { defineShape, idOf } from './definition/shape.ts'

const spec = z.strictObject({
  name: mark(z.string().min(4).max(32), { shown: true }).describe('name, 4 to 32 characters; renaming needs the role OWNER'),
  mfa_required: z.boolean().optional().describe('whether every member must have 2FA; refused unless all have it already; needs the role OWNER'),
  disable_ssh_password: z.boolean().optional().describe('whether signing in by password over SSH is switched off'),
})
type Spec = z.output<typeof spec>

const live = defineShape('Workspace', () =>
  z.object({
    id: idOf,
    name: maybe(z.string()),
    mfa_required: maybe(z.boolean()),
    disable_ssh_password: maybe(z.boolean()),
    flags: maybe(z.array(z.string())),
    access_level: maybe(z.string()),
  }),
)

const settings = ['mfa_required', 'disable_ssh_password'] as const

export const Workspace = defineKind({
  name: 'Workspace',
  plural: 'workspaces',
  about: 'A workspace groups resources, members and quotas. It cannot be deleted: without its manifest it is forgotten.',
  section: 'Workspaces, invites, quota',
  scope: 'account',
  contains: true,
  calls: { making: [routes.createWorkspace, routes.updateWorkspace], removing: [] },
  spec,
  live,
  outputs: {
    id: { type: 'string', about: 'id of the workspace' },
  },
  examples: [
    {
      title: 'A workspace with its settings',
      spec: { name: 'shop-prod', mfa_required: false, disable_ssh_password: true },
      changes: { name: 'shop-live', mfa_required: true, disable_ssh_password: false },
    },
  ],
  list: async (api) => (await api.all(call(routes.listWorkspaces, {}), live)).map((one) => withSettings(one, api.compat.workspace_flags)),
  async read(api, id) {
    const one = await api.one(call(routes.getWorkspace, { id }), live)
    return one && withSettings(one, api.compat.workspace_flags)
  },
  id: (one) => one.id,
  toSpec: (one) => pick(one, ['name', ...settings]),
  outputsOf: (one) => ({ id: one.id }),
  status: () => 'ready',
  naturalKey: (one) => `${one.name}`,
  steps({ id, desired, live, changed }) {
    const steps: Step<Spec>[] = []
    const named = pick(desired, ['name'])
    if (!live) steps.push({ name: 'create', creates: true, call: call(routes.createWorkspace, {}, named), sets: named })
    const names = (live ? (['name', ...settings] as const) : settings).filter((name) => desired[name] !== undefined && changed(name))
    const sets = pick(desired, names)
    const owned = sets.name !== undefined || sets.mfa_required !== undefined ? ({ access: 'owner' } as const) : {}
    if (names.length > 0) steps.push({ name: 'update', ...owned, call: call(routes.updateWorkspace, { id }, sets), sets })
    return steps
  },
  removal: () => [],
})

/** The settings as members, where the record has them among its flags. */
function withSettings(one: z.output<typeof live.schema>, words: Compat['workspace_flags']): z.output<typeof live.schema> {
  const settled = settings.map((name) => [name, one[name] ?? one.flags?.includes(words[name])] as const)
  return { ...one, ...Object.fromEntries(settled) }
}
