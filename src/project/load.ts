// Loads a project: files to resources, with everything that is wrong found in one go and no call made.
import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { compareAddresses, formatAddress, parseAddress } from '../address.ts'
import { withArticle } from '../article.ts'
import { compatSchema } from '../api/compat.ts'
import type { Code } from '../catalogue.ts'
import { diagnostic } from '../diagnostic.ts'
import type { Diagnostic } from '../diagnostic.ts'
import type { AnyKind } from '../kinds/kind.ts'
import { readMoved, readOutputs, readRemoved } from './blocks.ts'
import { byPlace } from './by-place.ts'
import { findConflicts, shown } from './conflicts.ts'
import type { Checked } from './conflicts.ts'
import { declare } from './declare.ts'
import type { Declared, Project, WorkspaceRef } from './declared.ts'
import { expandManifest } from './expand.ts'
import type { Early, Instance } from './expand.ts'
import type { Files } from './files.ts'
import { projectFileName } from './find-project.ts'
import { createIncludes } from './included-files.ts'
import { listedAnyhow } from './listed-anyhow.ts'
import { brokenAddresses, headOf, nameless, readManifest } from './manifest.ts'
import type { Manifest } from './manifest.ts'
import { createNames } from './names.ts'
import { createParses } from './parse-cache.ts'
import type { ParseCache } from './parse-cache.ts'
import { isPublicDocument } from './public-documents.ts'
import { pointerProblems } from './pointed-fields.ts'
import { readProjectFile } from './project-file.ts'
import type { ProjectFile } from './project-file.ts'
import { blindScope } from './resolve.ts'
import { isMap } from './schema.ts'
import { hidesSecretFields } from './secret-lines.ts'
import { quote } from './source.ts'
import { readSources, whatManifestsAre } from './sources.ts'
import type { Named, Sources } from './sources.ts'
import { stateSettings } from './state-settings.ts'
import { createTemplates } from './templates.ts'
import { unknownEnvironment } from './unknown-environment.ts'
import { resolveVariables } from './variables.ts'
import type { VariableInputs, Variables } from './variables.ts'
import { readWorkspace } from './workspaces.ts'

/** What to load: an absolute folder, the kinds, and what the command line adds. */
export interface LoadOptions {
  readonly files: Files
  readonly folder: string
  readonly kinds: readonly AnyKind[]
  readonly workspaceKind: string
  readonly environment: string | null
  readonly variables: VariableInputs
  readonly named: Named | undefined // instead of the project's list
  readonly sandbox: boolean
  readonly parsed?: ParseCache | undefined // of documents read before
}

/** The project is undefined if anything is an error; warnings come along with it. `foreign` counts documents of other tools. */
export interface Loaded {
  readonly project: Project | undefined
  readonly diagnostics: readonly Diagnostic[]
  readonly foreign: number
}

interface Collector {
  readonly all: Diagnostic[]
  readonly report: (found: Diagnostic) => void
}

