// Turns what a handler gives back, or a refusal, into an answer: status, headers, body in the form that the readings choose.
import type { Route } from '../../api/routes/route.ts'
import type { JsonValue } from '../../base/json.ts'
import { stringifyJson } from '../../base/json.ts'
import { streamResponse, textResponse } from '../faults/faults.ts'
import { workflowView } from '../time/workflow-engine.ts'
import type { World } from '../world.ts'
import { nowMs } from '../world.ts'
import type { AnyExchange, Reply, SandboxResponse } from './exchange.ts'
import { arrayOf } from './lists/arrays.ts'
import { pageQuery } from './lists/page-query.ts'
import { pageOf } from './lists/pages.ts'
import { presentDetail, presentItem, presentWrapped } from './present.ts'
import type { Refusal } from './refusal.ts'
import { headerText } from './refusal.ts'

const NO_CONTENT = 204
const UTC_INSTANT = /"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?)Z"/g

/** The answer to a request that was accepted. */
export function acceptedResponse(exchange: AnyExchange, reply: Reply): SandboxResponse {
  const { world, route } = exchange
  if (reply === undefined) return emptyResponse(world, statusOf(route, world))
  if ('text' in reply) return textResponse(200, headersOf(world, 'text/plain; charset=utf-8'), reply.text)
  if ('stream' in reply) return streamResponse(200, { ...headersOf(world, 'text/event-stream'), 'cache-control': 'no-cache' }, reply.stream)
  if ('action' in reply && world.readings.auditEntry === 'empty') return emptyResponse(world, statusOf(route, world))
  const status = 'status' in reply && reply.status !== undefined ? reply.status : statusOf(route, world)
  if (status === NO_CONTENT) return emptyResponse(world, status)
  const text = printJson(bodyOf(exchange, reply))
  return textResponse(status, headersOf(world, 'application/json'), world.readings.timestamps === 'utc' ? text : text.replaceAll(UTC_INSTANT, '"$1+00:00"'))
}

/** The answer to a request that was refused: the reason in X-Message, the body empty but for field errors. */
export function refusedResponse(world: World, { status, message, fields, headers: more }: Refusal): SandboxResponse {
  const headers = { ...headersOf(world, 'application/json'), ...more, 'x-message': headerText(message) }
  const withBody = fields.length > 0 && world.readings.emptyBodies === 'fields'
  return textResponse(status, headers, withBody ? printJson({ errors: fields }) : '')
}

/** "200, no body", "202, empty". */
function emptyResponse(world: World, status: number): SandboxResponse {
  return textResponse(status, headersOf(world), '')
}

function bodyOf(
  exchange: AnyExchange,
  reply: Exclude<Reply, undefined | { readonly text: string } | { readonly stream: AsyncIterable<Uint8Array> }>,
): JsonValue {
  const { world, route, request } = exchange
  const { readings } = world
  if ('viewAt' in reply) return pageOf(reply, pageQuery.parse(exchange.query), readings, request.path.replace(/\?.*/s, ''))
  if ('views' in reply) {
    const items = reply.views.map((view) => presentItem(reply.kind, view, readings))
    return route.effect ? items : arrayOf(items, pageQuery.parse(exchange.query), route.answer, readings)
  }
  if ('action' in reply) return auditEntry(exchange, reply.action, reply.subjectId)
  if (!('workflow' in reply)) return reply.view && presentDetail(reply.kind, reply.view, readings)
  const workflow = workflowView(world, reply.workflow, false)
  if (route.answer.shape === 'workflow+resource' && 'view' in reply) return presentWrapped(reply.kind, reply.view, workflow, readings)
  return readings.workflowAnswers === 'member' ? { workflow } : workflow
}

/** Notes in the audit log what was done, and shows the entry. */
function auditEntry({ world, caller, workspaceId }: AnyExchange, action: string, subjectId: string): JsonValue {
  const { name, id: userId } = caller.user
  const { id, createdAt } = world.tables.auditEntries.insert({ action, subjectId, workspaceId: workspaceId ?? null, userId })
  return { id, action, subject_id: subjectId, workspace_id: workspaceId ?? null, user: { id: userId, name }, created_at: createdAt }
}

/** Where the document names several statuses, or none, the readings choose. */
function statusOf({ statuses, asynchronous }: Route, { readings }: World): number {
  const [first = 200, ...more] = statuses
  if (more.length === 0) return first
  const chosen = asynchronous ? readings.accepted : readings.created
  return statuses.includes(chosen) ? chosen : first
}

function headersOf(world: World, contentType?: string): Readonly<Record<string, string>> {
  const date = new Date(nowMs(world)).toUTCString()
  return contentType === undefined ? { date } : { date, 'content-type': contentType }
}

/** JSON.stringify is several times faster, and refuses what it cannot say exactly: a bigint. */
function printJson(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch {
    return stringifyJson(value)
  }
}
