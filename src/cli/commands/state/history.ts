// `iac state history`: the generations of the state that are kept.
import { Failure } from '../../../base/diagnostic.ts'
import { isStepOfMove } from '../../../state/delivery/move-state.ts'
import { isUnreadable } from '../../../state/document.ts'
import type { StateStore } from '../../../state/store.ts'
import { idleFlags } from '../../arguments/flags.ts'
import { defineCommand } from '../../context/command.ts'
import type { Context } from '../../context/context.ts'
import { currentState, noteAbsence, storeOf } from '../../context/state-access.ts'
import type { MachineDocument } from '../../render/machine-shapes.ts'
import { tableText } from '../../render/text/tables.ts'

/** A state that cannot be read is there. */
async function noteNoState(context: Context): Promise<void> {
  try {
    noteAbsence(context, await currentState(context))
  } catch (error) {
    if (!isUnreadable(error)) throw error
  }
}

export const stateHistoryCommand = defineCommand({
  summary: 'the generations of the state that are kept',
  about:
    'Lists the generations that are kept, the newest first: serial, when it was written and by which command, number of resources, and the version that wrote it; - where it cannot be read.',
  arguments: [],
  flags: {},
  idle: idleFlags.withoutWriting,
  examples: [{ text: 'state history', about: 'what `iac state restore` can put back' }],
  async run(context) {
    const store = await storeOf(context)
    const rows: MachineDocument<'state-history'>[number][] = []
    // One after another: each may be as large as memory bears.
    let isNewerRead = false
    for (const serial of await store.history()) {
      const { row, isStep } = await generationRow(store, serial)
      // It holds nothing that a newer one lacks, as long as that can be read.
      if (!isStep || !isNewerRead) rows.push(row)
      isNewerRead = row.tool_version !== null
    }
    if (rows.length === 0) await noteNoState(context)
    if (context.globals.switch('json')) context.print.json(rows)
    else
      context.print.result(
        tableText(
          ['serial', 'time', 'command', 'resources', 'version'],
          rows.map((one) => [String(one.serial), one.time ?? '-', one.command ?? '-', String(one.resources ?? '-'), one.tool_version ?? '-']),
        ),
      )
    return 0
  },
})

/** A damaged generation is listed, too. */
async function generationRow(store: StateStore, serial: number): Promise<{ readonly row: MachineDocument<'state-history'>[number]; readonly isStep: boolean }> {
  try {
    const document = await store.generation(serial)
    const { resources, tool_version, written } = document
    return {
      row: { serial, time: written?.time ?? null, command: written?.command ?? null, resources: resources.length, tool_version },
      isStep: isStepOfMove(document),
    }
  } catch (error) {
    if (error instanceof Failure) return { row: { serial, time: null, command: null, resources: null, tool_version: null }, isStep: false }
    throw error
  }
}
