// The names of all steps that a kind can plan, read from its sources: a new one is crash-tested without being listed anywhere.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Expression, ObjectExpression } from 'oxc-parser'
import { Visitor, parseSync } from 'oxc-parser'
import { kinds } from '../../src/kinds/registry.ts'

/** One file of a folder of kinds: the kind that it defines, if any, the files beside it that it imports, and the steps in it. */
interface KindFile {
  readonly kind: string | undefined
  readonly imports: readonly string[]
  readonly steps: readonly string[]
}

/** Every step of each managed kind, by the kind's name; ids in a name are left out. */
export function stepsOfKinds(): Readonly<Record<string, readonly string[]>> {
  const folder = join(import.meta.dirname, '../../src/kinds')
  const names = readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  const files = new Map(names.map((name) => [name, readKindFile(readFileSync(join(folder, name), 'utf8'), name)]))
  const managed = new Set(kinds.filter((one) => one.managed).map((one) => one.name))
  const rows = [...files].flatMap(([name, { kind }]) => (kind !== undefined && managed.has(kind) ? [[kind, stepsFrom(files, name)] as const] : []))
  return Object.fromEntries(rows)
}

/** What a file and those that it imports hold, but for other kinds. */
function stepsFrom(files: ReadonlyMap<string, KindFile>, start: string): readonly string[] {
  const open = new Set([start])
  for (const name of open) for (const one of files.get(name)?.imports ?? []) if (files.has(one) && files.get(one)?.kind === undefined) open.add(one)
  return [...new Set(Array.from(open, (name) => files.get(name)?.steps ?? []).flat())]
}

/** Throws where the name of a step cannot be read off. */
export function readKindFile(text: string, name: string): KindFile {
  const { program, module } = parseSync(name, text)
  const steps: string[] = []
  let kind: string | undefined
  new Visitor({
    ObjectExpression: (node) => {
      const named = valueOf(node, 'name')
      const isStep = valueOf(node, 'call') ?? (valueOf(node, 'sets') && node.properties.some((one) => one.type === 'SpreadElement'))
      // A file is no request: where its writing is cut short stands in the scenarios.
      const sent = valueOf(node, 'call')
      const isRequest = sent?.type !== 'CallExpression' || sent.callee.type !== 'Identifier' || sent.callee.name !== 'delivery'
      if (named && isStep && isRequest) steps.push(...namesIn(named, `${name}: ${text.slice(node.start, node.end)}`))
    },
    CallExpression: (node) => {
      const [given] = node.arguments
      if (node.callee.type !== 'Identifier' || node.callee.name !== 'defineKind' || given?.type !== 'ObjectExpression') return
      const value = valueOf(given, 'name')
      if (value?.type === 'Literal' && typeof value.value === 'string') kind = value.value
    },
  }).visit(program)
  return { kind, imports: module.staticImports.map((one) => one.moduleRequest.value.replace(/^\.\//, '')), steps }
}

function valueOf(node: ObjectExpression, name: string): Expression | undefined {
  for (const one of node.properties) if (one.type === 'Property' && one.key.type === 'Identifier' && one.key.name === name) return one.value
  return undefined
}

function namesIn(node: Expression, where: string): readonly string[] {
  if (node.type === 'Literal' && typeof node.value === 'string') return [node.value]
  if (node.type === 'ConditionalExpression') return [node.consequent, node.alternate].flatMap((one) => namesIn(one, where))
  if (node.type === 'TemplateLiteral')
    return [
      node.quasis
        .map((one) => one.value.cooked ?? '')
        .join('')
        .trim(),
    ]
  throw new Error(`the name of this step cannot be read off, write it as a text: ${where}`)
}
