// The files that a run is to write: that each can be written, is named once, and is none that iac reads.
import { lstatSync } from 'node:fs'
import { basename, delimiter, dirname, join, resolve } from 'node:path'
import { failure } from '../../base/diagnostic.ts'
import { realPlace } from '../../base/files/real-place.ts'
import { shellWord } from '../../base/words/shell-word.ts'
import { projectFileName } from '../../project/files/find-project.ts'
import { nodeFiles } from '../../project/files/node-files.ts'
import { usageFailure } from '../arguments/usage.ts'
import type { Context } from '../context/context.ts'
import { localStates } from '../context/load-given.ts'
import { OWN_FOLDER } from '../storage/own-places.ts'
import { namedFileProblem } from '../surroundings/write-private.ts'

/** What stands in `.iac` beside states. */
const ownPlaces = ['sandbox', 'sandbox-running.json', 'undelivered'].map((name) => join(OWN_FOLDER, name))
/** What stands beside a state. */
const companions = ['', '.journal', '.lock', '.history']

/** A file as it was named, and its absolute path. */
interface NamedFile {
  readonly file: string
  readonly path: string
}

/** Throws a Failure 3, before any call is made, for a file that cannot be written, is named twice, or is one that iac reads: the project's own, a state, what the command line names (`alsoRead` of its own flags and arguments). */
export async function assertMayWrite(context: Context, named: readonly (string | undefined)[], alsoRead: readonly string[] = []): Promise<void> {
  const { folder, surroundings } = context
  const files: readonly NamedFile[] = named.flatMap((file) => (file === undefined ? [] : [{ file, path: resolve(surroundings.workingFolder, file) }]))
  if (files.length === 0) return
  for (const { file } of files) assertPlace(context, file)
  const taken = new Map<string, string>()
  for (const { file, path } of files) {
    const other = taken.get(placeOf(path))
    if (other !== undefined) throw failure('usage', `${other} and ${file} are one file, and would be written twice`, { hint: 'give each its own' })
    taken.set(placeOf(path), file)
  }
  function refuse(read: string, what: string, among: readonly NamedFile[] = files): void {
    const hit = among.find(({ path }) => isAt(path, read))
    if (hit) throw failure('usage', `${hit.file} cannot be written: it is ${what}`, { hint: 'name another file' })
  }
  refuse(join(folder, projectFileName), 'the project file')
  for (const own of ownPlaces) refuse(join(folder, own), "iac's own")
  for (const state of await localStates(folder, surroundings)) for (const end of companions) refuse(`${state}${end}`, 'a state, or stands beside one')
  // Of a folder its manifests are read.
  const manifests = files.filter(({ path }) => /\.ya?ml$/.test(path) && nodeFiles.kindOf(path) !== undefined)
  for (const read of namedOf(context, alsoRead)) {
    const kind = nodeFiles.kindOf(read)
    if (kind !== undefined) refuse(kind === 'folder' ? realPlace(read) : read, 'read by this run', kind === 'folder' ? manifests : files)
  }
  // Where nothing stands, nothing is lost: what a project reads need not be looked for.
  if (!files.some(({ path }) => nodeFiles.kindOf(path) !== undefined)) return
  for (const read of (await context.load()).read) refuse(read, 'a file of the project that iac reads')
}

/** Throws a Failure 3 for a file that could not be written. */
function assertPlace(context: Context, file: string): void {
  const path = resolve(context.surroundings.workingFolder, file)
  if (file === '-') throw usageFailure('- is no file to write into: ./- is a file of that name')
  if (file === '' || nodeFiles.kindOf(path) === 'folder') throw usageFailure(`${file === '' ? 'an empty text' : file} cannot be written: it is no file`)
  if (nodeFiles.kindOf(dirname(path)) !== 'folder')
    throw failure('usage', `${file} cannot be written: there is no folder ${dirname(file)}`, { hint: `make it first: mkdir -p ${shellWord(dirname(file))}` })
  const problem = namedFileProblem(context, file)
  if (problem !== undefined) throw failure('usage', `${file} cannot be written: ${problem}`, { hint: 'name another file, or the place that it leads to' })
}

/** What the command line and the environment name as files to read. */
function namedOf({ globals, surroundings }: Context, alsoRead: readonly string[]): readonly string[] {
  const { environment, workingFolder } = surroundings
  const policies = (environment['IAC_POLICIES'] ?? '').split(delimiter)
  const named = [...globals.list('file'), ...globals.list('var-file'), ...policies, environment['IAC_TOKEN_FILE'] ?? '', ...alsoRead]
  return named.filter((one) => one !== '' && one !== '-').map((one) => resolve(workingFolder, one))
}

/** Whether a file is `read`, or lies in it, by its path, or on the disk. */
function isAt(path: string, read: string): boolean {
  const [one, other] = [placeOf(path), placeOf(read)]
  if (one === other || one.startsWith(`${other}/`)) return true
  const [here, there] = [lstatSync(path, { throwIfNoEntry: false }), lstatSync(read, { throwIfNoEntry: false })]
  return here !== undefined && there !== undefined && here.dev === there.dev && here.ino === there.ino
}

/** A path by its real folder, `/` on every system: what stands there may not be there yet. */
function placeOf(path: string): string {
  return join(realPlace(dirname(path)), basename(path)).replaceAll('\\', '/')
}
