// Loads a project: files to resources, with everything that is wrong found in one go and no call made.
import { createHash } from 'node:crypto'
import { compatSchema } from '../api/calls/compat.ts'
import type { Code } from '../base/catalogue.ts'
import type { Diagnostic, Position } from '../base/diagnostic.ts'
import { diagnostic } from '../base/diagnostic.ts'
import { isObject } from '../base/json.ts'
import { Exhausted } from '../base/meter.ts'
import type { AnyKind } from '../kinds/definition/kind.ts'
import { environmentOf, unknownEnvironment } from './configuration/environments.ts'
import { listedAnyhow } from './configuration/listed-anyhow.ts'
import { pointerProblems } from './configuration/pointed-fields.ts'
import type { ProjectFile } from './configuration/project-file.ts'
import { folderName, readProjectFileInTurns } from './configuration/project-file.ts'
import { isPublicProject } from './configuration/public-project.ts'
import type { PlacedState } from './configuration/state-settings.ts'
import { otherStates, placedState, stateSettings } from './configuration/state-settings.ts'
import type { VariableInputs, Variables } from './configuration/variables.ts'
import { calledSensitive, lengthOf, resolveVariables } from './configuration/variables.ts'
import { readMoved, readOutputs, readRemoved } from './declarations/blocks.ts'
import { addressesBeside } from './declarations/names-beside.ts'
import { projectPolicies } from './declarations/policies.ts'
import type { Budget, Limits } from './files/budget.ts'
import { createBudget, tooMuch } from './files/budget.ts'
import type { Files } from './files/files.ts'
import { projectFileName } from './files/find-project.ts'
import type { Turns } from './files/turns.ts'
import { atOnce } from './files/turns.ts'
import type { Findings } from './findings/findings.ts'
import { createFindings } from './findings/findings.ts'
import { quote } from './findings/source.ts'
import type { World } from './load-resources.ts'
import { loadResources } from './load-resources.ts'
import type { Project } from './resolving/declared.ts'
import type { PolicyVariables } from './resolving/policy.ts'
import type { ParseCache } from './yaml/parse-cache.ts'
import { createParses } from './yaml/parse-cache.ts'
import { isPublicDocument } from './yaml/public-documents.ts'
import { hidesSecretFields } from './yaml/secret-lines.ts'
import type { Named, Sources } from './yaml/sources.ts'
import { readSourcesInTurns } from './yaml/sources.ts'

/** What to load: an absolute folder, the kinds, and what the command line adds. */
export interface LoadOptions {
  readonly files: Files
  readonly folder: string
  /** What messages call the project file, as in `readProjectFileInTurns`. */
  readonly shown?: string | undefined
  readonly kinds: readonly AnyKind[]
  readonly workspaceKind: string
  readonly environment: string | null // asked for; the project file's default where it is null
  readonly variables: VariableInputs
  readonly named: Named | undefined // instead of the project's list
  readonly sandbox: boolean
  readonly parsed?: ParseCache | undefined // of documents read before
  readonly limits?: Limits | undefined // the usual ones unless given
}

/** The project is undefined if anything is an error; warnings come along with it. `foreign` is where documents of other tools begin. Sensitive variables are in it in plain text. */
export interface Loaded {
  readonly project: Project | undefined
  readonly diagnostics: readonly Diagnostic[]
  readonly foreign: readonly Position[]
  /** What the project file says of the state, where it can be read, whatever is wrong elsewhere. */
  readonly state?: PlacedState | undefined
  /** The same of the environments that the run is not for, by name. */
  readonly otherStates?: ReadonlyMap<string, PlacedState> | undefined
  /** What may hold secrets of it, as far as it could be read. */
  readonly secretive?: (Pick<Project, 'variables' | 'resources'> & Pick<Variables, 'secretTexts'>) | undefined
}

/** Reads, checks and resolves as far as nothing needs to be asked; every problem at once. */
export function loadProject(options: LoadOptions): Loaded {
  return atOnce(loadInTurns(options))
}

