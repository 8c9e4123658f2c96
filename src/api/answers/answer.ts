// Reads an accepted answer: workflow and record are found by shape, since the document does not show their key names.
import * as z from 'zod'
import { instantMs } from '../../base/instant.ts'
import { isList } from '../../base/json.ts'
import type { JsonObject, JsonValue } from '../../base/json.ts'
import type { Answered, Workflow } from '../calls/call.ts'
import type { Compat } from '../calls/compat.ts'
import type { Route } from '../routes/route.ts'
import { bounds } from './bounds.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
// Members of a record that are objects with ids of their own, and never what was created.
const RELATIONS = new Set(['workspace', 'user', 'owner', 'created_by', 'creator', 'plan', 'workflow'])
// The most particular first: a rule's workflow may name its instance, too.
const MOST_IDS = 100
const WORDS = ['firewall_rule', 'app', 'service', 'disk', 'floating_ip', 'ip', 'instance', 'node']

/** What a complete 2xx holds; undefined where it does not fit the route: no workflow or id though one is due ("Wrapped answers"). */
export function readAnswer(route: Route, status: number, body: JsonValue | undefined, compat: Compat): Answered | undefined {
  const shape = route.answer.shape
  if (shape === 'empty' || shape === 'audit' || shape === 'text') return { status, body }
  if (shape === 'page' || shape === 'array') return itemsOf(body) ? { status, body } : undefined
  const top = objectOf(body)
  if (shape === 'undocumented' || shape === 'any') return { status, body, workflowId: top && uuidOf(workflowIn(top, compat.wrapper.workflow)?.['id']) }
  if (!top) return undefined
  const workflow = shape === 'object' ? undefined : workflowIn(top, compat.wrapper.workflow)
  const resource = shape === 'workflow' ? undefined : resourceIn(top, compat.wrapper.resource, route, workflow?.['name'])
  const workflowId = workflow && uuidOf(workflow['id'])
  const resourceId = resource && decimalOf(resource['id'])
  const read = { status, body, workflowId, resourceId, resource }
  if (workflowId !== undefined || resourceId !== undefined) return read
  const isDue = shape === 'workflow' || shape === 'workflow+resource' || (shape === 'object' && idIsDue(route))
  return isDue ? undefined : read
}

/** A workflow, alone or wrapped, its progress included; undefined if there is none or it has no state. */
export function workflowOf(body: JsonValue | undefined): Workflow | undefined {
  const top = objectOf(body)
  const found = top && workflowIn(top, 'auto')
  const id = found && uuidOf(found['id'])
  const state = found?.['state']
  if (!found || id === undefined || typeof state !== 'string') return undefined
  const name = found['name']
  const progress = progressOf(found['progress'])
  const startedMs = typeof found['started'] === 'string' ? instantMs(found['started']) : NaN
  const durationMs = found['duration']
  const times = { ...(Number.isNaN(startedMs) ? {} : { startedMs }), ...(typeof durationMs === 'number' ? { durationMs } : {}) }
  const known = { id, name: wordOf(name).slice(0, bounds.wordLength), state: state.slice(0, bounds.wordLength), data: idsOf(found['data']) }
  return { ...known, ...times, ...(progress ? { progress } : {}) }
}

/** Of a workflow's data what may name an id: it is kept as long as the workflow is followed, and nobody reads the rest. */
function idsOf(data: JsonValue | undefined): JsonValue | undefined {
  const object = objectOf(data)
  if (!object) return data === undefined ? undefined : null
  const ids = Object.entries(object).flatMap(([name, value]): [string, JsonValue][] => {
    const id = decimalOf(value)
    const inner = decimalOf(objectOf(value)?.['id'])
    return id !== undefined ? [[name, id]] : inner !== undefined ? [[name, { id: inner }]] : []
  })
  return Object.fromEntries(ids.slice(0, MOST_IDS))
}

/** The id that a completed workflow's data names: `<word>_id`, `{<word>: {id}}` or `id`; `word` (a workflow's `instance.create` begins with it) decides between several. */
export function idIn(data: JsonValue | undefined, word?: string): string | undefined {
  const object = objectOf(data)
  if (!object) return undefined
  const named = (one: string) => decimalOf(object[`${one}_id`]) ?? decimalOf(objectOf(object[one])?.['id'])
  if (word !== undefined) return named(word) ?? decimalOf(object['id'])
  return decimalOf(object['id']) ?? WORDS.map(named).find((id) => id !== undefined)
}

