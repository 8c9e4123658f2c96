// Which object a manifest takes over: by its id, or by what it is called.
import { diagnostic } from '../../base/diagnostic.ts'
import type { Diagnostic } from '../../base/diagnostic.ts'
import type { JsonValue } from '../../base/json.ts'
import { Exhausted } from '../../base/meter.ts'
import { withArticle } from '../../base/words/article.ts'
import type { Scope as ExpressionScope } from '../../expressions/evaluate.ts'
import { holdsSensitive, holdsUnknown, jsonOf, unknown } from '../../expressions/value.ts'
import type { Value } from '../../expressions/value.ts'
import { tooMuch } from '../files/budget.ts'
import { describe } from '../findings/issues.ts'
import { quote } from '../findings/source.ts'
import type { Declared, Scope, WorkspaceRef } from '../resolving/declared.ts'
import { expressionScope } from '../resolving/resolve.ts'
import { earlyScope, evaluateEarly } from '../resolving/templates.ts'
import type { Early, Instance } from './expand.ts'

type Import = Pick<Declared, 'importId' | 'importBy'>
type Report = (found: Diagnostic) => void

/** The object that a manifest takes over: known while loading, or by a lookup when planning. */
export function importOf(instance: Instance, workspace: WorkspaceRef | undefined, early: Early): Import {
  const { manifest, each } = instance
  if (manifest.importName !== undefined) return importByName(instance, workspace, early)
  if (manifest.importId === undefined) return { importId: undefined, importBy: undefined }
  let isLate = false
  const lookup = (kind: string, name: string): Value => {
    isLate = true
    return unknown([`lookup('${kind}', '${name}')`])
  }
  const importId = readImport(instance, early, { ...earlyScope(early.inputs, each), lookup }, early.report)
  const importBy = late(instance, early, (scope, report) => {
    const id = readImport(instance, early, lateScope(instance, workspace, early, scope), report)
    return id === undefined ? undefined : { id }
  })
  return { importId, importBy: isLate ? importBy : undefined }
}

/** What is called so in the resource's workspace; a kind whose objects have no name takes ids alone. */
function importByName(instance: Instance, workspace: WorkspaceRef | undefined, early: Early): Import {
  const { manifest, address, each } = instance
  const { kind, document } = manifest
  if (!Object.hasOwn(kind.fields, 'name') && !Object.hasOwn(kind.outputs, 'name')) {
    const position = document.position(namePointer)
    early.report(diagnostic('invalid_value', `${withArticle(kind.name)} has no name`, { position, address, hint: 'import it by its id: import: { id: "…" }' }))
    return { importId: undefined, importBy: undefined }
  }
  // What is wrong with the expression itself is said while loading.
  readName(instance, early, { ...earlyScope(early.inputs, each), lookup: (one, name) => unknown([`lookup('${one}', '${name}')`]) }, early.report)
  const importBy = late(instance, early, (scope, report) => {
    const name = readName(instance, early, lateScope(instance, workspace, early, scope), report)
    const found = name === undefined ? undefined : scope.lookup(kind.name, name, workspace)
    if (found === undefined || 'unknown' in found) return undefined
    if ('id' in found) return { id: found.id }
    report(diagnostic('lookup_failed', found.problem, { position: document.position(namePointer), address }))
    return undefined
  })
  return { importId: undefined, importBy }
}

const idPointer = '/metadata/import/id'
const namePointer = '/metadata/import/name'

function lateScope({ address, each }: Instance, workspace: WorkspaceRef | undefined, { names, inputs }: Early, scope: Scope): ExpressionScope {
  return expressionScope({ address, workspace, each, names, inputs, scope })
}

/** Work that is done when planning, within the budget; what is wrong comes back. */
function late(
  { manifest, address }: Instance,
  { budget }: Early,
  work: (scope: Scope, report: Report) => { readonly id: string } | undefined,
): NonNullable<Declared['importBy']> {
  return (scope) => {
    budget.begin(() => manifest.document.position('/metadata/import'))
    const problems: Diagnostic[] = []
    try {
      return work(scope, (found) => problems.push(found)) ?? { problems }
    } catch (error) {
      if (!(error instanceof Exhausted)) throw error
      return { problems: [tooMuch(error, budget.place(), address)] }
    }
  }
}

interface Asked {
  readonly written: JsonValue
  readonly pointer: string
  readonly what: string
}

/** What stands there as JSON; undefined where it is not known yet, or wrong, which is reported by `wrong`. */
function readText({ manifest, address, each }: Instance, early: Early, scope: ExpressionScope, report: Report, { written, pointer, what }: Asked) {
  const wrong = (message: string, offset?: number, hint?: string): undefined => {
    const position = manifest.document.position(pointer, offset === undefined ? {} : { offset })
    report(diagnostic('invalid_value', message, { position, address, ...(hint === undefined ? {} : { hint }) }))
  }
  const context = { templates: early.templates, check: early.names.checkScope(each !== undefined), scope }
  const value = evaluateEarly(written, context, (_, __, offset, message, hint) => wrong(message, offset, hint))
  if (!value || holdsUnknown(value)) return undefined
  if (holdsSensitive(value)) return wrong(`${what} to import cannot be sensitive`)
  return { json: jsonOf(value), wrong }
}

/** The id to import; undefined where it is not known yet, or wrong, which is reported. */
function readImport(instance: Instance, early: Early, scope: ExpressionScope, report: Report): string | undefined {
  const read = readText(instance, early, scope, report, { written: instance.manifest.importId ?? null, pointer: idPointer, what: 'an id' })
  if (!read) return undefined
  const id = typeof read.json === 'bigint' ? String(read.json) : read.json
  if (typeof id !== 'string') return read.wrong(`the id to import is a text, got ${describe(id)}`)
  const { kind } = instance.manifest
  return kind.idForm.test(id)
    ? id
    : read.wrong(`${quote(id)} is no id of ${withArticle(kind.name)}`, undefined, `\`iac get ${kind.name}\` lists them with their ids`)
}

/** The name to look for; undefined where it is not known yet, or wrong, which is reported. */
function readName(instance: Instance, early: Early, scope: ExpressionScope, report: Report): string | undefined {
  const read = readText(instance, early, scope, report, { written: instance.manifest.importName ?? null, pointer: namePointer, what: 'a name' })
  if (!read) return undefined
  return typeof read.json === 'string' && read.json !== '' ? read.json : read.wrong('the name to import by is a text')
}