/** Reads, checks and resolves as far as nothing needs to be asked; every problem at once. */
export function loadProject(options: LoadOptions): Loaded {
  const { files, folder, environment } = options
  const all: Diagnostic[] = []
  const collector: Collector = { all, report: (found) => all.push(found) }
  const { file, problems, text } = readProjectFile(files, folder)
  all.push(...problems)
  if (!file && problems.length > 0) return { project: undefined, diagnostics: inFileOrder([...all, ...mistakesBeside(options, text)]), foreign: 0 }
  checkEnvironment(file, environment, collector)
  if (file) all.push(...pointerProblems(file, options.kinds))
  const variables = resolveVariables(file, environment, options.variables)
  all.push(...variables.problems)
  const byName = new Map(options.kinds.map((kind) => [kind.name, kind]))
  const parses = options.parsed && createParses(options.parsed, (value, text) => isPublicDocument(byName, value, text))
  const sources = readSources(files, folder, file?.isListed === false ? [] : file?.fields.manifests, options.named, hidesSecretFields(byName), parses)
  const unread = options.named ? sources.problems.filter((one) => one.code === 'file_unreadable') : []
  if (unread.length > 0) return { project: undefined, diagnostics: unread, foreign: sources.foreign }
  all.push(...sources.problems)
  if (file?.fields.manifests && file.isListed) all.push(...unfitPatterns(file, file.fields.manifests, sources.unfit))
  if (file) sources.hashes[projectFileName] = createHash('sha256').update(file.bytes).digest('hex')
  const world = loadResources(options, file, variables, sources, collector)
  const moved = file ? readMoved(file, world.addresses, world.early) : []
  const removed = file ? readRemoved(file, world.addresses, world.early) : []
  const outputs = file ? readOutputs(file, world.early, options.named !== undefined) : []
  const diagnostics = inFileOrder(all)
  if (diagnostics.some((one) => one.severity === 'error')) return { project: undefined, diagnostics, foreign: sources.foreign }
  const name = file?.fields.name ?? (basename(folder) || 'project')
  const block = environment === null ? undefined : file?.fields.environments?.[environment]
  const project: Project = Object.freeze({
    name,
    isNamed: file?.fields.name !== undefined,
    folder,
    environment,
    workspace: world.workspace,
    compat: file?.fields.provider?.compat ?? compatSchema.parse({}),
    state: stateSettings({ name, environment, sandbox: options.sandbox, own: file?.fields.state, environments: block?.state }),
    maxDestroy: file?.fields.guards?.max_destroy,
    variables: variables.shown,
    resources: Object.freeze(world.resources),
    manifests: world.manifests,
    partial: options.named !== undefined,
    outputs,
    moved,
    removed,
    hashes: sources.hashes,
  })
  return { project, diagnostics, foreign: sources.foreign }
}

/** Codes of what a manifest gets wrong by itself, whatever the project file says. */
const ownMistakes = new Set<Code>([
  'yaml_syntax',
  'yaml_unsupported',
  'yaml_duplicate_key',
  'unsupported_version',
  'unknown_kind',
  'unknown_field',
  'missing_field',
  'invalid_name',
  'invalid_value',
])

/** What is wrong in the manifests beside a project file that is no YAML: only what needs nothing of that file. */
function mistakesBeside(options: LoadOptions, text: string | undefined): readonly Diagnostic[] {
  if (text === undefined) return []
  const found: Diagnostic[] = []
  const report = (one: Diagnostic): void => void found.push(one)
  const variables = resolveVariables(undefined, null, { flags: [], files: [], environment: {} })
  const sources = readSources(
    options.files,
    options.folder,
    listedAnyhow(text),
    options.named,
    hidesSecretFields(new Map(options.kinds.map((kind) => [kind.name, kind]))),
  )
  loadResources(options, undefined, variables, sources, { all: found, report })
  return [...sources.problems, ...found].filter((one) => ownMistakes.has(one.code))
}

interface World {
  readonly early: Early
  readonly workspace: WorkspaceRef
  readonly resources: readonly Declared[]
  readonly addresses: readonly string[]
  readonly manifests: number
}

