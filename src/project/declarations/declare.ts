// From one expanded manifest to what the engine is given: checked as far as it is known, ready to be resolved.
import { formatAddress, matchesAddress, parseAddress } from '../../base/address.ts'
import { diagnostic } from '../../base/diagnostic.ts'
import type { Diagnostic, Position } from '../../base/diagnostic.ts'
import { isObject } from '../../base/json.ts'
import type { JsonObject, JsonValue } from '../../base/json.ts'
import { Exhausted } from '../../base/meter.ts'
import { pathOf, pointerOf } from '../../base/pointer.ts'
import { readable, readToken, tokenText } from '../../base/token.ts'
import { withArticle } from '../../base/words/article.ts'
import { nearest } from '../../base/words/nearest.ts'
import type { AnyKind } from '../../kinds/definition/kind.ts'
import { placeOutsideSpec } from '../configuration/misplaced.ts'
import { tooMuch } from '../files/budget.ts'
import { issuesOf, listed } from '../findings/issues.ts'
import type { Issue } from '../findings/issues.ts'
import { complete } from '../findings/schema.ts'
import { printable } from '../findings/source.ts'
import type { Declared, Resolved, Scope, WorkspaceRef } from '../resolving/declared.ts'
import { problemsOf, spelledSpec } from '../resolving/kind-rules.ts'
import type { Names } from '../resolving/names.ts'
import { emitSlot, withTokens } from '../resolving/resolve.ts'
import type { Emitted } from '../resolving/resolve.ts'
import { compileSlots } from '../resolving/slots.ts'
import type { ReportAt, Slot } from '../resolving/slots.ts'
import type { Where } from '../yaml/source-map.ts'
import type { Early, Instance } from './expand.ts'
import { importOf } from './import-of.ts'
import type { Manifest } from './manifest.ts'
import { outlineOf } from './outline.ts'

const stepsPerComparison = 10
const bytesPerEdge = 64

/** A resource that is declared, its mistakes reported; `resolve` reports what only values show. */
export function declare(instance: Instance, workspace: WorkspaceRef | undefined, early: Early): Declared {
  const { manifest, address, each } = instance
  const { kind } = manifest
  const place = (pointer: string, where: Where = {}) => positionIn(instance, pointer, where)
  const report = reporter(instance, early.report)
  const reach = reacher(instance, early)
  early.budget.begin(() => manifest.document.position('/spec'))
  const { slot, references } = compileSlots(withName(instance), kind.spec, {
    address,
    each,
    names: early.names,
    templates: early.templates,
    inputs: early.inputs,
    budget: early.budget,
    reach,
    report,
  })
  const named = new Set(references.keys())
  if (workspace && 'address' in workspace && workspace.address !== address) named.add(workspace.address)
  return Object.freeze({
    address,
    kind,
    workspace,
    dependsOn: expandPatterns(instance, 'depends_on', manifest.dependsOn, early),
    references: Object.freeze([...named]),
    ...importOf(instance, workspace, early),
    lifecycle: checkTriggers(instance, early),
    timeoutsMs: manifest.timeoutsMs,
    // Found when it is asked for: of most resources nothing is told.
    position: () => manifest.document.position('/metadata/name'),
    positionOf: (pointer: string): Position => place(pointer, { hidden: isSecretPlace(instance, pointer) }),
    headPosition: (pointer: string): Position => manifest.document.position(pointer),
    placeOf: (other: string): Position => placeOfName(instance, other, references.get(other)),
    outline: outlineOf(slot, kind, { inputs: early.inputs, each }),
    resolve: resolving(instance, slot, workspace, early),
  })
}

/** What asked nothing of its scope is the same under any other, and is not made again, nor is what it was made of kept: most specs name no other resource. */
function resolving(instance: Instance, slot: Slot, workspace: WorkspaceRef | undefined, early: Early): Declared['resolve'] {
  let made: { readonly of: Slot } | { readonly fixed: Resolved } = { of: slot }
  return (scope) => {
    if ('fixed' in made) return made.fixed
    let isAsked = false
    const asked = <Given extends readonly unknown[], Found>(ask: (...given: Given) => Found) => {
      return (...given: Given): Found => {
        isAsked = true
        return ask(...given)
      }
    }
    const asking = { attribute: asked(scope.attribute), lookup: asked(scope.lookup), digest: asked(scope.digest) }
    const resolved = resolveWithin(instance, made.of, workspace, early, asking)
    if (!isAsked) made = { fixed: resolved }
    return resolved
  }
}

