// `iac state restore [SERIAL]`: an earlier generation in the place of the state.
import { diagnostic, failure } from '../../../base/diagnostic.ts'
import { isStepOfMove } from '../../../state/delivery/move-state.ts'
import { compact } from '../../../state/fold.ts'
import type { Entry, StateDocument } from '../../../state/record.ts'
import type { Lease, Loaded, StateStore } from '../../../state/store.ts'
import { assertMayAsk, isApproved, unapprovedCode } from '../../apply/question.ts'
import { idleFlags } from '../../arguments/flags.ts'
import { usageFailure } from '../../arguments/usage.ts'
import { defineCommand } from '../../context/command.ts'
import type { Context } from '../../context/context.ts'
import { assertNothingForgotten, olderText, readEvenDamaged, remakesText, standsAgain, underLock } from '../../context/state-access.ts'

export const stateRestoreCommand = defineCommand({
  summary: 'put an earlier generation of the state in place',
  about:
    'Puts a generation back as the newest one; without a serial the last one before the present, or the last that is kept where the present one cannot be read.',
  arguments: [{ name: 'SERIAL', about: 'as `iac state history` shows it', optional: true }],
  flags: { 'auto-approve': { type: 'switch', about: 'do not ask' } },
  idle: idleFlags.withoutManifests,
  examples: [{ text: 'state restore 41', about: 'what was made after it is no longer known to iac' }],
  async run(context, given) {
    const [text] = given.arguments
    if (text !== undefined && !/^[1-9]\d{0,14}$/.test(text)) throw usageFailure(`"${text}" is no serial`)
    const approved = given.switch('auto-approve')
    if (!approved) assertMayAsk(context)
    const { surroundings, print } = context
    surroundings.graceful(true)
    try {
      return await underLock(context, async (lease, store) => {
        const restoring = await prepared(context, lease, store, text)
        if (approved) print.diagnostics(warningAbout(restoring))
        if (!(await isApproved(context, given, questionAbout(restoring), 'Restore cancelled.'))) return unapprovedCode(context)
        await lease.write(restoring.document, restoring.keep)
        print.note(`what serial ${restoring.from} held is the state again, as serial ${restoring.document.serial}`)
        return 0
      })
    } finally {
      surroundings.graceful(false)
    }
  },
})

interface Restoring {
  /** The serial of the generation that is put back. */
  readonly from: number
  /** The serial that was written last, where it is newer than that and kept nowhere any more. */
  readonly lost: number | undefined
  readonly document: StateDocument
  readonly keep: readonly Entry[]
}

/** What would be written; throws whatever forbids it, so that nobody is asked for nothing. */
async function prepared({ surroundings }: Context, lease: Lease, store: StateStore, text: string | undefined): Promise<Restoring> {
  const history = await store.history()
  const { loaded } = await readEvenDamaged(lease)
  const serial = text === undefined ? await lastBefore(store, loaded, history) : Number(text)
  if (serial === undefined)
    throw failure(
      'state_command',
      'no earlier generation is kept',
      loaded ? {} : { hint: 'with a copy that `iac state pull` printed, `iac state push FILE` puts that in place' },
    )
  const old = standsAgain(await store.generation(serial), `serial ${serial}`)
  const newest = Math.max(lease.serial(), history[0] ?? 0, old.serial)
  const document = { ...old, tool_version: surroundings.version, serial: newest + 1 }
  const keep: Entry[] = [{ t: 'restored', serial }, ...compact(loaded?.entries ?? [])]
  if (loaded) assertNothingForgotten(loaded, document, keep, { what: `serial ${serial}`, again: 'then restore: what was recorded stays in the history' })
  return { from: serial, lost: !loaded && newest > serial && !history.includes(newest) ? newest : undefined, document, keep }
}

function questionAbout({ from, lost }: Restoring) {
  return {
    title: `Do you really want to restore serial ${from}?`,
    lines:
      lost === undefined
        ? ['What was recorded after it is forgotten; objects made since stay, unmanaged.']
        : [`${olderText('This one', lost, [])}.`, remakesText],
  }
}

function warningAbout({ from, lost }: Restoring) {
  return lost === undefined ? [] : [diagnostic('advice', olderText(`serial ${from}`, lost, []), { detail: remakesText })]
}

/** The newest generation below the present state that is none that only says where it went; the newest of all where that cannot be read, since it may be the same one undamaged. */
async function lastBefore(store: StateStore, loaded: Loaded | undefined, history: readonly number[]): Promise<number | undefined> {
  const present = loaded ? (loaded.document?.serial ?? Infinity) : Infinity
  for (const serial of history.filter((one) => one < present)) {
    if (!loaded) return serial
    // What a move brought last is what the state is.
    if (!isStepOfMove(await store.generation(serial))) return serial
  }
  return undefined
}
