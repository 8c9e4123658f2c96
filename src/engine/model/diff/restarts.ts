// Restarts that follow an update of another resource: asked for until what a resource was started with is what its triggers hold, and until what a run set out to do is done.
import { createHash } from 'node:crypto'
import { canonicalJson } from '../../../base/json.ts'
import type { Declared } from '../../../project/resolving/declared.ts'
import type { ResourceRecord } from '../../../state/record.ts'
import { isLeftDue } from './triggered.ts'

type Records = { get(address: string): ResourceRecord | undefined }

/** Hashes of the triggers' objects and specs as recorded; one that is not recorded is left out. */
export function restartsOf(triggers: readonly string[], records: Records): Readonly<Record<string, string>> {
  return Object.fromEntries(
    triggers.flatMap((address) => {
      const record = records.get(address)
      return record ? [[address, hashOf(record)] as const] : []
    }),
  )
}

/** What a restart by hand starts a resource with: its triggers as recorded, without those that are about to change. */
export function startedByHand(
  { restarts = {}, triggered }: ResourceRecord,
  ledger: { record(address: string): ResourceRecord | undefined; isOpen(address: string): boolean },
): Readonly<Record<string, string>> {
  const settled = Object.keys(restarts).filter((address) => {
    const mark = triggered?.[address]
    return !ledger.isOpen(address) && (mark === undefined || ledger.record(address)?.awaited?.mark !== mark)
  })
  return restartsOf(settled, { get: (address) => ledger.record(address) })
}

/** Whether a trigger changes in this plan, changed since the resource was last started with it, or was changed by a run that did not get to the restart. */
export function restartDue(declared: Declared, record: ResourceRecord, around: Parameters<typeof isLeftDue>[2]): boolean {
  return declared.lifecycle.redeployTriggeredBy.some((address) => {
    const trigger = around.decided.get(address)
    const changes = trigger !== undefined && (trigger.action === 'import' ? trigger.differences.length > 0 : trigger.action !== 'no-op')
    const started = record.restarts?.[address]
    const triggerRecord = around.records.get(address)
    // A hash does not tell of an update that only undoes drift: it leaves the record as it was.
    return changes || (started !== undefined && triggerRecord !== undefined && hashOf(triggerRecord) !== started) || isLeftDue(address, record, around)
  })
}

/** A record that was started with triggers as they were recorded before, if they are only written down anew: it runs with what they are. */
export function carriedOver(record: ResourceRecord, settled: ReadonlyMap<string, readonly [before: ResourceRecord, after: ResourceRecord]>): ResourceRecord {
  const carried = Object.entries(record.restarts ?? {}).flatMap(([address, hash]) => {
    const pair = settled.get(address)
    return pair && hashOf(pair[0]) === hash ? [[address, hashOf(pair[1])] as const] : []
  })
  return carried.length === 0 ? record : { ...record, restarts: { ...record.restarts, ...Object.fromEntries(carried) } }
}

function hashOf(record: ResourceRecord): string {
  return createHash('sha256')
    .update(canonicalJson([record.id, record.spec]))
    .digest('hex')
}
