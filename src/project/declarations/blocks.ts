// The moved, removed and outputs blocks of a project file.
import { formatAddress, isAddressPattern, matchesAddress, parseAddress, withoutKey } from '../../base/address.ts'
import { diagnostic } from '../../base/diagnostic.ts'
import type { Diagnostic, Position } from '../../base/diagnostic.ts'
import { isList, isObject, stringifyJson } from '../../base/json.ts'
import type { JsonObject, JsonValue } from '../../base/json.ts'
import { pointerOf } from '../../base/pointer.ts'
import { withArticle } from '../../base/words/article.ts'
import { nearest } from '../../base/words/nearest.ts'
import type { ProjectFile } from '../configuration/project-file.ts'
import type { Turns } from '../files/turns.ts'
import { listed } from '../findings/issues.ts'
import { narrow } from '../findings/schema.ts'
import { printable, quote } from '../findings/source.ts'
import type { OutputDeclared, Project } from '../resolving/declared.ts'
import type { Names } from '../resolving/names.ts'
import { blindScope, emitSlot } from '../resolving/resolve.ts'
import { compileSlots } from '../resolving/slots.ts'
import type { ReportAt } from '../resolving/slots.ts'
import { isTemplate } from '../resolving/templates.ts'
import type { Early } from './expand.ts'
import { circularMoves, createMoves } from './moves.ts'

const stepsPerComparison = 10
const stepsPerMove = 30

/** The maps of a list as they were written, with their places; the others are reported elsewhere. */
function blocksOf({ document }: ProjectFile, name: 'moved' | 'removed'): (readonly [number, JsonObject])[] {
  const list = isObject(document.value) ? document.value[name] : undefined
  return isList(list) ? list.flatMap((block, index) => (isObject(block) ? [[index, block] as const] : [])) : []
}

/** With `${` where it is escaped: a key may hold it. */
function asWritten(address: string): string {
  return address.replaceAll('$${', '${')
}

/** The moved blocks that fit the manifests, their addresses in canonical form. */
export function readMoved(project: ProjectFile, declared: readonly string[], early: Early): Project['moved'] {
  const { names, report } = early
  const varies = hasEnvironments(project)
  const standing = varies ? declared.filter((one) => !isKeyed(one)) : declared
  const all = new Set(standing)
  const instances = instancesOf(standing)
  const seen = { from: new Set<string>(), to: new Set<string>() }
  const indices = new Map<Project['moved'][number], number>()
  for (const [index, block] of blocksOf(project, 'moved')) {
    if (typeof block.from !== 'string' || typeof block.to !== 'string') continue
    const place = (name: string) => project.document.position(`/moved/${index}/${name}`)
    const wrong = (name: string, message: string, hint?: string) => report(diagnostic('moved_conflict', message, { position: place(name), hint }))
    const [source, target] = [parseAddress(asWritten(block.from)), parseAddress(asWritten(block.to))]
    if (!source) wrong('from', `${quote(block.from)} is no address`)
    else if (!isManaged(source.kind, names)) report(unknownKind(block.from, names, place('from')))
    else if (!target) wrong('to', `${quote(block.to)} is no address`)
    else if (!isManaged(target.kind, names)) report(unknownKind(block.to, names, place('to')))
    else if (source.kind !== target.kind) wrong('to', `${withArticle(source.kind)} cannot become ${withArticle(target.kind)}`)
    else {
      const [from, to] = [formatAddress(source), formatAddress(target)]
      const still = all.has(from) ? from : source.key === undefined && target.key === undefined ? instances.get(from) : undefined
      if (from === to) wrong('to', `${from} moves to itself`)
      else if (still !== undefined) wrong('from', `${still} is still declared`, 'take the block out, or the manifest of that name')
      else if (seen.from.has(from)) wrong('from', `${from} moves twice`)
      else if (seen.to.has(to)) wrong('to', `two resources move to ${to}`)
      else indices.set({ from, to, position: place('to') }, index)
      seen.from.add(from)
      seen.to.add(to)
    }
  }
  const good = [...indices.keys()]
  const circles = circularMoves(good)
  for (const { from, position } of circles) report(diagnostic('moved_conflict', `the moves from ${from} lead in a circle`, { position }))
  if (varies && circles.size === 0)
    for (const [move, summary] of contested(good, declared, early))
      report(diagnostic('moved_conflict', summary, { position: project.document.position(`/moved/${indices.get(move)}/from`) }))
  return good
}

/** Blocks by which something declared would become something else that is declared, too, each with what is to be said of it. */
function contested(moves: Project['moved'], declared: readonly string[], { budget }: Early): ReadonlyMap<Project['moved'][number], string> {
  const found = new Map<Project['moved'][number], string>()
  if (moves.length === 0) return found
  const all = new Set(declared)
  budget.whole.spend(stepsPerComparison * declared.length)
  const lead = createMoves(moves, (address) => {
    budget.whole.spend(stepsPerMove)
    return all.has(address)
  })
  for (const from of declared) {
    const way = lead(from)
    if (way && !found.has(way.first)) found.set(way.first, `${from} cannot move to ${way.to}: ${from} is still declared`)
  }
  return found
}

/** One of a for_each: its keys may differ from one environment to the next, where everything else is the same. */
function isKeyed(address: string): boolean {
  return parseAddress(address)?.key !== undefined
}

/** Blocks are written for all environments: one about a key may be meant for another. */
function hasEnvironments({ fields }: ProjectFile): boolean {
  return Object.keys(fields.environments ?? {}).length > 0
}

