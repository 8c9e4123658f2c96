// `iac state push FILE`: an edited state in the place of the present one.
import { resolve } from 'node:path'
import { failure } from '../../../base/diagnostic.ts'
import { nodeFiles } from '../../../project/files/node-files.ts'
import { decodeDocument } from '../../../state/document.ts'
import { compact } from '../../../state/fold.ts'
import type { Entry } from '../../../state/record.ts'
import { idleFlags } from '../../arguments/flags.ts'
import { defineCommand } from '../../context/command.ts'
import { bytesOfInput } from '../../context/given-text.ts'
import { assertNothingForgotten, underLock } from '../../context/state-access.ts'

const LARGEST_BYTES = 512 * 1024 * 1024

export const statePushCommand = defineCommand({
  summary: 'put an edited state in place',
  about:
    'Replaces the state by a file, - for standard input; its checksum is made anew. Another lineage, an older serial, and a file that lacks what an interrupted run made are refused.',
  arguments: [{ name: 'FILE', about: 'a state as `iac state pull` prints it' }],
  flags: {},
  idle: idleFlags.withoutManifests,
  examples: [{ text: 'state push copy.json', about: 'after editing what `state pull` printed' }],
  async run(context, given) {
    const [file = ''] = given.arguments
    const pushed = decodeDocument(await bytesOf(file), file, { anyChecksum: true, hint: 'the state is as it was; pull again and repeat the edit' })
    await underLock(context, async (lease) => {
      const loaded = await lease.read()
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
      const serial = Math.max(pushed.serial, (document?.serial ?? 0) + 1)
      // A run may have begun since it was pulled: what it left open is not in the file.
      const pulled = Math.min(pushed.serial, document?.serial ?? 0)
      const keep: Entry[] = [{ t: 'restored', serial: pulled }, ...compact(entries)]
      const next = { ...pushed, tool_version: context.surroundings.version, serial }
      assertNothingForgotten(loaded, next, keep, { what: file, again: 'pull again and repeat the edit' })
      await lease.write(next, keep)
    })
    context.print.note('the state was replaced')
    return 0

    async function bytesOf(path: string): Promise<Uint8Array> {
      const { stdin, workingFolder } = context.surroundings
      const read = path === '-' ? await bytesOfInput(stdin, LARGEST_BYTES) : nodeFiles.read(resolve(workingFolder, path), { limitBytes: LARGEST_BYTES })
      if (read.bytes === undefined) throw failure('file_unreadable', `${path} cannot be read: ${read.problem}`)
      return read.bytes
    }
  },
})
