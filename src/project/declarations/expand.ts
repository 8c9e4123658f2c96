// From manifests to resources: one for each entry of a for_each, one for each entry of a list in a field that says so.
import { formatAddress, isKey } from '../../base/address.ts'
import type { Code } from '../../base/catalogue.ts'
import { diagnostic } from '../../base/diagnostic.ts'
import type { Diagnostic } from '../../base/diagnostic.ts'
import { isList, isObject } from '../../base/json.ts'
import type { JsonObject, JsonValue } from '../../base/json.ts'
import { pointerOf } from '../../base/pointer.ts'
import { holdsSensitive, holdsUnknown, jsonOf, scalar, unknown } from '../../expressions/value.ts'
import type { Value } from '../../expressions/value.ts'
import type { AnyKind } from '../../kinds/definition/kind.ts'
import type { Budget } from '../files/budget.ts'
import { describe } from '../findings/issues.ts'
import { invisibleIn, quote } from '../findings/source.ts'
import type { Names } from '../resolving/names.ts'
import { earlyScope, evaluateEarly, isTemplate } from '../resolving/templates.ts'
import type { Each, Inputs, Templates } from '../resolving/templates.ts'
import type { Manifest } from './manifest.ts'

/** One resource of a manifest; `entry` is there for one of an expanded list. */
export interface Instance {
  readonly manifest: Manifest
  readonly address: string
  readonly key: string | undefined
  readonly each: Each
  readonly spec: JsonObject
  readonly entry: { readonly field: string; readonly index: number } | undefined
  /** False where its head or its keys are wrong: its spec is judged, and nothing refers to it. */
  readonly isSound: boolean
}

/** The resources of a manifest and their keys, undefined without for_each or list; not sound where some could not be had. */
interface Expanded {
  readonly instances: readonly Instance[]
  readonly keys: ReadonlySet<string> | undefined
  readonly isSound: boolean
}

/** What evaluation at load needs; `names` may still lack keys. */
export interface Early {
  readonly names: Names
  readonly templates: Templates
  readonly inputs: Inputs
  readonly budget: Budget
  readonly report: (found: Diagnostic) => void
  /** Counts mistakes that nobody made a diagnostic of. */
  readonly leaveOut: (count: number) => void
}

const mostKeys = 10_000
const stepsPerInstance = 10
const bytesPerInstance = 200
const bytesPerMember = 16

const expandedFields = new WeakMap<AnyKind, { readonly field: string | undefined }>()

/** The field of a kind whose list becomes one resource per entry; looked for once per kind. */
export function expandedField(kind: AnyKind): string | undefined {
  const known = expandedFields.get(kind)
  if (known) return known.field
  const field = Object.keys(kind.fields).find((name) => kind.fields[name]?.expand === true)
  expandedFields.set(kind, { field })
  return field
}

/** The resources of a manifest; one without a key, and what is wrong reported, where its keys cannot be had. */
export function expandManifest(manifest: Manifest, early: Early): Expanded {
  const { kind, forEach, spec } = manifest
  early.budget.begin(() => manifest.document.position(forEach === undefined ? '' : '/metadata/for_each'))
  const field = expandedField(kind)
  const entries = field === undefined ? undefined : listOf(spec[field], field, manifest, early)
  if (forEach === undefined) {
    if (field === undefined || entries === undefined) return { instances: [single(manifest)], keys: undefined, isSound: manifest.isSound }
    return expandList(manifest, field, entries, early)
  }
  if (entries !== undefined && field !== undefined) {
    const position = manifest.document.position(`/spec/${field}`, { key: true })
    early.report(diagnostic('conflict', `a list in ${field} and for_each exclude each other`, { position, hint: `use for_each and ${field}: \${each.value}` }))
    return { instances: [], keys: undefined, isSound: false }
  }
  return expandForEach(manifest, forEach, early)
}

function single(manifest: Manifest): Instance {
  return {
    manifest,
    address: formatAddress({ kind: manifest.kind.name, name: manifest.name }),
    key: undefined,
    each: undefined,
    spec: manifest.spec,
    entry: undefined,
    isSound: manifest.isSound,
  }
}

/** What is judged of a manifest whose keys cannot be had. */
function blind(manifest: Manifest): Expanded {
  const each = { key: unknown(['each.key'], false), value: unknown(['each.value'], false) }
  return { instances: [{ ...single(manifest), each, isSound: false }], keys: undefined, isSound: false }
}