/** The same, with pauses. */
export function* loadInTurns(options: LoadOptions): Turns<Loaded> {
  const findings = createFindings()
  const budget = createBudget(options.limits)
  try {
    const loaded = yield* load(options, findings, budget)
    budget.renew()
    return loaded
  } catch (error) {
    if (!(error instanceof Exhausted)) throw error
    return { project: undefined, diagnostics: [...findings.all(), tooMuch(error, budget.place())], foreign: [] }
  } finally {
    options.parsed?.close?.()
  }
}

function* load(given: LoadOptions, findings: Findings, budget: Budget): Turns<Loaded> {
  const { files, folder } = given
  const { file, problems, leftOut, text, document } = yield* readProjectFileInTurns(
    files,
    { folder, shown: given.shown, sensitive: calledSensitive(given.variables) },
    budget.whole,
    given.parsed && createParses(given.parsed, isPublicProject),
  )
  problems.forEach(findings.report)
  findings.leaveOut(leftOut)
  if (!file && problems.length > 0) {
    budget.admit(text?.length ?? 0)
    yield* findMistakesBeside(given, text, findings, budget)
    const variables = { names: undefined, sensitive: new Set<string>() }
    if (document) (yield* projectPolicies(document, { files, folder, variables, meter: budget.whole })).problems.forEach(findings.report)
    return { project: undefined, diagnostics: findings.all(), foreign: [] }
  }
  checkEnvironment(file, given.environment, findings)
  const environment = environmentOf(given.environment, file?.fields)
  const options = { ...given, environment }
  if (file) for (const problem of pointerProblems(file, options.kinds)) findings.report(problem)
  budget.admit((file?.bytes.length ?? 0) + lengthOf(options.variables))
  const variables = yield* resolveVariables(file, environment, options.variables, findings.report, budget.whole)
  const byName = new Map(options.kinds.map((kind) => [kind.name, kind]))
  const parses = options.parsed && createParses(options.parsed, (value, text) => isPublicDocument(byName, value, text))
  const reading = { hides: hidesSecretFields(byName), parses, budget, kinds: declarable(options) }
  const sources = yield* readSourcesInTurns(files, folder, file?.isListed === false ? [] : file?.fields.manifests, options.named, reading)
  options.parsed?.close?.()
  const unread = options.named ? sources.problems.filter((one) => one.code === 'file_unreadable') : []
  if (unread.length > 0) return { project: undefined, diagnostics: unread, foreign: sources.foreign }
  sources.problems.forEach(findings.report)
  if (file?.fields.manifests && file.isListed) unfitPatterns(file, file.fields.manifests, sources.unfit).forEach(findings.report)
  if (file) sources.hashes[projectFileName] = createHash('sha256').update(file.bytes).digest('hex')
  const world = yield* loadResources(options, file, variables, sources, findings, budget)
  const beside = file && options.named ? yield* addressesBeside(file, options, reading) : []
  const moved = file ? readMoved(file, [...world.addresses, ...beside], world.early) : []
  const removed = file ? readRemoved(file, world.addresses, world.early) : []
  const outputs = file ? yield* readOutputs(file, world.early, options.named !== undefined) : []
  const read = file ? yield* projectPolicies(file.document, { files, folder, variables: policyVariables(variables), meter: budget.whole }) : undefined
  read?.problems.forEach(findings.report)
  const policies = read?.policies ?? []
  const diagnostics = findings.all()
  const isRight = !diagnostics.some((one) => one.severity === 'error')
  const project = isRight ? projectOf(options, file, variables, sources, { ...world, moved, removed, outputs, policies }) : undefined
  const run = { name: nameOf(options, file), environment, sandbox: options.sandbox }
  const states = file && { state: placedState(file, run), otherStates: otherStates(file, run) }
  const secretive = { variables: variables.shown, resources: world.resources, secretTexts: variables.secretTexts }
  return { project, diagnostics, foreign: sources.foreign, ...states, secretive }
}

