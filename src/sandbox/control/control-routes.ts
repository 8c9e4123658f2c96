// Every control route as a row: what tests and people ask a sandbox beside the provider's own API.
import * as z from 'zod'
import type { Route } from '../../api/routes/route.ts'
import type { JsonObject } from '../../base/json.ts'
import { stringifyJson } from '../../base/json.ts'
import { viewOfPlace } from '../page/page-view.ts'
import type { Readings } from '../readings/assumptions.ts'
import { gateRules } from '../request/authorization.ts'
import { found } from '../request/refusal.ts'
import { routeNames } from '../request/route-index.ts'
import { routes } from '../served-routes.ts'
import { service } from '../service.ts'
import { printSnapshot } from '../store/store.ts'
import { isoOf } from '../world.ts'
import { requestsQuery, viewQuery, wireNames } from './bodies.ts'
import { clockRoutes } from './clock-routes.ts'
import type { ControlRoute } from './control-route.ts'
import { controlRoute } from './control-route.ts'
import { coverageOf, evidenceOf } from './coverage.ts'
import { eventStream } from './event-stream.ts'
import { readFaults, writeFaults } from './fault-routes.ts'
import { harOf } from './har.ts'
import { openApi } from './openapi.ts'
import { snapshotRoutes } from './snapshot-routes.ts'
import { tenantRoutes } from './tenant-routes.ts'

const documents = new Map<string, string>()

/** The document takes a while to make and is the same for one version and what it says of the readings. */
function openApiText(version: string, readings: Readings): string {
  const { openMethods, detachPath, lists } = readings
  const key = stringifyJson([version, openMethods, detachPath, lists])
  const text = documents.get(key) ?? stringifyJson(openApi(version, readings))
  documents.set(key, text)
  return text
}

const looks: readonly ControlRoute[] = [
  controlRoute('GET', '/health', {
    about: 'whether it runs, and what is enforced',
    respond: ({ place: { sandbox, clock }, control }) => ({
      json: {
        status: 'ok',
        version: control.version,
        workspace: sandbox.workspaceId,
        profile: sandbox.world.profile,
        clock: { mode: clock.course.mode, scale: clock.course.scale, now: isoOf(clock.wall()) },
        enforced: { rules: gateRules.length + service.rules.length - sandbox.without.length, without: sandbox.without, readings: sandbox.world.readings },
        faults: sandbox.faults.list.length,
        tenants: control.tenants.list().length,
      },
    }),
  }),
  controlRoute('GET', '/routes', {
    about: 'every route of the API, and these control routes',
    respond: () => ({
      json: { routes: routeNames.map(routeView), control: controlRoutes.map(({ method, path, about }) => ({ method, path: `/_sandbox${path}`, about })) },
    }),
  }),
  controlRoute('GET', '/openapi.json', {
    about: 'the whole API as OpenAPI 3.1, as it is served here',
    respond: ({ place, control }) => ({ text: openApiText(control.version, place.sandbox.world.readings) }),
  }),
  controlRoute('GET', '/coverage', {
    about: 'each route and rule with its evidence, and how often it was driven since the start',
    respond: ({ place }) => ({ json: coverageOf(place.sandbox) }),
  }),
  controlRoute('GET', '/state', { about: 'all rows, as a snapshot', respond: ({ place }) => ({ text: printSnapshot(place.sandbox.snapshot()) }) }),
  controlRoute('GET', '/requests', {
    about: 'the last requests with their answers; secrets left out',
    query: requestsQuery,
    respond: ({ place, query }) => ({ json: { requests: place.sandbox.log.list(query).map(wireNames) } }),
  }),
  controlRoute('GET', '/requests.har', {
    about: 'the last requests as an HTTP Archive (HAR 1.2); secrets left out',
    query: requestsQuery,
    respond: ({ place, control, query }) => ({
      json: harOf(place.sandbox.log.list(query), control.url() + control.tenants.prefixOf(place), control.version),
    }),
  }),
  controlRoute('GET', '/requests/{id}', {
    about: 'one of them',
    respond: ({ place, params }) => ({ json: wireNames(found(place.sandbox.log.get(Number(params['id'])), 'request')) }),
  }),
  controlRoute('DELETE', '/requests', {
    about: 'forget the requests',
    respond({ place }) {
      place.sandbox.log.clear()
      place.sandbox.hub.publish('requests', { count: 0 })
      return { json: {} }
    },
  }),
  controlRoute('GET', '/workflows', {
    about: 'workflows with the course laid out for them, newest first',
    respond: ({ place }) => ({ json: { workflows: place.sandbox.world.tables.workflows.all().toReversed().map(wireNames) } }),
  }),
  controlRoute('GET', '/mails', {
    about: 'what the service mailed, newest first',
    respond: ({ place }) => ({ json: { mails: place.sandbox.world.tables.mails.all().toReversed().map(wireNames) } }),
  }),
  controlRoute('GET', '/view', {
    about: 'what the page at the root shows: all of it, or what an event has touched since',
    query: viewQuery,
    respond: ({ place, control, query }) => ({ json: viewOfPlace(place, query, control.tenants.changes) }),
  }),
  controlRoute('GET', '/events', {
    about: 'changes of rows and workflows, requests, resets, tenants, as server-sent events',
    respond({ place, control, headers }) {
      const last = lastEventId.parse(headers.get('last-event-id') ?? undefined)
      return { stream: (signal) => eventStream(place, control.base, last, signal) }
    },
  }),
]

const lastEventId = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number)
  .optional()
  .catch(undefined)

function routeView(name: (typeof routeNames)[number]): JsonObject {
  const { methods, path, section, access, grant, asynchronous, effect }: Route = routes[name]
  return { name, methods, path, section, access, grant: grant ? { ...grant } : null, asynchronous, effect, evidence: evidenceOf(name) }
}

/** The table; no two rows have the same method and path. */
export const controlRoutes: readonly ControlRoute[] = Object.freeze([
  ...looks,
  ...clockRoutes,
  ...readFaults,
  ...writeFaults,
  ...snapshotRoutes,
  ...tenantRoutes,
])
