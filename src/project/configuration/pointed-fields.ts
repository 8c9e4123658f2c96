// The pointers of `provider.compat.fields`: of members that kinds read, to where no secret stands.
import { memberKey, secretMembers } from '../../api/answers/secret-members.ts'
import { diagnostic } from '../../base/diagnostic.ts'
import type { Diagnostic } from '../../base/diagnostic.ts'
import { below, pathOf } from '../../base/pointer.ts'
import { nearest } from '../../base/words/nearest.ts'
import type { AnyKind } from '../../kinds/definition/kind.ts'
import { listed } from '../findings/issues.ts'
import { quote } from '../findings/source.ts'
import type { ProjectFile } from './project-file.ts'

/** What can be pointed at a place in answers: the members of one shape, and which of them are secret. */
interface Pointed {
  readonly keys: readonly string[]
  readonly secrets: ReadonlySet<string>
}

/** Pointers that lead to a secret, or belong to nothing that is read. */
export function pointerProblems({ document, fields }: Pick<ProjectFile, 'document' | 'fields'>, kinds: readonly AnyKind[]): readonly Diagnostic[] {
  const entries = Object.entries(fields.provider?.compat?.fields ?? {})
  if (entries.length === 0) return []
  const shapes = shapesOf(kinds)
  const found: Diagnostic[] = []
  for (const [name, pointer] of entries) {
    const at = below('/provider/compat/fields', name)
    const [shape = '', key = ''] = name.split('.')
    const pointed = shapes.get(shape)
    if (!pointed) {
      found.push(
        diagnostic('unknown_kind', `no kind is called ${quote(shape)}`, { position: document.position(at, { key: true }), ...hintOf(shape, shapes.keys()) }),
      )
    } else if (!pointed.keys.includes(key)) {
      const words = pointed.keys.filter((one) => one !== 'id')
      const summary = key === 'id' ? 'where the id of an object stands is not to be set' : `nothing called ${quote(key)} is read of ${shape}`
      found.push(diagnostic('unknown_field', summary, { position: document.position(at, { key: true }), ...hintOf(key, words) }))
    } else {
      const secret = pathOf(pointer).find((part) => pointed.secrets.has(memberKey(part)))
      if (secret !== undefined && !pointed.secrets.has(memberKey(key))) found.push(secretProblem(name, secret, document.position(at)))
    }
  }
  return found
}

function secretProblem(name: string, secret: string, position: Diagnostic['position']): Diagnostic {
  const summary = `${name} points at ${quote(secret)}, which is secret: it would be shown and kept as if it were none`
  return diagnostic('invalid_value', summary, { ...(position ? { position } : {}), hint: 'point at the member that holds the field itself' })
}

function shapesOf(kinds: readonly AnyKind[]): ReadonlyMap<string, Pointed> {
  const shapes = new Map<string, Pointed>()
  for (const { live, counts, fields, outputs } of kinds) {
    const own = [
      ...Object.keys(fields).filter((name) => fields[name]?.secret === true),
      ...Object.keys(outputs).filter((name) => outputs[name]?.sensitive === true),
    ]
    const secrets = new Set([...secretMembers(undefined), ...own.map(memberKey)])
    // Which object an answer is about decides what is changed and what is deleted.
    for (const shape of counts ? [live, counts] : [live]) shapes.set(shape.kind, { keys: shape.keys.filter((key) => key !== 'id'), secrets })
  }
  return shapes
}

function hintOf(word: string, words: Iterable<string>): { readonly hint: string } {
  const all = [...words]
  const near = nearest(word, all)
  return { hint: near === undefined ? `known here: ${listed(all)}` : `did you mean ${quote(near)}?` }
}
