// Reads iac.yaml: its one document, checked, with every mistake at its place.
import { basename } from 'node:path'
import type { Code } from '../../base/catalogue.ts'
import { diagnostic } from '../../base/diagnostic.ts'
import type { Diagnostic } from '../../base/diagnostic.ts'
import { isList, isObject } from '../../base/json.ts'
import type { JsonValue } from '../../base/json.ts'
import type { Meter } from '../../base/meter.ts'
import { pointerOf } from '../../base/pointer.ts'
import { decodeUtf8, maxManifestBytes } from '../files/files.ts'
import type { Files } from '../files/files.ts'
import { projectFileName } from '../files/find-project.ts'
import { patternProblem } from '../files/glob.ts'
import { sharedFiles } from '../files/included-files.ts'
import type { Turns } from '../files/turns.ts'
import { byPlace } from '../findings/by-place.ts'
import { issuesOf } from '../findings/issues.ts'
import type { Issue } from '../findings/issues.ts'
import { salvage } from '../findings/salvage.ts'
import { narrow, valueAtPath } from '../findings/schema.ts'
import { createSource, printable, quote } from '../findings/source.ts'
import { readYamlInTurns } from '../yaml/documents.ts'
import type { YamlDocument } from '../yaml/documents.ts'
import type { Parses } from '../yaml/parse-cache.ts'
import { withoutLines } from '../yaml/quiet-lines.ts'
import { hidesValues } from '../yaml/secret-lines.ts'
import { unknownEnvironment } from './environments.ts'
import { literalSettings } from './literal-settings.ts'
import { hintInProject, misplacedSettings, placeInProject } from './misplaced.ts'
import { projectSchema } from './project-schema.ts'
import type { ProjectFields } from './project-schema.ts'
import { shownAddress } from './shown-address.ts'
import { isAddressSetting, isQuietSetting } from './state-backends.ts'
import { unfitPlaces } from './state-places.ts'
import type { Around } from './state-places.ts'

/** A project file: its document for exact values and positions, which show no line with a sensitive value, its fields as far as they are right. */
export interface ProjectFile {
  readonly document: YamlDocument
  readonly fields: ProjectFields
  readonly bytes: Uint8Array
  /** Whether `manifests` can be taken as it stands. */
  readonly isListed: boolean
  /** Variables with a mistake in what declares them: of these nothing is known. */
  readonly doubtful: ReadonlySet<string>
  /** Variables that are declared as sensitive, or called so by whoever runs it. */
  readonly sensitive: ReadonlySet<string>
}

/** What came of reading a project file. Of one that is none as a whole, `text` is what it holds, as far as that is a text, and `document` what it is as YAML. */
export interface ProjectRead {
  readonly file: ProjectFile | undefined
  readonly problems: readonly Diagnostic[]
  /** How many more mistakes there are. */
  readonly leftOut: number
  readonly text?: string
  readonly document?: YamlDocument
}

/** Where a project file is. */
interface FilePlace {
  readonly folder: string
  /** iac.yaml, unless another is asked for. */
  readonly name?: string
  /** What messages call it where it cannot be read: its name, unless it is reached by another path. */
  readonly shown?: string | undefined
  /** What the project is called where the file does not say it: the folder's name, unless another file speaks for it. */
  readonly called?: string
  /** Variables that are sensitive whatever declares them; where it is not said, no value of any is shown. */
  readonly sensitive?: ReadonlySet<string>
}

/** The name of a project whose file gives none. */
export function folderName(folder: string): string {
  return basename(folder) || 'project'
}

