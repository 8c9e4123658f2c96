// Expressions of a console: the project's names, what the state holds, and lookups that are asked when they are named.
import { parseAddress } from '../../base/address.ts'
import type { JsonValue } from '../../base/json.ts'
import { isList, isObject } from '../../base/json.ts'
import { Exhausted } from '../../base/meter.ts'
import { hasToken } from '../../base/token.ts'
import type { Found } from '../../engine/refresh/lookups.ts'
import { lookedUp, secretFields } from '../../engine/refresh/lookups.ts'
import { checkExpression } from '../../expressions/check.ts'
import { evaluate } from '../../expressions/evaluate.ts'
import { parseExpression } from '../../expressions/expression.ts'
import { valueOf } from '../../expressions/value.ts'
import type { Value } from '../../expressions/value.ts'
import type { AnyKind } from '../../kinds/definition/kind.ts'
import { createBudget } from '../../project/files/budget.ts'
import type { Files } from '../../project/files/files.ts'
import { createIncludes } from '../../project/files/included-files.ts'
import type { Attribute, Project, Scope } from '../../project/resolving/declared.ts'
import { declarationsOf } from '../../project/resolving/evaluate-source.ts'
import { attributesOf, createNames } from '../../project/resolving/names.ts'
import type { Names } from '../../project/resolving/names.ts'
import { blindScope, expressionScope } from '../../project/resolving/resolve.ts'
import type { ResourceRecord } from '../../state/record.ts'

/** What a line gives: a value, or what is wrong at an offset of it. */
export type Answer = { readonly value: Value } | { readonly offset: number; readonly message: string; readonly hint?: string | undefined }

/** What a console is about; `find` lists kinds where lookups name them. */
export interface Subject {
  readonly project: Project
  /** What file() reads, and the texts that are sensitive there. */
  readonly files: Files
  readonly secretTexts: ReadonlySet<string>
  readonly kinds: readonly AnyKind[]
  readonly resources: ReadonlyMap<string, ResourceRecord>
  readonly find: (kind: AnyKind) => Promise<Listed>
  /** The same for completion: undefined where it would take long, or fail. */
  readonly suggest: (kind: AnyKind) => Promise<Listed | undefined>
}

/** The objects of a kind, in one workspace. */
export interface Listed {
  readonly found: Found
  readonly workspaceId: string
}

export interface Evaluator {
  readonly names: Names
  /** What can be named: `vars.NAME`, and `Kind['name']`, with `[KEY]` behind a name of several. */
  readonly scope: { readonly variables: readonly string[]; readonly resources: readonly string[] }
  evaluate(source: string): Promise<Answer>
  /** Words that may stand at the end of a line, and the part of it that they begin with. */
  complete(line: string): Promise<readonly [readonly string[], string]>
}

const wholeFunctions = [
  'lookup(',
  'file(',
  'json(',
  'base64(',
  'sha256(',
  'cidr_subnet(',
  'cidr_host(',
  'sensitive(',
  'size(',
  'string(',
  'int(',
  'type(',
  'has(',
]

/** Makes an evaluator; nothing is asked of the service before a lookup names something. */
export function createConsole({ project, files, secretTexts, kinds, resources, find, suggest }: Subject): Evaluator {
  const byName = new Map(kinds.map((kind) => [kind.name, kind]))
  const addresses = new Set([...project.resources.map((one) => one.address), ...resources.keys()])
  const names = createNames(byName, declarationsOf(addresses), Object.keys(project.variables))
  const budget = createBudget()
  const variables = new Map(Object.entries(project.variables).map(([name, one]) => [name, valueOf(one.value, { sensitive: one.sensitive })]))
  const file = createIncludes({ files, folder: project.folder, hashes: {}, report: () => undefined, admit: budget.admit, secretTexts })
  const inputs = { meter: budget, variables, file }
  const lists = new Map<string, Listed>()
  const secrets = secretFields(resources.values())
  const attribute = attributeOf(project, resources, names)
  const once = (source: string, asked: Set<string>): Answer => {
    const parsed = parseExpression(source)
    if (!parsed.ok) return parsed
    const [problem] = checkExpression(parsed.parsed, names.checkScope(false))
    if (problem) return problem
    const lookup: Scope['lookup'] = (kind, name) => {
      const list = lists.get(kind)
      if (list) return lookedUp(list.found, kind, name, list.workspaceId, secrets)
      asked.add(kind)
      return { unknown: true }
    }
    const scope = { ...blindScope(names), attribute, lookup }
    budget.begin(() => undefined)
    const result = evaluate(parsed.parsed, expressionScope({ address: 'console', workspace: project.workspace, each: undefined, names, inputs, scope }))
    return result.ok ? { value: result.value } : result
  }
  return {
    names,
    scope: { variables: [...variables.keys()].map((name) => `vars.${name}`), resources: resourceNames(names) },
    async evaluate(source) {
      try {
        for (;;) {
          const asked = new Set<string>()
          const answer = once(source, asked)
          if (asked.size === 0) return answer
          for (const name of asked) {
            const kind = byName.get(name)
            if (kind) lists.set(name, await find(kind))
          }
        }
      } catch (error) {
        if (error instanceof Exhausted) return { offset: 0, message: 'the expression costs too much' }
        throw error
      }
    },
    async complete(line) {
      const [, kindName = '', part] = /lookup\(\s*'([A-Za-z0-9]*)(?:'\s*,\s*'([^']*))?$/.exec(line) ?? []
      if (part === undefined) return completed(line, names, [...variables.keys()])
      const kind = byName.get(kindName)
      const list = lists.get(kindName) ?? (kind && (await suggest(kind)))
      if (list) lists.set(kindName, list)
      return fitting(namesIn(list), part)
    },
  }
}

