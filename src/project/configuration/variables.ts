// The values of the project's variables: flags, files, the environment's block and the defaults, the first that has one.
import { isDeepStrictEqual } from 'node:util'
import { diagnostic } from '../../base/diagnostic.ts'
import type { Diagnostic, Position } from '../../base/diagnostic.ts'
import { isList, isObject } from '../../base/json.ts'
import type { JsonValue } from '../../base/json.ts'
import type { Meter } from '../../base/meter.ts'
import { pointerOf } from '../../base/pointer.ts'
import { tokenMarkIn } from '../../base/token.ts'
import { nearest } from '../../base/words/nearest.ts'
import { isInt, unknown, valueOf } from '../../expressions/value.ts'
import type { Value } from '../../expressions/value.ts'
import type { Turns } from '../files/turns.ts'
import { describe, listed } from '../findings/issues.ts'
import { narrow } from '../findings/schema.ts'
import { createSource, quote } from '../findings/source.ts'
import type { Variable } from '../resolving/declared.ts'
import { readYamlInTurns } from '../yaml/documents.ts'
import { hidesAll } from '../yaml/secret-lines.ts'
import { looksLikeSecret } from '../yaml/secret-literals.ts'
import type { ProjectFile } from './project-file.ts'
import type { VariableFields } from './project-schema.ts'
import { variableName } from './project-schema.ts'

/** What the command line and its surroundings give: the last flag of a name counts, the last file too. */
export interface VariableInputs {
  readonly flags: readonly { readonly name: string; readonly text: string }[]
  readonly files: readonly { readonly file: string; readonly text: string }[]
  readonly environment: Readonly<Record<string, string | undefined>> // IAC_VAR_name, IAC_SENSITIVE_VARS
  /** What a signed plan that is carried out was made with: stronger than all else, but for what is sensitive, which no plan holds. */
  readonly planned?: PlannedVariables | undefined
  /** Whether the files are those of a later form of the project, which may declare more. */
  readonly mayGiveMore?: boolean
}

/** What a plan holds of variables: the values, and pointers to the floats in them that are whole numbers. */
export interface PlannedVariables {
  readonly variables: Readonly<Record<string, JsonValue>>
  readonly variable_floats?: Readonly<Record<string, readonly string[]>> | undefined
}

/** Values for expressions, integers exact, and for plans. */
export interface Variables {
  readonly values: ReadonlyMap<string, Value>
  readonly shown: Readonly<Record<string, Variable>>
  readonly names: readonly string[]
  /** The texts of files that give a sensitive one: wherever else they are read they are sensitive as well. */
  readonly secretTexts: ReadonlySet<string>
}

interface Given {
  readonly origin: string
  readonly text?: string
  readonly value?: JsonValue
  readonly position?: Position
  readonly isFlag?: boolean
}

type Type = NonNullable<VariableFields['type']>

/** What stands before a variable's name in the environment. */
export const variablePrefix = 'IAC_VAR_'
const sensitiveNames = 'IAC_SENSITIVE_VARS'

type Report = (found: Diagnostic) => void

/** How much text was given beside the project, in UTF-16 units. */
export function lengthOf({ flags, files, environment }: VariableInputs): number {
  const given = namesIn(environment).flatMap((key) => environment[key] ?? [])
  return [...flags.map((one) => one.text), ...files.map((one) => one.text), ...given].reduce((sum, text) => sum + text.length, 0)
}

