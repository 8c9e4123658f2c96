// What a resource hangs on, as a disk on its instance: what its first field for one managed resource points at, by the marks of its kind.
import { parseAddress } from '../../../base/address.ts'
import type { AnyKind } from '../../../kinds/definition/kind.ts'
import { schemaAt } from '../../../project/findings/schema.ts'

/** The field, the kinds that it may point at, and whether the resource ends with what it hangs on. */
export interface HolderField {
  readonly field: string
  readonly ref: readonly string[]
  readonly endsWith: boolean
}

/** The field of each kind that has one, by the kind's name. */
export function holderFields(kinds: readonly AnyKind[]): ReadonlyMap<string, HolderField> {
  const managed = new Set(kinds.filter((one) => one.managed).map((one) => one.name))
  return new Map(
    kinds.flatMap((kind) => {
      const found = kind.referenceFields.find(({ field, ref }) => ref.some((name) => managed.has(name)) && !takesMany(kind, field))
      return found ? [[kind.name, found] as const] : []
    }),
  )
}

function takesMany(kind: AnyKind, field: string): boolean {
  return schemaAt(kind.spec, [field, 0]) !== undefined
}

/** Which of these addresses a field means: the only one of its kinds, or the one that `isMeant` knows; `written` is the field's expression. */
export function holderAmong({ ref }: HolderField, addresses: readonly string[], isMeant: (address: string) => boolean): string | undefined {
  const possible = [...new Set(addresses)].filter((one) => ref.includes(parseAddress(one)?.kind ?? ''))
  return possible.length === 1 ? possible[0] : possible.find(isMeant)
}

/** Whether an expression names an address: `${Kind['name'].id}`, `${Kind['name']["key"].id}`. */
export function isNamedIn(expression: string, address: string): boolean {
  const parsed = parseAddress(address)
  if (!parsed) return false
  const { kind, name, key } = parsed
  return expression.includes(`${kind}['${name}']${key === undefined ? '.' : `[${JSON.stringify(key)}]`}`)
}
