// First-boot recipes, of a workspace or of the whole platform.
import * as z from 'zod'
import { call } from '../api/calls/call.ts'
import { routes } from '../api/routes/routes.ts'
import { lazy } from '../base/lazy.ts'
import { mark } from './definition/fields.ts'
import { defineKind, pick } from './definition/kind.ts'
import type { At, Problem, Reader, Seen, Step, Wanted } from './definition/kind.ts'
import { anyCase, mapOf, maybe, present } from './definition/live-fields.ts'
import { defineShape, idOf } from './definition/shape.ts'
import { knownList, knownText } from './definition/token.ts'

const categories = [
  'DEFAULT',
  'GAMES',
  'SOFTWARE',
  'INFRASTRUCTURE',
  'AI',
  'MEDIA',
  'TOOLS',
  'DATABASES',
  'MONITORING',
  'PRODUCTIVITY',
  'DEVOPS',
  'AUTOMATION',
  'NETWORK',
] as const
const types = ['TEXT', 'PASSWORD', 'NUMBER', 'EMAIL', 'BOOLEAN'] as const

const command = z.strictObject({
  path: z.string().describe('absolute path of the script on the instance'),
  args: z.array(z.string()).optional().describe('its arguments; `$SVC_FIELDS_NAME` stands for what a field is given'),
})

const field = z.strictObject({
  id: z.string().min(1).describe('what the environment variable of its value is called after'),
  label: z.string().describe('what people see beside it'),
  description: z.string().optional().describe('what it is for'),
  type: z.enum(types).describe('what can be entered'),
  required: z.boolean().optional().describe('whether it must be given'),
})

const spec = z.strictObject({
  name: mark(z.string().min(1), { shown: true }).describe('name'),
  category: mark(z.enum(categories), { shown: true }).describe('category'),
  description: mark(z.string(), { shown: true }).describe('what it does, in Markdown'),
  icon: mark(z.url(), { shown: true, clearable: true }).optional().describe('address of a picture'),
  commands: mark(z.array(command), { shown: true }).describe('what is run at the first boot, in order'),
  fields: mark(z.array(field), { shown: true, clearable: true }).optional().describe('what is asked for when it is chosen, in order'),
})
type Spec = z.output<typeof spec>

const record = lazy(() =>
  z.object({
    id: idOf,
    name: maybe(z.string()),
    category: maybe(anyCase(categories)),
    description: maybe(z.string()),
    icon: maybe(z.string()),
    owner: maybe(idOf),
    commands: maybe(z.array(z.object({ path: z.string(), args: z.array(z.string()).nullish() }))),
    fields: maybe(
      z.array(z.object({ id: z.string(), label: z.string(), description: z.string().nullish(), type: anyCase(types), required: z.boolean().nullish() })),
    ),
  }),
)
const answer = defineShape('Recipe', record)
// Where it was looked for: a workspace sees the platform's as well.
const live = defineShape('Recipe', () => record().extend({ place: z.string().default('') }))
type Live = z.output<typeof live.schema>

const members = ['name', 'category', 'description', 'icon', 'commands', 'fields'] as const

