// Lists the objects of one kind: the API's own records beside what the kind makes of them.
import { itemId } from '../../api/answers/answer.ts'
import type { Allowance } from '../../api/answers/bounds.ts'
import { createAllowance } from '../../api/answers/bounds.ts'
import { maskSecrets, memberKey, secretMembers } from '../../api/answers/secret-members.ts'
import type { Call, Query } from '../../api/calls/call.ts'
import { ApiError, call } from '../../api/calls/call.ts'
import type { Compat } from '../../api/calls/compat.ts'
import type { Client } from '../../api/client.ts'
import type { Route } from '../../api/routes/route.ts'
import { routes } from '../../api/routes/routes.ts'
import { failure } from '../../base/diagnostic.ts'
import { inTurns } from '../../base/in-turns.ts'
import type { JsonObject, JsonValue } from '../../base/json.ts'
import { isObject } from '../../base/json.ts'
import { few } from '../../base/words/few.ts'
import { toJsonObject } from '../../engine/model/live.ts'
import { wholeItems } from '../../engine/refresh/whole-items.ts'
import { namesOf } from '../../kinds/definition/kind.ts'
import type { AnyKind, Reader } from '../../kinds/definition/kind.ts'
import { readShape } from '../../kinds/definition/shape.ts'
import type { Shape } from '../../kinds/definition/shape.ts'
import type { WorkspaceRef } from '../../project/resolving/declared.ts'
import { concealing } from './concealed.ts'
import { withIdTexts } from './id-texts.ts'
import type { RecordedSecrets } from './recorded-secrets.ts'

/** One object: `raw` is the API's record, or what the kind reads where it composes several; null stands in the place of what is secret, {"$sensitive": true} of what else the state holds as sensitive, and ids are texts. */
export interface Looked {
  readonly id: string
  readonly name: string | undefined
  /** All that it is asked for by, beside its id. */
  readonly names: readonly string[]
  readonly workspaceId: string
  /** False for what is leaving, or belongs to something else (a boot disk, a platform recipe). */
  readonly ours: boolean
  readonly shown: Readonly<Record<string, JsonValue>>
  readonly raw: JsonValue
}

/** How objects are reached and read. */
export interface Ways {
  readonly client: Client
  readonly compat: Compat
  readonly kinds: readonly AnyKind[]
  /** Where what is kept of all answers takes its room. */
  readonly allowance?: Allowance
  /** What is hidden beside what kinds and routes say is secret. */
  readonly secrets?: RecordedSecrets | undefined
  /** Asked of the list of this route, beside what its kind asks. */
  readonly filters?: { readonly route: Route; readonly query: Query } | undefined
}

/** A record as the service answered it, and to what. */
interface Captured {
  readonly record: JsonValue
  readonly route: Route
}

interface Where {
  readonly ref: WorkspaceRef
  readonly everywhere: boolean
  /** The id of a Workspace manifest, if it was applied. */
  readonly idOf: (address: string) => string | undefined
}

/** Everything of a kind in the workspaces meant; throws a Failure where the workspace is not clear. */
export async function lookAt(ways: Ways, kind: AnyKind, where: Where): Promise<readonly Looked[]> {
  const workspaceIds = kind.scope === 'account' ? [''] : await workspacesOf(ways.client, where)
  const together = { ...ways, allowance: ways.allowance ?? createAllowance() }
  const found = await inTurns(workspaceIds, (workspaceId) => listIn(together, kind, workspaceId))
  return found.flat()
}

/** The ids of the workspaces meant; throws a Failure where that is not clear, with this hint. */
export async function workspacesOf(
  client: Client,
  { ref, everywhere, idOf }: Where,
  hint = 'set provider.workspace in iac.yaml, or use --all-workspaces',
): Promise<readonly string[]> {
  if (!everywhere && 'id' in ref && (await isAnswered(client, ref.id))) return [ref.id]
  const items = (await client.all(call(routes.listWorkspaces, {}))).flatMap((one) =>
    isObject(one) ? [{ id: textOf(one['id']), name: textOf(one['name']) }] : [],
  )
  if (everywhere) return items.map((one) => one.id)
  if ('address' in ref) {
    const id = idOf(ref.address)
    const [or = ''] = /, or use --.*$/.exec(hint) ?? []
    if (id === undefined) throw failure('lookup_failed', `the workspace ${ref.address} has not been made yet`, { hint: `apply first${or}` })
    return [id]
  }
  const fitting = 'id' in ref ? [] : 'name' in ref ? items.filter((one) => one.name === ref.name) : items
  const [only, more] = fitting
  if (only && !more) return [only.id]
  const names = few(items.map((one) => `${one.name} (${one.id})`))
  throw failure('lookup_failed', only ? `several workspaces fit: ${names}` : `no workspace fits; visible: ${names === '' ? 'none' : names}`, {
    hint,
  })
}

/** Whether a workspace is there, as far as the caller may ask. */
async function isAnswered(client: Client, id: string): Promise<boolean> {
  try {
    return (await client.read(call(routes.getWorkspace, { id }))) !== undefined
  } catch (error) {
    // Listing tells better what is wrong.
    if (error instanceof ApiError) return true
    throw error
  }
}

