// The tree of one expression, with its names resolved: built from the parser's tree, flat where that one is deep.
import type { ASTNode } from '@marcbachmann/cel-js'
import { printable } from './text.ts'
import { isInt } from './value.ts'
import type { CelType, Scalar } from './value.ts'

/** A mistake in an expression, at an offset in its source; thrown within this folder only. */
export class ExpressionError extends Error {
  readonly offset: number
  constructor(offset: number, message: string) {
    super(printable(message))
    this.offset = offset
  }
}

export type MacroName = 'all' | 'exists' | 'exists_one' | 'map' | 'filter'

/** A name after a kind, a lookup's name or a file's path; `constant` when it is a literal. */
export interface Operand {
  readonly node: Node
  readonly constant: string | undefined
}

/** One link of a chain of operators that associate to the left. */
export interface Link {
  readonly operator: string
  readonly operand: Node
}

/** `Kind['name']`, then perhaps a key of its for_each, then a path of attributes. */
export interface ResourceNode {
  readonly op: 'resource'
  readonly at: number
  readonly resourceKind: string
  readonly name: Operand
  readonly key: Operand | undefined
  readonly path: readonly string[]
  readonly pathAt: number
}

export interface LookupNode {
  readonly op: 'lookup'
  readonly at: number
  readonly resourceKind: string
  readonly name: Operand
  readonly path: readonly string[]
  readonly pathAt: number
}

/** Where something is written in the source, parentheses around it left out. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** `at` is the offset in the source that an error at this node names. */
export type Node =
  | { readonly op: 'literal'; readonly at: number; readonly value: Scalar }
  | { readonly op: 'local'; readonly at: number; readonly name: string }
  | { readonly op: 'free'; readonly at: number; readonly name: string }
  | { readonly op: 'vars'; readonly at: number; readonly name: string; readonly span: Span }
  | { readonly op: 'each'; readonly at: number; readonly part: 'key' | 'value'; readonly span: Span }
  | ResourceNode
  | LookupNode
  | { readonly op: 'file'; readonly at: number; readonly path: Operand; readonly span: Span }
  | { readonly op: 'select'; readonly at: number; readonly target: Node; readonly field: string }
  | { readonly op: 'index'; readonly at: number; readonly target: Node; readonly index: Node }
  | { readonly op: 'list'; readonly at: number; readonly items: readonly Node[] }
  | { readonly op: 'map'; readonly at: number; readonly entries: readonly (readonly [Node, Node])[] }
  | { readonly op: 'conditional'; readonly at: number; readonly test: Node; readonly yes: Node; readonly no: Node }
  | { readonly op: 'chain'; readonly at: number; readonly first: Node; readonly links: readonly Link[] }
  | { readonly op: 'unary'; readonly at: number; readonly operator: '!' | '-'; readonly operand: Node }
  | { readonly op: 'call'; readonly at: number; readonly name: string; readonly target: Node | undefined; readonly args: readonly Node[] }
  | { readonly op: 'macro'; readonly at: number; readonly macro: MacroName; readonly variable: string; readonly range: Node; readonly steps: readonly Node[] }
  | { readonly op: 'has'; readonly at: number; readonly target: Node }
  | { readonly op: 'bind'; readonly at: number; readonly variable: string; readonly value: Node; readonly body: Node }

const maxLevels = 100
const macros: ReadonlyMap<string, readonly number[]> = new Map([
  ['all', [2]],
  ['exists', [2]],
  ['exists_one', [2]],
  ['map', [2, 3]],
  ['filter', [2]],
])
/** The macros over lists and maps. */
export const macroNames: readonly string[] = [...macros.keys()]
const typeNames = [
  'int',
  'uint',
  'double',
  'bool',
  'string',
  'bytes',
  'list',
  'map',
  'null_type',
  'type',
  'google.protobuf.Timestamp',
  'google.protobuf.Duration',
]
const types: ReadonlyMap<string, CelType> = new Map(typeNames.map((name) => [name, Object.freeze({ celType: name })]))

/** Bound names and the level of nesting at a place of the tree; `filled` where values stand in the place of names. */
interface Place {
  readonly bound: ReadonlySet<string>
  readonly level: number
  readonly filled: boolean
}

/** CEL's type of this name, the same object each time. */
export function celType(name: string): CelType {
  const type = types.get(name)
  if (!type) throw new Error(`no CEL type ${name}`)
  return type
}