/** One address of each name. */
function instancesOf(declared: readonly string[]): ReadonlyMap<string, string> {
  return new Map(declared.toReversed().map((address) => [withoutKey(address), address]))
}

/** The removed blocks that fit the manifests; `destroy` is true unless it says otherwise. */
export function readRemoved(project: ProjectFile, declared: readonly string[], { names, report, budget }: Early): Project['removed'] {
  const standing = hasEnvironments(project) ? declared.filter((one) => !isKeyed(one)) : declared
  const all = new Set(standing)
  const instances = instancesOf(standing)
  const stillIn = (address: string): string | undefined => {
    const exact = parseAddress(address)
    if (!exact || address.includes('*')) {
      budget.whole.spend(stepsPerComparison * standing.length)
      return standing.find((one) => matchesAddress(address, one))
    }
    const canonical = formatAddress(exact)
    return all.has(canonical) ? canonical : exact.key === undefined ? instances.get(canonical) : undefined
  }
  const good: { readonly address: string; readonly destroy: boolean }[] = []
  for (const [index, block] of blocksOf(project, 'removed')) {
    if (typeof block.address !== 'string') continue
    const address = asWritten(block.address)
    const position = project.document.position(`/removed/${index}/address`)
    const wrong = (message: string) => report(diagnostic('moved_conflict', message, { position }))
    const isAddress = isAddressPattern(address)
    const still = isAddress ? stillIn(address) : undefined
    if (!isAddress) wrong(`${quote(address)} is no address`)
    else if (!isManaged(kindOf(address), names)) report(unknownKind(address, names, position))
    else if (still !== undefined) wrong(`${still} is still declared`)
    else good.push({ address, destroy: block.destroy !== false })
  }
  return good
}

function kindOf(address: string): string {
  return address.slice(0, address.indexOf('/'))
}

function isManaged(kind: string, { kinds }: Names): boolean {
  return kinds.get(kind)?.managed === true
}

/** Nothing that is recorded fits such an address: what it was to keep would be destroyed. */
function unknownKind(address: string, names: Names, position: Position): Diagnostic {
  const kind = kindOf(address)
  const words = [...names.kinds.keys()].filter((one) => isManaged(one, names))
  const near = nearest(kind, words)
  const hint = near === undefined ? `kinds: ${listed(words)}` : `did you mean ${printable(near + address.slice(kind.length))}?`
  const summary = names.kinds.has(kind) ? `${kind} is looked up, not declared` : `no kind is named ${kind}`
  return diagnostic('unknown_kind', summary, { position, hint })
}

/** The outputs, every expression in them parsed, checked, and evaluated as far as nothing needs to be asked. */
export function* readOutputs(project: ProjectFile, early: Early, partial: boolean): Turns<readonly OutputDeclared[]> {
  const { value } = project.document
  const blocks = isObject(value) && isObject(value.outputs) ? value.outputs : {}
  const outputs: OutputDeclared[] = []
  for (const [name, fields] of Object.entries(project.fields.outputs ?? {})) {
    yield
    const block = blocks[name]
    const raw = isObject(block) ? (block.value ?? null) : null
    const found: Diagnostic[] = []
    const output = readOutput(name, raw, fields.sensitive ?? false, project, { ...early, report: (one) => found.push(one) })
    const value = found.length === 0 ? output.resolve(blindScope(early.names)) : undefined
    if (value && 'problem' in value) found.push(value.problem)
    // With -f an output may name what stands in another file: it is left as it is.
    if (partial && found.some((one) => one.code === 'unknown_reference')) continue
    found.forEach(early.report)
    outputs.push(output)
  }
  return outputs
}

function readOutput(name: string, raw: JsonValue, isSensitive: boolean, project: ProjectFile, early: Early): OutputDeclared {
  const problemOf = (...[code, pointer, message, more = {}]: Parameters<ReportAt>) =>
    diagnostic(code, printable(message), {
      position: project.document.position(`${pointerOf(['outputs', name, 'value'])}${pointer}`, {
        hidden: isSensitive,
        key: more.key === true,
        ...(more.offset === undefined ? {} : { offset: more.offset }),
      }),
      ...(more.hint === undefined ? {} : { hint: more.hint }),
    })
  const { names, templates, inputs, budget } = early
  const reach = (pointer: string) => budget.reach(() => project.document.position(`${pointerOf(['outputs', name, 'value'])}${pointer}`))
  budget.begin(() => project.document.position(pointerOf(['outputs', name])))
  const { slot, references } = compileSlots(raw, undefined, {
    budget,
    reach,
    address: '',
    each: undefined,
    names,
    templates,
    inputs,
    report: (...args) => early.report(problemOf(...args)),
  })
  return Object.freeze({
    name,
    references: Object.freeze([...references.keys()]),
    source: isTemplate(raw) ? raw : stringifyJson(narrow(raw)),
    resolve(scope: Parameters<OutputDeclared['resolve']>[0]): ReturnType<OutputDeclared['resolve']> {
      const problems: Diagnostic[] = []
      budget.begin(() => undefined)
      const emitted = emitSlot(slot, {
        budget,
        reach,
        address: `output ${name}`,
        isOutput: true,
        workspace: undefined,
        each: undefined,
        names,
        inputs,
        scope,
        report: (...args) => problems.push(problemOf(...args)),
      })
      const [problem] = problems
      if (problem) return { problem }
      const sensitive = isSensitive || emitted.sensitive.size > 0
      return emitted.unknown.size > 0 ? { unknown: true, sensitive } : { value: emitted.value, sensitive }
    },
  })
}