function withName({ manifest, key, spec }: Instance): JsonObject {
  return takesName(manifest) ? { ...spec, name: key === undefined ? manifest.name : `${manifest.name}-${key}` } : spec
}

/** Whether the name of the manifest is that of the object, too. */
function takesName({ kind, spec }: Manifest): boolean {
  return Object.hasOwn(kind.fields, 'name') && (spec.name === undefined || spec.name === null)
}

/** The place in the file of a pointer into the spec; an entry of an expanded list stands one level deeper there, a name that is not written in the metadata. */
function positionIn({ manifest, entry }: Instance, pointer: string, where: Where): Position {
  if (pointer === '/name' && takesName(manifest)) return manifest.document.position('/metadata/name')
  const isExpanded = entry && (pointer === `/${entry.field}` || pointer.startsWith(`/${entry.field}/`))
  const real = isExpanded ? `/${entry.field}/${entry.index}${pointer.slice(entry.field.length + 1)}` : pointer
  return manifest.document.position(`/spec${real}`, where)
}

/** Where a manifest names another resource: in a field, an edge that is written, its workspace, else by its own name. */
function placeOfName(instance: Instance, address: string, pointer: string | undefined): Position {
  const { document, dependsOn, lifecycle, workspace } = instance.manifest
  if (pointer !== undefined) return positionIn(instance, pointer, { hidden: isSecretPlace(instance, pointer) })
  const edges = [
    ['depends_on', dependsOn],
    ['lifecycle/replace_triggered_by', lifecycle.replaceTriggeredBy],
    ['lifecycle/redeploy_triggered_by', lifecycle.redeployTriggeredBy],
  ] as const
  for (const [field, patterns] of edges) {
    const index = patterns.findIndex((pattern) => pattern === address || matchesAddress(pattern, address))
    if (index >= 0) return document.position(`/metadata/${field}/${index}`)
  }
  return document.position(workspace === undefined ? '/metadata/name' : '/metadata/workspace')
}

function isSecretPlace({ manifest }: Instance, pointer: string): boolean {
  return manifest.kind.fields[pathOf(pointer)[0] ?? '']?.secret === true
}

function reporter(instance: Instance, add: (found: Diagnostic) => void): ReportAt {
  return (code, pointer, message, more = {}) => {
    const hidden = more.hidden === true || isSecretPlace(instance, pointer)
    const position = positionIn(instance, pointer, { hidden, key: more.key === true, ...(more.offset === undefined ? {} : { offset: more.offset }) })
    add(diagnostic(code, printable(message), { position, address: instance.address, ...(more.hint === undefined ? {} : { hint: printable(more.hint) }) }))
  }
}

/** Says how far compiling or resolving has come. */
function reacher(instance: Instance, { budget }: Early): (pointer: string) => void {
  return (pointer) => budget.reach(() => positionIn(instance, pointer, { hidden: isSecretPlace(instance, pointer) }))
}

/** While loading, too much work ends all of it; afterwards it is a mistake of this resource. */
function resolveWithin(instance: Instance, slot: Slot, workspace: WorkspaceRef | undefined, early: Early, scope: Scope): Resolved {
  const { budget } = early
  budget.begin(() => positionIn(instance, '', {}))
  try {
    return resolve(instance, slot, workspace, early, scope)
  } catch (error) {
    if (!(error instanceof Exhausted) || budget.isLoading()) throw error
    return { spec: {}, unresolved: {}, secrets: new Map(), problems: [tooMuch(error, budget.place(), instance.address)] }
  }
}

function resolve(instance: Instance, slot: Slot, workspace: WorkspaceRef | undefined, early: Early, scope: Scope): Resolved {
  const { address, each, manifest } = instance
  const { kind } = manifest
  const problems: Diagnostic[] = []
  const report = reporter(instance, (found) => problems.push(found))
  const { names, inputs, budget } = early
  const emitted = emitSlot(slot, { address, workspace, each, names, inputs, scope, budget, reach: reacher(instance, early), report })
  const real = complete(emitted.value, kind.spec)
  const failed = checkSchema(instance, real, emitted, problems, early)
  const completed = withTokens(real, emitted.tokens)
  const { unresolved } = emitted
  const secrets = emitted.secrets.size > 0 ? emitted.secrets : noSecrets
  if (!isObject(completed)) return { spec: {}, unresolved, secrets, problems }
  const spec = spelledSpec(kind, judged(completed, failed, instance), secrets)
  for (const problem of problemsOf(kind, spec, secrets)) {
    if (failed.has(String(problem.path[0]))) continue
    report('invalid_value', pointerOf(problem.path), readable(problem.message), { hint: problem.hint && readable(problem.hint) })
  }
  if (problems.length === 0) checkSensitive(instance, spec, emitted, report)
  return { spec, unresolved, secrets, problems }
}