/** The project of what was found to be right. */
function projectOf(
  options: LoadOptions,
  file: ProjectFile | undefined,
  variables: Variables,
  sources: Sources,
  world: World & Pick<Project, 'moved' | 'removed' | 'outputs' | 'policies'>,
): Project {
  const { folder, environment, sandbox, named } = options
  const name = nameOf(options, file)
  const block = environment === null ? undefined : file?.fields.environments?.[environment]
  return Object.freeze({
    name,
    isNamed: file?.fields.name !== undefined,
    folder,
    environment,
    environments: Object.keys(file?.fields.environments ?? {}),
    workspace: world.workspace,
    compat: file?.fields.provider?.compat ?? compatSchema.parse({}),
    state: stateSettings({ name, environment, sandbox, own: file?.fields.state, environments: block?.state }),
    maxDestroy: file?.fields.guards?.max_destroy,
    maxMonthlyIncrease: file?.fields.guards?.max_monthly_increase,
    policies: world.policies,
    variables: variables.shown,
    resources: Object.freeze(world.resources),
    manifests: world.manifests,
    partial: named !== undefined,
    foreign: sources.foreign,
    outputs: world.outputs,
    moved: world.moved,
    removed: world.removed,
    hashes: sources.hashes,
  })
}

function nameOf({ folder }: LoadOptions, file: ProjectFile | undefined): string {
  return file?.fields.name ?? folderName(folder)
}

/** What policies may read of the variables, and what not; all that are declared, where that is known, whether they have a value or not. */
export function policyVariables({ shown, names = Object.keys(shown) }: Pick<Variables, 'shown'> & Partial<Variables>): PolicyVariables {
  const entries = Object.entries(shown)
  return { names, sensitive: new Set(entries.flatMap(([name, one]) => (one.sensitive ? [name] : []))) }
}

/** Codes of what a manifest gets wrong by itself, whatever the project file says. */
const ownMistakes = new Set<Code>([
  'yaml_syntax',
  'yaml_unsupported',
  'yaml_duplicate_key',
  'unsupported_version',
  'wrong_api_version',
  'unknown_kind',
  'unknown_field',
  'missing_field',
  'invalid_name',
  'invalid_value',
])

/** The kinds that manifests declare, by name. */
function declarable({ kinds }: LoadOptions): ReadonlySet<string> {
  return new Set(kinds.filter((kind) => kind.managed).map((kind) => kind.name))
}

/** Reports what is wrong in the manifests beside a project file that is no YAML: only what needs nothing of that file. */
function* findMistakesBeside(options: LoadOptions, text: string | undefined, findings: Findings, budget: Budget): Turns<void> {
  if (text === undefined) return
  const own: Findings = { ...findings, report: (one) => void (ownMistakes.has(one.code) && findings.report(one)) }
  const none = { flags: [], files: [], environment: {} }
  const variables = yield* resolveVariables(undefined, null, none, own.report, budget.whole)
  const reading = { hides: hidesSecretFields(new Map(options.kinds.map((kind) => [kind.name, kind]))), parses: undefined, budget, kinds: declarable(options) }
  const sources = yield* readSourcesInTurns(options.files, options.folder, yield* listedAnyhow(text, budget.whole), options.named, reading)
  sources.problems.forEach(own.report)
  yield* loadResources(options, undefined, variables, sources, own, budget)
}

/** A name that is mistyped there takes its manifests out of the project, and their objects with them. */
function unfitPatterns({ document }: ProjectFile, patterns: readonly string[], unfit: readonly string[]): readonly Diagnostic[] {
  const without = new Set(unfit)
  return patterns.flatMap((pattern, at) => {
    const hint = 'patterns are relative to the project folder; dot folders, node_modules and iac.yaml are left out'
    return without.has(pattern)
      ? [diagnostic('advice', `no file fits the pattern ${quote(pattern)}`, { position: document.position(`/manifests/${at}`), hint })]
      : []
  })
}

function checkEnvironment(file: ProjectFile | undefined, environment: string | null, { report }: Findings): void {
  if (environment === null) return
  const root = file?.document.value
  const words = isObject(root) && isObject(root.environments) ? Object.keys(root.environments) : []
  if (!words.includes(environment)) report(unknownEnvironment(environment, words))
}
