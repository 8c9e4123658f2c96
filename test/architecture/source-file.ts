// What the rules ask about a source file, gathered in one walk over its syntax tree.
import type { CallExpression, Expression, Function as FunctionNode, ArrowFunctionExpression, Node } from 'oxc-parser'
import { Visitor, parseSync } from 'oxc-parser'

/** A word or text of the program and the line it stands on, from 1. */
export interface Found {
  readonly text: string
  readonly line: number
}

export interface Import extends Found {
  readonly names: readonly string[]
}

/** One file: `path` from the project's root with slashes, what it imports, and what its syntax holds. */
export interface SourceFile {
  readonly path: string
  readonly text: string
  readonly lineCount: number
  readonly imports: readonly Import[]
  /** Names where they are values: no types, no property names. */
  readonly names: readonly Found[]
  readonly strings: readonly Found[]
  /** The text is the number of lines. Bodies of describe() are none, they only hold tests. */
  readonly functions: readonly Found[]
  readonly asynchronous: readonly Found[]
  /** Reads of clock and randomness that a name alone does not show. */
  readonly impure: readonly Found[]
  readonly casts: readonly Found[]
  readonly anys: readonly Found[]
  readonly comments: readonly Found[]
  readonly defaultExports: readonly Found[]
  readonly starExports: readonly Found[]
  readonly onlyReExports: boolean
  /** Exported constants made by defineKind(): the constant's name and the kind's. */
  readonly kinds: readonly { readonly constant: string; readonly kind: string }[]
  /** Names that stand in lists. */
  readonly listed: readonly string[]
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer E)[] ? E[] : T[K] }