function resourceNames(names: Names): readonly string[] {
  const written = (kind: string, name: string) => `${kind}['${name}']${names.keysOf(kind, name) ? '[KEY]' : ''}`
  return [...names.kinds.keys()].flatMap((kind) => [...names.namesOf(kind)].map((name) => written(kind, name)))
}

/** As they stand in quotes; what would have to be escaped there is left out. */
function namesIn(list: Listed | undefined): readonly string[] {
  const all = [...(list?.found.values() ?? [])].flat().flatMap((one) => one.names)
  return [...new Set(all)].filter((one) => !/['\\\p{Cc}]/u.test(one)).map((one) => `${one}'`)
}

/** What the state holds of a resource; before its first apply what its manifest says by itself. */
function attributeOf(project: Project, resources: ReadonlyMap<string, ResourceRecord>, names: Names): Scope['attribute'] {
  const blind = blindScope(names)
  const declared = new Map(project.resources.map((one) => [one.address, one]))
  return (address, path): Attribute => {
    const [first, ...rest] = path
    const kind = names.kinds.get(parseAddress(address)?.kind ?? '')
    if (typeof first !== 'string' || !kind) return blind.attribute(address, path)
    const isSecret = kind.fields[first]?.secret === true || kind.outputs[first]?.sensitive === true
    const record = resources.get(address)
    const spec = record?.spec ?? declared.get(address)?.resolve(blind).spec ?? {}
    const whole = record && first === 'id' ? record.id : (record?.outputs[first] ?? spec[first])
    const value = rest.reduce<JsonValue | undefined>((at, name) => memberOf(at, name), whole)
    if (isSecret || holdsToken(value)) return record || isSecret ? { is: 'unknown', sensitive: true } : blind.attribute(address, path)
    if (value !== undefined) return { is: 'known', value, sensitive: false }
    const isOptional = record !== undefined && Object.hasOwn(kind.fields, first)
    return isOptional ? { is: 'known', value: null, sensitive: false } : blind.attribute(address, path)
  }
}

function memberOf(value: JsonValue | undefined, name: string | number): JsonValue | undefined {
  if (isObject(value)) return value[String(name)]
  return isList(value) ? value[Number(name)] : undefined
}

function holdsToken(value: JsonValue | undefined): boolean {
  if (isList(value)) return value.some(holdsToken)
  return isObject(value) ? Object.values(value).some(holdsToken) : hasToken(value)
}

/** By what stands before: a variable behind `vars.`, a name behind `Kind['`, an attribute behind a resource, else all that may begin. */
function completed(line: string, names: Names, variables: readonly string[]): readonly [readonly string[], string] {
  const variable = /vars\.([A-Za-z0-9_]*)$/.exec(line)
  if (variable) return fitting(variables, variable[1] ?? '')
  const name = /([A-Z][A-Za-z0-9]*)\['([^']*)$/.exec(line)
  if (name)
    return fitting(
      [...names.namesOf(name[1] ?? '')].map((one) => `${one}']`),
      name[2] ?? '',
    )
  const looked = /lookup\(\s*'([A-Za-z0-9]*)$/.exec(line)
  if (looked)
    return fitting(
      [...names.kinds.keys()].map((one) => `${one}', '`),
      looked[1] ?? '',
    )
  const attribute = /([A-Z][A-Za-z0-9]*)(?:(?:\['[^']*'\]){1,2}|',\s*'[^']*'\s*\))\.([a-z0-9_]*)$/.exec(line)
  const kind = names.kinds.get(attribute?.[1] ?? '')
  if (attribute && kind) return fitting(attributesOf(kind), attribute[2] ?? '')
  const word = /[A-Za-z_][A-Za-z0-9_.]*$/.exec(line)?.[0] ?? ''
  const declared = [...names.kinds.keys()].filter((one) => names.namesOf(one).size > 0).map((one) => `${one}['`)
  return fitting(['vars.', ...declared, ...wholeFunctions], word)
}

function fitting(words: Iterable<string>, part: string): readonly [readonly string[], string] {
  return [[...words].filter((word) => word.startsWith(part)), part]
}
