// The refresh before a plan: which workspaces are meant, what lookups find, and every live object that matters.
import { itemId } from '../../api/answer.ts'
import { ApiError, call } from '../../api/call.ts'
import { routes } from '../../api/routes/routes.ts'
import { matchesAddress } from '../../base/address.ts'
import type { Diagnostic } from '../../base/diagnostic.ts'
import { diagnostic, failure, Failure } from '../../base/diagnostic.ts'
import { few } from '../../base/few.ts'
import type { JsonObject, JsonValue } from '../../base/json.ts'
import { isObject } from '../../base/json.ts'
import { nearest } from '../../base/nearest.ts'
import type { AnyKind, Reader } from '../../kinds/definition/kind.ts'
import type { Declared, Project, Scope, WorkspaceRef } from '../../project/resolving/declared.ts'
import type { ResourceRecord } from '../../state/record.ts'
import type { Digest } from '../model/live.ts'
import { createReader, toJsonObject } from '../model/live.ts'
import type { Looking, Observation, Target } from '../model/observation.ts'
import { parentsOf } from '../model/parents.ts'
import type { LookupAnswer, Options, Whereabouts } from '../model/planned-resource.ts'
import type { Run } from '../model/run.ts'
import { settingMs } from '../model/settings.ts'
import { readLimits } from './limits.ts'
import { observe } from './observe.ts'
import { observeUnread } from './recorded-observation.ts'

export interface Refreshed {
  readonly observation: Observation
  readonly looking: Looking
  where(ref: WorkspaceRef | undefined): Whereabouts
  lookup(kind: string, name: string, ref: WorkspaceRef | undefined): LookupAnswer | { readonly problem: string }
  lookupById(kind: string, id: string): Readonly<Record<string, JsonValue>> | undefined
  /** The quota of each workspace where a limit decides on the order, by id. */
  readonly limits: ReadonlyMap<string, JsonObject>
  /** The caller's role in each visible workspace, by id. */
  readonly roles: ReadonlyMap<string, string>
  /** The name of each visible workspace, by id. */
  readonly workspaceNames: ReadonlyMap<string, string>
}

/** A workspace that the caller sees. */
export interface Visible {
  readonly id: string
  readonly name: string
  readonly role: string | undefined
}

interface Asked {
  readonly kind: string
  readonly name: string
  readonly ref: WorkspaceRef | undefined
}

/** Looks at everything that planning needs; throws a Failure where a workspace of the state is not visible. */
export async function refresh(
  run: Run,
  project: Project,
  resources: ReadonlyMap<string, ResourceRecord>,
  digest: Digest,
  options: Options,
): Promise<Refreshed> {
  const looking: Looking = { source: run.client, compat: run.compat, clock: run.clock, digest }
  const visible = await visibleWith(run, workspacesOf(resources))
  const where = (ref: WorkspaceRef | undefined): Whereabouts => (ref === undefined ? { id: '', account: true } : whereabouts(ref, visible, resources))
  const asked: Asked[] = []
  const wanted = options.destroy ? [] : project.resources
  const idOf = knownIds(wanted, resources)
  const drafts = wanted.map((declared) => ({ declared, draft: draftOf(declared, digest, asked, idOf) }))
  if (!options.destroy) for (const output of project.outputs) output.resolve(draftScope(project.workspace, digest, asked, idOf))
  const mayGo = goers(project, options)
  const targets = [
    ...drafts.flatMap(({ declared, draft }) => declaredTarget(declared, draft, where, resources)),
    ...recordedTargets(run.kinds, resources, mayGo),
    ...takenTargets(run.kinds, resources, mayGo),
  ]
  const lists = lookupLists(run, new Set([...drafts.map(({ declared }) => declared.kind), ...targets.map((one) => one.kind)]), asked, where)
  const reader = createReader(run.client, run.compat)
  const [observation, found, limits] = await Promise.all([
    options.unread ? observeUnread(looking, targets, resources, run.kinds) : observe(looking, targets, reader),
    fetchLists(reader, lists),
    options.unread ? new Map<string, JsonObject>() : readLimits(run, crowdedWorkspaces(run, targets)),
  ])
  const byId = indexed(found)
  return {
    observation,
    looking,
    where,
    lookup: (kind, name, ref) => lookedUp(found, kind, name, placeId(where(kindNamed(run.kinds, kind)?.scope === 'account' ? undefined : ref))),
    lookupById: (kind, id) => byId.get(`${kind} ${id}`),
    limits,
    workspaceNames: new Map(visible.map((one) => [one.id, one.name])),
    roles: new Map(visible.flatMap((one) => (one.role === undefined ? [] : [[one.id, one.role]]))),
  }
}

