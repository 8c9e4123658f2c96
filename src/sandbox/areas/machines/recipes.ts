// First-boot recipes of the platform and of workspaces: section "Recipes".
import type { JsonObject } from '../../../base/json.ts'
import { area } from '../../request/area.ts'
import { defined } from '../../request/defined.ts'
import type { Exchange } from '../../request/exchange.ts'
import { listing } from '../../request/exchange.ts'
import { among, contains, equals, filtered, named, search } from '../../request/lists/filters.ts'
import { found } from '../../request/refusal.ts'
import { summaryOrNull } from '../../request/summaries.ts'
import type { RecipeRow } from '../../store/software-rows.ts'
import type { World } from '../../world.ts'

/** Recipes; those without an owner are everyone's to read. */
export const recipesArea = area({
  listRecipes: ({ world, query }) => listOf(world, world.tables.recipes.all(), query),
  listWorkspaceRecipes: ({ world, params: { wid }, query }) =>
    listOf(
      world,
      world.tables.recipes.all().filter((row) => (row.ownerId ?? wid) === wid),
      query,
    ),
  createRecipe: ({ world, body }) => insertRecipe(world, null, body),
  createWorkspaceRecipe: ({ world, params, body }) => insertRecipe(world, params.wid, body),
  getRecipe: ({ world, params }) => ({ kind: 'recipe', view: detailOf(world, found(world.tables.recipes.get(params.id), 'recipe')) }),
  updateRecipe: ({ world, params, body }) => ({ kind: 'recipe', view: detailOf(world, world.tables.recipes.update(params.id, patchOf(body))) }),
  deleteRecipe({ world, params }) {
    world.tables.recipes.delete(params.id)
    return { action: 'recipe.delete', subjectId: params.id }
  },
})

function listOf(world: World, recipes: readonly RecipeRow[], query: Exchange<'listRecipes' | 'listWorkspaceRecipes'>['query']) {
  const rows = filtered(recipes, [
    among(query.id, (row) => row.id),
    among(query.owner, (row) => row.ownerId),
    named(world, query.name),
    contains(query.description, (row) => row.description),
    equals(query.category, (row): string => row.category),
    search(query.q, (row) => [row.name, row.description, row.id]),
  ])
  return listing('recipe', rows, (row) => summaryOf(world, row), 'oldest')
}

type Body = Exchange<'createRecipe'>['body']

function insertRecipe(world: World, ownerId: string | null, { name, category, description, icon, commands, fields }: Body) {
  const parts = { commands: commandsOf(commands), fields: fieldsOf(fields ?? []) }
  const row = world.tables.recipes.insert({ ownerId, name, category, description, icon: icon ?? null, ...parts })
  return { kind: 'recipe', view: detailOf(world, row) } as const
}

/** Commands and fields are replaced in whole. */
function patchOf({ name, icon, category, description, commands, fields }: Exchange<'updateRecipe'>['body']): Partial<RecipeRow> {
  return defined({ name, icon, category, description, commands: commands && commandsOf(commands), fields: fields && fieldsOf(fields) })
}

function commandsOf(commands: Body['commands']): RecipeRow['commands'] {
  return commands.map(({ path, args = [] }) => ({ path, args }))
}

function fieldsOf(fields: NonNullable<Body['fields']>): RecipeRow['fields'] {
  return fields.map(({ id, label, description = null, type, required = false }) => ({ id, label, description, type, required }))
}

/** "List responses carry only id, name, category, icon, description, owner." */
function summaryOf({ tables }: World, { id, name, category, icon, description, ownerId }: RecipeRow): JsonObject {
  return { id, name, category, icon, description, owner: summaryOrNull(tables.workspaces, ownerId) }
}

function detailOf(world: World, row: RecipeRow): JsonObject {
  const fields = row.fields.map(({ description, ...field }) => ({ ...field, description: description ?? '' }))
  return { ...summaryOf(world, row), commands: row.commands, fields }
}
