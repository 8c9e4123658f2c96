// Workspaces: made with a name alone, then their settings; the API has no delete, so removal forgets.
import * as z from 'zod'
import { call } from '../api/call.ts'
import { routes } from '../api/routes/routes.ts'
import { mark } from './fields.ts'
import { defineKind, pick } from './kind.ts'
import type { Step } from './kind.ts'
import { maybe } from './live-fields.ts'
import { defineShape, idOf } from './shape.ts'

const spec = z.strictObject({
  name: mark(z.string().min(4).max(32), { shown: true }).describe('name, 4 to 32 characters; renaming needs the role OWNER'),
  mfa_required: z.boolean().optional().describe('whether every member must have 2FA; refused unless all have it already; needs the role OWNER'),
  disable_ssh_password: z.boolean().optional().describe('whether signing in by password over SSH is switched off'),
})
type Spec = z.output<typeof spec>

const live = defineShape(
  'Workspace',
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
  list: (api) => api.all(call(routes.listWorkspaces, {}), live),
  read: (api, id) => api.one(call(routes.getWorkspace, { id }), live),
  id: (one) => one.id,
  toSpec: (one) => ({
    ...pick(one, ['name']),
    mfa_required: one.mfa_required ?? one.flags?.includes('MFA_REQUIRED'),
    disable_ssh_password: one.disable_ssh_password ?? one.flags?.includes('DISABLE_SSH_PASSWORD'),
  }),
  outputsOf: (one) => ({ id: one.id }),
  status: () => 'ready',
  naturalKey: (one) => `${one.name}`,
  steps({ id, desired, live, changed }) {
    const steps: Step<Spec>[] = []
    const named = pick(desired, ['name'])
    if (!live) steps.push({ name: 'create', creates: true, call: call(routes.createWorkspace, {}, named), sets: named })
    const names = (live ? (['name', ...settings] as const) : settings).filter((name) => desired[name] !== undefined && changed(name))
    const sets = pick(desired, names)
    if (names.length > 0) steps.push({ name: 'update', call: call(routes.updateWorkspace, { id }, sets), sets })
    return steps
  },
  removal: () => [],
})