/** The value of every declared variable; one that is missing, not declared, or of another type is reported. With `wanted` the others stay unknown, whatever they are. */
export function* resolveVariables(
  project: ProjectFile | undefined,
  environmentName: string | null,
  inputs: VariableInputs,
  report: Report,
  meter: Meter,
  wanted?: ReadonlySet<string>,
): Turns<Variables> {
  const declared = project?.fields.variables ?? {}
  const given = yield* collect(project, environmentName, inputs, report, meter)
  const hidden = calledSensitive(inputs)
  strangeName(hidden).forEach(report)
  const doubtful = project?.doubtful ?? new Set()
  const known = new Set([...Object.keys(declared), ...doubtful])
  const names = [...known]
  const excused = new Set(inputs.mayGiveMore ? inputs.files.map((one) => one.file) : [])
  for (const [name, sources] of given) if (!known.has(name) && !sources.every((one) => excused.has(one.origin))) report(undeclared(name, sources, names))
  // A wrong name in a block that is not in use would be found no sooner than in its environment.
  for (const other of environmentNames(project)) {
    if (other === environmentName) continue
    for (const [name, one] of blockOf(project, other)) if (!known.has(name)) report(undeclared(name, [one], names))
  }
  const values = new Map<string, Value>()
  const shown: Record<string, Variable> = {}
  for (const name of doubtful) values.set(name, unknown([`vars.${name}`], true))
  for (const [name, fields] of Object.entries(declared)) {
    yield
    if (doubtful.has(name)) continue
    const sensitive = fields.sensitive === true || hidden.has(name)
    if (wanted?.has(name) === false) {
      values.set(name, unknown([`vars.${name}`], sensitive))
      continue
    }
    const [first] = given.get(name) ?? []
    const planned = sensitive ? undefined : plannedValue(inputs, name, fields)
    // What is not used is not judged, but for what somebody has typed for this very run.
    const tell: Report = planned === undefined || first?.isFlag ? report : () => undefined
    const own = first === undefined ? undefined : yield* read(name, { ...fields, sensitive }, first, tell, meter)
    const isOther = planned !== undefined && own !== undefined && !isDeepStrictEqual(own, planned)
    if (isOther && first?.isFlag) report(contradicted(name))
    const value = planned ?? (first === undefined ? missing(name, environmentName, project, report) : own)
    // Unknown, so that what uses it is not wrong a second time.
    if (value === undefined) values.set(name, unknown([`vars.${name}`], sensitive))
    if (value === undefined) continue
    values.set(name, valueOf(value, { sensitive, whole: 'double' }))
    const floats = wholeFloats(value)
    shown[name] = {
      value: narrow(value),
      sensitive,
      ...(floats.length > 0 ? { floats } : {}),
      ...(isOther ? { given: narrow(own) } : {}),
    }
  }
  const isSensitive = (name: string): boolean => hidden.has(name) || (Object.hasOwn(declared, name) && declared[name]?.sensitive === true)
  return { values, shown, names, secretTexts: secretTexts(inputs, given, isSensitive) }
}

function secretTexts({ files }: VariableInputs, given: ReadonlyMap<string, readonly Given[]>, isSensitive: (name: string) => boolean): ReadonlySet<string> {
  const secret = new Set([...given].flatMap(([name, sources]) => (isSensitive(name) ? sources.map((one) => one.origin) : [])))
  return new Set(files.flatMap(({ file, text }) => (secret.has(file) ? [text] : [])))
}

/** What the plan that is carried out was made with, where it still fits: the type may be another since. */
function plannedValue({ planned }: VariableInputs, name: string, { type = 'any' }: VariableFields): JsonValue | undefined {
  const value = planned && Object.hasOwn(planned.variables, name) ? planned.variables[name] : undefined
  if (value === undefined) return undefined
  const floats = planned?.variable_floats && Object.hasOwn(planned.variable_floats, name) ? planned.variable_floats[name] : undefined
  return fits(type, widened(value, [], new Set(floats)))
}

/** The value as YAML gives it: a plan holds integers as numbers, and large ones of both kinds as integers. */
function widened(value: JsonValue, path: readonly string[], floats: ReadonlySet<string>): JsonValue {
  if (typeof value === 'number' || typeof value === 'bigint') {
    if (floats.has(pointerOf(path))) return Number(value)
    return Number.isInteger(value) ? BigInt(value) : value
  }
  if (isList(value)) return value.map((one, at) => widened(one, [...path, String(at)], floats))
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, widened(one, [...path, key], floats)])) : value
}

/** Where floats stand that are whole numbers. */
function wholeFloats(value: JsonValue, path: readonly string[] = []): readonly string[] {
  if (typeof value === 'number') return Number.isInteger(value) ? [pointerOf(path)] : []
  if (isList(value)) return value.flatMap((one, at) => wholeFloats(one, [...path, String(at)]))
  return isObject(value) ? Object.entries(value).flatMap(([key, one]) => wholeFloats(one, [...path, key])) : []
}

function contradicted(name: string): Diagnostic {
  return diagnostic('usage', `--var ${name} gives another value than the plan was made with`, {
    hint: 'leave it out, since the plan has its own, or plan again with it',
  })
}

/** The names that whoever runs it calls sensitive, declared or not: one setting of a pipeline serves many projects, and none can take it back. */
export function calledSensitive({ environment }: Pick<VariableInputs, 'environment'>): ReadonlySet<string> {
  const words = (environment[sensitiveNames] ?? '').split(/[\s,]+/).filter((word) => word !== '')
  return new Set(words.flatMap((word) => [word, withoutPrefix(word)]))
}

function withoutPrefix(word: string): string {
  return word.startsWith(variablePrefix) ? word.slice(variablePrefix.length) : word
}

function strangeName(names: Iterable<string>): Diagnostic[] {
  const strange = [...names].find((name) => !variableName.safeParse(withoutPrefix(name)).success)
  if (strange === undefined) return []
  const hint = 'write the names with commas between them: a,b'
  return [diagnostic('usage', `${sensitiveNames} holds ${quote(withoutPrefix(strange))}, which is no name of a variable`, { hint })]
}