function loadResources(options: LoadOptions, file: ProjectFile | undefined, variables: Variables, sources: Sources, collector: Collector): World {
  const { files, folder, workspaceKind } = options
  const { report } = collector
  const kinds = new Map(options.kinds.map((kind) => [kind.name, kind]))
  const inputs = { variables: variables.values, file: createIncludes({ files, folder, hashes: sources.hashes, report }) }
  const templates = createTemplates()
  const read = sources.documents.map((document) => ({ document, manifest: readManifest(document, kinds, report) }))
  const heads = [...sources.broken, ...read.flatMap(({ document, manifest }) => (manifest?.isSound === true ? [] : [headOf(document.value)]))]
  const broken = new Set(heads.flatMap((head) => brokenAddresses(head, kinds)))
  const manifests = withoutDuplicates(
    read.flatMap(({ manifest }) => manifest ?? []),
    report,
  )
  if (sources.documents.length === 0 && !options.named && sources.problems.length === 0 && file?.isListed !== false)
    report(
      diagnostic('no_resources', 'the project holds no manifest', { hint: file ? whatManifestsAre : '`iac init` writes a project file and a first manifest' }),
    )
  const declarations = new Map<string, Map<string, ReadonlySet<string> | undefined>>()
  for (const { kind, name, isSound } of manifests)
    if (isSound) declarations.set(kind.name, (declarations.get(kind.name) ?? new Map<string, undefined>()).set(name, undefined))
  const open = { all: options.named !== undefined || file?.isListed === false, broken }
  const before: Early = { names: createNames(kinds, declarations, variables.names, open), templates, inputs, report }
  const instances: Instance[] = []
  for (const manifest of manifests) {
    const expanded = expandManifest(manifest, before)
    instances.push(...expanded.instances)
    if (expanded.isSound) declarations.get(manifest.kind.name)?.set(manifest.name, expanded.keys)
    else if (declarations.get(manifest.kind.name)?.delete(manifest.name)) broken.add(`${manifest.kind.name}/${manifest.name}`)
  }
  const early: Early = { ...before, names: createNames(kinds, declarations, variables.names, open) }
  const workspace = defaultWorkspace(file, workspaceKind, early)
  const resources = declareAll(instances, workspace, workspaceKind, early)
  checkAll(resources, instances, options.kinds, early)
  const sorted = resources.toSorted((a, b) => compareAddresses(a.address, b.address))
  return { early, workspace, resources: sorted, addresses: sorted.map((one) => one.address), manifests: manifests.length }
}

function declareAll(instances: readonly Instance[], byDefault: WorkspaceRef, workspaceKind: string, early: Early): Declared[] {
  const workspaces = new Map<string, WorkspaceRef | undefined>()
  const read = (instance: Instance) => workspaceOf(instance, byDefault, workspaceKind, early)
  for (const instance of instances) workspaces.set(instance.address, read(instance))
  return instances.map((instance) => {
    const { kind, workspace: written } = instance.manifest
    const own = declare(instance, workspaces.get(instance.address), { ...early, report: reportOf(instance, early.report) })
    if (kind.scope !== 'parent' || written !== undefined) return own
    const address = parentOf(own, instance)
    const elsewhere = address !== undefined && isElsewhere(address, early) ? { beside: address } : undefined
    const theirs = address === undefined ? undefined : (workspaces.get(address) ?? elsewhere)
    return theirs === undefined || theirs === own.workspace ? own : declare(instance, theirs, { ...early, report: () => undefined })
  })
}

/** What is wrong with a manifest that has no name is said without an address. */
function reportOf({ manifest }: Instance, report: Early['report']): Early['report'] {
  if (manifest.isSound || manifest.name !== nameless) return report
  return (found) => report({ ...found, address: undefined })
}

function isElsewhere(address: string, { names }: Early): boolean {
  const { kind, name } = parseAddress(address) ?? { kind: '', name: '' }
  return names.isOpen(kind, name)
}

/** What hangs on another resource is in that one's workspace unless it says otherwise. */
function parentOf(declared: Declared, instance: Instance): string | undefined {
  const { parentField = '', fields } = declared.kind
  const written = instance.spec[parentField]
  const candidates = declared.references.filter((one) => fields[parentField]?.ref?.includes(parseAddress(one)?.kind ?? '') === true)
  return candidates.find((one) => typeof written === 'string' && one.endsWith(`/${written}`)) ?? (candidates.length === 1 ? candidates[0] : undefined)
}

