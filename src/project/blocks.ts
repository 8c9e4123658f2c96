// The moved, removed and outputs blocks of a project file.
import { isAddressPattern, matchesAddress, parseAddress } from '../address.ts'
import { withArticle } from '../article.ts'
import { diagnostic } from '../diagnostic.ts'
import type { Diagnostic } from '../diagnostic.ts'
import { stringifyJson } from '../json.ts'
import type { JsonObject, JsonValue } from '../json.ts'
import type { OutputDeclared, Project } from './declared.ts'
import type { Early } from './expand.ts'
import { pointerOf } from './pointer.ts'
import type { ProjectFile } from './project-file.ts'
import { emitSlot } from './resolve.ts'
import { isList, isMap, narrow } from './schema.ts'
import { compileSlots } from './slots.ts'
import type { ReportAt } from './slots.ts'
import { printable, quote } from './source.ts'
import { isTemplate } from './templates.ts'

type Report = (found: Diagnostic) => void

/** The maps of a list as they were written, with their places; the others are reported elsewhere. */
function blocksOf({ document }: ProjectFile, name: 'moved' | 'removed'): (readonly [number, JsonObject])[] {
  const list = isMap(document.value) ? document.value[name] : undefined
  return isList(list) ? list.flatMap((block, index) => (isMap(block) ? [[index, block] as const] : [])) : []
}

/** The moved blocks that fit the manifests. */
export function readMoved(project: ProjectFile, declared: ReadonlySet<string>, report: Report): Project['moved'] {
  const from = new Set<string>()
  const to = new Set<string>()
  const good: { readonly from: string; readonly to: string }[] = []
  for (const [index, block] of blocksOf(project, 'moved')) {
    if (typeof block.from !== 'string' || typeof block.to !== 'string') continue
    const wrong = (name: string, message: string) =>
      report(diagnostic('moved_conflict', message, { position: project.document.position(`/moved/${index}/${name}`) }))
    const source = parseAddress(block.from)
    const target = parseAddress(block.to)
    if (!source) wrong('from', `${quote(block.from)} is no address`)
    else if (!target) wrong('to', `${quote(block.to)} is no address`)
    else if (source.kind !== target.kind) wrong('to', `${withArticle(source.kind)} cannot become ${withArticle(target.kind)}`)
    else if (block.from === block.to) wrong('to', `${block.from} moves to itself`)
    else if (declared.has(block.from)) wrong('from', `${block.from} is still declared`)
    else if (from.has(block.from)) wrong('from', `${block.from} moves twice`)
    else if (to.has(block.to)) wrong('to', `two resources move to ${block.to}`)
    else good.push({ from: block.from, to: block.to })
    from.add(block.from)
    to.add(block.to)
  }
  return good
}

/** The removed blocks that fit the manifests; `destroy` is true unless it says otherwise. */
export function readRemoved(project: ProjectFile, declared: readonly string[], report: Report): Project['removed'] {
  const good: { readonly address: string; readonly destroy: boolean }[] = []
  for (const [index, block] of blocksOf(project, 'removed')) {
    const { address } = block
    if (typeof address !== 'string') continue
    const wrong = (message: string) => report(diagnostic('moved_conflict', message, { position: project.document.position(`/removed/${index}/address`) }))
    const isAddress = isAddressPattern(address)
    const still = isAddress ? declared.find((one) => matchesAddress(address, one)) : undefined
    if (!isAddress) wrong(`${quote(address)} is no address`)
    else if (still !== undefined) wrong(`${still} is still declared`)
    else good.push({ address, destroy: block.destroy !== false })
  }
  return good
}

/** The outputs, every expression in them parsed and checked. */
export function readOutputs(project: ProjectFile, early: Early, partial: boolean): readonly OutputDeclared[] {
  const { value } = project.document
  const blocks = isMap(value) && isMap(value.outputs) ? value.outputs : {}
  return Object.entries(project.fields.outputs ?? {}).flatMap(([name, fields]) => {
    const block = blocks[name]
    const raw = isMap(block) ? (block.value ?? null) : null
    const found: Diagnostic[] = []
    const output = readOutput(name, raw, fields.sensitive ?? false, project, { ...early, report: (one) => found.push(one) })
    // With -f an output may name what stands in another file: it is left as it is.
    if (partial && found.some((one) => one.code === 'unknown_reference')) return []
    for (const one of found) early.report(one)
    return [output]
  })
}

function readOutput(name: string, raw: JsonValue, isSensitive: boolean, project: ProjectFile, early: Early): OutputDeclared {
  const problemOf = (...[code, pointer, message, more = {}]: Parameters<ReportAt>) =>
    diagnostic(code, printable(message), {
      position: project.document.position(`${pointerOf(['outputs', name, 'value'])}${pointer}`, {
        hidden: isSensitive,
        ...(more.offset === undefined ? {} : { offset: more.offset }),
      }),
      ...(more.hint === undefined ? {} : { hint: more.hint }),
    })
  const { names, templates, inputs } = early
  const { slot, references } = compileSlots(raw, undefined, {
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
      const emitted = emitSlot(slot, {
        address: `output ${name}`,
        workspace: undefined,
        each: undefined,
        names,
        inputs,
        scope,
        report: (...args) => problems.push(problemOf(...args)),
      })
      const [problem] = problems
      if (problem) return { problem }
      return emitted.unknown.size > 0 ? { unknown: true } : { value: emitted.value, sensitive: isSensitive || emitted.tokens.size > 0 }
    },
  })
}
