// Apps from a template and their domains: section "App templates and app domains".
import type { JsonObject } from '../../../base/json.ts'
import { parseJson } from '../../../base/json.ts'
import { area } from '../../request/area.ts'
import { rule } from '../../request/rules.ts'
import { summaryOf } from '../../request/summaries.ts'
import type { AppRow } from '../../store/software-rows.ts'
import { startWorkflow } from '../../time/workflow-engine.ts'
import type { World } from '../../world.ts'
import { creation } from '../resource-effects.ts'
import { deployRules, insertApp, isDomainUsed } from './app-deploy.ts'

const rules = [
  ...deployRules,
  rule({
    id: 'domains.available',
    section: 'Errors',
    quote: 'domain check means available',
    routes: ['checkAppDomain'],
    status: 404,
    message: 'the domain is available',
    broken: ({ world, body }) => !isDomainUsed(world, body.domain),
  }),
]

/** Deploys apps, which nothing reads or removes but the end of their instance; tells of domains. */
export const appsArea = area(
  {
    deployApp(exchange) {
      const { world } = exchange
      const row = insertApp(world, exchange)
      const { id, workspaceId, instanceId } = row
      const workflow = startWorkflow(world, { operation: 'app.create', workspaceId, instanceId, subject: { table: 'apps', id } })
      return { workflow, kind: 'app', view: appView(world, row) }
    },
    listAppDomains: ({ world }) => ({
      kind: 'record',
      views: world.tables.appDomains.all().map(({ name, proxyMode }) => ({ name, proxy_mode: proxyMode })),
    }),
    // What is available was refused: 200 means in use.
    checkAppDomain: () => undefined,
  },
  {
    rules,
    effects: { 'app.create': creation('apps', 'app') },
  },
)

function appView({ tables }: World, row: AppRow): JsonObject {
  return {
    id: row.id,
    name: row.name,
    state: row.state,
    instance: summaryOf(tables.instances, row.instanceId),
    template: { id: row.templateId, name: row.templateName },
    image: row.image,
    environment: row.environment,
    mounts: parseJson(row.mountsJson),
    ports: row.ports.map(({ name, hostPort, containerPort, protocol, http }) => ({
      name,
      host_port: hostPort,
      container_port: containerPort,
      protocol,
      http,
    })),
    domain: row.domain,
    created_at: row.createdAt,
  }
}