/** Workspaces with something whose limit holds for each place apart. */
function crowdedWorkspaces(run: Run, targets: readonly Target[]): readonly string[] {
  return [...new Set(targets.flatMap((one) => (one.kind.limitPerParent?.counts(run.compat) ? [one.workspaceId] : [])))]
}

/** A list that lags behind may lack a workspace just made: it is looked for once more. Throws Failure 9 where one of the given is not visible, 4 where the caller is refused. */
export async function visibleWith(run: Run, workspaceIds: ReadonlySet<string>): Promise<readonly Visible[]> {
  const first = await visibleWorkspaces(run)
  if (invisible(first, workspaceIds).length === 0) return first
  await run.clock.sleep(settingMs(run.compat.read_grace))
  const second = await visibleWorkspaces(run)
  const missing = invisible(second, workspaceIds)
  if (missing.length > 0) throw new Failure(9, missing.map(invisibleProblem))
  return second
}

/** The workspaces that resources are recorded in. */
export function workspacesOf(resources: ReadonlyMap<string, ResourceRecord>): ReadonlySet<string> {
  return new Set([...resources.values()].flatMap((one) => one.workspace_id ?? []))
}

async function visibleWorkspaces(run: Run): Promise<readonly Visible[]> {
  const items = await asFailure(run.client.all(call(routes.listWorkspaces, {})))
  return items.flatMap((item) => {
    const id = itemId(item)
    if (!isObject(item) || id === undefined) return []
    const { name, access_level: role } = item
    return [{ id, name: typeof name === 'string' ? name : '', role: typeof role === 'string' ? role : undefined }]
  })
}

/** Turns the provider's refusal into the user's: 4 for credentials, 1 for the rest. */
async function asFailure<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof ApiError) throw failure(error.status === 401 || error.status === 403 ? 'unauthorized' : 'api_error', error.message)
    if (error instanceof Error && error.name === 'UnreachableError') throw failure('unreachable', error.message)
    throw error
  }
}

function invisibleProblem(id: string): Diagnostic {
  return diagnostic('workspace_invisible', `workspace ${id} of the state is not visible to this caller`, { hint: 'wrong address, or another account?' })
}

function invisible(visible: readonly Visible[], workspaceIds: ReadonlySet<string>): readonly string[] {
  const known = new Set(visible.map((one) => one.id))
  return [...workspaceIds].filter((id) => !known.has(id))
}

/** A workspace by reference; throws a Failure 3 where none, or more than one, is meant. */
export function whereabouts(ref: WorkspaceRef, visible: readonly Visible[], resources: ReadonlyMap<string, ResourceRecord>): Whereabouts {
  if ('address' in ref) {
    const record = resources.get(ref.address)
    return record ? { id: record.id } : { address: ref.address }
  }
  if ('beside' in ref) {
    const id = resources.get(ref.beside)?.workspace_id
    return typeof id === 'string' ? { id } : { address: ref.beside }
  }
  if ('id' in ref) return { id: ref.id }
  const fits = 'name' in ref ? visible.filter((one) => one.name === ref.name) : visible
  const [only, more] = fits
  if (only && !more) return { id: only.id }
  const names = few((only ? fits : visible).map((one) => `${one.name} (${one.id})`))
  if ('name' in ref && !only) throw unknownWorkspace(ref, visible, names)
  if ('name' in ref)
    throw failure('lookup_failed', `several workspaces are called "${ref.name}": ${names}`, { position: ref.position(), hint: 'write { id: "…" }' })
  throw failure('lookup_failed', only ? `several workspaces are visible: ${names}` : 'no workspace is visible to this caller', {
    hint: 'set provider.workspace in iac.yaml, or metadata.workspace',
  })
}

