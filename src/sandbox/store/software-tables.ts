// The tables of recipes, app templates, apps and base domains, with their numbers and indexes.
import { appDomainRow, appRow, appTemplateRow, recipeRow } from './software-rows.ts'
import type { TableContext } from './table.ts'
import { createTable } from './table.ts'

/** What can be installed, and what was. */
export function softwareTables(context: TableContext) {
  return {
    recipes: createTable({ name: 'recipes', number: 32, ids: 'integer', schema: recipeRow, indexes: {} }, context),
    appTemplates: createTable({ name: 'appTemplates', number: 33, ids: 'integer', schema: appTemplateRow, indexes: { name: (row) => row.name } }, context),
    apps: createTable(
      {
        name: 'apps',
        number: 34,
        ids: 'integer',
        schema: appRow,
        indexes: {
          instance: (row) => row.instanceId,
          name: (row) => `${row.workspaceId}/${row.name}`,
          domain: (row) => row.domain ?? undefined,
        },
      },
      context,
    ),
    appDomains: createTable({ name: 'appDomains', number: 35, ids: 'integer', schema: appDomainRow, indexes: {} }, context),
  }
}