/** Resolves the parser's tree; throws an ExpressionError for names and shapes that are wrong whatever the project holds. `filled`: values were written into it. */
export function treeOf(ast: ASTNode, filled = false): Node {
  return build(ast, { bound: new Set(), level: filled ? 1 - maxLevels : 1, filled })
}

function build(ast: ASTNode, place: Place): Node {
  if (place.level > maxLevels && ast.op !== 'value' && ast.op !== 'id') throw new ExpressionError(ast.start, `nested deeper than ${maxLevels} levels`)
  const inner: Place = { ...place, level: place.level + 1 }
  const at = ast.start
  switch (ast.op) {
    case 'value':
      // The library takes a character for one byte, and cuts off what does not fit.
      if (ast.args instanceof Uint8Array && /[^\0-\x7f]/.test(ast.input.slice(at, ast.end)))
        throw new ExpressionError(at, "bytes in quotes are ASCII; write bytes('…')")
      return literal(ast.args, at)
    case 'id':
      return identifier(ast.args, at, place)
    case '.':
      return select(ast.args[0], ast.args[1], ast, place)
    case '[]':
      return index(ast.args[0], ast.args[1], ast, place)
    case 'call':
      return call(ast.args[0], ast.args[1], ast, inner)
    case 'rcall':
      return method(ast.args[0], ast.args[1], ast.args[2], Math.max(at, ast.input.indexOf(ast.args[0], ast.args[1].end)), inner)
    case 'list':
      return { op: 'list', at, items: ast.args.map((item) => build(item, inner)) }
    case 'map':
      return { op: 'map', at, entries: ast.args.map(([key, value]) => [build(key, inner), build(value, inner)] as const) }
    case '?:':
      return { op: 'conditional', at, test: build(ast.args[0], inner), yes: build(ast.args[1], inner), no: build(ast.args[2], inner) }
    case '!_':
      return { op: 'unary', at, operator: '!', operand: build(ast.args, inner) }
    case '-_':
      if (ast.args.op === 'value' && typeof ast.args.args === 'bigint') return literal(-ast.args.args, at)
      return { op: 'unary', at, operator: '-', operand: build(ast.args, inner) }
    case '.?':
    case '[?]':
      throw new ExpressionError(at, 'optional access is not part of this CEL; use has(…)')
    default:
      return chain(ast, inner)
  }
}

function literal(value: Scalar, at: number): Node {
  if (typeof value === 'bigint' && !isInt(value)) throw new ExpressionError(at, 'this integer does not fit 64 bits')
  return { op: 'literal', at, value }
}

function identifier(name: string, at: number, place: Place): Node {
  if (place.bound.has(name)) return { op: 'local', at, name }
  const type = types.get(name)
  return type ? { op: 'literal', at, value: type } : { op: 'free', at, name }
}

/** A chain like `a + b + c` leans to the left in the parser's tree; it is one level here. */
function chain(ast: ASTNode, inner: Place): Node {
  const links: Link[] = []
  let left = ast
  while (isBinary(left)) {
    links.push({ operator: left.op, operand: build(left.args[1], inner) })
    left = left.args[0]
  }
  return { op: 'chain', at: ast.start, first: build(left, inner), links: links.toReversed() }
}

type Binary = Extract<ASTNode, { readonly args: [ASTNode, ASTNode] }>

function isBinary(ast: ASTNode): ast is Binary {
  return ['||', '&&', '==', '!=', '<', '<=', '>', '>=', 'in', '+', '-', '*', '/', '%'].includes(ast.op)
}

function select(targetAst: ASTNode, field: string, whole: ASTNode, place: Place): Node {
  const at = whole.pos
  if (targetAst.op === 'id' && !place.bound.has(targetAst.args)) {
    if (targetAst.args === 'vars') return { op: 'vars', at, name: field, span: spanOf(whole) }
    if (targetAst.args === 'each') return each(field, at, spanOf(whole))
  }
  const dotted = dottedName(targetAst)
  const type = dotted?.startsWith('google.') ? types.get(`${dotted}.${field}`) : undefined
  if (type) return { op: 'literal', at, value: type }
  const target = build(targetAst, { ...place, level: place.level + 1 })
  if (target.op === 'free' && isKindLike(target.name)) {
    throw new ExpressionError(target.at, `write ${target.name}['${field}'], then the attribute`)
  }
  if (target.op === 'resource' || target.op === 'lookup') {
    return { ...target, path: [...target.path, field], pathAt: target.path.length === 0 ? at : target.pathAt }
  }
  return { op: 'select', at, target, field }
}