function unknownWorkspace({ name, position }: Extract<WorkspaceRef, { name: string }>, visible: readonly Visible[], names: string): Error {
  const near = nearest(
    name,
    visible.map((one) => one.name),
  )

  return failure('lookup_failed', `no visible workspace is called "${name}"`, {
    detail: visible.length === 0 ? 'no workspace is visible to this caller' : `visible: ${names}`,
    position: position(),
    ...(near === undefined ? {} : { hint: `did you mean ${near}?` }),
  })
}

function placeId(place: Whereabouts): string | undefined {
  return 'id' in place ? place.id : undefined
}

interface Draft {
  readonly fields: readonly string[]
  /** The spec as far as it is known without any call: of an outline its parent alone. */
  readonly spec: JsonObject
}

type IdOf = (address: string) => string | undefined

/** The ids that are known before anything is read: those recorded, and those of what is to be imported. */
function knownIds(wanted: readonly Declared[], resources: ReadonlyMap<string, ResourceRecord>): IdOf {
  const imported = new Map(wanted.flatMap(({ address, importId }) => (importId === undefined ? [] : [[address, importId]])))
  return (address) => resources.get(address)?.id ?? imported.get(address)
}

/** Which fields are declared, below what they hang, which lookups are asked: from the outline, else from the spec with no more known than ids. */
function draftOf(declared: Declared, digest: Digest, asked: Asked[], idOf: IdOf): Draft {
  const { outline, workspace, kind } = declared
  if (outline) {
    const { parent } = outline
    for (const one of outline.lookups) asked.push({ ...one, ref: workspace })
    const known = parent && 'address' in parent && parent.output === 'id' ? idOf(parent.address) : undefined
    const id = parent && 'id' in parent ? parent.id : known
    return { fields: outline.fields, spec: kind.parentField === undefined || id === undefined ? {} : { [kind.parentField]: id } }
  }
  const { spec } = declared.resolve(draftScope(workspace, digest, asked, idOf))
  return { fields: Object.keys(spec), spec }
}

/** A scope that knows ids alone, and notes each lookup that it is asked. */
function draftScope(workspace: WorkspaceRef | undefined, digest: Digest, asked: Asked[], idOf: IdOf): Scope {
  return {
    attribute(address, path) {
      const id = path.length === 1 && path[0] === 'id' ? idOf(address) : undefined
      return id !== undefined ? { is: 'known', value: id, sensitive: false } : { is: 'unknown', sensitive: false }
    },
    lookup(name, text, ref) {
      asked.push({ kind: name, name: text, ref: ref ?? workspace })
      return { unknown: true }
    },
    digest,
  }
}

function declaredTarget(
  declared: Declared,
  draft: Draft,
  where: (ref: WorkspaceRef | undefined) => Whereabouts,
  resources: ReadonlyMap<string, ResourceRecord>,
): Target[] {
  const record = resources.get(declared.address)
  const workspaceId = record?.workspace_id ?? placeId(where(declared.workspace))
  if (workspaceId === undefined) return []
  const fields = new Set([...draft.fields, ...Object.keys(record?.spec ?? {})])
  return [
    { kind: declared.kind, workspaceId, id: record?.id ?? declared.importId, fields: [...fields], parents: parentsOf(declared.kind, draft.spec, record?.spec) },
  ]
}

function recordedTargets(kinds: readonly AnyKind[], resources: ReadonlyMap<string, ResourceRecord>, mayGo: (record: ResourceRecord) => boolean): Target[] {
  return [...resources.values()].flatMap((record) => {
    const kind = kindNamed(kinds, record.kind)
    if (!kind) return []
    const ids = [record.id, ...record.deposed.map((old) => old.id)]
    return ids.map((id) => ({
      kind,
      workspaceId: record.workspace_id ?? '',
      id,
      fields: Object.keys(record.spec),
      wants: mayGo(record) ? kind.removalWants : [],
      parents: parentsOf(kind, record.spec),
    }))
  })
}

/** Which recorded objects may go in this plan, as far as the manifests and the command line tell. */
function goers(project: Project, options: Options): (record: ResourceRecord) => boolean {
  const declared = new Set(options.destroy ? [] : project.resources.map((one) => one.address))
  return ({ address, status, deposed }) =>
    !declared.has(address) || status === 'failed' || deposed.length > 0 || options.replace.some((pattern) => matchesAddress(pattern, address))
}

