// What shows of a declared resource without resolving it: enough to know which lists to ask for.
import type { Reference } from '../../expressions/expression.ts'
import { holdsSensitive } from '../../expressions/value.ts'
import type { AnyKind } from '../../kinds/definition/kind.ts'
import type { Outline } from '../resolving/declared.ts'
import type { Slot } from '../resolving/slots.ts'
import type { Each, Inputs } from '../resolving/templates.ts'

interface Known {
  readonly inputs: Pick<Inputs, 'variables'>
  readonly each: Each
}

/** The outline of a spec's slots; undefined where an expression over resources or lookups has a say, or something in it is wrong. */
export function outlineOf(slot: Slot, kind: AnyKind, known: Known): Outline | undefined {
  const lookups: { kind: string; name: string }[] = []
  if (slot.is !== 'map' || !isStatic(slot, lookups)) return undefined
  const parent = slot.members.find((_, at) => slot.keys[at] === kind.parentField)
  const fields = [...slot.keys]
  for (const field of Object.keys(kind.defaults)) if (!fields.includes(field)) fields.push(field)
  return Object.freeze({
    fields,
    lookups,
    parent: parent?.is === 'target' && parent.target.is !== 'lookup' ? parent.target : undefined,
    hides: mayHide(slot, known),
  })
}

function isStatic(slot: Slot, lookups: { kind: string; name: string }[]): boolean {
  switch (slot.is) {
    case 'value':
    case 'secret':
      return true
    case 'broken':
      return false
    case 'template':
      return slot.template.early && slot.pointing === undefined
    case 'list':
      return slot.items.every((item) => isStatic(item, lookups))
    case 'map':
      return slot.members.every((member) => isStatic(member, lookups))
    case 'target':
      if (slot.target.is === 'lookup') lookups.push({ kind: slot.target.kind, name: slot.target.name })
      return true
    default:
      return slot satisfies never
  }
}

/** Whether what is static holds a secret, or may make one of what is sensitive. */
function mayHide(slot: Slot, known: Known): boolean {
  if (slot.is === 'list') return slot.items.some((item) => mayHide(item, known))
  if (slot.is === 'map') return slot.members.some((member) => mayHide(member, known))
  if (slot.is !== 'template') return slot.is === 'secret'
  const { marks, references } = slot.template
  return slot.secret || marks || references.some((one) => isSensitive(one, known))
}

function isSensitive(reference: Reference, { inputs, each }: Known): boolean {
  if (reference.kind === 'each') return each !== undefined && holdsSensitive(each[reference.part])
  const value = reference.kind === 'vars' ? inputs.variables.get(reference.name) : undefined
  return value !== undefined && holdsSensitive(value)
}