/** Parses a file; throws when it is no TypeScript. */
export function parseSource(path: string, text: string): SourceFile {
  const { program, module, errors, comments } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path}: ${errors.map((one) => one.message).join('; ')}`)
  const lineOf = lineFinder(text)
  const file: Mutable<SourceFile> = emptyFile(path, text)
  file.lineCount = lineOf(text.length) - (text.endsWith('\n') ? 1 : 0)
  const found = (node: { readonly start: number }, what: string): Found => ({ text: what, line: lineOf(node.start) })
  file.comments = comments.map((one) => found(one, one.value))
  for (const one of module.staticImports) {
    file.imports.push({ ...found(one, one.moduleRequest.value), names: one.entries.map((entry) => entry.importName.name ?? '*') })
  }
  for (const one of module.staticExports.flatMap(({ entries }) => entries)) {
    if (one.moduleRequest) file.imports.push({ ...found(one, one.moduleRequest.value), names: [one.importName.name ?? '*'] })
    if (one.moduleRequest && one.importName.name === null) file.starExports.push(found(one, one.moduleRequest.value))
    if (one.exportName.name === 'default') file.defaultExports.push(found(one, 'default'))
  }
  file.onlyReExports = program.body.length > 0 && program.body.every((one) => 'source' in one && one.source !== null && one.type.startsWith('Export'))
  walkProgram(file, found, lineOf).visit(program)
  return file
}

function walkProgram(file: Mutable<SourceFile>, found: (node: Node, what: string) => Found, lineOf: (offset: number) => number): Visitor {
  const skipped = new Set<Node>()
  const asWritten = (node: Node): string => file.text.slice(node.start, node.end)
  function onFunction(node: FunctionNode | ArrowFunctionExpression): void {
    if (node.async) file.asynchronous.push(found(node, 'async'))
    if (!skipped.has(node) && node.body) file.functions.push(found(node, String(lineOf(node.end) - lineOf(node.start) + 1)))
  }
  return new Visitor({
    ArrowFunctionExpression: onFunction,
    FunctionDeclaration: onFunction,
    FunctionExpression: onFunction,
    AwaitExpression: (node) => void file.asynchronous.push(found(node, 'await')),
    ImportExpression: (node) => {
      file.asynchronous.push(found(node, 'import()'))
      if (node.source.type === 'Literal') file.imports.push({ ...found(node, String(node.source.value)), names: ['*'] })
    },
    TSAsExpression: (node) => void (asWritten(node.typeAnnotation) === 'const' || file.casts.push(found(node, asWritten(node)))),
    TSTypeAssertion: (node) => void file.casts.push(found(node, asWritten(node))),
    TSNonNullExpression: (node) => void file.casts.push(found(node, asWritten(node))),
    ExportDefaultDeclaration: (node) => void file.defaultExports.push(found(node, 'default')),
    TSAnyKeyword: (node) => void file.anys.push(found(node, 'any')),
    Literal: (node) => void (typeof node.value === 'string' && !skipped.has(node) && file.strings.push(found(node, node.value))),
    TemplateElement: (node) => void file.strings.push(found(node, node.value.cooked ?? '')),
    Identifier: (node) => void (skipped.has(node) || file.names.push(found(node, node.name))),
    ArrayExpression: (node) => {
      for (const one of node.elements) if (one?.type === 'Identifier') file.listed.push(one.name)
    },
    VariableDeclarator: (node) => collectKind(file, node.id, node.init),
    CallExpression: (node) => {
      if (rootName(node.callee) === 'describe') for (const one of node.arguments) skipped.add(one)
      if (asWritten(node.callee) === 'Date') file.impure.push(found(node, 'Date()'))
    },
    ...skipNonValues(skipped),
    ...findClocks(file, found, skipped),
  })
}

/** Enters before the names themselves are reached, and marks those that are no values. */
function skipNonValues(skipped: Set<Node>): ConstructorParameters<typeof Visitor>[0] {
  const skipKey = (node: { readonly computed?: boolean; readonly key: Node; readonly shorthand?: boolean }): void => {
    if (node.computed !== true && node.shorthand !== true) skipped.add(node.key)
  }
  return {
    ImportDeclaration: (node) => {
      skipped.add(node.source)
      for (const one of node.specifiers) {
        skipped.add(one.local)
        if (one.type === 'ImportSpecifier') skipped.add(one.imported)
      }
    },
    ExportNamedDeclaration: (node) => {
      for (const one of node.specifiers)
        if (node.exportKind === 'type' || one.exportKind === 'type') for (const name of [one.local, one.exported]) skipped.add(name)
    },
    Property: skipKey,
    MethodDefinition: skipKey,
    PropertyDefinition: skipKey,
    TSPropertySignature: skipKey,
    TSMethodSignature: skipKey,
    TSTypeReference: (node) => void skipped.add(node.typeName),
    TSInterfaceHeritage: (node) => void skipped.add(node.expression),
    TSInterfaceDeclaration: (node) => void skipped.add(node.id),
    TSTypeAliasDeclaration: (node) => void skipped.add(node.id),
    TSTypeParameter: (node) => void skipped.add(node.name),
  }
}

/** `Date.parse`, `Date.UTC`, `new Date(x)` and `instanceof Date` are pure; every other Date stays among the names. */
function findClocks(file: Mutable<SourceFile>, found: (node: Node, what: string) => Found, skipped: Set<Node>): ConstructorParameters<typeof Visitor>[0] {
  return {
    MemberExpression: (node) => {
      const { object, property, computed } = node
      if (computed || property.type !== 'Identifier') return
      skipped.add(property)
      if (object.type !== 'Identifier') return
      if (object.name === 'Math' && property.name === 'random') file.impure.push(found(node, 'Math.random'))
      if (object.name === 'globalThis') file.names.push(found(node, property.name))
      if (object.name === 'Date' && (property.name === 'parse' || property.name === 'UTC')) skipped.add(object)
    },
    NewExpression: (node) => void (node.arguments.length > 0 && isDate(node.callee) && skipped.add(node.callee)),
    BinaryExpression: (node) => void (node.operator === 'instanceof' && isDate(node.right) && skipped.add(node.right)),
  }
}

function isDate(node: Expression): boolean {
  return node.type === 'Identifier' && node.name === 'Date'
}

/** `describe` of `describe(…)`, `describe.each(…)(…)`. */
function rootName(callee: Expression): string | undefined {
  if (callee.type === 'MemberExpression') return rootName(callee.object)
  if (callee.type === 'CallExpression') return rootName(callee.callee)
  return callee.type === 'Identifier' ? callee.name : undefined
}

function collectKind(file: Mutable<SourceFile>, target: Node, init: Expression | null): void {
  const definition = init?.type === 'CallExpression' && rootName(init.callee) === 'defineKind' ? kindNameOf(init) : undefined
  if (definition !== undefined && target.type === 'Identifier') file.kinds.push({ constant: target.name, kind: definition })
}

function kindNameOf(call: CallExpression): string {
  const [definition] = call.arguments
  const members = definition?.type === 'ObjectExpression' ? definition.properties : []
  for (const one of members) {
    if (one.type === 'Property' && one.key.type === 'Identifier' && one.key.name === 'name' && one.value.type === 'Literal') return String(one.value.value)
  }
  return ''
}

function emptyFile(path: string, text: string): Mutable<SourceFile> {
  const none = { imports: [], names: [], strings: [], functions: [], asynchronous: [], impure: [], casts: [], anys: [], comments: [] }
  return { path, text, lineCount: 0, ...none, defaultExports: [], starExports: [], onlyReExports: false, kinds: [], listed: [] }
}

function lineFinder(text: string): (offset: number) => number {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return (offset) => {
    let [low, high] = [0, starts.length]
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle
    }
    return low + 1
  }
}