/** Lists of what would end with a recorded object that may go in this plan. */
function takenTargets(kinds: readonly AnyKind[], resources: ReadonlyMap<string, ResourceRecord>, mayGo: (record: ResourceRecord) => boolean): Target[] {
  return [...resources.values()].flatMap((record) => {
    const takes = mayGo(record) ? (kindNamed(kinds, record.kind)?.takes ?? []) : []
    return takes.flatMap((name) => {
      const kind = kindNamed(kinds, name)
      return kind ? [{ kind, workspaceId: record.workspace_id ?? '', id: undefined, fields: [], parents: [] }] : []
    })
  })
}

function kindNamed(kinds: readonly AnyKind[], name: string): AnyKind | undefined {
  return kinds.find((kind) => kind.name === name)
}

interface Listing {
  readonly kind: AnyKind
  readonly workspaceId: string
}

/** Every list that a lookup or a reference to something unmanaged needs. */
function lookupLists(run: Run, used: ReadonlySet<AnyKind>, asked: readonly Asked[], where: (ref: WorkspaceRef | undefined) => Whereabouts): readonly Listing[] {
  const out = new Map<string, Listing>()
  const add = (kind: AnyKind | undefined, ref: WorkspaceRef | undefined): void => {
    if (!kind) return
    const workspaceId = kind.scope === 'account' ? '' : placeId(where(ref))
    if (workspaceId !== undefined) out.set(`${kind.name} ${workspaceId}`, { kind, workspaceId })
  }
  for (const one of asked) add(kindNamed(run.kinds, one.kind), one.ref)
  for (const kind of used) {
    const targets = new Set(Object.values(kind.fields).flatMap((marks) => marks.ref ?? []))
    for (const target of [...targets].map((name) => kindNamed(run.kinds, name)))
      if (target && !target.managed && target.scope === 'account') add(target, undefined)
  }
  return [...out.values()]
}

type Found = ReadonlyMap<string, readonly { readonly id: string; readonly names: readonly string[]; readonly attributes: JsonObject }[]>

async function fetchLists(reader: Reader, lists: readonly Listing[]): Promise<Found> {
  const entries = lists.map(async ({ kind, workspaceId }): Promise<[string, Found extends ReadonlyMap<string, infer V> ? V : never]> => {
    const all = await asFailure(kind.list(reader, { workspaceId, parents: [], wants: () => false }))
    const found = all
      .filter((live) => kind.ours?.(live) ?? true)
      .map((live) => {
        const spec = toJsonObject(kind.toSpec(live))
        const attributes = { ...spec, ...toJsonObject(kind.outputsOf(live)) }
        return { id: kind.id(live), names: [spec['name'], attributes['name']].filter((one): one is string => typeof one === 'string'), attributes }
      })
    return [`${kind.name} ${workspaceId}`, found]
  })
  return new Map(await Promise.all(entries))
}

/** Attributes by kind and id; of several workspaces' lists the first that was asked for. */
function indexed(found: Found): ReadonlyMap<string, JsonObject> {
  const out = new Map<string, JsonObject>()
  for (const [place, all] of found) {
    const [kind = ''] = place.split(' ')
    for (const { id, attributes } of all) if (!out.has(`${kind} ${id}`)) out.set(`${kind} ${id}`, attributes)
  }
  return out
}

function lookedUp(found: Found, kind: string, name: string, workspaceId: string | undefined): LookupAnswer | { readonly problem: string } {
  if (workspaceId === undefined) return { problem: `${kind} "${name}" cannot be looked up in a workspace that does not exist yet` }
  const all = found.get(`${kind} ${workspaceId}`) ?? []
  const fits = all.filter((one) => one.names.includes(name))
  const [only, more] = fits
  if (only && !more) return { id: only.id, attributes: only.attributes }
  if (only) return { problem: `several are called "${name}": ${few(fits.map((one) => one.id))}` }
  const names = [...new Set(all.flatMap((one) => one.names))]
  return { problem: names.length === 0 ? `no ${kind} is called "${name}"` : `no ${kind} is called "${name}"; there are ${few(names)}` }
}
