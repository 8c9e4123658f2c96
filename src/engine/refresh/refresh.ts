// The refresh before a plan: which workspaces are meant, what lookups find, and every live object that matters.
import { itemId } from '../../api/answers/answer.ts'
import { ApiError, call } from '../../api/calls/call.ts'
import { routes } from '../../api/routes/routes.ts'
import { matchesAddress } from '../../base/address.ts'
import type { Diagnostic } from '../../base/diagnostic.ts'
import { diagnostic, failure, Failure } from '../../base/diagnostic.ts'
import type { JsonObject, JsonValue } from '../../base/json.ts'
import { isObject } from '../../base/json.ts'
import { lazy } from '../../base/lazy.ts'
import { few } from '../../base/words/few.ts'
import { nearest } from '../../base/words/nearest.ts'
import type { AnyKind } from '../../kinds/definition/kind.ts'
import { quote } from '../../project/findings/source.ts'
import type { Declared, Project, Scope, WorkspaceRef } from '../../project/resolving/declared.ts'
import type { OpenIntent, ResourceRecord } from '../../state/record.ts'
import { comparedFields } from '../model/diff/compared-fields.ts'
import { ownersOf } from '../model/graph/owners.ts'
import { parentsOf } from '../model/graph/parents.ts'
import { addressed } from '../model/import-command.ts'
import type { Digest } from '../model/live.ts'
import { createReader } from '../model/live.ts'
import type { Looking, Observation, Target } from '../model/observation.ts'
import type { LookupAnswer, Options, Whereabouts } from '../model/planned-resource.ts'
import type { Run } from '../model/run.ts'
import { withImports } from './imports.ts'
import { readLimits } from './limits.ts'
import { asFailure, fetchLists, indexed, kindNamed, kindsByName, lookedUp, lookupLists, placeId, secretFields } from './lookups.ts'
import type { Asked } from './lookups.ts'
import { observe } from './observe.ts'
import { readsCaughtUp } from './reads-lag.ts'
import { observeUnread } from './recorded-observation.ts'
import { withTakenOver } from './workspaces-taken-over.ts'
import type { Places } from './workspaces-taken-over.ts'

export interface Refreshed {
  /** The project with the objects that its imports name by lookups. */
  readonly project: Project
  readonly observation: Observation
  readonly looking: Looking
  where(ref: WorkspaceRef | undefined): Whereabouts
  lookup(kind: string, name: string, ref: WorkspaceRef | undefined): LookupAnswer | { readonly problem: string }
  lookupById(kind: string, id: string): Readonly<Record<string, JsonValue>> | undefined
  /** The ids of a kind in the lists that lookups needed. */
  idsOf(kind: string): readonly string[]
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

/** Of more a command would be longer than anybody reads. */
const mostInCommand = 5

/** Looks at everything that planning needs; throws a Failure where a workspace of the state is not visible. `resources` are under the addresses that manifests have for them now, `recorded` under those that the state has, by which `iac state rm` finds them. */
export async function refresh(
  run: Run,
  given: Project,
  resources: ReadonlyMap<string, ResourceRecord>,
  digest: Digest,
  options: Options & { readonly open?: readonly OpenIntent[]; readonly recorded?: ReadonlyMap<string, ResourceRecord> },
): Promise<Refreshed> {
  const looking: Looking = { source: run.client, compat: run.compat, clock: run.clock, digest }
  const visible = await visibleWith(run, namedWorkspaces(run, options.recorded ?? resources, options.open))
  const whereIn = (project: Project) => locator(visible, options.destroy ? resources : withTakenOver(resources, project.resources, visible))
  if (!options.destroy) {
    const problems = [...unfound(given.resources, whereIn(given)), ...(await unreachable(run, given.resources, visible))]
    if (problems.length > 0) throw new Failure(3, problems)
  }
  const reader = createReader(run.client, run.compat)
  const project = options.destroy ? given : await withImports(run, given, resources, digest, { whereIn, reader })
  const where = whereIn(project)
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
    ...(options.unread ? [] : ownerTargets(run.kinds, resources)),
  ]
  const lists = lookupLists(run, new Set([...drafts.map(({ declared }) => declared.kind), ...targets.map((one) => one.kind)]), asked, where)
  const [observation, found, limits] = await Promise.all([
    options.unread ? observeUnread(looking, targets, resources, run.kinds) : observe(looking, targets, reader),
    fetchLists(reader, lists, run.kinds, run.client.serverNow()),
    options.unread ? new Map<string, JsonObject>() : readLimits(run, limitedWorkspaces(run, targets)),
  ])
  const [byId, secrets] = [indexed(found), lazy(() => secretFields(resources.values()))]
  return {
    project,
    observation,
    looking,
    where,
    lookup: (kind, name, ref) => lookedUp(found, kind, name, placeId(where(kindNamed(run.kinds, kind)?.scope === 'account' ? undefined : ref)), secrets()),
    lookupById: (kind, id) => byId.get(`${kind} ${id}`),
    idsOf: (kind) => [...byId.keys()].flatMap((key) => (key.startsWith(`${kind} `) ? [key.slice(kind.length + 1)] : [])),
    limits,
    workspaceNames: new Map(visible.map((one) => [one.id, one.name])),
    roles: rolesIn(visible),
  }
}