function expandForEach(manifest: Manifest, forEach: JsonValue, early: Early): Expanded {
  const none = blind(manifest)
  const wrong = (code: Code, message: string, hint?: string, path: readonly (string | number)[] = [], offset?: number) => {
    const position = manifest.document.position(`/metadata/for_each${pointerOf(path)}`, {
      ...(offset === undefined ? {} : { offset }),
      hidden: code === 'sensitive_name',
    })
    early.report(diagnostic(code, message, { position, ...(hint === undefined ? {} : { hint }) }))
    return none
  }
  const context = { templates: early.templates, check: early.names.checkScope(false), scope: earlyScope(early.inputs, undefined) }
  const value = evaluateEarly(forEach, context, (path, code, offset, message, hint) => wrong(code, message, hint, path, offset))
  if (!value || holdsUnknown(value)) return none
  if (value.kind !== 'list' && value.kind !== 'map')
    return wrong('invalid_value', `for_each takes a list of texts or a map, got ${value.sensitive ? 'another value' : describe(jsonOf(value))}`)
  if (value.sensitive) return wrong('sensitive_name', 'for_each gives keys to addresses, so it cannot be sensitive')
  const size = value.kind === 'list' ? value.items.length : value.entries.size
  if (size > mostKeys) return wrong('invalid_value', `for_each has ${size} entries, the limit is ${mostKeys}`)
  const members = value.kind === 'map' ? [...value.entries] : pairsOf(value.items)
  if (!members) return wrong('invalid_value', 'for_each takes a list of texts, not of other values', 'use a map to give values to keys')
  const keys = new Set<string>()
  const instances: Instance[] = []
  let { isSound } = manifest
  for (const [key, member] of members) {
    if (value.kind === 'list' && holdsSensitive(member)) return wrong('sensitive_name', 'a sensitive value cannot be a key of for_each')
    const problem = keyProblem(key, keys)
    if (problem !== undefined) {
      wrong('invalid_value', problem)
      isSound = false
      continue
    }
    keys.add(key)
    early.budget.whole.spend(stepsPerInstance)
    early.budget.keep(bytesPerInstance)
    const address = formatAddress({ kind: manifest.kind.name, name: manifest.name, key })
    instances.push({ manifest, address, key, each: { key: scalar(key), value: member }, spec: manifest.spec, entry: undefined, isSound: manifest.isSound })
  }
  return { instances, keys, isSound }
}

function pairsOf(items: readonly Value[]): (readonly [string, Value])[] | undefined {
  const pairs: (readonly [string, Value])[] = []
  for (const item of items) {
    if (item.kind !== 'scalar' || typeof item.scalar !== 'string') return undefined
    pairs.push([item.scalar, item])
  }
  return pairs
}

function keyProblem(key: string, taken: ReadonlySet<string>): string | undefined {
  const invisible = invisibleIn(key)
  if (invisible !== undefined) return `the key ${quote(key)} holds the invisible character ${invisible}`
  if (!isKey(key)) return `${quote(key)} is no key: 1 to 256 characters, no control characters`
  return taken.has(key) ? `the key ${quote(key)} stands twice` : undefined
}

/** The entries of a field that makes one resource for each, undefined where it holds a single one. */
function listOf(value: JsonValue | undefined, field: string, manifest: Manifest, early: Early): readonly JsonValue[] | undefined {
  if (isList(value)) return value
  if (!isTemplate(value) || manifest.forEach !== undefined) return undefined
  // Mistakes in it are reported when the spec is compiled.
  const template = early.templates.read(value, early.names.checkScope(false), () => undefined)
  if (!template?.early) return undefined
  const found = evaluateEarly(
    value,
    { templates: early.templates, check: early.names.checkScope(false), scope: earlyScope(early.inputs, undefined) },
    () => undefined,
  )
  if (found?.kind !== 'list' || holdsUnknown(found)) return undefined
  if (!holdsSensitive(found)) {
    const json = jsonOf(found)
    return isList(json) ? json : undefined
  }
  early.report(
    diagnostic('sensitive_name', 'a sensitive value cannot be part of an address', {
      position: manifest.document.position(`/spec/${field}`, { hidden: true }),
    }),
  )
  return []
}

function expandList(manifest: Manifest, field: string, entries: readonly JsonValue[], early: Early): Expanded {
  const keys = new Set<string>()
  const instances: Instance[] = []
  let { isSound } = manifest
  const members = Object.keys(manifest.spec).length
  for (const [index, entry] of entries.entries()) {
    // Each entry becomes a resource with a spec of its own.
    early.budget.whole.spend(stepsPerInstance + members)
    early.budget.keep(bytesPerInstance + bytesPerMember * members)
    const key = keyOf(entry, early)
    const problem = key === undefined ? `an entry of ${field} is a name, { id } or { name }, got ${describe(entry)}` : keyProblem(key, keys)
    if (key === undefined || problem !== undefined) {
      early.report(diagnostic('invalid_value', problem ?? '', { position: manifest.document.position(`/spec/${field}/${index}`) }))
      isSound = false
      continue
    }
    keys.add(key)
    const address = formatAddress({ kind: manifest.kind.name, name: manifest.name, key })
    instances.push({ manifest, address, key, each: undefined, spec: { ...manifest.spec, [field]: entry }, entry: { field, index }, isSound: manifest.isSound })
  }
  return { instances, keys, isSound }
}

/** The reference as written, or the id; what variables give stands for itself. */
function keyOf(entry: JsonValue, early: Early): string | undefined {
  if (typeof entry === 'bigint' || typeof entry === 'number') return String(entry)
  if (isTemplate(entry)) {
    const context = { templates: early.templates, check: early.names.checkScope(false), scope: earlyScope(early.inputs, undefined) }
    const value = evaluateEarly(entry, context, () => undefined)
    return value?.kind === 'scalar' && typeof value.scalar === 'string' && !value.sensitive ? value.scalar : entry
  }
  if (typeof entry === 'string') return entry
  const inner = isObject(entry) ? (entry.id ?? entry.name) : undefined
  return typeof inner === 'string' || typeof inner === 'bigint' ? String(inner) : undefined
}