/** The project file of a folder, as far as it is right; undefined with problems where it cannot be read as one, without where there is none; with pauses. */
export function* readProjectFileInTurns(
  files: Files,
  { folder, name = projectFileName, shown = name, called = folderName(folder), sensitive }: FilePlace,
  meter: Meter,
  parses?: Parses,
): Turns<ProjectRead> {
  const path = `${folder}/${name}`
  if (files.kindOf(path) === undefined) return { file: undefined, problems: [], leftOut: 0 }
  const read = files.read(path, { root: folder, limitBytes: maxManifestBytes })
  if (read.bytes === undefined) return unreadable(name, shown, read.problem)
  const decoded = decodeUtf8(read.bytes)
  if (decoded.problem !== undefined) return unreadable(name, shown, decoded.problem)
  const source = createSource(name, decoded.text)
  const yaml = yield* readYamlInTurns(source, { all: true, hides: hidesValues, meter, parses })
  const [document, second] = yaml.documents
  if (yaml.problems.length > 0) return { file: undefined, problems: yaml.problems, leftOut: 0, text: decoded.text }
  if (!document) return wrong(name, 'missing_field', 'the project file is empty', 'begin it with apiVersion: iac/v1, kind: Project and a name')
  if (second)
    return refused(
      diagnostic('invalid_value', 'a project file holds one document', { position: second.position(''), hint: 'put manifests into files of their own' }),
    )
  const checked = checkFields(document, read.bytes, { folder, called }, decoded.text, sensitive)
  return read.names === undefined ? checked : { ...checked, problems: [...checked.problems, sharedFiles([projectFileName])] }
}

function checkFields(read: YamlDocument, bytes: Uint8Array, around: Around, text: string, called: ReadonlySet<string> | undefined): ProjectRead {
  const value = narrow(read.value)
  const secret = new Set([...declaredSensitive(value), ...(called ?? [])])
  const document = withoutValues(read, value, (name) => called === undefined || secret.has(name))
  const version = isObject(value) ? value.apiVersion : undefined
  if (typeof version === 'string' && version.startsWith('iac/') && version !== 'iac/v1') {
    const position = document.position('/apiVersion')
    return refused(diagnostic('unsupported_version', `apiVersion ${quote(version)} is not known to this iac`, { position, hint: 'write iac/v1' }))
  }
  // What stands in the place of a declaration may be the value that was meant.
  const isValue = (path: readonly PropertyKey[]) => path[0] === 'variables' && (path.length <= 2 || secret.has(String(path[1])))
  const quiet = (path: readonly PropertyKey[]) => isValue(path) || isQuietInState(path[0] === 'environments' ? path.slice(2) : path)
  const { issues: misfits, leftOut } = issuesOf(projectSchema, value, { quiet, placeOf: placeInProject, partOf: partOfAddress })
  const literal = literalSettings(value)
  const said = new Set(literal.map((one) => pointerOf(one.path)))
  const wrong = [...misfits.filter((one) => !said.has(pointerOf(one.path))), ...literal]
  const issues = wrong.length > 0 ? wrong : wrongSettings(projectSchema.parse(value), around)
  const problems = issues.map((issue) => {
    const position = document.position(pointerOf(issue.path), { key: issue.key, hidden: isValue(issue.path) })
    const hint = issue.hint ?? hintInProject(issue.path)
    return diagnostic(issue.code, issue.summary, { position, detail: issue.detail, ...(hint === undefined ? {} : { hint }) })
  })
  const fields =
    misfits.length === 0
      ? projectSchema.parse(value)
      : isObject(value)
        ? salvage(projectSchema, { ...value, apiVersion: 'iac/v1', kind: 'Project' })
        : undefined
  const isAnyVariable = issues.some(({ path }) => path.length === 1 && path[0] === 'variables')
  let isListed = !issues.some(({ path }) => path[0] === 'manifests')
  for (const [at, pattern] of (fields?.manifests ?? []).entries()) {
    const problem = patternProblem(pattern)
    if (problem !== undefined) isListed = false
    if (problem !== undefined) problems.push(diagnostic('invalid_value', problem, { position: document.position(`/manifests/${at}`) }))
  }
  const chosen = fields?.default_environment
  const declared = isObject(value) && isObject(value['environments']) ? Object.keys(value['environments']) : []
  if (chosen !== undefined && !declared.includes(chosen)) problems.push(unknownEnvironment(chosen, declared, document.position('/default_environment')))
  problems.sort(byPlace)
  if (!fields || isAnyVariable) return { file: undefined, problems, leftOut, text, document }
  const doubtful = new Set(issues.flatMap(({ path }) => (path[0] === 'variables' ? [String(path[1])] : [])))
  return { file: { document, fields, bytes, isListed, doubtful, sensitive: secret }, problems, leftOut }
}

