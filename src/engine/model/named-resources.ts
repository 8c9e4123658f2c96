// Which resources a text of a plan names, and whose id it is that a reference does not know yet.
import { formatAddress, parseAddress } from '../../base/address.ts'
import type { JsonValue } from '../../base/json.ts'
import { readToken } from '../../base/token.ts'
import { renderTemplate } from '../../expressions/evaluate.ts'
import type { Scope } from '../../expressions/evaluate.ts'
import { referencesOf } from '../../expressions/expression.ts'
import { parseTemplate } from '../../expressions/template.ts'
import { unknown, unknownsOf } from '../../expressions/value.ts'
import type { Planned } from './planned-resource.ts'

interface Named {
  readonly address: string
  readonly attribute: string | undefined
  /** The text is this attribute and no more. */
  readonly isWhole: boolean
}

/** The resources that a text of a plan names, with what of them. */
export function resourcesIn(source: string): readonly Named[] {
  if (!source.includes('${')) return []
  const { parts } = parseTemplate(source, { filled: true })
  return parts.flatMap((part) => {
    if (part.kind !== 'expression') return []
    const isBare = parts.length === 1 && part.expression.root.op === 'resource'
    return referencesOf(part.expression).flatMap((one): Named[] => {
      if (one.kind !== 'resource' || typeof one.name !== 'string' || (one.key !== undefined && typeof one.key !== 'string')) return []
      const address = formatAddress({ kind: one.resourceKind, name: one.name, ...(one.key === undefined ? {} : { key: one.key }) })
      return [{ address, attribute: one.path[0], isWhole: isBare && one.path.length === 1 }]
    })
  })
}

/** The address whose id a reference of a resource will be, as far as its expression tells by what is known now; undefined for what is known, and where it may be another one. */
export function awaitedAddress({ address, resolved }: Pick<Planned, 'address' | 'resolved'>, value: JsonValue | undefined): string | undefined {
  const token = readToken(value)
  if (token?.is !== 'unknown') return undefined
  if (parseAddress(token.place)) return token.place
  const source = token.place.startsWith(`${address} `) ? resolved?.unresolved[token.place.slice(address.length + 1)] : undefined
  if (source === undefined || !source.includes('${')) return undefined
  const rendered = renderTemplate(parseTemplate(source, { filled: true }).parts, nothingKnown)
  const [origin = '', other] = rendered.ok ? unknownsOf(rendered.value) : []
  const owner = other === undefined && rendered.ok && rendered.value.kind === 'unknown' && origin.endsWith('.id') ? origin.slice(0, -'.id'.length) : ''
  return parseAddress(owner) ? owner : undefined
}

const absent = { kind: 'error', message: '' } as const
/** Attributes of resources are not known, whatever is known of them by now; variables and files are filled in. */
const nothingKnown: Scope = {
  each: undefined,
  variable: () => absent,
  keysOf: () => undefined,
  isOpen: () => true,
  resource: (kind, name, key, path) => unknown([`${formatAddress({ kind, name, ...(key === undefined ? {} : { key }) })}.${path.join('.')}`]),
  lookup: (kind, name) => unknown([`lookup('${kind}', '${name}')`]),
  file: () => absent,
}
