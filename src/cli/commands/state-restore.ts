// `iac state restore [SERIAL]`: an earlier generation in the place of the state.
import { Failure, failure } from '../../diagnostic.ts'
import { compact } from '../../state/fold.ts'
import type { Entry } from '../../state/record.ts'
import type { Lease, Loaded, StateStore } from '../../state/store.ts'
import { defineCommand } from '../command.ts'
import { idleFlags } from '../flags.ts'
import { usageFailure } from '../usage.ts'
import { askYes } from '../question.ts'
import { assertNothingForgotten, storeOf, underLock } from '../state-access.ts'

export const stateRestoreCommand = defineCommand({
  summary: 'put an earlier generation of the state in place',
  about:
    'Puts a generation back as the newest one; without a serial the last one before the present, or the last that is kept where the present one cannot be read.',
  arguments: [{ name: 'SERIAL', about: 'as `iac state history` shows it', optional: true }],
  flags: { 'auto-approve': { type: 'switch', about: 'do not ask' } },
  idle: idleFlags.withoutManifests,
  examples: [{ text: 'state restore 41', about: 'what was made after it is no longer known to iac' }],
  async run(context, given) {
    const store = await storeOf(context)
    const [text] = given.arguments
    if (text !== undefined && !/^[1-9]\d{0,14}$/.test(text)) throw usageFailure(`"${text}" is no serial`)
    const serial = text === undefined ? await lastBefore(store) : Number(text)
    if (serial === undefined) throw failure('state_command', 'no earlier generation is kept')
    const question = {
      title: `Do you really want to restore serial ${serial}?`,
      lines: ['What was recorded after it is forgotten; objects made since stay, unmanaged.'],
    }
    if (!given.switch('auto-approve') && !(await askYes(context, question))) {
      context.print.note('\nRestore cancelled.')
      return 1
    }
    await underLock(context, async (lease) => {
      const old = await store.generation(serial)
      const { loaded, newest } = await readDamaged(lease, await store.history())
      const next = Math.max(loaded?.document?.serial ?? 0, newest, old.serial) + 1
      const document = { ...old, tool_version: context.surroundings.version, serial: next }
      const keep: Entry[] = [{ t: 'restored', serial }, ...compact(loaded?.entries ?? [])]
      if (loaded) assertNothingForgotten(loaded, document, keep, { what: `serial ${serial}`, again: 'then restore: what was recorded stays in the history' })
      await lease.write(document, keep)
    })
    context.print.note(`the state is serial ${serial} again`)
    return 0
  },
})

/** The newest generation below the present state; the newest of all where that cannot be read, since it may be the same one undamaged. */
async function lastBefore(store: StateStore): Promise<number | undefined> {
  const history = await store.history()
  try {
    const serial = (await store.read()).document?.serial ?? Infinity
    return history.find((one) => one < serial)
  } catch (error) {
    if (error instanceof Failure && error.exitCode === 9) return history[0]
    throw error
  }
}

/** The present state if it can be read at all. */
async function readDamaged(lease: Lease, history: readonly number[]): Promise<{ readonly loaded: Loaded | undefined; readonly newest: number }> {
  const newest = history[0] ?? 0
  try {
    return { loaded: await lease.read(), newest }
  } catch (error) {
    if (error instanceof Failure && error.exitCode === 9) return { loaded: undefined, newest: newest + 1 }
    throw error
  }
}
