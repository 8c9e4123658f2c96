// First-boot recipes of the platform and of workspaces: section "Recipes".
import * as z from 'zod'
import { lazy } from '../../../base/lazy.ts'
import { filled, idsQuery, known, record, summary } from '../fields.ts'
import { paged } from '../pagination.ts'
import { route } from '../route.ts'

const section = 'Recipes'
const category = lazy(() =>
  z.enum([
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
  ]),
)
const command = lazy(() => z.strictObject({ path: z.string().startsWith('/'), args: z.array(z.string()).optional() }))
const field = lazy(() =>
  z.strictObject({
    id: filled,
    label: z.string(),
    description: z.string().optional(),
    type: z.enum(['TEXT', 'PASSWORD', 'NUMBER', 'EMAIL', 'BOOLEAN']),
    required: z.boolean().optional(),
  }),
)

const body = lazy(() =>
  z.strictObject({
    name: filled,
    icon: z.url().nullable().optional(),
    category: category(),
    description: z.string(),
    commands: z.array(command()),
    fields: z.array(field()).optional(),
  }),
)

const listed = lazy(() => ({
  name: z.string(),
  category: known(category()),
  icon: z.string().nullable(),
  description: z.string().nullable(),
  owner: summary.nullable(),
}))
// `commands` and `fields` come with a single fetch only.
const recipe = lazy(() => record({ ...listed(), commands: z.array(z.looseObject({})), fields: z.array(z.looseObject({})).nullable() }))

const list = paged(
  lazy(() => record(listed())),
  () => ({ q: z.string(), id: idsQuery, owner: idsQuery, name: z.string(), description: z.string(), category: category() }),
)
const created = { body, answer: { shape: 'object', item: recipe }, statuses: [201] } as const

export const recipes = {
  listRecipes: route(section, 'GET', '/v1/recipes', { ...list, access: 'staff' }),
  createRecipe: route(section, 'POST', '/v1/recipes', { ...created, access: 'staff' }),
  listWorkspaceRecipes: route(section, 'GET', '/v1/workspaces/{wid}/recipes', { ...list, access: 'viewer' }),
  createWorkspaceRecipe: route(section, 'POST', '/v1/workspaces/{wid}/recipes', { ...created, access: 'editor' }),
  getRecipe: route(section, 'GET', '/v1/recipes/{id}', { answer: { shape: 'object', item: recipe }, access: 'viewer' }),
  updateRecipe: route(section, 'PATCH', '/v1/recipes/{id}', {
    body: lazy(() => body().partial()),
    answer: { shape: 'object', item: recipe },
    access: 'editor',
  }),
  deleteRecipe: route(section, 'DELETE', '/v1/recipes/{id}', { answer: { shape: 'audit' }, access: 'editor' }),
}
