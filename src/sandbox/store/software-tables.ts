// The tables of recipes, app templates, apps and base domains, with their numbers and indexes.
import * as keys from './row-keys.ts'
import { appDomainRow, appRow, appTemplateRow, recipeRow } from './software-rows.ts'
import type { TableContext } from './table.ts'
import { tablesIn } from './table.ts'

/** What can be installed, and what was. */
export function softwareTables(context: TableContext) {
  const table = tablesIn(context)
  return {
    recipes: table('recipes', 32, recipeRow, {}),
    appTemplates: table('appTemplates', 33, appTemplateRow, { name: (row) => row.name }),
    apps: table('apps', 34, appRow, { instance: keys.instance, name: keys.nameInWorkspace, domain: (row) => row.domain ?? undefined }),
    appDomains: table('appDomains', 35, appDomainRow, {}),
  }
}
