// One document that says it is a manifest: its header checked, its spec as it was written.
import type * as z from 'zod'
import { isLogicalName } from '../../base/address.ts'
import type { Code } from '../../base/catalogue.ts'
import { diagnostic } from '../../base/diagnostic.ts'
import type { Diagnostic } from '../../base/diagnostic.ts'
import { isList, isObject } from '../../base/json.ts'
import type { JsonObject, JsonValue } from '../../base/json.ts'
import { pathOf, pointerOf } from '../../base/pointer.ts'
import { parseDuration } from '../../base/units.ts'
import { withArticle } from '../../base/words/article.ts'
import { nearest } from '../../base/words/nearest.ts'
import type { AnyKind } from '../../kinds/definition/kind.ts'
import { hintForWord } from '../../kinds/other-words.ts'
import { manifestSchema, metadataSchema, pointer } from '../configuration/manifest-schema.ts'
import { placeInManifest } from '../configuration/misplaced.ts'
import { describe, issuesOf, listed } from '../findings/issues.ts'
import { salvage } from '../findings/salvage.ts'
import { listOnTheWay, narrow } from '../findings/schema.ts'
import { quote } from '../findings/source.ts'
import type { Declared, Lifecycle } from '../resolving/declared.ts'
import type { Head, YamlDocument } from '../yaml/documents.ts'
import { mayHoldSecrets } from '../yaml/secret-fields.ts'

/** A manifest before for_each: `workspace`, `forEach`, `importId` and `importName` are as written and may hold expressions. */
export interface Manifest {
  readonly document: YamlDocument
  readonly kind: AnyKind
  readonly name: string
  readonly workspace: JsonValue | undefined
  readonly forEach: JsonValue | undefined
  readonly dependsOn: readonly string[]
  readonly importId: JsonValue | undefined
  readonly importName: JsonValue | undefined
  readonly lifecycle: Lifecycle
  readonly timeoutsMs: Declared['timeoutsMs']
  readonly spec: JsonObject
  /** False where its head is wrong: what can be judged of it is, and nothing refers to it. */
  readonly isSound: boolean
  /** False where `spec` is no map. */
  readonly hasSpec: boolean
}

type Report = (found: Diagnostic) => void

/** Where mistakes go, and the number of those that are not made. */
interface Reports {
  readonly report: Report
  readonly leaveOut: (count: number) => void
}

/** What a manifest is called whose name cannot be read. */
export const nameless = 'unnamed'

interface Header {
  readonly metadata: z.output<typeof metadataSchema>
  readonly isSound: boolean
}

/** The manifest of a document, with everything that is wrong in its head reported; undefined where its kind or version is. */
export function readManifest(document: YamlDocument, kinds: ReadonlyMap<string, AnyKind>, reports: Reports): Manifest | undefined {
  const { value } = document
  const { report } = reports
  if (!isObject(value)) return undefined
  const version = value.apiVersion
  if (version !== 'iac/v1') {
    report(
      diagnostic('unsupported_version', `apiVersion ${typeof version === 'string' ? quote(version) : describe(version)} is not known to this iac`, {
        position: document.position('/apiVersion'),
        hint: 'write iac/v1',
      }),
    )
    return undefined
  }
  const kind = kindOf(document, value, kinds, report)
  const { metadata, isSound } = checkHeader(document, value, kind, { ...reports, hidesSpec: typeof value.spec !== 'object' && mayHoldSecrets(value, kinds) })
  if (!kind) return undefined
  const raw = isObject(value.metadata) ? value.metadata : {}
  const rawImport = isObject(raw.import) ? raw.import : {}
  if (isObject(raw.lifecycle)) for (const name of ['ignore_changes', 'replace_on'] as const) checkPointers(document, kind, name, raw.lifecycle[name], report)
  return Object.freeze({
    document,
    kind,
    name: isLogicalName(metadata.name) ? metadata.name : nameless,
    workspace: raw.workspace,
    forEach: raw.for_each,
    dependsOn: metadata.depends_on ?? [],
    importId: rawImport.id,
    importName: rawImport.name,
    lifecycle: metadata.lifecycle ? lifecycleOf(metadata.lifecycle) : plainLifecycle,
    timeoutsMs: metadata.timeouts ? timeoutsOf(metadata.timeouts) : noTimeouts,
    spec: isObject(value.spec) ? value.spec : {},
    isSound,
    hasSpec: value.spec === undefined || isObject(value.spec),
  })
}