export const Recipe = defineKind({
  name: 'Recipe',
  plural: 'recipes',
  about: 'A recipe for the first boot of instances, of a workspace; with `metadata.workspace: null` of the whole platform, for administrators.',
  section: 'Recipes',
  scope: 'workspace',
  workspaceless: true,
  calls: { making: [routes.createRecipe, routes.createWorkspaceRecipe, routes.updateRecipe], removing: [routes.deleteRecipe] },
  spec,
  live,
  outputs: {
    id: { type: 'string', about: 'id of the recipe' },
    name: { type: 'string', about: 'its name' },
    category: { type: 'string', about: 'its category' },
    owner: { type: 'string', about: 'id of the workspace that it belongs to, null for one of the platform' },
  },
  examples: [
    {
      title: 'A recipe of the workspace',
      spec: {
        name: 'shop-base',
        category: 'TOOLS',
        description: 'What every server of the shop *needs*.',
        icon: 'https://example.com/base.png',
        commands: [{ path: '/opt/shop/base.sh', args: ['--token', '$SVC_FIELDS_TOKEN'] }, { path: '/opt/shop/check.sh' }],
        fields: [
          { id: 'token', label: 'Token', description: 'Of the registry.', type: 'PASSWORD', required: true },
          { id: 'mirror', label: 'Mirror', type: 'TEXT' },
        ],
      },
      changes: {
        name: 'shop-base-2',
        category: 'DEVOPS',
        description: 'What every server needs.',
        icon: 'https://example.com/base-2.png',
        commands: [{ path: '/opt/shop/check.sh' }, { path: '/opt/shop/base.sh', args: [] }],
        fields: [{ id: 'token', label: 'Token', type: 'TEXT', required: false }],
      },
    },
    {
      title: 'A recipe of the platform',
      workspace: null,
      spec: { name: 'mail-server', category: 'SOFTWARE', description: 'A mail server.', commands: [{ path: '/opt/recipes/mail.sh' }] },
      changes: { name: 'mail-relay' },
    },
  ],
  list: listRecipes,
  async read(api, id, at) {
    const one = await api.one(call(routes.getRecipe, { id }), answer)
    return one && { ...one, place: at.workspaceId }
  },
  id: (one) => one.id,
  toSpec,
  outputsOf: ({ id, name, category, owner }) => present({ id, name, category, owner }),
  status: () => 'ready',
  naturalKey: (one) => `${one.name}`,
  ours: isOurs,
  whose: ({ owner }) => (typeof owner === 'string' ? `belongs to workspace ${owner}` : 'belongs to the platform'),
  findable: () => true,
  check: checkRecipe,
  refuse: refuseOthers,
  steps({ id, workspaceId, desired, live: there, changed }): Step<Spec>[] {
    // What is the platform's takes another role than the routes of a recipe tell.
    const access = workspaceId === '' ? ({ access: 'staff' } as const) : {}
    const made = workspaceId === '' ? call(routes.createRecipe, {}, desired) : call(routes.createWorkspaceRecipe, { wid: workspaceId }, desired)
    if (!there) return [{ name: 'create', creates: true, call: made, sets: desired }]
    const names = members.filter((name) => changed(name))
    if (names.length === 0) return []
    const sets = pick(desired, names)
    const clears = names.filter((name) => desired[name] === undefined)
    const body = { ...sets, ...Object.fromEntries(clears.map((name) => [name, name === 'icon' ? null : []])) }
    return [{ name: 'update', ...access, call: call(routes.updateRecipe, { id }, body), sets, clears }]
  },
  removal: ({ id, workspaceId }) => [
    { name: 'delete', removes: true, ...(workspaceId === '' ? { access: 'staff' } : {}), call: call(routes.deleteRecipe, { id }), sets: {} },
  ],
})

async function listRecipes(api: Reader, { workspaceId }: At): Promise<Live[]> {
  const listing = workspaceId === '' ? call(routes.listRecipes, {}) : call(routes.listWorkspaceRecipes, { wid: workspaceId })
  return (await api.all(listing, answer)).map((one) => ({ ...one, place: workspaceId }))
}

/** Of the workspace that it was looked for in, or of the platform where it was looked for in none; `owner` is null for the platform. */
function isOurs({ owner, place }: Live): boolean {
  return (owner ?? '') === place
}

function toSpec({ commands, fields, ...one }: Live): Seen<Spec> {
  return {
    ...pick(one, ['name', 'category', 'description', 'icon']),
    commands: commands && commands.map(({ path, args }) => ({ path, args: args ?? [] })),
    fields: fields && fields.map((each) => ({ ...each, description: each.description ?? '', required: each.required ?? false })),
  }
}

function checkRecipe({ commands }: { readonly commands?: unknown }): Problem[] {
  return knownList(commands).flatMap((one, index) => {
    const path = knownText(mapOf(one)?.['path'])
    return path === undefined || path.startsWith('/') ? [] : [{ path: ['commands', index, 'path'], message: `"${path}" is no absolute path` }]
  })
}

/** An import that names a recipe of somebody else. */
function refuseOthers({ live: there, workspaceId }: Wanted<Spec, Live>): Problem[] {
  if (there?.owner === undefined || (there.owner ?? '') === workspaceId) return []
  const message = there.owner === null ? 'the recipe belongs to the platform' : `the recipe belongs to workspace ${there.owner}`
  return [{ path: ['name'], message, hint: 'metadata.workspace says where a recipe stands; null is the platform' }]
}