/** Kinds begin with a capital letter, everything else in scope does not. */
export function isKindLike(name: string): boolean {
  return /^[A-Z]/.test(name)
}

function dottedName(ast: ASTNode): string | undefined {
  if (ast.op === 'id') return ast.args
  if (ast.op !== '.' || ast.args[0].op !== 'id') return undefined
  return `${ast.args[0].args}.${ast.args[1]}`
}

function spanOf({ start, end }: ASTNode): Span {
  return { start, end }
}

function each(part: string, at: number, span: Span): Node {
  if (part !== 'key' && part !== 'value') throw new ExpressionError(at, `each has no ${part}; there are each.key and each.value`)
  return { op: 'each', at, part, span }
}

function index(targetAst: ASTNode, indexAst: ASTNode, whole: ASTNode, place: Place): Node {
  const at = whole.start
  const inner: Place = { ...place, level: place.level + 1 }
  const indexAt = indexAst.start
  const constant = indexAst.op === 'value' && typeof indexAst.args === 'string' ? indexAst.args : undefined
  if (targetAst.op === 'id' && !place.bound.has(targetAst.args)) {
    const name = targetAst.args
    if (name === 'vars' && constant !== undefined) return { op: 'vars', at: indexAt, name: constant, span: spanOf(whole) }
    if (name === 'each' && constant !== undefined) return each(constant, indexAt, spanOf(whole))
    if (isKindLike(name)) {
      return { op: 'resource', at, resourceKind: name, name: nameAfterKind(indexAst, inner), key: undefined, path: [], pathAt: at }
    }
    if (name === 'vars' || name === 'each') throw new ExpressionError(indexAt, `the name after ${name} is written out: ${name}.NAME`)
  }
  const target = build(targetAst, inner)
  const operand: Operand = { node: build(indexAst, inner), constant }
  if (target.op === 'resource' && target.path.length === 0) {
    if (!target.key) return { ...target, key: operand }
    if (constant !== undefined) return { ...target, path: [constant], pathAt: indexAt }
  }
  return { op: 'index', at: indexAt, target, index: operand.node }
}

function nameAfterKind(ast: ASTNode, place: Place): Operand {
  const node = build(ast, place)
  if (node.op === 'literal' && typeof node.value === 'string') return { node, constant: node.value }
  if (isRootedInInputs(node) || (place.filled && isRootedInValues(node))) return { node, constant: undefined }
  throw new ExpressionError(ast.start, 'the index after a kind is a name in quotes, or comes from vars or each')
}

/** `vars.x`, `each.value` and what is selected from them. */
function isRootedInInputs(node: Node): boolean {
  if (node.op === 'vars' || node.op === 'each') return true
  if (node.op === 'select') return isRootedInInputs(node.target)
  return node.op === 'index' && isRootedInInputs(node.target) && (node.index.op === 'literal' || isRootedInInputs(node.index))
}

/** What stands in the place of `vars.x` once it is written out, and what is selected from it. */
function isRootedInValues(node: Node): boolean {
  return descendants(node).every((one) => one.op === 'literal' || one.op === 'list' || one.op === 'map' || one.op === 'select' || one.op === 'index')
}

function call(name: string, args: readonly ASTNode[], whole: ASTNode, place: Place): Node {
  const at = whole.start
  if (name === 'has') return has(args, at, place)
  if (macros.has(name)) throw new ExpressionError(at, `${name} is called on a list or map: x.${name}(…)`)
  const built = args.map((arg) => build(arg, place))
  const [first, second] = built
  if (name === 'file') {
    if (!first || built.length !== 1) throw new ExpressionError(at, "file takes one path: file('path')")
    return { op: 'file', at, path: operandOf(first, 'the path of a file'), span: spanOf(whole) }
  }
  if (name === 'lookup') {
    if (!first || !second || built.length !== 2) throw new ExpressionError(at, "lookup takes a kind and a name: lookup('Kind', 'name')")
    if (first.op !== 'literal' || typeof first.value !== 'string') throw new ExpressionError(first.at, 'the kind of a lookup is written in quotes')
    return { op: 'lookup', at, resourceKind: first.value, name: operandOf(second, 'the name of a lookup'), path: [], pathAt: at }
  }
  return { op: 'call', at, name, target: undefined, args: built }
}

