// Values that no run has: sensitive ones of others of which only the digest is recorded, since ignore_changes keeps them.
import { diagnostic } from '../../base/diagnostic.ts'
import type { Diagnostic } from '../../base/diagnostic.ts'
import type { JsonObject, JsonValue } from '../../base/json.ts'
import { isList, isObject } from '../../base/json.ts'
import { below } from '../../base/pointer.ts'
import { readToken, tokenText } from '../../base/token.ts'
import type { Declared, Resolved } from '../../project/resolving/declared.ts'
import type { ResourceRecord } from '../../state/record.ts'
import { digestsIn } from '../model/diff/ignored.ts'
import { toJson } from '../model/live.ts'
import type { Planned } from '../model/planned-resource.ts'
import { stepsOf } from './change.ts'

/** Stands for such a value while its dependents are resolved: known by its origin alone, as one that is known once, and with no object's id. */
export function unavailableToken(address: string, path: readonly (string | number)[]): string {
  return tokenText({ is: 'once', address, id: '', output: path.join('.') })
}

/** A spec in which what is made from such values is as recorded, and what is to be said of it. */
interface Kept {
  readonly spec: JsonObject
  readonly problems: readonly Diagnostic[]
}

/** Keeps what was recorded where a value is unavailable: nothing can be told from the digest but that it was right when it was applied. */
export function keepUnavailable(declared: Declared, { spec }: Resolved, record: ResourceRecord | undefined): Kept {
  const problems: Diagnostic[] = []
  const put = (value: JsonValue, recorded: JsonValue, pointer: string): JsonValue => {
    const token = readToken(value)
    if (token?.is === 'once' && token.id === '') {
      problems.push(recorded === null ? needed(declared, pointer, token.address) : stays(declared, pointer, token.address))
      return recorded ?? tokenText({ is: 'unknown', place: `${declared.address} ${pointer}` })
    }
    if (isList(value)) return value.map((one, index) => put(one, (isList(recorded) ? recorded[index] : null) ?? null, `${pointer}/${index}`))
    return isObject(value) ? within(value, recorded, pointer) : value
  }
  const within = (value: JsonObject, recorded: JsonValue, pointer: string): JsonObject => {
    const member = (key: string) => (isObject(recorded) && Object.hasOwn(recorded, key) ? recorded[key] : undefined) ?? null
    const members = Object.entries(value).map(([key, one]) => [key, put(one, member(key), below(pointer, key))])
    return Object.fromEntries(members)
  }
  return { spec: within(spec, record?.spec ?? null, ''), problems }
}

function stays(declared: Declared, pointer: string, origin: string): Diagnostic {
  const { address } = declared
  const text = `${address}: ${pointer} stays as it is: it is made from a sensitive value of ${origin} that nobody has`
  return diagnostic('note', text, { address, position: declared.positionOf(pointer), detail: why(origin), hint: wayOut(origin) })
}

function needed(declared: Declared, pointer: string, origin: string): Diagnostic {
  const { address } = declared
  const text = `${address}: ${pointer} is made from a sensitive value of ${origin} that nobody has`
  return diagnostic('unsupported_change', text, { address, position: declared.positionOf(pointer), detail: why(origin), hint: wayOut(origin) })
}

function why(origin: string): string {
  return `The state knows it by its digest alone, and no manifest that is read gives it: ignore_changes keeps what is there, or ${origin} stands in another file.`
}

function wayOut(origin: string): string {
  return `take it out of ignore_changes there, name the file of ${origin} as well where -f is given, or write here what gives the value`
}

/** What changes and would send a sensitive value that ignore_changes keeps, and that nobody has. */
export function lostValues(one: Planned, secrets: ReadonlyMap<string, JsonValue>): readonly Diagnostic[] {
  const { declared, desired, address, action } = one
  if (!declared || !desired || action === 'no-op') return []
  const lost = new Set(digestsIn(desired).filter((token) => !secrets.has(token)))
  if (lost.size === 0) return []
  const field = Object.keys(desired).find((name) => {
    const own = digestsIn(desired[name] ?? null).filter((token) => lost.has(token))
    return own.length > 0 && stepsOf(one, false).some(({ call }) => digestsIn(toJson(call.body ?? null)).some((token) => own.includes(token)))
  })
  if (field === undefined) return []
  const text = `${address}: ${action === 'update' ? 'changing' : 'making'} it needs the sensitive value of ${field} that is there, and nobody has it`
  const detail = 'The state knows it by its digest alone, and ignore_changes keeps it in the place of what the manifests give.'
  const hint = `take /${field} out of ignore_changes, here or where the value comes from: then the manifests give it`
  return [diagnostic('unsupported_change', text, { address, position: declared.positionOf(`/${field}`), detail, hint })]
}
