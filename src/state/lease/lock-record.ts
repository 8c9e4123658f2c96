// What a lock in a shared place holds: who has it, how often it was renewed, and what the state's serial was when it was last given back.
import * as z from 'zod'
import { failure } from '../../base/diagnostic.ts'
import type { Failure } from '../../base/diagnostic.ts'
import { shellWord } from '../../base/words/shell-word.ts'
import { damaged } from '../document.ts'
import type { Owner } from '../store.ts'

/** Who holds a lock, as it is written. */
export const ownerSchema = z.object({
  id: z.string(),
  operation: z.string(),
  who: z.string(),
  host: z.string(),
  pid: z.number(),
  created: z.string(),
  run_url: z.string().nullable(),
})

/** A process as no second one is, as it is written. */
export const processSchema = z.object({ host: z.string(), boot: z.string(), namespace: z.string(), pid: z.number(), start: z.string() })

export const lockRecordSchema = z.object({
  format: z.literal('iac-lock/v1'),
  /** Drawn anew by each run that takes the lock: its own record is known by it, whatever answer was lost. */
  key: z.string().regex(/^[0-9a-f]{32}$/),
  /** Grows with each run that takes the lock: what an earlier one writes is refused. */
  epoch: z.number().int().nonnegative(),
  /** Grows with each sign of life of the holder. */
  renewals: z.number().int().nonnegative(),
  /** Serial of the state when the lock was last given back, 0 if never. */
  serial: z.number().int().nonnegative(),
  /** How long the holder lives without a sign of life, in milliseconds. */
  lease_ms: z.number().int().positive(),
  process: processSchema.nullable(),
  owner: ownerSchema.nullable(),
  /** In a free one that was taken from its holder: what that one sent may still be under way. Earlier versions neither write nor keep it. */
  broken: z.boolean().optional(),
})

export type LockRecord = Readonly<z.infer<typeof lockRecordSchema>>

/** The failure of a lock that another run holds, exit code 7: who, where, since when, how long a holder that died keeps it, and which command breaks it. */
export function lockedBy(owner: Owner, leaseMs?: number): Failure {
  const at = `process ${owner.pid} on ${owner.host}, since ${owner.created}${owner.run_url === null ? '' : `, ${owner.run_url}`}`
  const wait =
    leaseMs === undefined
      ? 'wait with --lock-timeout'
      : `wait with \`--lock-timeout ${Math.ceil(leaseMs / 1000) + 5}s\` (a holder that died loses it ${Math.ceil(leaseMs / 1000)}s after its last sign of life)`
  return failure('locked', `the state is locked by ${owner.who}`, {
    detail: `${owner.operation} by ${owner.who}, ${at}; lock ${owner.id}`,
    hint: `${wait}, or break it with \`iac state unlock ${shellWord(owner.id)}\``,
  })
}

/** The way out where nobody can tell any more whose a lock is. */
export const damagedLockHint = 'where no run is going, `iac state unlock --damaged` puts a free lock in its place'

/** The failure of a lock that is none, exit code 9; `where` is the state's. */
export function damagedLock(where: string, detail: string): Failure {
  return damaged(`the lock of ${where}`, detail, damagedLockHint)
}

/** The failure of a command that takes a lock for a damaged one, exit code 3. */
export function noDamagedLock(): Failure {
  return failure('state_command', 'the lock is not damaged', { hint: 'see `iac status`' })
}

/** The failure of a command that names a lock that nobody holds, exit code 3. */
export function noSuchLock(id: string): Failure {
  return failure('state_command', `no lock with the id ${id} is held`, { hint: 'see `iac status`' })
}
