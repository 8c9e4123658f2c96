// Checks every name in an expression against what the project declares, before anything is evaluated.
import { nearest } from '../base/words/nearest.ts'
import type { Parsed } from './expression.ts'
import { argumentCounts, functionNames } from './functions.ts'
import { printable } from './text.ts'
import { descendants, isKindLike } from './tree.ts'
import type { LookupNode, Node, ResourceNode } from './tree.ts'

/** What an expression may name. `resources` are declared names of a kind, `keysOf` the keys of a for_each (undefined without one), `attributes` spec fields and outputs; `isOpen` where a name that is not declared may be there all the same. */
export interface CheckScope {
  readonly each: boolean
  isOpen?(kind: string, name: string): boolean
  /** Names of their own, beside vars and each. */
  readonly names?: readonly string[]
  hasVar(name: string): boolean
  varNames(): readonly string[]
  kindNames(): readonly string[]
  /** What else a word that is no kind's may mean. */
  kindHint?(word: string): string | undefined
  resources(kind: string): ReadonlySet<string>
  keysOf(kind: string, name: string): ReadonlySet<string> | undefined
  attributes(kind: string): readonly string[]
  /** Whether an attribute is a text, a number or a boolean, so that there is nothing within it. */
  isScalar?(kind: string, attribute: string): boolean
}

/** One wrong name: the diagnostic code that fits, the offset in the source, and the way out as `hint`. */
export interface Problem {
  readonly code: 'expression' | 'unknown_variable' | 'unknown_kind' | 'unknown_reference' | 'unknown_field' | 'ambiguous_reference'
  readonly offset: number
  readonly message: string
  readonly hint: string | undefined
}

const maxListedWords = 12

/** Every name that is not in scope, in the order of the source. */
export function checkExpression(parsed: Parsed, scope: CheckScope): readonly Problem[] {
  return descendants(parsed.root)
    .flatMap((node) => check(node, scope))
    .toSorted((a, b) => a.offset - b.offset)
}

function check(node: Node, scope: CheckScope): Problem[] {
  switch (node.op) {
    case 'free':
      if (scope.names?.includes(node.name)) return []
      return [freeName(node.name, node.at, scope)]
    case 'vars':
      if (scope.hasVar(node.name)) return []
      return [problem('unknown_variable', node.at, `no variable ${quoted(node.name)} is declared`, suggest(node.name, scope.varNames(), 'declared'))]
    case 'each':
      return scope.each ? [] : [problem('expression', node.at, `each.${node.part} exists in manifests with for_each only`)]
    case 'resource':
      return checkResource(node, scope)
    case 'lookup':
      return checkKind(node, scope) ?? checkAttribute(node, scope)
    case 'call':
      return checkCall(node.name, node.target !== undefined, node.args.length, node.at)
    default:
      return []
  }
}

function freeName(name: string, at: number, scope: CheckScope): Problem {
  if (name === 'vars') return problem('expression', at, 'vars is no value by itself; write vars.NAME', suggest('', scope.varNames(), 'declared'))
  if (name === 'each') return problem('expression', at, 'each is no value by itself; write each.key or each.value')
  if (scope.hasVar(name)) return problem('expression', at, `no name ${quoted(name)} is in scope`, `write vars.${name}`)
  if (isKindLike(name) && scope.kindNames().includes(name)) return problem('expression', at, `${name} is a kind`, `write ${name}['name'].attribute`)
  const near = environmentWords.has(name) ? environmentHint : suggest(name, ['vars', 'each', ...scope.kindNames()], undefined, asWritten)
  return problem('expression', at, `no name ${quoted(name)} is in scope`, near === undefined ? inScope(scope) : `${near} ${inScope(scope)}`)
}

const environmentWords: ReadonlySet<string> = new Set(['environment', 'env'])
const environmentHint = 'which environment it is, is no value by itself: declare a variable, and give it a value in environments.NAME.variables;'

/** Everything that has a name where an expression stands. */
function inScope(scope: CheckScope): string {
  const variables = scope.varNames().map((name) => `vars.${name}`)
  return [
    `in scope: ${variables.length === 0 ? 'variables of iac.yaml as vars.NAME (none is declared)' : listed(variables)}`,
    ...(scope.each ? ['each.key, each.value'] : []),
    ...(scope.names ? [scope.names.join(', ')] : ["other resources as Kind['name'].attribute"]),
    'functions (`iac explain functions`)',
  ].join('; ')
}