/** The items of a page or a plain array; undefined for anything else. */
export function itemsOf(body: JsonValue | undefined): readonly JsonValue[] | undefined {
  return listOf(body) ?? listOf(objectOf(body)?.['items'])
}

/** The id of a list's item, at its top level or one level down (`{node: {id}, live}`). */
export function itemId(item: JsonValue): string | undefined {
  const object = objectOf(item)
  if (!object) return undefined
  return idText(object['id']) ?? ['node', 'service', 'data'].map((name) => idText(objectOf(object[name])?.['id'])).find((id) => id !== undefined)
}

/** The value if it is a JSON object. */
export function objectOf(value: JsonValue | undefined): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !isList(value) ? value : undefined
}

/** The value if it is a JSON array. */
export function listOf(value: JsonValue | undefined): readonly JsonValue[] | undefined {
  return value !== undefined && isList(value) ? value : undefined
}

/** The workflow under the name that the setting gives, else by its shape: most answers do not wrap it. */
function workflowIn(top: JsonObject, member: string): JsonObject | undefined {
  const named = member === 'auto' ? undefined : objectOf(top[member])
  if (named) return named
  return [top, ...membersOf(top).map(([, one]) => one)].find((one) => uuidOf(one['id']) !== undefined)
}

/** The record, alone or a member; among several the one that fits the route, or that the workflow (`instance.create`) is named after. */
function resourceIn(top: JsonObject, member: string, route: Route, workflowName: JsonValue | undefined): JsonObject | undefined {
  if (member !== 'auto' && objectOf(top[member])) return objectOf(top[member])
  if (decimalOf(top['id']) !== undefined) return top
  const candidates = membersOf(top).filter(([name, one]) => !RELATIONS.has(name) && decimalOf(one['id']) !== undefined)
  if (candidates.length <= 1) return candidates[0]?.[1]
  const item = 'item' in route.answer ? route.answer.item() : undefined
  const fitting = candidates.filter(([, one]) => item?.safeParse(one).success)
  const known = candidates.filter(([name]) => name === 'resource' || WORDS.includes(name))
  const word = typeof workflowName === 'string' ? workflowName.split('.')[0] : undefined
  const named = candidates.filter(([name]) => name === word)
  return [named, fitting, known].find((some) => some.length === 1)?.[0]?.[1]
}

function membersOf(top: JsonObject): [string, JsonObject][] {
  return Object.entries(top).flatMap(([name, value]) => {
    const object = objectOf(value)
    return object ? [[name, object]] : []
  })
}

function idIsDue(route: Route): boolean {
  const item = 'item' in route.answer ? route.answer.item() : undefined
  return item instanceof z.ZodObject && 'id' in item.shape && !z.safeParse(item.shape['id'], undefined).success
}

function progressOf(value: JsonValue | undefined): Workflow['progress'] {
  const progress = objectOf(value)
  const completed = progress?.['completed']
  const total = progress?.['total']
  if (typeof completed !== 'number' || typeof total !== 'number') return undefined
  const activities = progress?.['activities']
  const activity = runningOf(listOf(activities) ?? [])
  return { completed, total, ...(activity === undefined ? {} : { activity }) }
}

function wordOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : ''
}

/** The activity that runs: the document lists no words for it, so the last that is not done, else the last. */
function runningOf(activities: readonly JsonValue[]): string | undefined {
  const known = activities.map(objectOf)
  const open = known.findLast((one) => /running|started|progress/i.test(wordOf(one?.['status'])))
  const name = (open ?? known.at(-1))?.['name']
  return typeof name === 'string' ? name.slice(0, bounds.wordLength) : undefined
}

function uuidOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && UUID.test(value) ? value : undefined
}

function decimalOf(value: JsonValue | undefined): string | undefined {
  const text = idText(value)
  return text !== undefined && /^[1-9]\d{0,18}$/.test(text) ? text : undefined
}

function idText(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : typeof value === 'number' || typeof value === 'bigint' ? String(value) : undefined
}