/** Workspaces with something whose limit holds for each place apart. */
function limitedWorkspaces(run: Run, targets: readonly Target[]): readonly string[] {
  return [...new Set(targets.flatMap((one) => (one.kind.limitPerParent?.counts(run.compat) ? [one.workspaceId] : [])))]
}

/** A list that lags behind may lack a workspace just made: it is looked for once more. Throws Failure 9 where one of the given is not visible, 4 where the caller is refused. */
export async function visibleWith(run: Run, named: NamedWorkspaces): Promise<readonly Visible[]> {
  const first = await visibleWorkspaces(run)
  if (invisible(first, named).length === 0) return first
  await readsCaughtUp(run)
  const second = await visibleWorkspaces(run)
  const missing = await unseen(run, invisible(second, named))
  if (missing.length > 0)
    throw new Failure(
      9,
      missing.map((id) => invisibleProblem(id, [...(named.get(id) ?? [])])),
    )
  return second
}

/** The caller's role in each workspace that tells of it. */
export function rolesIn(visible: readonly Visible[]): ReadonlyMap<string, string> {
  return new Map(visible.flatMap((one) => (one.role === undefined ? [] : [[one.id, one.role]])))
}

/** Workspaces by their ids, each with the addresses that name it. */
type NamedWorkspaces = ReadonlyMap<string, ReadonlySet<string>>

