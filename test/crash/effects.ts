// Requests that change something, as the service gets them, each with the intent that the program must have written before.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { canonicalJson, isList, isObject, parseJson } from '../../src/base/json.ts'
import type { JsonValue } from '../../src/base/json.ts'
import { kinds } from '../../src/kinds/registry.ts'
import type { FaultRequest } from '../../src/sandbox/faults/faults.ts'
import { routes } from '../../src/sandbox/served-routes.ts'
import type { RouteName } from '../../src/sandbox/served-routes.ts'
import { decodeJournal } from '../../src/state/journal-file.ts'
import type { Entry, Intent } from '../../src/state/record.ts'
import { inClear } from '../../src/state/sealing.ts'

/** One request with an effect; `label` names it in every run of the same phase. */
export interface Effect {
  readonly route: RouteName
  readonly path: string
  readonly atMs: number
  readonly kind: string
  readonly address: string
  /** The step's name without the ids in it. */
  readonly step: string
  readonly label: string
}

/** The fields of each kind that are secret: the hash of a body with one is over digests, which nobody outside can compute. */
const secretFields = new Map(kinds.map((kind) => [kind.name, Object.keys(kind.fields).filter((field) => kind.fields[field]?.secret === true)]))

/** Follows the requests of one service beside the journal of the run that sends them; reports requests without a durable intent. */
export function createEffects(journalPath: string, atMs: () => number) {
  const effects: Effect[] = []
  const unannounced: string[] = []
  const taken = new Set<string>()
  /** The effect that a request is; undefined for one that changes nothing. */
  function of({ operation, method, path, body }: FaultRequest): Effect | undefined {
    // A creation of nothing asks whether the caller is a login session.
    if (operation === undefined || !routes[operation].effect || body === '{}') return undefined
    const open = openIntents(readJournal(journalPath)).filter((one) => !taken.has(keyOf(one)))
    // An update of another secret has the route of this one's deletion: what is set by taking something off names its object.
    const fitting = method === 'DELETE' ? open.filter((one) => Object.keys(one.sets).length === 0 || path.split(/[/?]/).includes(one.id ?? '')) : open
    const found = fitting.find((one) => fits(one, operation, path, body)) ?? fitting.find((one) => fitsSecretly(one, operation, path, body))
    if (!found) {
      unannounced.push(`${method} ${path}`)
      return undefined
    }
    taken.add(keyOf(found))
    const step = found.step.replaceAll(/ \d{6,}/g, '')
    const label = `${found.address} ${found.half} ${step}`
    const effect = { route: operation, path, atMs: atMs(), kind: found.kind, address: found.address, step, label }
    effects.push(effect)
    return effect
  }
  return { of, effects, unannounced }
}

function keyOf(intent: Intent): string {
  return `${intent.sent_at} ${intent.seq} ${intent.address} ${intent.step}`
}

function readJournal(path: string): readonly Entry[] {
  try {
    return decodeJournal(readFileSync(path), path, inClear).entries
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

/** Intents without an answer. */
export function openIntents(entries: readonly Entry[]): readonly Intent[] {
  const answered = new Set(entries.flatMap((one) => ('seq' in one && one.t !== 'intent' ? [one.seq] : [])))
  return entries.filter((one): one is Intent => one.t === 'intent' && !answered.has(one.seq))
}

function fits(intent: Intent, operation: RouteName, path: string, body: string | undefined): boolean {
  const parts = path.split(/[/?]/)
  // Commands name the object in the body; what is taken off an object stands in the step's name.
  const names = (ids: readonly string[]): boolean => ids.every((id) => parts.includes(id) || body?.includes(id) === true)
  const takenOff = intent.step.match(/\d{6,}/g) ?? []
  // The caller stands for the account behind its token.
  const isNamed = parts.includes('@me') || names(intent.id?.split('/') ?? []) || (takenOff.length > 0 && names(takenOff))
  const isAlone = intent.workspace_id !== null && parts.includes(intent.workspace_id)
  if (!isNamed && !isAlone) return false
  const sent = body === undefined || body === '' ? intent.sets : withIdsAsText(parseJson(body))
  return hashOf(routes[operation].path, sent) === intent.body_hash
}

/** Whether the intent is of a kind that makes such a request with a secret in its body, and about the object that the request names. */
function fitsSecretly(intent: Intent, operation: RouteName, path: string, body: string | undefined): boolean {
  const sent = body === undefined || body === '' ? {} : parseJson(body)
  if (!isObject(sent) || intent.removes) return false
  const isMaking = kinds.some((kind) => kind.name === intent.kind && kind.calls.making.some((one) => one.path === routes[operation].path))
  const parts = path.split(/[/?]/)
  // Of what a workspace has one of the path names no object.
  const isNamed = !/\/\d{6,}$/.test(path) || (intent.id?.split('/') ?? []).every((id) => parts.includes(id))
  // A name goes out with every create, and with an update that sets it.
  const isCalled = (intent.creates || typeof sent['name'] === 'string' ? sent['name'] : undefined) === intent.sets['name']
  return isMaking && isNamed && isCalled && (secretFields.get(intent.kind) ?? []).some((field) => Object.hasOwn(sent, field))
}

/** On the wire ids are integers, in specs they are texts. */
function withIdsAsText(value: JsonValue): JsonValue {
  if (typeof value === 'bigint') return String(value)
  if (isList(value)) return value.map(withIdsAsText)
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withIdsAsText(one)])) : value
}

function hashOf(path: string, body: JsonValue): string {
  return createHash('sha256')
    .update(canonicalJson([path, body]))
    .digest('hex')
}