const nothingFailed: ReadonlySet<string> = new Set()
const noSecrets: Resolved['secrets'] = new Map()

/** What rules of the kind judge: a field that does not fit its schema counts as there and as not known. */
function judged(spec: JsonObject, failed: ReadonlySet<string>, { address, manifest }: Instance): JsonObject {
  if (failed.size === 0) return spec
  const fields = Object.entries(spec).filter(([name]) => Object.hasOwn(manifest.kind.fields, name))
  const tokens = [...failed].map((name) => [name, tokenText({ is: 'unknown', place: `${address} /${name}` })])
  return Object.fromEntries([...fields, ...tokens])
}

/** Finds the fields that do not fit, one whose name is mistyped too. What is not known yet is not judged; what is sensitive is, and not quoted. */
function checkSchema(instance: Instance, real: JsonValue, emitted: Emitted, problems: Diagnostic[], early: Early): ReadonlySet<string> {
  const { unknown, tokens } = emitted
  const aboveToken = ancestorsOf(tokens)
  const aboveUnknown = ancestorsOf(unknown)
  const quiet = (path: readonly PropertyKey[]) => {
    const pointer = pointerOf(path)
    return isSecretPlace(instance, pointer) || isAtOrBelow(pointer, tokens) || aboveToken().has(pointer)
  }
  const { issues, leftOut } = issuesOf(instance.manifest.kind.spec, real, { quiet, placeOf: placeOutsideSpec })
  if (early.budget.isLoading()) early.leaveOut(leftOut)
  if (issues.length === 0) return nothingFailed
  const failed = new Set<string>()
  for (const issue of issues) {
    const pointer = pointerOf(issue.path)
    // A field that does not exist is wrong whatever its value will be.
    const place = issue.code === 'unknown_field' ? pointer.slice(0, pointer.lastIndexOf('/')) : pointer
    if (isAtOrBelow(place, unknown) || (issue.code === 'invalid_value' && aboveUnknown().has(pointer))) continue
    const meant = meantField(issue, instance.manifest.kind)
    // Where a field that is none was to be a secret one, what stands there is one all the same.
    const hidden = quiet(issue.path) || (meant !== undefined && instance.manifest.kind.fields[meant]?.secret === true)
    const position = positionIn(instance, issue.key ? pointer : nearestWritten(issue, pointer), { key: issue.key, hidden })
    problems.push(diagnostic(issue.code, issue.summary, { position, address: instance.address, ...(issue.hint === undefined ? {} : { hint: issue.hint }) }))
    if (meant !== undefined) failed.add(meant)
  }
  return failed
}

/** The field of the spec that something wrong is in, or that a name which is none was to be. */
function meantField({ code, path }: Issue, { fields }: AnyKind): string | undefined {
  const [name] = path
  if (typeof name !== 'string') return undefined
  return code === 'unknown_field' && path.length === 1 ? nearest(name, Object.keys(fields)) : name
}

/** A missing field is shown at the map that lacks it. */
function nearestWritten(issue: Issue, pointer: string): string {
  return issue.code === 'missing_field' ? pointer.slice(0, pointer.lastIndexOf('/')) : pointer
}

function above(pointer: string): string {
  return pointer.slice(0, pointer.lastIndexOf('/'))
}

function isAtOrBelow(pointer: string, places: { has(pointer: string): boolean }): boolean {
  for (let at = pointer; ; at = above(at)) {
    if (places.has(at)) return true
    if (at === '') return false
  }
}

/** All that holds one of these places, gathered when it is first asked for. */
function ancestorsOf(places: { keys(): Iterable<string> }): () => ReadonlySet<string> {
  let found: Set<string> | undefined
  return () => {
    if (found) return found
    found = new Set()
    for (const place of places.keys()) {
      for (let at = place; at !== '' && !found.has(above(at)); at = above(at)) found.add(above(at))
    }
    return found
  }
}

/** A name that is sensitive would be printed with every address and sent in every search; what is computed of a sensitive value could be seen. */
function checkSensitive({ manifest: { kind }, address }: Instance, spec: JsonObject, emitted: Emitted, report: ReportAt): void {
  if (emitted.sensitive.size === 0) return
  const natural = kind.naturalKey(spec) ?? ''
  for (const pointer of emitted.sensitive) {
    const field = pathOf(pointer)[0] ?? 'a name'
    const token = emitted.tokens.get(pointer) ?? tokenText({ is: 'unknown', place: `${address} ${pointer}` })
    const isName = readToken(token)?.is !== 'once' && natural.includes(token)
    if (isName) report('sensitive_name', pointer, `a sensitive value cannot stand in ${field}, by which the object is found again`, { hidden: true })
    else if (kind.fields[field]?.computed)
      report('sensitive_name', pointer, `a sensitive value cannot stand in ${field}, of which what is sent is computed`, { hidden: true })
  }
}