/** The variables of an environment that are meant for a project; no other is looked at. */
function namesIn(environment: VariableInputs['environment']): readonly string[] {
  return Object.keys(environment).filter((key) => key.startsWith(variablePrefix))
}

/** Every source of every name, the strongest first. */
function* collect(
  project: ProjectFile | undefined,
  environmentName: string | null,
  inputs: VariableInputs,
  report: Report,
  meter: Meter,
): Turns<Map<string, Given[]>> {
  const given = new Map<string, Given[]>()
  const add = (name: string, one: Given) => {
    const before = given.get(name)
    if (before) before.push(one)
    else given.set(name, [one])
  }
  for (const { name, text } of inputs.flags.toReversed()) add(name, { origin: `--var ${name}`, text, isFlag: true })
  for (const file of inputs.files.toReversed()) yield* readFile(file, add, report, meter)
  for (const key of namesIn(inputs.environment)) {
    const text = inputs.environment[key]
    if (text !== undefined) add(key.slice(variablePrefix.length), { origin: key, text })
  }
  if (environmentName !== null) for (const [name, one] of blockOf(project, environmentName)) add(name, one)
  const document = project?.document
  const root = document && isObject(document.value) ? document.value : undefined
  if (!document || !root) return given
  for (const [name, fields] of Object.entries(isObject(root.variables) ? root.variables : {})) {
    const value = isObject(fields) && Object.hasOwn(fields, 'default') ? fields.default : undefined
    const pointer = pointerOf(['variables', name, 'default'])
    if (value === undefined || !isObject(fields)) continue
    add(name, { origin: 'the default', value, position: ownLine(project, name, pointer) })
    const isSecret = typeof value === 'string' && value !== '' && (fields.sensitive === true || looksLikeSecret(value))
    if (isSecret) report(literal(name, document.position(pointer, { hidden: true })))
  }
  return given
}

function environmentNames(project: ProjectFile | undefined): readonly string[] {
  const root = project?.document.value
  return isObject(root) && isObject(root.environments) ? Object.keys(root.environments) : []
}

/** What the block of an environment gives, by name. */
function blockOf(project: ProjectFile | undefined, environmentName: string): readonly (readonly [string, Given])[] {
  const root = project?.document.value
  const environment = isObject(root) && isObject(root.environments) ? root.environments[environmentName] : undefined
  const block = isObject(environment) && isObject(environment.variables) ? environment.variables : {}
  if (!project) return []
  return Object.entries(block).map(([name, value]) => {
    const position = ownLine(project, name, pointerOf(['environments', environmentName, 'variables', name]))
    return [name, { origin: `environments.${environmentName}`, value, position }]
  })
}