function kindOf(document: YamlDocument, value: JsonObject, kinds: ReadonlyMap<string, AnyKind>, report: Report): AnyKind | undefined {
  const word = value.kind
  const wrong = (code: Code, summary: string, hint: string) => {
    report(diagnostic(code, summary, { position: document.position('/kind'), hint }))
    return undefined
  }
  const kind = typeof word === 'string' ? kinds.get(word) : undefined
  if (kind?.managed === true) return kind
  const known = [...kinds.values()].filter((one) => one.managed).map((one) => one.name)
  if (word === undefined) return wrong('missing_field', 'the field kind is missing', `kinds: ${listed(known)}`)
  if (typeof word !== 'string') return wrong('invalid_value', `kind must be a text, got ${describe(word)}`, `kinds: ${listed(known)}`)
  if (kind) return wrong('unknown_kind', `${word} is looked up, not declared`, `use lookup('${word}', 'name') in an expression, or its name in a reference`)
  if (word === 'Project') return wrong('unknown_kind', 'a Project stands in iac.yaml alone', 'move it there')
  const near = nearest(word, known)
  return wrong(
    'unknown_kind',
    `no kind is named ${quote(word)}`,
    hintForWord(word) ?? (near === undefined ? `kinds: ${listed(known)}` : `did you mean ${near}?`),
  )
}

interface HeaderReports extends Reports {
  /** Whether a text in the place of the spec is not quoted. */
  readonly hidesSpec: boolean
}

/** The metadata as far as they are right. */
function checkHeader(document: YamlDocument, value: JsonObject, kind: AnyKind | undefined, { report, leaveOut, hidesSpec }: HeaderReports): Header {
  const only = onlyName(value)
  if (only !== undefined) return { metadata: { name: only }, isSound: true }
  // The spec is checked against its kind elsewhere: here a map is enough.
  const spec = isObject(value.spec) ? { spec: {} } : {}
  const header = narrow({ ...value, kind: '', ...spec })
  const parsed = manifestSchema.safeParse(header)
  const quiet = (path: readonly PropertyKey[]): boolean => hidesSpec && path[0] === 'spec'
  const { issues, leftOut } = parsed.success ? { issues: [], leftOut: 0 } : issuesOf(manifestSchema, header, { placeOf: placeInManifest, quiet })
  for (const issue of issues) {
    const position = document.position(pointerOf(issue.path), { key: issue.key })
    const hint = issue.hint ?? (issue.path.length === 1 ? hintForHead(issue.path[0], kind) : undefined)
    report(diagnostic(issue.code, issue.summary, { position, ...(hint === undefined ? {} : { hint }) }))
  }
  leaveOut(leftOut)
  const raw = isObject(value.metadata) ? value.metadata : {}
  const name = typeof raw.name === 'string' ? raw.name : undefined
  const metadata = parsed.success ? parsed.data.metadata : (salvage(metadataSchema, narrow({ ...raw, name: name ?? nameless })) ?? { name: name ?? nameless })
  if (name === undefined || isLogicalName(name)) return { metadata, isSound: parsed.success }
  const hint = 'begin with a letter or _, then at most 62 letters, digits, _ and -'
  report(diagnostic('invalid_name', `${quote(name)} is no name for a resource`, { position: document.position('/metadata/name'), hint }))
  return { metadata, isSound: false }
}

/** What to write where a part of the head is missing, empty or something else. */
function hintForHead(part: PropertyKey | undefined, kind: AnyKind | undefined): string | undefined {
  if (part === 'metadata') return 'write metadata: { name: NAME }, with the name that other manifests refer to it by'
  return part === 'spec' && kind ? specHint(kind) : undefined
}

/** What belongs where something else stands in the place of a spec. */
function specHint({ name, spec }: AnyKind): string {
  return `write the fields of ${withArticle(name)} below it${spec.safeParse({}).success ? ', or {} for none' : ''}: \`iac explain ${name}\` lists them`
}

const headWords = new Set(['apiVersion', 'kind', 'metadata', 'spec'])

