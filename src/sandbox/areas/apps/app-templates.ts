// App templates of the platform: section "App templates and app domains".
import type { JsonObject } from '../../../base/json.ts'
import { parseJson, stringifyJson } from '../../../base/json.ts'
import { area } from '../../request/area.ts'
import { defined } from '../../request/defined.ts'
import type { Exchange } from '../../request/exchange.ts'
import { listing } from '../../request/exchange.ts'
import { contains, equals, filtered, search } from '../../request/lists/filters.ts'
import { found } from '../../request/refusal.ts'
import { rule } from '../../request/rules.ts'
import type { AppTemplateRow } from '../../store/software-rows.ts'

const rules = [
  rule({
    id: 'app-templates.name',
    section: 'App templates and app domains',
    quote: 'name (globally unique)',
    assumed: true,
    routes: ['createAppTemplate', 'updateAppTemplate'],
    status: 409,
    open: 'taken',
    field: 'name',
    message: 'a template has this name',
    broken({ world, params, body: { name } }) {
      const other = name === undefined ? undefined : world.tables.appTemplates.first('name', name)
      return other !== undefined && !('id' in params && params.id === other.id)
    },
  }),
]

/** Templates: everyone reads them, staff makes them. */
export const appTemplatesArea = area(
  {
    listAppTemplates({ world, query }) {
      const rows = filtered(world.tables.appTemplates.all(), [
        contains(query.name, (row) => row.name),
        contains(query.image, (row) => row.image),
        equals(query.category, (row) => row.category),
        search(query.q, (row) => [row.name, row.description, row.image, row.id]),
      ])
      return listing('app_template', rows, summaryOf, 'oldest')
    },
    createAppTemplate({ world, body: { name, description, image, environment = [], mounts = [], ports = [] } }) {
      const parts = { environment: environmentOf(environment), mountsJson: stringifyJson(mounts), ports: portsOf(ports) }
      const row = world.tables.appTemplates.insert({ name, description, image, category: null, ...parts })
      return { kind: 'app_template', view: detailOf(row) }
    },
    getAppTemplate: ({ world, params }) => ({ kind: 'app_template', view: detailOf(found(world.tables.appTemplates.get(params.id), 'template')) }),
    updateAppTemplate({ world, params, body }) {
      const { id } = found(world.tables.appTemplates.get(params.id), 'template')
      return { kind: 'app_template', view: detailOf(world.tables.appTemplates.update(id, patchOf(body))) }
    },
    deleteAppTemplate({ world, params }) {
      world.tables.appTemplates.delete(found(world.tables.appTemplates.get(params.id), 'template').id)
      return undefined
    },
  },
  { rules },
)

type Body = Exchange<'createAppTemplate'>['body']

function patchOf({ name, description, image, category, environment, mounts, ports }: Exchange<'updateAppTemplate'>['body']): Partial<AppTemplateRow> {
  return defined({
    name,
    description,
    image,
    category,
    environment: environment && environmentOf(environment),
    mountsJson: mounts && stringifyJson(mounts),
    ports: ports && portsOf(ports),
  })
}

function environmentOf(environment: NonNullable<Body['environment']>): AppTemplateRow['environment'] {
  return environment.map(({ key, value, description = null }) => ({ key, value, description }))
}

function portsOf(ports: NonNullable<Body['ports']>): AppTemplateRow['ports'] {
  return ports.map(({ name, description = null, container_port: containerPort, protocol, http = false }) => ({
    name,
    description,
    containerPort,
    protocol,
    http,
  }))
}

function summaryOf({ id, name, description, image, category }: AppTemplateRow): JsonObject {
  return { id, name, description, image, category }
}

function detailOf(row: AppTemplateRow): JsonObject {
  const environment = row.environment.map(({ description, ...variable }) => ({ ...variable, description: description ?? '' }))
  const ports = row.ports.map(({ name, description, containerPort, protocol, http }) => ({
    name,
    description: description ?? '',
    container_port: containerPort,
    protocol,
    http,
  }))
  return { ...summaryOf(row), environment, mounts: parseJson(row.mountsJson), ports }
}