function checkTriggers(instance: Instance, early: Early): Declared['lifecycle'] {
  const { lifecycle, kind, document } = instance.manifest
  if (lifecycle.redeployTriggeredBy.length > 0 && !kind.restart) {
    const position = document.position('/metadata/lifecycle/redeploy_triggered_by')
    early.report(
      diagnostic('invalid_value', `${withArticle(kind.name)} cannot be restarted: redeploy_triggered_by has no meaning for it`, {
        position,
        address: instance.address,
      }),
    )
  }
  if (lifecycle.replaceTriggeredBy.length === 0 && lifecycle.redeployTriggeredBy.length === 0) return lifecycle
  return {
    ...lifecycle,
    replaceTriggeredBy: expandPatterns(instance, 'lifecycle/replace_triggered_by', lifecycle.replaceTriggeredBy, early),
    redeployTriggeredBy: expandPatterns(instance, 'lifecycle/redeploy_triggered_by', lifecycle.redeployTriggeredBy, early),
  }
}

/** The addresses that patterns mean; one that means none is reported. */
function expandPatterns({ manifest, address }: Instance, field: string, patterns: readonly string[], early: Early): readonly string[] {
  if (patterns.length === 0) return patterns
  const found = new Set<string>()
  for (const [index, pattern] of patterns.entries()) {
    const matches = matching(pattern, early)
    early.budget.keep(bytesPerEdge * matches.length)
    early.budget.whole.spend(matches.length)
    if (parseAddress(pattern) && isElsewhere(pattern, early)) found.add(pattern)
    for (const match of matches) if (match !== address) found.add(match)
    const position = manifest.document.position(`/metadata/${field}/${index}`)
    if (matches.length === 0 && !isElsewhere(pattern, early)) early.report(nothingFits(pattern, early, position, address))
    if (matches.length === 1 && matches[0] === address && field === 'depends_on')
      early.report(diagnostic('cycle', `${address} depends on itself`, { position, address }))
  }
  return Object.freeze([...found])
}

function matching(pattern: string, early: Early): readonly string[] {
  const known = patterns.get(early.names) ?? new Map<string, readonly string[]>()
  patterns.set(early.names, known)
  const before = known.get(pattern)
  if (before) return before
  const found = search(pattern, early)
  known.set(pattern, found)
  return found
}

function search(pattern: string, { names, budget }: Early): readonly string[] {
  const exact = parseAddress(pattern)
  const kind = pattern.slice(0, pattern.indexOf('/'))
  const all = exact ? names.addressesOf(exact.kind, exact.name) : [...names.namesOf(kind)].flatMap((name) => names.addressesOf(kind, name))
  if (exact && exact.key === undefined) return all
  budget.whole.spend(stepsPerComparison * all.length)
  return exact?.key?.includes('*') === false ? all.filter((one) => one === formatAddress(exact)) : all.filter((one) => matchesAddress(pattern, one))
}

// The same pattern stands in each of a for_each.
const patterns = new WeakMap<Names, Map<string, readonly string[]>>()

/** A name that no sound manifest declares may be there: in a file that is not read, or in a broken document. */
function isElsewhere(pattern: string, { names }: Early): boolean {
  const [kind = '', rest = ''] = pattern.split('/')
  return names.isOpen(kind, rest.split('[')[0] ?? '')
}

function nothingFits(pattern: string, early: Early, position: Position, address: string): Diagnostic {
  const [kind = '', name = ''] = pattern.split('/')
  const kinds = [...early.names.kinds.keys()]
  if (!kinds.includes(kind)) {
    const near = nearest(kind, kinds)
    return diagnostic('unknown_kind', `no kind is named ${kind}`, {
      position,
      address,
      hint: near === undefined ? `kinds: ${listed(kinds)}` : `did you mean ${near}/${name}?`,
    })
  }
  const words = early.names.namesOf(kind)
  const near = nearest(name, words)
  return diagnostic('unknown_reference', `nothing that is declared fits ${printable(pattern)}`, {
    position,
    address,
    hint: near === undefined ? `declared: ${listed(words)}` : `did you mean ${kind}/${near}?`,
  })
}