/** The name in a head that is right and says nothing else, as most do: nothing is left to check. */
function onlyName(value: JsonObject): string | undefined {
  const { metadata, spec } = value
  if (!isObject(metadata) || !isObject(spec) || value.apiVersion !== 'iac/v1' || !Object.keys(value).every((word) => headWords.has(word))) return undefined
  const { name } = metadata
  return typeof name === 'string' && isLogicalName(name) && Object.keys(metadata).length === 1 ? name : undefined
}

/** As they were written, so that one wrong entry does not hide the others. */
function checkPointers(document: YamlDocument, kind: AnyKind, field: string, written: JsonValue | undefined, report: Report): void {
  const words = Object.keys(kind.fields)
  for (const [index, text] of (isList(written) ? written : []).entries()) {
    const path = typeof text === 'string' && pointer.safeParse(text).success ? pathOf(text) : []
    const [first] = path
    if (first === undefined) continue
    const wrong = (code: Code, summary: string, hint: string) =>
      report(diagnostic(code, summary, { position: document.position(`/metadata/lifecycle/${field}/${index}`), hint }))
    if (!words.includes(first)) {
      const near = nearest(first, words)
      wrong(
        'unknown_field',
        `${kind.name} has no field ${quote(first)}`,
        near === undefined ? `fields of ${kind.name}: ${listed(words)}` : `did you mean /${near}?`,
      )
      continue
    }
    if (field === 'replace_on' && !isReplacedOn(kind, path)) {
      const taken = words.filter((word) => kind.fields[word]?.createOnly)
      const hint = `it takes ${taken.length === 0 ? 'none: take it out' : taken.map((word) => `/${word}`).join(', ')}`
      wrong('invalid_value', `replace_on is for fields of ${withArticle(kind.name)} that matter at create alone, which ${pointerOf(path)} is not`, hint)
      continue
    }
    // An index means nothing where the order of a list does not count.
    const list = field === 'ignore_changes' ? listOnTheWay(kind.spec, path) : undefined
    if (list)
      wrong(
        'invalid_value',
        `${quote(pointerOf(path))} leads into the list ${pointerOf(list)}, which ignore_changes takes as a whole`,
        `write ${pointerOf(list)}`,
      )
  }
}

/** Whether a change of what a pointer names can make an object anew by `replace_on`, or does so anyway. */
function isReplacedOn(kind: AnyKind, path: readonly string[]): boolean {
  const { createOnly, immutable } = kind.fields[path[0] ?? ''] ?? {}
  return (createOnly === true && path.length === 1) || immutable === true
}

function lifecycleOf(fields: NonNullable<z.output<typeof metadataSchema>['lifecycle']>): Lifecycle {
  return Object.freeze({
    preventDestroy: fields.prevent_destroy ?? false,
    createBeforeDestroy: fields.create_before_destroy ?? false,
    ignoreChanges: fields.ignore_changes ?? [],
    replaceTriggeredBy: fields.replace_triggered_by ?? [],
    redeployTriggeredBy: fields.redeploy_triggered_by ?? [],
    replaceOn: fields.replace_on ?? [],
    onRemove: fields.on_remove ?? 'delete',
  })
}

const plainLifecycle = lifecycleOf({})
const noTimeouts: Declared['timeoutsMs'] = Object.freeze({})

function timeoutsOf(fields: Readonly<Record<string, string | undefined>>): Declared['timeoutsMs'] {
  const out: { create?: number; update?: number; delete?: number } = {}
  for (const name of ['create', 'update', 'delete'] as const) {
    const ms = parseDuration(fields[name] ?? '')
    if (ms !== undefined) out[name] = ms
  }
  return Object.freeze(out)
}

/** What a document that cannot be taken as a manifest would declare, as addresses: a name under the kind that is meant, or under every kind. */
export function brokenAddresses(head: Head, kinds: ReadonlyMap<string, AnyKind>): string[] {
  const { kind, name } = head
  if (name === undefined || !isLogicalName(name)) return []
  const known = [...kinds.values()].filter((one) => one.managed).map((one) => one.name)
  const meant = kind === undefined || known.includes(kind) ? kind : nearest(kind, known)
  return (meant === undefined ? known : [meant]).map((one) => `${one}/${name}`)
}

/** Kind and name as a document's value says them. */
export function headOf(value: JsonValue): Head {
  const root = isObject(value) ? value : {}
  const name = isObject(root.metadata) ? root.metadata.name : undefined
  return { kind: typeof root.kind === 'string' ? root.kind : undefined, name: typeof name === 'string' ? name : undefined }
}