/** The objects of a kind in one workspace; '' at account scope. Those that `isJudged` takes are read singly where that alone may tell whose they are. */
export async function listIn(ways: Ways, kind: AnyKind, workspaceId: string, isJudged?: (id: string) => boolean): Promise<readonly Looked[]> {
  if (!kind.readable) throw failure('usage', `the service offers no call that reads ${kind.plural}`)
  const records = new Map<string, Captured>()
  const parents = await parentsOf(ways, kind, workspaceId)
  const references = new Set(Object.keys(kind.fields).filter((field) => kind.fields[field]?.ref !== undefined))
  const [reader, at] = [capturing(ways, records), { workspaceId, parents, wants: () => false }]
  const items = await kind.list(reader, at)
  const judged = isJudged ? items.filter((live) => isJudged(kind.id(live))) : []
  const read = (live: unknown): Promise<unknown> => kind.read(reader, kind.id(live), at)
  const whole = new Map((await wholeItems(judged, { kind, liveOf: (live) => live, read })).map((live) => [kind.id(live), live]))
  return items.map((item) => {
    const live = whole.get(kind.id(item)) ?? item
    const spec: Readonly<Record<string, unknown>> = kind.toSpec(live)
    const id = kind.id(live)
    const captured = records.get(`${kind.name} ${id}`)
    const secrets = secretsOf(kind, captured?.route, spec)
    const outputs = kind.outputsOf(live)
    const members = Object.entries({ id, ...jsonMembers(spec), ...outputs })
    const open: JsonObject = Object.fromEntries(members.filter(([name]) => !secrets.names.has(memberKey(name))))
    const status = kind.status(live, { id, workspaceId, recorded: {}, live, fresh: false, nowMs: ways.client.serverNow() })
    const ours = status !== 'leaving' && (kind.ours?.(live) ?? true)
    const masked = maskSecrets(captured?.record ?? open, secrets.names, secrets.texts)
    const conceal = concealing({ kind, workspaceId, id, live, seen: toJsonObject(spec) }, ways.secrets)
    const shown = conceal ? { ...conceal(open), id } : open
    const raw = withIdTexts(conceal && isObject(masked) ? conceal(masked) : masked, references)
    const [called, names] = conceal ? [shown['name'], namesOf(kind, shown)] : [spec['name'], namesOf(kind, spec, outputs)]
    return { id, name: typeof called === 'string' ? called : undefined, names, workspaceId, ours, shown, raw }
  })
}

/** What must not be seen of an object: members that its kind or the route that shows it says are secret, and what the kind reads as such. */
function secretsOf(kind: AnyKind, route: Route | undefined, spec: Readonly<Record<string, unknown>>) {
  const own = Object.keys(kind.fields).filter((name) => kind.fields[name]?.secret === true)
  const outputs = Object.keys(kind.outputs).filter((name) => kind.outputs[name]?.sensitive === true)
  const texts = own.map((name) => spec[name]).filter((one) => typeof one === 'string')
  return { names: new Set([...[...own, ...outputs].map(memberKey), ...secretMembers(route)]), texts }
}

/** What a kind of narrower scope hangs on: every object of the kinds that its parent field points at. */
async function parentsOf(ways: Ways, kind: AnyKind, workspaceId: string): Promise<readonly string[]> {
  if (kind.scope !== 'parent' || kind.parentField === undefined) return []
  const names = kind.fields[kind.parentField]?.ref ?? []
  const found = await Promise.all(ways.kinds.filter((one) => names.includes(one.name)).map((one) => listIn(ways, one, workspaceId)))
  return found.flat().map((one) => one.id)
}

/** Reads as every reader does, and remembers the record of each object by kind and id. */
function capturing({ client, compat, allowance, filters }: Ways, records: Map<string, Captured>): Reader {
  function made<L>(record: JsonValue, shape: Shape<L>, { route }: Call): L {
    const live = readShape(shape, record, compat.fields, route)
    const id = itemId(record)
    if (id !== undefined) records.set(`${shape.kind} ${id}`, { record, route })
    return live
  }
  const filtered = (what: Call): Call => (what.route === filters?.route ? { ...what, query: { ...what.query, ...filters.query } } : what)
  return {
    compat,
    text: (what) => client.text(what),
    all: async <L>(what: Call, shape: Shape<L>) => (await client.all(filtered(what), { allowance })).map((record) => made(record, shape, what)),
    async one<L>(what: Call, shape: Shape<L>) {
      const record = await client.read(what, { allowance })
      return record === undefined || record === null ? undefined : made(record, shape, what)
    },
  }
}

function jsonMembers(spec: Readonly<Record<string, unknown>>): Record<string, JsonValue> {
  const out: Record<string, JsonValue> = {}
  for (const [name, value] of Object.entries(spec)) {
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') out[name] = value
    else if (Array.isArray(value)) out[name] = value.map(String)
  }
  return out
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' ? String(value) : ''
}
