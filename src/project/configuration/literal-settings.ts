// Settings of iac.yaml that are taken as they stand, and hold what looks like an expression.
import { isList, isObject } from '../../base/json.ts'
import type { JsonValue } from '../../base/json.ts'
import { mostKept } from '../findings/findings.ts'
import type { Issue } from '../findings/issues.ts'

type Path = readonly PropertyKey[]

/** Everything there that is written as an expression, as far as it is told anyway. */
export function literalSettings(value: JsonValue): readonly Issue[] {
  const found: Path[] = []
  look(value, [], found)
  return found.map((path) => ({
    code: 'invalid_value',
    path,
    key: false,
    summary: `expressions are not evaluated here: \${…} would be taken as it stands for ${nameOf(path)}`,
    hint: hintFor(path),
  }))
}

/** Whether a setting that is no expression is written as one, which is told of the project file. */
export function isLiteral(value: string): boolean {
  return anyExpression.test(value)
}

function look(value: JsonValue, path: Path, found: Path[]): void {
  if (found.length === mostKept || isEvaluated(path) || isForPeople(path)) return
  if (typeof value === 'string' && (isGivenValue(path) ? reference : isAddress(path) ? unescaped : anyExpression).test(value)) found.push(path)
  else if (isList(value)) for (const [at, one] of value.entries()) look(one, [...path, at], found)
  else if (isObject(value)) for (const [key, one] of Object.entries(value)) look(one, [...path, key], found)
}

const anyExpression = /\$\{/
/** The value of a variable may be a script with `${HOME}` in it; what no shell takes was meant for this program, unless it is escaped. */
const reference = /(?<!\$)\$\{\s*(?:(?:vars|each)\.|[A-Z]\w*\[(?:'[^']*'|"[^"]*")\][.[])/

/** A key of a for_each may hold what looks like one: there it is escaped as in manifests. */
const unescaped = /(?<!\$)\$\{/

function isAddress([first]: Path): boolean {
  return first === 'moved' || first === 'removed'
}

function isEvaluated([first, second, third]: Path): boolean {
  if (first === 'policies') return third !== undefined && third !== 'file'
  return (first === 'outputs' && third === 'value') || (first === 'provider' && second === 'workspace')
}

function isForPeople(path: Path): boolean {
  return path.length === 3 && (path[0] === 'variables' || path[0] === 'outputs') && path[2] === 'description'
}

function isGivenValue([first, , third]: Path): boolean {
  return (first === 'variables' && third === 'default') || (first === 'environments' && third === 'variables')
}

/** `state.path`, and the third entry of a list as the list's. */
function nameOf(path: Path): string {
  const words = path.filter((part) => typeof part !== 'number').map(String)
  return isGivenValue(path) ? 'the value of a variable' : words.join('.')
}

function hintFor(path: Path): string {
  if (path.includes('state')) return 'write the path out; each environment has a state of its own, and settings for it in environments.NAME.state'
  return "expressions stand in manifests, in an output's value and in provider.workspace"
}