function wrongSettings(fields: ProjectFields, around: Around): readonly Issue[] {
  const misplaced = misplacedSettings(fields)
  return misplaced.length > 0 ? misplaced : unfitPlaces(fields, around)
}

/** Whether a value in a block is one of a setting of the state that is not shown, or stands in the place of all of them. */
function isQuietInState([block, setting]: readonly PropertyKey[]): boolean {
  return block === 'state' && (setting === undefined || isQuietSetting(String(setting)))
}

/** What is told of an address of the state that is wrong. */
function partOfAddress(path: readonly PropertyKey[], value: JsonValue | undefined): string | undefined {
  return isAddressSetting(String(path.at(-1))) && typeof value === 'string' ? shownAddress(value) : undefined
}

/** The same document, of which no place shows a line where the value of a secret variable begins, or of a setting of the state that is not shown. */
function withoutValues(document: YamlDocument, value: JsonValue, isSecret: (name: string) => boolean): YamlDocument {
  return withoutLines(document, () => {
    const lines = linesOf(document, value, isSecret)
    return (line) => lines.has(line)
  })
}

/** Where such values begin. */
function linesOf(document: YamlDocument, value: JsonValue, isSecret: (name: string) => boolean): ReadonlySet<number> {
  const environments = isObject(value) && isObject(value.environments) ? Object.entries(value.environments) : []
  const paths = [
    ...variablesOf(value).map((name) => ['variables', name, 'default']),
    ...environments.flatMap(([environment, block]) => variablesOf(block).map((name) => ['environments', environment, 'variables', name])),
  ]
  const there = paths.filter((path) => isSecret(path.at(path[0] === 'variables' ? 1 : -1) ?? '') && valueAtPath(value, path) !== undefined)
  const settings = [[], ...environments.map(([environment]) => ['environments', environment])].flatMap((path) => quietSettingsIn(value, [...path, 'state']))
  return new Set([...there, ...settings].map((path) => document.position(pointerOf(path), { hidden: true }).line))
}

/** The places of what is not shown in a block of settings of the state, and of all in it. */
function quietSettingsIn(value: JsonValue, path: readonly string[]): readonly (readonly string[])[] {
  const block = valueAtPath(value, path)
  if (block === undefined) return []
  if (!isObject(block)) return [path]
  return Object.entries(block).flatMap(([name, one]) => (isQuietSetting(name) ? placesIn(one, [...path, name]) : []))
}

function placesIn(value: JsonValue, path: readonly string[]): readonly (readonly string[])[] {
  const inner = isList(value) ? [...value.entries()] : isObject(value) ? Object.entries(value) : []
  return [path, ...inner.flatMap(([key, one]) => placesIn(one, [...path, String(key)]))]
}

function variablesOf(value: JsonValue): readonly string[] {
  return isObject(value) && isObject(value.variables) ? Object.keys(value.variables) : []
}

function declaredSensitive(value: JsonValue): readonly string[] {
  const variables = isObject(value) && isObject(value.variables) ? Object.entries(value.variables) : []
  return variables.flatMap(([name, fields]) => (isObject(fields) && fields.sensitive !== undefined && fields.sensitive !== false ? [name] : []))
}

function unreadable(name: string, shown: string, problem: string): ProjectRead {
  return wrong(name, 'file_unreadable', `${printable(shown)} cannot be read: ${problem}`)
}

function wrong(file: string, code: Code, summary: string, hint?: string): ProjectRead {
  const position = { file, line: 1, column: 1 }
  return refused(diagnostic(code, summary, { position, ...(hint === undefined ? {} : { hint }) }))
}

function refused(problem: Diagnostic): ProjectRead {
  return { file: undefined, problems: [problem], leftOut: 0 }
}
