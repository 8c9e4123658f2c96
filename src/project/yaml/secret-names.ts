// Which names of fields are those of secrets, or were to be.
import { nearest } from '../../base/words/nearest.ts'
import { marksOf } from '../../kinds/definition/fields.ts'
import type { AnyKind } from '../../kinds/definition/kind.ts'
import { childOf } from '../findings/schema.ts'

/** What the names in a manifest of a kind say. */
export interface FieldNames {
  /** Whether a field of it is secret: otherwise no name is. */
  readonly hasSecrets: boolean
  /** Whether this is a secret field's name, or a misspelt one. */
  isSecret(name: string): boolean
  isField(name: string): boolean
  /** Whether no field is called like this: what stands there may be a secret by the name that another tool gives it. */
  isStrange(name: string): boolean
}

// A file may hold as many other names as it has lines.
const mostRemembered = 1000

type Kinds = ReadonlyMap<string, AnyKind>

const known = new WeakMap<Kinds, Map<string, FieldNames>>()

/** What names say in a manifest of a kind; of any kind where there is none of this name. */
export function fieldNamesOf(word: string | undefined, kinds: Kinds): FieldNames {
  const kind = kinds.get(word ?? '')
  const before = known.get(kinds) ?? new Map<string, FieldNames>()
  known.set(kinds, before)
  const key = kind?.name ?? ''
  const found = before.get(key) ?? namesIn(kind, kinds)
  before.set(key, found)
  return found
}

function namesIn(kind: AnyKind | undefined, kinds: Kinds): FieldNames {
  const all = kind ? [kind] : [...kinds.values()]
  const secrets = all.flatMap((one) => {
    const names = new Set(secretFields(one))
    return names.size === 0 ? [] : [{ names, fields: Object.keys(one.fields) }]
  })
  const every = new Set(all.flatMap((one) => Object.keys(one.fields)))
  const everySecret = new Set(secrets.flatMap(({ names }) => [...names]))
  const isSecret = (name: string): boolean =>
    (everySecret.has(name) || nearest(name, everySecret) !== undefined) &&
    secrets.some(({ names, fields }) => names.has(fields.includes(name) ? name : (nearest(name, fields) ?? '')))
  return Object.freeze({
    hasSecrets: secrets.length > 0,
    isSecret: remembering(isSecret),
    isField: (name: string) => every.has(name),
    // Among the names of all kinds nearly every word resembles one.
    isStrange: remembering((name) => !every.has(name) && (!kind || nearest(name, every) === undefined)),
  })
}

/** The same answers, each found once: manifests are many, and their names the same. */
function remembering(ask: (name: string) => boolean): (name: string) => boolean {
  const answers = new Map<string, boolean>()
  return (name) => {
    const answer = answers.get(name) ?? ask(name)
    if (answers.size < mostRemembered) answers.set(name, answer)
    return answer
  }
}

/** The names of a kind's fields that hold secrets. */
export function secretFields(kind: AnyKind): readonly string[] {
  return Object.keys(kind.fields).filter((name) => {
    const schema = childOf(kind.spec, name)
    return schema !== undefined && marksOf(schema).secret === true
  })
}