/** The workspaces that a state speaks of: those that resources are recorded in, those that requests were sent about whose end is not known, and those that are recorded themselves, which no less may be there when they are not seen. */
export function namedWorkspaces(
  { kinds }: Pick<Run, 'kinds'>,
  resources: ReadonlyMap<string, ResourceRecord>,
  open: readonly OpenIntent[] = [],
): NamedWorkspaces {
  const kindOf = kindsByName(kinds)
  const named = new Map<string, Set<string>>()
  const name = (id: string | null, address: string): void => {
    if (id !== null) named.set(id, (named.get(id) ?? new Set()).add(address))
  }
  for (const { kind, id, address, workspace_id: place } of resources.values()) {
    name(place, address)
    if (kindOf(kind)?.contains) name(id, address)
  }
  for (const { intent } of open) name(intent.workspace_id, intent.address)
  return named
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

function invisibleProblem(id: string, addresses: readonly string[]): Diagnostic {
  const rm = ['iac state rm', ...(addresses.length > mostInCommand ? ['ADDRESS'] : addresses.map(addressed))].join(' ')
  return diagnostic('workspace_invisible', `workspace ${id} of the state is not visible to this caller`, {
    ...(addresses.length === 0 ? {} : { detail: `The state names it for ${few(addresses)}.` }),
    hint: `wrong address, or another account? What is known to be gone leaves the state by \`${rm}\``,
  })
}

function invisible(visible: readonly Visible[], named: NamedWorkspaces): readonly string[] {
  const known = new Set(visible.map((one) => one.id))
  return [...named.keys()].filter((id) => !known.has(id))
}

/** Those that their own read does not tell of either: the list need not show all that staff may use. */
async function unseen({ client }: Run, ids: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(ids.map(async (id) => ((await isReadable(client, id)) ? [] : [id])))
  return found.flat()
}

async function isReadable(client: Run['client'], id: string): Promise<boolean> {
  try {
    return (await client.read(call(routes.getWorkspace, { id }))) !== undefined
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return false
    return asFailure(Promise.reject(error))
  }
}

/** What is to be said of every workspace that is named and not to be found, each once. */
function unfound(wanted: readonly Declared[], where: (ref: WorkspaceRef | undefined) => Whereabouts): readonly Diagnostic[] {
  const problems = new Map<string, Diagnostic>()
  for (const { workspace } of wanted) {
    try {
      where(workspace)
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      for (const one of error.diagnostics) problems.set(`${one.summary} ${JSON.stringify(one.position)}`, one)
    }
  }
  return [...problems.values()]
}

/** What is to be said of every workspace that is written as an id and nobody answers for; a list need not show all that staff may use. */
async function unreachable(run: Run, wanted: readonly Declared[], visible: readonly Visible[]): Promise<readonly Diagnostic[]> {
  const known = new Set(visible.map((one) => one.id))
  const unlisted = new Map(
    wanted.flatMap((one) =>
      one.workspace && 'id' in one.workspace && !known.has(one.workspace.id) ? [[one.workspace.id, one.workspace.position?.() ?? one.position()]] : [],
    ),
  )
  const problems = await Promise.all(
    [...unlisted].map(async ([id, position]) => {
      if ((await asFailure(run.client.read(call(routes.getWorkspace, { id })))) !== undefined) return []
      const text = `there is no workspace ${id}, or it is not visible to this caller`
      return [diagnostic('lookup_failed', text, { detail: visibleText(visible), position, called: id })]
    }),
  )
  return problems.flat()
}

function visibleText(visible: readonly Visible[]): string {
  return visible.length === 0 ? 'no workspace is visible to this caller' : `visible: ${few(visible.map((one) => `${one.name} (${one.id})`))}`
}

/** Where a reference leads; none at all is the account. */
export function locator(visible: readonly Visible[], resources: Places): (ref: WorkspaceRef | undefined) => Whereabouts {
  return (ref) => (ref === undefined ? { id: '', account: true } : whereabouts(ref, visible, resources))
}

/** A workspace by reference; throws a Failure 3 where none, or more than one, is meant. */
export function whereabouts(ref: WorkspaceRef, visible: readonly Visible[], resources: Places): Whereabouts {
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
  if ('name' in ref && !only) throw unknownWorkspace(ref, visible)
  if ('name' in ref)
    throw failure('lookup_failed', `several workspaces are called "${ref.name}": ${names}`, { position: ref.position(), hint: 'write { id: "…" }' })
  throw failure('lookup_failed', only ? `several workspaces are visible: ${names}` : 'no workspace is visible to this caller', {
    hint: 'set provider.workspace in iac.yaml, or metadata.workspace',
  })
}

function unknownWorkspace({ name, position }: Extract<WorkspaceRef, { name: string }>, visible: readonly Visible[]): Error {
  const near = nearest(
    name,
    visible.map((one) => one.name),
  )
  return failure('lookup_failed', `no visible workspace is called "${name}"`, {
    detail: visibleText(visible),
    position: position(),
    ...(near === undefined ? {} : { hint: `did you mean ${quote(near)}?` }),
  })
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
  const fields = comparedFields(draft.fields, record)
  const imported = record === undefined
  return [
    { kind: declared.kind, workspaceId, id: record?.id ?? declared.importId, imported, fields, parents: parentsOf(declared.kind, draft.spec, record?.spec) },
  ]
}

function recordedTargets(kinds: readonly AnyKind[], resources: ReadonlyMap<string, ResourceRecord>, mayGo: (record: ResourceRecord) => boolean): Target[] {
  const kindOf = kindsByName(kinds)
  return [...resources.values()].flatMap((record) => {
    const kind = kindOf(record.kind)
    if (!kind) return []
    const about = {
      kind,
      workspaceId: record.workspace_id ?? '',
      fields: comparedFields([], record),
      wants: mayGo(record) ? kind.removalWants : [],
      parents: parentsOf(kind, record.spec),
    }
    return [{ ...about, id: record.id }, ...record.deposed.map(({ id }) => ({ ...about, id }))]
  })
}

/** Which recorded objects may go in this plan, as far as the manifests and the command line tell. */
function goers(project: Project, options: Options): (record: ResourceRecord) => boolean {
  const declared = new Set(options.destroy ? [] : project.resources.map((one) => one.address))
  return ({ address, status, deposed }) =>
    !declared.has(address) || status === 'failed' || deposed.length > 0 || options.replace.some((pattern) => matchesAddress(pattern, address))
}

/** What ends with another object and is read nowhere is there as long as that is. */
export function ownerTargets(kinds: readonly AnyKind[], resources: ReadonlyMap<string, ResourceRecord>): Target[] {
  const kindOf = kindsByName(kinds)
  return [...resources.values()].flatMap(({ kind: name, workspace_id: workspaceId, spec, deposed }) => {
    const kind = kindOf(name)
    if (!kind || kind.readable) return []
    return [spec, ...deposed.map((old) => old.spec)].flatMap((one) =>
      ownersOf(kind, one).flatMap((owner) => {
        const found = kindOf(owner.kind)
        return found ? [{ kind: found, workspaceId: workspaceId ?? '', id: owner.id, fields: [], parents: [] }] : []
      }),
    )
  })
}

/** Lists of what would end with a recorded object that may go in this plan. */
function takenTargets(kinds: readonly AnyKind[], resources: ReadonlyMap<string, ResourceRecord>, mayGo: (record: ResourceRecord) => boolean): Target[] {
  const kindOf = kindsByName(kinds)
  return [...resources.values()].flatMap((record) => {
    const takes = mayGo(record) ? (kindOf(record.kind)?.takes ?? []) : []
    return takes.flatMap((name) => {
      const kind = kindOf(name)
      return kind ? [{ kind, workspaceId: record.workspace_id ?? '', id: undefined, fields: [], parents: [] }] : []
    })
  })
}