/** A place in the project file, with its line where that says this variable alone, which is not sensitive. */
function ownLine(project: ProjectFile, name: string, pointer: string, key = false): Position {
  const position = project.document.position(pointer, { key })
  const line = (position.text ?? '').trimStart().replaceAll(/["']/g, '')
  const isShown = project.fields.variables?.[name] !== undefined && !project.sensitive.has(name) && !project.doubtful.has(name)
  const isAlone = [name, 'default'].some((word) => line.startsWith(`${word}:`))
  return isShown && isAlone ? position : { ...position, text: undefined }
}

function literal(name: string, position: Position): Diagnostic {
  return diagnostic('secret_literal', `the default of ${name} looks like a secret`, {
    position,
    hint: 'leave the default out and give the value with IAC_VAR_… or --var-file',
  })
}

function* readFile(file: { readonly file: string; readonly text: string }, add: (name: string, one: Given) => void, report: Report, meter: Meter): Turns<void> {
  const { documents, problems: own } = yield* readYamlInTurns(createSource(file.file, file.text), { all: true, hides: hidesAll, meter })
  own.forEach(report)
  for (const document of documents) {
    if (!isObject(document.value)) {
      report(
        diagnostic('invalid_value', `a file of variables is a map of names to values${isList(document.value) ? ', got a list' : ''}`, {
          position: document.position('', { hidden: true }),
          hint: 'it is YAML: write NAME: VALUE on a line for each',
        }),
      )
      continue
    }
    for (const [name, value] of Object.entries(document.value)) {
      add(name, { origin: file.file, value, position: document.position(pointerOf([name]), { key: true, hidden: true }) })
    }
  }
}

function undeclared(name: string, sources: readonly Given[], names: readonly string[]): Diagnostic {
  const [first] = sources
  const near = name === '' ? undefined : nearest(name, names)
  const suggestion = near === undefined ? `declared: ${listed(names)}` : `did you mean ${quote(near)}?`
  const isName = variableName.safeParse(name).success
  const way = `unset ${variablePrefix}${name}${isName ? `, or declare ${name} under variables` : ''}`
  const hint = first?.origin !== `${variablePrefix}${name}` ? suggestion : near === undefined ? way : `${suggestion} Else ${way}`
  // What is exported serves more projects than one.
  const code = sources.every((one) => one.origin === `${variablePrefix}${name}`) ? 'advice' : 'unknown_variable'
  return diagnostic(code, `${first?.origin ?? ''} gives a value to ${quote(name)}, which the project does not declare`, {
    hint,
    ...(first?.position ? { position: first.position } : {}),
  })
}

/** What an environment would give that nobody declares is not missed, too. */
function missing(name: string, environmentName: string | null, project: ProjectFile | undefined, report: Report): undefined {
  const environments = environmentNames(project)
  if (environmentName !== null && !environments.includes(environmentName)) return undefined
  const position = project && ownLine(project, name, pointerOf(['variables', name]), true)
  const givers = environmentName === null ? environments.filter((one) => blockOf(project, one).some(([given]) => given === name)) : []
  const choice = givers.length === 0 ? '' : `, or choose an environment that has it with -e: ${listed(givers)}`
  report(
    diagnostic('missing_variable', `the variable ${name} has no value`, {
      hint: `give it with --var ${name}=…, --var-file, ${variablePrefix}${name} or a default${choice}`,
      ...(position ? { position } : {}),
    }),
  )
  return undefined
}

function* read(name: string, fields: VariableFields, given: Given, report: Report, meter: Meter): Turns<JsonValue | undefined> {
  const type = fields.type ?? 'any'
  const place = given.position ? { position: given.position } : {}
  const wrong = (message: string) => {
    report(diagnostic('invalid_value', `the variable ${name} ${message} (from ${given.origin})`, place))
    return undefined
  }
  const mark = tokenMarkIn(given.text ?? '')
  if (mark !== undefined) return wrong(`holds the control character ${fields.sensitive === true ? '(sensitive value)' : mark}`)
  const { value, problem } = given.value === undefined ? yield* fromText(type, given.text, meter) : { value: given.value }
  if (problem !== undefined) return wrong(problem)
  const fitting = value === undefined ? undefined : fits(type, value)
  if (fitting !== undefined) return fitting
  const got = given.value === undefined || fields.sensitive === true ? '' : `, got ${describe(given.value)}`
  return wrong(`must be of type ${type}${got}`)
}

/** What a text is as a value: undefined where it is none of its type, and why where it is nothing at all. */
interface FromText {
  readonly value: JsonValue | undefined
  readonly problem?: string
}

/** A flag's text: lists, maps and anything as YAML, the rest as it stands. */
function* fromText(type: Type, text: string | undefined, meter: Meter): Turns<FromText> {
  if (text === undefined) return { value: null }
  if (type === 'string') return { value: text }
  if (type === 'bool') return { value: text === 'true' ? true : text === 'false' ? false : undefined }
  if (type === 'int') return { value: /^-?\d{1,19}$/.test(text) ? BigInt(text) : undefined }
  if (type === 'float') return { value: /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/.test(text) ? Number(text) : undefined }
  const { documents, problems } = yield* readYamlInTurns(createSource('flag', text), { all: true, hides: hidesAll, meter })
  const [first, second] = documents
  const wrong = problems[0] ?? (second && { summary: 'a second document begins here', position: second.position('') })
  const value = wrong ? undefined : (first?.value ?? null)
  const meant = type === 'any' ? asMeant(text, value) : value
  if (meant !== undefined || !wrong) return { value: meant }
  const place = wrong.position ? `, line ${wrong.position.line}, column ${wrong.position.column}` : ''
  return { value: meant, problem: `cannot be read as YAML${place}: ${wrong.summary}` }
}

/** Lists and maps are YAML, as are texts in quotes, and numbers, true, false and null in their usual spelling: nothing at all, 1.10, 007, a password with # in it and a key of many lines stay what they are. */
function asMeant(text: string, value: JsonValue | undefined): JsonValue | undefined {
  if (value === undefined) return /^\s*(?:[[{]|- |[\w.-]+: )/.test(text) ? undefined : text
  if (isList(value) || isObject(value)) return value
  if (typeof value === 'string') return /^(["']).*\1$/s.test(text) ? value : text
  return String(value) === text ? value : text
}

/** The value as the type has it; undefined where it is of another: nothing is coerced but an integer where a float stands. */
function fits(type: Type, value: JsonValue): JsonValue | undefined {
  if (type === 'any') return value
  if (type === 'list') return isList(value) ? value : undefined
  if (type === 'map') return isObject(value) ? value : undefined
  if (type === 'string') return typeof value === 'string' ? value : undefined
  if (type === 'bool') return typeof value === 'boolean' ? value : undefined
  if (type === 'int') return typeof value === 'bigint' && isInt(value) ? value : undefined
  if (typeof value === 'bigint') return Number(value)
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}
