// `iac status`: what is unfinished and who holds the lock; changes nothing.
import { withPlace } from '../../base/placed-commands.ts'
import { isUnreadable } from '../../state/document.ts'
import type { Holder, StateStore } from '../../state/store.ts'
import { idleFlags } from '../arguments/flags.ts'
import { placeFlags } from '../arguments/place-flags.ts'
import { defineCommand } from '../context/command.ts'
import type { Context } from '../context/context.ts'
import { isLeftBehind } from '../context/left-behind.ts'
import { currentIn, resourcesOf, storeOf } from '../context/state-access.ts'
import { lockLine } from '../render/lock-line.ts'
import type { MachineDocument } from '../render/machine-shapes.ts'
import { counted } from '../render/text/counted.ts'
import { safeLine } from '../render/text/sanitise.ts'
import { tableText } from '../render/text/tables.ts'

export const statusCommand = defineCommand({
  summary: 'unfinished operations, and the lock',
  about:
    'Shows operations that a run began and that have no end yet, with their workflows, and the lock with its owner and how long ago that gave a sign of life, by the clock of whatever keeps the state. Changes nothing.',
  arguments: [],
  flags: {},
  idle: idleFlags.withoutWriting,
  examples: [{ text: 'status', about: 'after a run was killed: what the next apply settles first' }],
  async run(context) {
    const store = await storeOf(context, 'lock first')
    const { folded, document } = await currentIn(store).catch(async (error: unknown) => {
      // Who has the lock is worth knowing all the same.
      if ((isUnreadable(error) || isLeftBehind(error)) && !context.globals.switch('json')) context.print.result(`${lockText(context, await lockOf(store))}\n`)
      throw error
    })
    const lock = await lockOf(store)
    const unfinished = folded.open.map(({ intent, workflowId, accepted, id }) => ({
      address: intent.address,
      kind: intent.kind,
      step: intent.step,
      id,
      workflow_id: workflowId,
      accepted,
      sent_at: new Date(intent.sent_at).toISOString(),
    }))
    if (context.globals.switch('json')) {
      const shown: MachineDocument<'status'> = {
        state: { lineage: document?.lineage ?? null, serial: document?.serial ?? 0 },
        resources: resourcesOf({ folded }).length,
        unfinished,
        lock: lock.holder ?? null,
        lock_obstacle: lock.obstacle ?? null,
        lock_unknown: lock.unknown ?? null,
      }
      context.print.json(shown)
      return 0
    }
    const rows = unfinished.map((one) => [one.address, one.step, one.workflow_id ?? (one.accepted ? '' : 'answer unknown'), one.sent_at])
    const about = document
      ? `State: serial ${document.serial}, ${counted(resourcesOf({ folded }).length, 'resource')}, ${safeLine(store.where)}`
      : `State: none yet (${safeLine(store.where)})`
    const open =
      rows.length === 0
        ? 'Nothing is unfinished.\n'
        : `Unfinished; the next apply settles it first:\n\n${tableText(['address', 'step', 'workflow', 'sent'], rows)}`
    context.print.result(`${about}\n${lockText(context, lock)}\n${open}`)
    return 0
  },
})

interface Lock {
  readonly holder: Holder | undefined
  readonly obstacle: string | undefined
  /** What cannot be told of one that nobody is known to hold. */
  readonly unknown: string | undefined
}

async function lockOf(store: StateStore): Promise<Lock> {
  const holder = await store.holder()
  return { holder, obstacle: holder ? undefined : await store.obstacle(), unknown: holder ? undefined : store.unknownLock }
}

function lockText({ globals }: Context, { holder, obstacle, unknown }: Lock): string {
  if (holder) return lockLine(holder)
  if (obstacle !== undefined) return `Lock: held by nobody, and not to be had. ${safeLine(withPlace(obstacle, placeFlags(globals)))}`
  return unknown === undefined ? 'Lock: free' : `Lock: ${unknown}`
}
