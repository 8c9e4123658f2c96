// Manifests to resources: expanded, declared, checked by themselves and side by side.
import { compareAddresses, formatAddress, parseAddress } from '../base/address.ts'
import type { Diagnostic } from '../base/diagnostic.ts'
import { diagnostic } from '../base/diagnostic.ts'
import { withArticle } from '../base/words/article.ts'
import type { AnyKind } from '../kinds/definition/kind.ts'
import type { ProjectFile } from './configuration/project-file.ts'
import type { Variables } from './configuration/variables.ts'
import type { Checked } from './declarations/conflicts.ts'
import { findConflicts, shown } from './declarations/conflicts.ts'
import { declare } from './declarations/declare.ts'
import type { Early, Instance } from './declarations/expand.ts'
import { expandManifest } from './declarations/expand.ts'
import type { Manifest } from './declarations/manifest.ts'
import { brokenAddresses, headOf, nameless, readManifest } from './declarations/manifest.ts'
import { readWorkspace, workspaceByDefault } from './declarations/workspaces.ts'
import type { Budget } from './files/budget.ts'
import type { Files } from './files/files.ts'
import { createIncludes } from './files/included-files.ts'
import type { Turns } from './files/turns.ts'
import type { Findings } from './findings/findings.ts'
import type { Declared, WorkspaceRef } from './resolving/declared.ts'
import { createNames, inOrder } from './resolving/names.ts'
import { blindScope } from './resolving/resolve.ts'
import { createTemplates } from './resolving/templates.ts'
import type { YamlDocument } from './yaml/documents.ts'
import { withoutSecretLines } from './yaml/secret-fields.ts'
import type { Sources } from './yaml/sources.ts'
import { whatManifestsAre } from './yaml/sources.ts'

/** What loading is told of where the manifests stand. */
interface Loading {
  readonly files: Files
  readonly folder: string
  readonly kinds: readonly AnyKind[]
  readonly workspaceKind: string
  readonly named: unknown
}

/** What the manifests declare. */
export interface World {
  readonly early: Early
  readonly workspace: WorkspaceRef
  readonly resources: readonly Declared[]
  readonly addresses: readonly string[]
  readonly manifests: number
}

/** Reads the manifests of a project into resources, each by itself and then side by side; every problem at once. */
export function* loadResources(
  options: Loading,
  file: ProjectFile | undefined,
  variables: Variables,
  sources: Sources,
  findings: Findings,
  budget: Budget,
): Turns<World> {
  const { files, folder, workspaceKind } = options
  const { report, leaveOut } = findings
  const kinds = new Map(options.kinds.map((kind) => [kind.name, kind]))
  const { secretTexts } = variables
  const inputs = {
    variables: variables.values,
    meter: budget,
    file: createIncludes({ files, folder, hashes: sources.hashes, report, admit: budget.admit, secretTexts }),
  }
  const templates = createTemplates(budget)
  const read: { readonly document: YamlDocument; readonly manifest: Manifest | undefined }[] = []
  for (const written of sources.documents) {
    yield
    const document = withoutSecretLines(written, kinds)
    budget.begin(() => document.position(''))
    read.push({ document, manifest: readManifest(document, kinds, { report, leaveOut }) })
  }
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
  const before: Early = { names: createNames(kinds, declarations, variables.names, open), templates, inputs, budget, report, leaveOut }
  const instances: Instance[] = []
  for (const manifest of manifests) {
    yield
    const expanded = expandManifest(manifest, before)
    for (const instance of expanded.instances) instances.push(instance)
    if (expanded.isSound) declarations.get(manifest.kind.name)?.set(manifest.name, expanded.keys && inOrder(expanded.keys))
    else if (declarations.get(manifest.kind.name)?.delete(manifest.name)) broken.add(`${manifest.kind.name}/${manifest.name}`)
  }
  const early: Early = { ...before, names: createNames(kinds, declarations, variables.names, open) }
  const workspace = workspaceByDefault(file, workspaceKind, early) ?? { only: true }
  const resources = yield* declareAll(instances, workspace, workspaceKind, early)
  yield* checkAll(resources, instances, options.kinds, early)
  const sorted = resources.toSorted((a, b) => compareAddresses(a.address, b.address))
  return { early, workspace, resources: sorted, addresses: sorted.map((one) => one.address), manifests: manifests.length }
}

function* declareAll(instances: readonly Instance[], byDefault: WorkspaceRef, workspaceKind: string, early: Early): Turns<Declared[]> {
  const workspaces = new Map<string, WorkspaceRef | undefined>()
  const read = (instance: Instance) => workspaceOf(instance, byDefault, workspaceKind, early)
  for (const instance of instances) {
    yield
    early.budget.begin(() => instance.manifest.document.position('/metadata/workspace'))
    workspaces.set(instance.address, read(instance))
  }
  const all: Declared[] = []
  const declareOne = (instance: Instance): Declared => {
    const { kind, workspace: written } = instance.manifest
    const own = declare(instance, workspaces.get(instance.address), { ...early, report: reportOf(instance, early.report) })
    if (kind.scope !== 'parent' || written !== undefined) return own
    const address = parentOf(own, instance)
    const elsewhere = address !== undefined && isElsewhere(address, early) ? { beside: address } : undefined
    const theirs = address === undefined ? undefined : (workspaces.get(address) ?? elsewhere)
    return theirs === undefined || theirs === own.workspace ? own : declare(instance, theirs, { ...early, report: () => undefined })
  }
  for (const instance of instances) {
    yield
    all.push(declareOne(instance))
  }
  return all
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
  if (workspace === undefined) return kind.standsAlone?.(instance.spec) ? undefined : byDefault
  if (workspace !== null) return readWorkspace(workspace, workspaceKind, { document, pointer: '/metadata/workspace', each }, early)
  if (!kind.workspaceless) early.report(diagnostic('invalid_value', `${withArticle(kind.name)} is always in a workspace`, { position: position(), address }))
  return undefined
}

/** Everything that shows without a call: each spec by itself, then rules between sound resources. */
function* checkAll(resources: readonly Declared[], instances: readonly Instance[], kinds: readonly AnyKind[], early: Early): Turns<void> {
  const scope = blindScope(early.names)
  const checked: Checked[] = []
  for (const [index, instance] of instances.entries()) {
    yield
    const declared = resources[index]
    if (!declared || !instance.manifest.hasSpec) continue
    const { spec, problems } = declared.resolve(scope)
    for (const problem of problems) reportOf(instance, early.report)(problem)
    // What a name that is none was to be cannot be told: of such a spec nothing is compared.
    if (instance.isSound) checked.push({ declared, spec: problems.some((one) => one.code === 'unknown_field') ? {} : spec })
  }
  yield* findConflicts(checked, kinds, early.report)
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