function checkResource(node: ResourceNode, scope: CheckScope): Problem[] {
  const wrongKind = checkKind(node, scope)
  if (wrongKind) return wrongKind
  const name = node.name.constant
  if (name === undefined) return checkAttribute(node, scope)
  const { resourceKind: kind } = node
  const names = scope.resources(kind)
  if (!names.has(name)) {
    if (scope.isOpen?.(kind, name)) return checkAttribute(node, scope)
    return [problem('unknown_reference', node.name.node.at, `no ${kind} named ${quoted(name)} is declared`, suggest(name, names, 'declared'))]
  }
  const keys = scope.keysOf(kind, name)
  const isKeyFirst = !node.key && keys?.has(node.path[0] ?? '') === true
  return [...checkKey(node, name, keys), ...(isKeyFirst ? [] : checkAttribute(node, scope))]
}

function checkKey(node: ResourceNode, name: string, keys: ReadonlySet<string> | undefined): Problem[] {
  const written = `${node.resourceKind}[${quoted(name)}]`
  if (keys === undefined) {
    if (!node.key) return []
    const hint = `write ${written}.${node.key.constant ?? 'attribute'}`
    return [problem('unknown_reference', node.key.node.at, `${node.resourceKind}/${name} has no for_each, so it takes no key`, hint)]
  }
  if (!node.key) {
    const [first, ...rest] = node.path
    if (first === undefined) return []
    const [key, path] = keys.has(first) ? [first, rest] : [[...keys][0] ?? 'key', node.path]
    const hint = `write ${[`${written}[${quoted(key)}]`, ...path].join('.')}; keys: ${listed(keys)}`
    return [problem('ambiguous_reference', node.pathAt, `${node.resourceKind}/${name} has a for_each: a key is missing`, hint)]
  }
  const key = node.key.constant
  if (key === undefined || keys.has(key)) return []
  return [problem('unknown_reference', node.key.node.at, `${node.resourceKind}/${name} has no key ${quoted(key)}`, suggest(key, keys, 'keys'))]
}

function checkKind(node: ResourceNode | LookupNode, scope: CheckScope): Problem[] | undefined {
  const kinds = scope.kindNames()
  if (kinds.includes(node.resourceKind)) return undefined
  return [
    problem(
      'unknown_kind',
      node.at,
      `no kind is named ${quoted(node.resourceKind)}`,
      scope.kindHint?.(node.resourceKind) ?? suggest(node.resourceKind, kinds, 'kinds', asWritten),
    ),
  ]
}

function checkAttribute(node: ResourceNode | LookupNode, scope: CheckScope): Problem[] {
  const [attribute, member] = node.path
  const attributes = scope.attributes(node.resourceKind)
  if (attribute === undefined) return []
  if (attributes.includes(attribute)) {
    if (member === undefined || !scope.isScalar?.(node.resourceKind, attribute)) return []
    return [problem('unknown_field', node.pathAt, `${node.resourceKind}.${attribute} is no map, and has no member ${quoted(member)}`)]
  }
  return [problem('unknown_field', node.pathAt, `${node.resourceKind} has no attribute ${quoted(attribute)}`, suggest(attribute, attributes, 'attributes'))]
}

function checkCall(name: string, isMethod: boolean, count: number, at: number): Problem[] {
  const counts = argumentCounts(name, isMethod)
  const shown = isMethod ? `x.${name}` : name
  if (!counts) {
    if (argumentCounts(name, !isMethod)) return [problem('expression', at, `no function ${shown}(…)`, `write ${isMethod ? `${name}(x)` : `x.${name}(…)`}`)]
    return [problem('expression', at, `no function ${shown}(…)`, suggest(name, functionNames(isMethod), 'functions', asWritten))]
  }
  const [least, most] = counts
  if (count >= least && count <= most) return []
  const wanted = least === most ? `${least}` : `${least} to ${most}`
  return [problem('expression', at, `${shown} takes ${wanted} argument${most === 1 ? '' : 's'}, not ${count}`)]
}

function problem(code: Problem['code'], offset: number, message: string, hint?: string): Problem {
  return Object.freeze({ code, offset, message: printable(message), hint: hint === undefined ? undefined : printable(hint) })
}

/** Names that a project gives, and fields, are quoted, since what is quoted is particular to a message; words of the language are not. */
function suggest(word: string, words: Words, title: string | undefined, shown: (near: string) => string = quoted): string | undefined {
  const near = nearest(word, words)
  if (near !== undefined) return `did you mean ${shown(near)}?`
  return title === undefined ? undefined : `${title}: ${listed(words)}`
}

type Words = readonly string[] | ReadonlySet<string>

/** The first words of a list or set, without looking at the others: there may be 100,000, and as many mistakes. */
function listed(words: Words): string {
  const first: string[] = []
  for (const word of words) if (first.push(word) === maxListedWords) break
  const rest = ('size' in words ? words.size : words.length) - first.length
  return first.length === 0 ? 'none' : first.join(', ') + (rest > 0 ? ` and ${rest} more` : '')
}

function quoted(text: string): string {
  return `'${text}'`
}

function asWritten(word: string): string {
  return word
}