function workspaceOf(instance: Instance, byDefault: WorkspaceRef, workspaceKind: string, early: Early): WorkspaceRef | undefined {
  const { manifest, each, address } = instance
  const { document, kind, workspace } = manifest
  const position = () => document.position('/metadata/workspace')
  if (kind.scope === 'account') {
    if (workspace !== undefined && workspace !== null)
      early.report(
        diagnostic('invalid_value', `${withArticle(kind.name)} is in no workspace`, { position: position(), address, hint: 'take metadata.workspace out' }),
      )
    return undefined
  }
  if (workspace === undefined) return byDefault
  return workspace === null ? undefined : readWorkspace(workspace, workspaceKind, { document, pointer: '/metadata/workspace', each }, early)
}

function defaultWorkspace(file: ProjectFile | undefined, workspaceKind: string, early: Early): WorkspaceRef {
  const root = file?.document.value
  const provider = isMap(root) && isMap(root.provider) ? root.provider : {}
  if (!file || provider.workspace === undefined || provider.workspace === null) return { only: true }
  return readWorkspace(provider.workspace, workspaceKind, { document: file.document, pointer: '/provider/workspace', each: undefined }, early) ?? { only: true }
}

/** Everything that shows without a call: each spec by itself, then rules between sound resources. */
function checkAll(resources: readonly Declared[], instances: readonly Instance[], kinds: readonly AnyKind[], early: Early): void {
  const scope = blindScope(early.names)
  const checked: Checked[] = []
  for (const [index, instance] of instances.entries()) {
    const declared = resources[index]
    if (!declared || !instance.manifest.hasSpec) continue
    const { spec, problems } = declared.resolve(scope)
    for (const problem of problems) reportOf(instance, early.report)(problem)
    // What a name that is none was to be cannot be told: of such a spec nothing is compared.
    if (instance.isSound) checked.push({ declared, spec: problems.some((one) => one.code === 'unknown_field') ? {} : spec })
  }
  for (const found of findConflicts(checked, kinds)) early.report(found)
}

/** The first manifest of each address; the others are reported with both places. */
function withoutDuplicates(manifests: readonly Manifest[], report: (found: Diagnostic) => void): readonly Manifest[] {
  const first = new Map<string, Manifest>()
  const nobody: Manifest[] = []
  for (const manifest of manifests) {
    const address = formatAddress({ kind: manifest.kind.name, name: manifest.name })
    const isNobody = !manifest.isSound && manifest.name === nameless
    const other = isNobody ? undefined : first.get(address)
    if (isNobody) nobody.push(manifest)
    else if (!other) first.set(address, manifest)
    if (!other) continue
    const position = manifest.document.position('/metadata/name')
    const detail = `The other one is in ${shown(other.document.position('/metadata/name'))}.`
    report(diagnostic('duplicate_resource', `${address} is declared twice`, { position, address, detail, hint: 'give one of them another name' }))
  }
  return [...first.values(), ...nobody]
}

/** A name that is mistyped there takes its manifests out of the project, and their objects with them. */
function unfitPatterns({ document }: ProjectFile, patterns: readonly string[], unfit: readonly string[]): readonly Diagnostic[] {
  return patterns.flatMap((pattern, at) => {
    const hint = 'patterns are relative to the project folder; dot folders, node_modules and iac.yaml are left out'
    return unfit.includes(pattern)
      ? [diagnostic('advice', `no file fits the pattern ${quote(pattern)}`, { position: document.position(`/manifests/${at}`), hint })]
      : []
  })
}

function checkEnvironment(file: ProjectFile | undefined, environment: string | null, collector: Collector): void {
  if (environment === null) return
  const root = file?.document.value
  const words = isMap(root) && isMap(root.environments) ? Object.keys(root.environments) : []
  if (!words.includes(environment)) collector.report(unknownEnvironment(environment, words))
}

/** By file and place, each once: what every key of a for_each gets wrong is one mistake. */
function inFileOrder(all: readonly Diagnostic[]): Diagnostic[] {
  const seen = new Set<string>()
  const unique = all.filter((one) => {
    const { position } = one
    const key = JSON.stringify([one.code, one.summary, one.hint, position?.file, position?.line, position?.column])
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
  return unique.toSorted(byPlace)
}
