// Values of fields as people say them: bytes as a size, an id beside the name that the plan has for it.
import { pathOf } from '../../../base/pointer.ts'
import { sizeText } from '../../../base/units.ts'
import type { Plan } from '../../../engine/model/plan-data.ts'
import { marksOf } from '../../../kinds/definition/fields.ts'
import type { Marks } from '../../../kinds/definition/fields.ts'
import type { AnyKind } from '../../../kinds/definition/kind.ts'
import { schemaAt } from '../../../project/findings/schema.ts'
import { quoted } from '../text/value-text.ts'
import type { BlockOptions } from './plan-block.ts'

/** `40 GiB`, `"lightning-4" (1152…)`: what is marked as bytes or as a reference in the kind's fields, and nothing else. */
export function fieldTextOf(kinds: readonly AnyKind[], names: Plan['names'] = {}): NonNullable<BlockOptions['fieldText']> {
  const byName = new Map(kinds.map((kind) => [kind.name, createMarks(kind)]))
  return (name, pointer, value) => {
    if (typeof value === 'boolean' || typeof value === 'object') return undefined
    const { form, ref } = byName.get(name)?.(pointer) ?? {}
    if (form === 'bytes') return typeof value === 'number' || typeof value === 'bigint' ? sizeText(Number(value)) : undefined
    if (ref === undefined || typeof value !== 'string') return undefined
    const called = ref.map((one) => memberOf(memberOf(names, one), value)).find((one) => one !== undefined)
    return called === undefined ? undefined : `${quoted(called)} (${quoted(value).slice(1, -1)})`
  }
}

/** What is marked where in a kind's fields: looked up once for each place of a plan's many objects. */
function createMarks({ spec }: AnyKind): (pointer: string) => Marks {
  const known = new Map<string, Marks>()
  return (pointer) => {
    let marks = known.get(pointer)
    if (marks === undefined) {
      const schema = schemaAt(spec, pathOf(pointer))
      known.set(pointer, (marks = schema ? marksOf(schema) : {}))
    }
    return marks
  }
}

function memberOf<T>(of: Readonly<Record<string, T>> | undefined, key: string): T | undefined {
  return of && Object.hasOwn(of, key) ? of[key] : undefined
}
