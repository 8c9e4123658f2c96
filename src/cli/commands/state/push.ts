// `iac state push FILE`: an edited state in the place of the present one.
import { resolve } from 'node:path'
import { diagnostic, failure } from '../../../base/diagnostic.ts'
import type { Diagnostic, Failure } from '../../../base/diagnostic.ts'
import { checkOwnerOfFile } from '../../../engine/model/state-owner.ts'
import { nodeFiles } from '../../../project/files/node-files.ts'
import { decodeDocument, isInClear } from '../../../state/document.ts'
import { compact } from '../../../state/fold.ts'
import type { Entry, StateDocument } from '../../../state/record.ts'
import type { Loaded } from '../../../state/store.ts'
import { isApproved, unapprovedCode } from '../../apply/question.ts'
import { idleFlags } from '../../arguments/flags.ts'
import type { Given } from '../../arguments/flags.ts'
import { defineCommand } from '../../context/command.ts'
import type { Context } from '../../context/context.ts'
import { bytesOfInput } from '../../context/given-text.ts'
import { letGoAdvice } from '../../context/let-go.ts'
import { askingOf, assertNothingForgotten, olderText, readEvenDamaged, remakesText, standsAgain, underLock } from '../../context/state-access.ts'

const LARGEST_BYTES = 512 * 1024 * 1024
/** No state comes to so many writes, and as many more are left to it as numbers have room for. */
const highestSerial = 2 ** 40

export const statePushCommand = defineCommand({
  summary: 'put an edited state in place',
  about:
    'Replaces the state by a file, - for standard input; its checksum is made anew. Another lineage, an older serial, a file of another project or environment, and one that lacks what an interrupted run made are refused. In the place of a state that cannot be read it is put after a question, since it can be compared with nothing.',
  arguments: [{ name: 'FILE', about: 'a state as `iac state pull` prints it' }],
  flags: { 'auto-approve': { type: 'switch', about: 'do not ask' } },
  idle: idleFlags.withoutManifests,
  examples: [{ text: 'state push copy.json', about: 'after editing what `state pull` printed' }],
  async run(context, given) {
    const [path = ''] = given.arguments
    const file = path === '-' ? 'what standard input gave' : path
    const { surroundings, print } = context
    const read = decodeDocument(await bytesOf(context, path, file), file, { anyChecksum: true, hint: 'the state is as it was; pull again and repeat the edit' })
    // It may be a copy of what a move left, in the history of the new place or in the old one.
    const pushed = standsAgain(read, file)
    if (pushed.serial > highestSerial)
      throw failure('state_damaged', `${file} has the serial ${pushed.serial}, which no state comes to`, {
        detail: 'Each write of the state counts one on, and there would be no room for the next ones. Nothing was written.',
        hint: 'give it the serial that it had when it was pulled',
      })
    checkOwnerOfFile(await askingOf(context), pushed, file)
    surroundings.graceful(true)
    try {
      return await underLock(
        context,
        async (lease, store) => {
          const { loaded, damage } = await readEvenDamaged(lease)
          // It can be read, and is not to be written over by what was never compared with it.
          if (isInClear(damage)) throw damage
          const keep = loaded ? keepOf(loaded, pushed, file) : keepFrom(Math.min(pushed.serial, lease.serial()), [])
          const unseen = damage && { damage, newest: lease.serial(), history: await store.history(), pushed, file }
          if (unseen && !(await mayReplace(context, given, unseen))) return unapprovedCode(context)
          await lease.write({ ...pushed, tool_version: surroundings.version, serial: Math.max(pushed.serial, lease.serial() + 1) }, keep)
          print.note('the state was replaced')
          if (loaded) print.diagnostics(letGoAdvice(loaded, pushed, file))
          return 0
        },
        { fills: true },
      )
    } finally {
      surroundings.graceful(false)
    }
  },
})

async function bytesOf({ surroundings }: Context, path: string, file: string): Promise<Uint8Array> {
  const { stdin, workingFolder } = surroundings
  const read = path === '-' ? await bytesOfInput(stdin, LARGEST_BYTES) : nodeFiles.read(resolve(workingFolder, path), { limitBytes: LARGEST_BYTES })
  if (read.bytes === undefined) throw failure('file_unreadable', `${file} cannot be read: ${read.problem}`)
  return read.bytes
}

/** What of the journal stays behind a file that fits the state; throws whatever forbids it. */
function keepOf(loaded: Loaded, pushed: StateDocument, file: string): readonly Entry[] {
  const { document, entries } = loaded
  if (document && document.lineage !== pushed.lineage) {
    throw failure('state_damaged', `${file} is of another lineage than the state`, {
      detail: `The state has ${document.lineage}, the file ${pushed.lineage}: they never were the same.`,
    })
  }
  if (document && pushed.serial < document.serial) {
    throw failure('state_damaged', `${file} is older than the state`, {
      detail: `The state has serial ${document.serial}, the file ${pushed.serial}.`,
      hint: 'pull again and repeat the edit',
    })
  }
  // A run may have begun since it was pulled: what it left open is not in the file.
  const keep = keepFrom(Math.min(pushed.serial, document?.serial ?? 0), entries)
  assertNothingForgotten(loaded, pushed, keep, { what: file, again: 'pull again and repeat the edit' })
  return keep
}

function keepFrom(serial: number, entries: readonly Entry[]): readonly Entry[] {
  return [{ t: 'restored', serial }, ...compact(entries)]
}

interface Unseen {
  readonly damage: Failure
  /** The serial that was written last. */
  readonly newest: number
  readonly history: readonly number[]
  readonly pushed: StateDocument
  readonly file: string
}

/** Whether the file may take the place of what cannot be read. Throws a Failure 3 where nobody may be asked. */
async function mayReplace(context: Context, given: Given, unseen: Unseen): Promise<boolean> {
  const { file } = unseen
  if (given.switch('auto-approve')) {
    context.print.diagnostics(warningsAbout(unseen))
    return true
  }
  if (given.arguments[0] === '-')
    throw failure('usage', 'this needs an approval, and standard input holds the state', { hint: 'add --auto-approve, or write the state to a file' })
  const question = { title: `Do you really want to put ${file} in the place of the state?`, lines: linesAbout(unseen) }
  return await isApproved(context, given, question, 'Push cancelled.')
}

const nothingCompared = 'Its lineage, and what an interrupted run left, are compared with nothing.'

/** What whoever puts a file in the place of a state that cannot be read is left to know. */
function linesAbout({ damage, newest, history, pushed }: Unseen): readonly string[] {
  const older = pushed.serial < newest ? [`${olderText('This file', newest, history)}.`, remakesText] : []
  return [`The state cannot be read: ${summaryOf(damage)}.`, `Nothing tells whether the file is of the same state. ${nothingCompared}`, ...older]
}

function warningsAbout({ damage, newest, history, pushed, file }: Unseen): readonly Diagnostic[] {
  const unread = `the state cannot be read, so that nothing tells whether ${file} is of the same one`
  return [
    diagnostic('advice', unread, { detail: `${summaryOf(damage)}. ${nothingCompared}` }),
    ...(pushed.serial < newest ? [diagnostic('advice', olderText(file, newest, history), { detail: remakesText })] : []),
  ]
}

function summaryOf({ diagnostics: [first] }: Failure): string {
  return first?.summary ?? 'it is damaged'
}
