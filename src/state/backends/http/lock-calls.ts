// The lock of the protocol: one call takes it, one gives it back, and an answer names its holder, in its own words or in those of whoever asks.
import * as z from 'zod'
import { failure } from '../../../base/diagnostic.ts'
import { isObject, parseJson, stringifyJson } from '../../../base/json.ts'
import { lockRecordSchema } from '../../lease/lock-record.ts'
import type { LockRecord } from '../../lease/lock-record.ts'
import { noServer } from './remote.ts'
import type { Remote } from './remote.ts'

/** Who has a lock, as the server says. */
export interface Held {
  readonly id: string
  readonly who: string
  readonly operation: string
  readonly created: string
  /** What the holder has said of itself, where the server tells it: some answer with the words of whoever asks. */
  readonly record: LockRecord | undefined
}

export interface LockCalls {
  /** Undefined where it is ours. */
  take(record: LockRecord, version: string): Promise<Held | undefined>
  /** Gives it back, or takes it from whoever has it under this id; what is another's by now is left alone. */
  free(id: string): Promise<void>
}

const heldSchema = z.object({ ID: z.string().min(1), Who: z.string().catch(''), Operation: z.string().catch(''), Created: z.string().catch('') })
const longestWord = 200

/** The calls at the lock addresses of a state; undefined where it has none. */
export function lockCalls(remote: Remote): LockCalls | undefined {
  const { locking } = remote.address
  if (!locking) return undefined
  return Object.freeze({
    async take(record, version) {
      const id = lockIdOf(record)
      const answer = await remote.ask({ ...locking.lock, body: lockInfo(record, version) })
      if (answer.status === 200) return undefined
      if (answer.status !== 409 && answer.status !== 423) throw answer.status === 404 ? noLock(remote, 'lock_address') : remote.inWords({ answer })
      const held = heldIn(answer.bytes)
      // Of an answer that was lost this tells that the first one arrived.
      return held.id === id ? undefined : held
    },
    async free(id) {
      const body = stringifyJson({ ID: id, Operation: '', Info: '', Who: '', Version: '', Created: '', Path: '' })
      const answer = await remote.ask({ ...locking.unlock, body })
      // Not held any more, or by another: by an answer that was lost, or by somebody who broke it.
      if (answer.status === 200 || answer.status === 204 || answer.status === 409 || answer.status === 423) return
      throw answer.status === 404 ? noLock(remote, 'unlock_address') : remote.inWords({ answer })
    },
  } satisfies LockCalls)
}

/** The id under which a run has the lock: who finds it without a record knows that it is one of ours, and for how long it is lent. */
export function lockIdOf({ key, lease_ms }: Pick<LockRecord, 'key' | 'lease_ms'>): string {
  return `iac-${key}-${lease_ms}`
}

/** For how long the lock of this id is lent, in milliseconds; undefined for one of another tool, which no lease ends. */
export function leaseOf(id: string): number | undefined {
  const digits = /^iac-[0-9a-f]{32}-([1-9]\d{2,8})$/.exec(id)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

/** OpenTofu's seven fields, all there and all text; what others are to know of a holder stands in `Info`. */
function lockInfo(record: LockRecord, version: string): string {
  const { owner } = record
  return stringifyJson({
    ID: lockIdOf(record),
    Operation: owner?.operation ?? '',
    Info: stringifyJson(record),
    Who: owner?.who ?? '',
    Version: version,
    Created: owner?.created ?? '',
    Path: '',
  })
}

/** What an answer says of the holder; one that says nothing leaves the id empty. */
function heldIn(bytes: Buffer): Held {
  const value = jsonOf(bytes.toString('utf8'))
  const held = heldSchema.safeParse(value).data
  const record = lockRecordSchema.safeParse(isObject(value) && typeof value['Info'] === 'string' ? jsonOf(value['Info']) : undefined).data
  const [id = '', who = '', operation = '', created = ''] = [held?.ID, held?.Who, held?.Operation, held?.Created].map((one) => one?.slice(0, longestWord))
  return { id, who, operation, created, record: record && lockIdOf(record) === id ? record : undefined }
}

function jsonOf(text: string): ReturnType<typeof parseJson> | undefined {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

function noLock({ address }: Remote, setting: string): Error {
  return noServer(address, `there is nothing at its ${setting}`)
}

/** The failure of a lock that no record tells of, exit code 7. */
export function lockedElsewhere({ id, who, operation, created }: Held): Error {
  const by = who === '' ? 'another run' : who
  const breaking = id === '' ? 'or break it with the tool that has it' : `or break it with \`iac state unlock ${/^[\w.:-]+$/.test(id) ? id : 'ID'}\``
  return failure('locked', `the state is locked by ${by}`, {
    detail: `${operation === '' ? 'a run' : operation}${created === '' ? '' : `, since ${created}`}; lock ${id === '' ? 'without an id' : id}`,
    hint: `wait with --lock-timeout, ${breaking}`,
  })
}