/** Must be known before anything is read: made of literals, vars and each. */
function operandOf(node: Node, what: string): Operand {
  if (node.op === 'literal' && typeof node.value === 'string') return { node, constant: node.value }
  const inner = descendants(node).find((one) => ['local', 'resource', 'lookup', 'file'].includes(one.op))
  if (inner) throw new ExpressionError(inner.at, `${what} is made of literals, vars and each alone`)
  return { node, constant: undefined }
}

function has(args: readonly ASTNode[], at: number, place: Place): Node {
  const [first] = args
  const target = first && args.length === 1 ? build(first, place) : undefined
  const path = target?.op === 'resource' || target?.op === 'lookup' ? target.path : []
  if (!target || (target.op !== 'select' && target.op !== 'vars' && target.op !== 'each' && path.length === 0)) {
    throw new ExpressionError(at, 'has takes one field: has(x.field)')
  }
  return { op: 'has', at, target }
}

function method(name: string, targetAst: ASTNode, args: readonly ASTNode[], at: number, place: Place): Node {
  const receiver = targetAst.op === 'id' && !place.bound.has(targetAst.args) ? targetAst.args : undefined
  if (receiver === 'cel' && name === 'bind') return bind(args, at, place)
  if (receiver === 'strings' && name === 'quote')
    return { op: 'call', at, name: 'strings.quote', target: undefined, args: args.map((arg) => build(arg, place)) }
  const target = build(targetAst, place)
  const counts = macros.get(name)
  if (!isMacro(name) || !counts) return { op: 'call', at, name, target, args: args.map((arg) => build(arg, place)) }
  if (!counts.includes(args.length))
    throw new ExpressionError(at, `${name} takes a variable and ${counts.length === 1 ? 'one expression' : 'one or two expressions'}`)
  const [variableAst, ...steps] = args
  const variable = variableName(variableAst, at)
  return { op: 'macro', at, macro: name, variable, range: target, steps: within(steps, variable, place) }
}

function isMacro(name: string): name is MacroName {
  return macros.has(name)
}

function bind(args: readonly ASTNode[], at: number, place: Place): Node {
  const [variableAst, value, body] = args
  if (!value || !body || args.length !== 3) throw new ExpressionError(at, 'cel.bind takes a variable, its value and an expression')
  const variable = variableName(variableAst, at)
  const [built] = within([body], variable, place)
  if (!built) throw new ExpressionError(at, 'cel.bind takes an expression')
  return { op: 'bind', at, variable, value: build(value, place), body: built }
}

function variableName(ast: ASTNode | undefined, at: number): string {
  if (ast?.op !== 'id') throw new ExpressionError(ast?.start ?? at, 'the first argument is the name of a variable')
  return ast.args
}

function within(bodies: readonly ASTNode[], variable: string, place: Place): readonly Node[] {
  const inner: Place = { ...place, bound: new Set([...place.bound, variable]) }
  return bodies.map((body) => build(body, inner))
}

/** The node and everything below it, parents first. */
export function descendants(node: Node): readonly Node[] {
  const found: Node[] = []
  const open: Node[] = [node]
  for (let next = open.pop(); next; next = open.pop()) {
    found.push(next)
    open.push(...children(next).toReversed())
  }
  return found
}

/** The parts of a node of which, where they are maps, it asks for the keys alone. */
export function askedForKeys(node: Node): readonly Node[] {
  if (node.op === 'macro') return [node.range]
  if (node.op === 'chain') return node.links.flatMap(({ operator, operand }) => (operator === 'in' ? [operand] : []))
  return node.op === 'call' && node.name === 'size' ? (node.target ? [node.target] : node.args) : []
}

function children(node: Node): readonly Node[] {
  switch (node.op) {
    case 'select':
    case 'has':
      return [node.target]
    case 'index':
      return [node.target, node.index]
    case 'list':
      return node.items
    case 'map':
      return node.entries.flat()
    case 'conditional':
      return [node.test, node.yes, node.no]
    case 'chain':
      return [node.first, ...node.links.map((link) => link.operand)]
    case 'unary':
      return [node.operand]
    case 'call':
      return node.target ? [node.target, ...node.args] : node.args
    case 'macro':
      return [node.range, ...node.steps]
    case 'bind':
      return [node.value, node.body]
    case 'resource':
      return node.key ? [node.name.node, node.key.node] : [node.name.node]
    case 'lookup':
      return [node.name.node]
    case 'file':
      return [node.path.node]
    default:
      return []
  }
}
