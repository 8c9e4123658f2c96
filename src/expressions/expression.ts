// One CEL expression: parse it, and list what it refers to.
import { Environment, ParseError } from '@marcbachmann/cel-js'
import { printable } from './text.ts'
import { descendants, ExpressionError, treeOf } from './tree.ts'
import type { Node, Operand, Span } from './tree.ts'

/** An expression that was parsed; offsets count UTF-16 units in `source`, of a part of an expression too. */
export interface Parsed {
  readonly source: string
  readonly root: Node
}

/** The names in an expression that are neither bound in it nor a variable, each or a kind. */
export function freeNames({ root }: Parsed): ReadonlySet<string> {
  return new Set(descendants(root).flatMap((node) => (node.op === 'free' ? [node.name] : [])))
}

/** A name as text, or the expression over literals, vars and each that gives it. */
export type Named = string | Parsed

/**
 * What an expression reads. A resource's `key` is undefined when none is written or when only evaluation knows it:
 * then any instance of the for_each may be read. `path` is empty when the whole is taken. `span` is all that is written of what inputs give.
 */
export type Reference =
  | { readonly kind: 'vars'; readonly name: string; readonly offset: number; readonly span: Span }
  | { readonly kind: 'each'; readonly part: 'key' | 'value'; readonly offset: number; readonly span: Span }
  | {
      readonly kind: 'resource'
      readonly resourceKind: string
      readonly name: Named
      readonly key: Named | undefined
      readonly path: readonly string[]
      readonly offset: number
    }
  | { readonly kind: 'lookup'; readonly resourceKind: string; readonly name: Named; readonly path: readonly string[]; readonly offset: number }
  | { readonly kind: 'file'; readonly path: Named; readonly offset: number; readonly span: Span }

type ParseResult = { readonly ok: true; readonly parsed: Parsed } | { readonly ok: false; readonly offset: number; readonly message: string }

const maxSourceBytes = 16 * 1024
const environment = environmentOf(101, maxSourceBytes)
// Values that were written into an expression may be as deep and as long as manifests are.
const roomy = environmentOf(201, 16 * 1024 * 1024)
const symbols: Readonly<Record<string, string>> = {
  EOF: 'the end',
  NUMBER: 'a number',
  STRING: 'a string',
  BYTES: 'bytes',
  BOOLEAN: 'true or false',
  NULL: 'null',
  IDENTIFIER: 'a name',
  LPAREN: '`(`',
  RPAREN: '`)`',
  LBRACKET: '`[`',
  RBRACKET: '`]`',
  LBRACE: '`{`',
  RBRACE: '`}`',
  DOT: '`.`',
  COMMA: '`,`',
  COLON: '`:`',
  QUESTION: '`?`',
}

function environmentOf(maxDepth: number, most: number): Environment {
  return new Environment({
    unlistedVariablesAreDyn: true,
    homogeneousAggregateLiterals: false,
    limits: { maxDepth, maxAstNodes: most, maxListElements: most, maxMapEntries: most },
  })
}

/** Parses one CEL expression of at most 16 KiB and 100 levels; `filled` says that values were written into it, which count for neither. The offset of an error counts UTF-16 units. */
export function parseExpression(source: string, { filled = false }: { readonly filled?: boolean } = {}): ParseResult {
  if (!filled && Buffer.byteLength(source) > maxSourceBytes) return mistake(0, 'the expression is longer than 16 KiB')
  if (source.trim() === '') return mistake(0, 'the expression is empty')
  try {
    return { ok: true, parsed: Object.freeze({ source, root: treeOf((filled ? roomy : environment).parse(source).ast, filled) }) }
  } catch (error) {
    if (error instanceof ExpressionError) return mistake(error.offset, error.message)
    if (error instanceof ParseError) return mistake(error.range?.start ?? 0, parseMessage(error, source))
    if (error instanceof RangeError) return mistake(0, 'nested deeper than 100 levels')
    throw error
  }
}

function mistake(offset: number, message: string): ParseResult {
  return { ok: false, offset, message: printable(message) }
}

function parseMessage(error: ParseError, source: string): string {
  const start = error.range?.start ?? 0
  if (error.code === 'reserved_identifier') {
    const word = source.slice(start, error.range?.end)
    return word === 'var' ? 'CEL reserves `var`; write vars.NAME' : `CEL reserves \`${word}\``
  }
  if (error.code === 'limit_exceeded') return error.summary.includes('maxDepth') ? 'nested deeper than 100 levels' : 'the expression has too many parts'
  if (error.code === 'invalid_macro_argument') return 'the first argument is the name of a variable'
  if (source[start] === '$') return 'unexpected `$`: inside of ${…} names stand without it'
  const text = error.summary.replaceAll(/\b[A-Z]{3,}\b/g, (token) => symbols[token] ?? `\`${token.toLowerCase()}\``)
  return text.slice(0, 1).toLowerCase() + text.slice(1)
}

/** Everything an expression reads, in the order of its source; names bound by macros are not among it. */
export function referencesOf(parsed: Parsed): readonly Reference[] {
  return descendants(parsed.root)
    .flatMap((node) => referenceOf(node, parsed.source))
    .toSorted((a, b) => a.offset - b.offset)
}

function referenceOf(node: Node, source: string): Reference[] {
  const offset = node.at
  switch (node.op) {
    case 'vars':
      return [{ kind: 'vars', name: node.name, offset, span: node.span }]
    case 'each':
      return [{ kind: 'each', part: node.part, offset, span: node.span }]
    case 'resource': {
      const { resourceKind, path } = node
      return [{ kind: 'resource', resourceKind, name: namedBy(node.name, source), key: node.key && keyNamedBy(node.key, source), path, offset }]
    }
    case 'lookup':
      return [{ kind: 'lookup', resourceKind: node.resourceKind, name: namedBy(node.name, source), path: node.path, offset }]
    case 'file':
      return [{ kind: 'file', path: namedBy(node.path, source), offset, span: node.span }]
    default:
      return []
  }
}

function namedBy(operand: Operand, source: string): Named {
  return operand.constant ?? Object.freeze({ source, root: operand.node })
}

/** A key may be any expression; what depends on more than inputs is known to evaluation alone. */
function keyNamedBy(operand: Operand, source: string): Named | undefined {
  const early = descendants(operand.node).every((node) => !['local', 'resource', 'lookup', 'file'].includes(node.op))
  return early ? namedBy(operand, source) : undefined
}
