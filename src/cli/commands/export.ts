// `iac export`: manifests for everything that is live, which a plan takes over without a change.
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Failure } from '../../base/diagnostic.ts'
import { failure } from '../../base/diagnostic.ts'
import { wayProblem } from '../../base/files/own-files.ts'
import { lazy } from '../../base/lazy.ts'
import type { AnyKind } from '../../kinds/definition/kind.ts'
import { kinds, workspaceKind } from '../../kinds/registry.ts'
import { findKind, unknownKind } from '../arguments/find-kind.ts'
import { defineCommand } from '../context/command.ts'
import type { Context } from '../context/context.ts'
import { workspacesOf } from '../context/listed-objects.ts'
import { recordedSecretsHere } from '../context/recorded-secrets.ts'
import { currentState } from '../context/state-access.ts'
import { lookedIn } from '../context/workspace-of.ts'
import { exportFiles, variableLines } from '../export/export-files.ts'
import type { ExportFiles } from '../export/export-files.ts'
import { exportManifests } from '../export/export-manifests.ts'
import type { Exported } from '../export/export-manifests.ts'
import { mustBeWritable, printManifests, tellWhatIsMissing } from '../export/print-manifests.ts'
import type { MachineDocument } from '../render/machine-shapes.ts'
import { counted } from '../render/text/counted.ts'
import { safeLine } from '../render/text/sanitise.ts'
import { assertRoom, writeAllNew } from '../surroundings/write-new.ts'
import { namedFileProblem } from '../surroundings/write-private.ts'

export const exportCommand = defineCommand({
  summary: 'write manifests for what is live',
  about:
    'Makes readable manifests of everything that is live in the workspace of the project, with references in place of ids and the id that each takes over: a plan right after shows imports and no change. What the service never shows, secrets and the environment of services, becomes a variable, whose lines for iac.yaml are printed, and so does what the state of the project holds as sensitive: where it cannot be read, no file is written. Kinds of the whole account are exported where they are named.',
  arguments: [],
  flags: {
    kind: { type: 'list', value: 'KIND', about: 'of this kind alone' },
    out: { type: 'text', value: 'FOLDER', about: 'write files there, and overwrite none; without it the manifests are printed' },
    by: {
      type: 'choice',
      value: 'LAYOUT',
      choices: ['kind', 'group'],
      about: 'a file for each kind (the default), or for each object with all that hangs on it',
    },
  },
  examples: [
    { text: 'export --out infra', about: 'everything, a file for each kind' },
    { text: 'export --kind Vpc --kind Instance', about: 'networks and servers, printed' },
  ],
  async run(context, given) {
    const chosen = given.list('kind').map(kindOf)
    const out = given.text('out')
    const { workingFolder } = context.surroundings
    const folder = out === undefined ? undefined : resolve(workingFolder, out)
    if (out !== undefined && folder !== undefined) assertPlace(context, out, join(folder, 'any.yaml'))
    const exported = await exportedFrom(context, chosen, folder !== undefined)
    const files = exportFiles(exported, given.text('by') === 'group' ? 'group' : 'kind')
    if (folder !== undefined) await writeAll(folder, files)
    tellWhatIsMissing(context, exported)
    if (context.globals.switch('json')) context.print.json(documentOf(exported, files, folder))
    else if (folder === undefined) printManifests(context, exported, [...files.values()])
    else tellWritten(context, exported, files)
    return 0
  },
})

/** Throws a Failure 3 where no file can stand in the folder, or a link of the project or the working folder leads there. */
function assertPlace(context: Context, out: string, path: string): void {
  assertRoom(path, context.surroundings.workingFolder)
  const problem = namedFileProblem(context, path)
  if (problem !== undefined) throw failure('usage', `${out} cannot be written: ${problem}`, { hint: 'name another folder, or the place that it leads to' })
}

function kindOf(word: string): AnyKind {
  const kind = findKind(word)
  if (!kind) {
    throw unknownKind(
      word,
      kinds.flatMap((one) => [one.name, one.plural]),
    )
  }
  mustBeWritable(kind)
  return kind
}

async function exportedFrom(context: Context, chosen: readonly AnyKind[], isKept: boolean): Promise<Exported> {
  const state = lazy(() => currentState(context))
  const { compat, ref, idOf } = await lookedIn(context, state)
  const secrets = await recordedSecretsHere(context, state, isKept ? 'files' : 'output')
  const client = await context.client(compat)
  const { clock, randomBytes } = context.surroundings
  const wanted = chosen.length > 0 ? chosen : kinds.filter((one) => one.managed && one.readable && one.scope !== 'account')
  const isPlaced = wanted.some((one) => one.scope !== 'account')
  const workspaceIds = isPlaced ? await workspacesOf(client, { ref, everywhere: false, idOf }, 'set provider.workspace in iac.yaml') : []
  const asked = {
    kinds: kinds.filter((one) => wanted.includes(one)),
    named: new Set(chosen.map((one) => one.name)),
    workspaceIds,
    all: kinds,
    workspaceKind,
    known: new Map<string, string>(),
    taken: () => [],
    variables: [],
    secrets,
    folds: true,
  }
  return await exportManifests({ source: client, compat, clock }, asked, { randomBytes, nowMs: client.serverNow() })
}

/** Writes all files where nothing stands, or none; throws a Failure 3 where something does, 1 where one cannot be written. */
async function writeAll(folder: string, files: ExportFiles): Promise<void> {
  for (const name of files.keys()) {
    const path = join(folder, name)
    const problem = wayProblem(folder, path)
    if (problem !== undefined) throw failure('file_unwritable', `${path} cannot be written: ${problem}`)
    if (existsSync(path)) throw isThere(path)
  }
  const taken = await writeAllNew(new Map([...files].map(([name, text]) => [join(folder, name), text])))
  if (taken !== undefined) throw isThere(taken)
}

function isThere(path: string): Failure {
  return failure('usage', `${path} is there already, and nothing is overwritten`, { hint: 'export into a folder of its own' })
}

function tellWritten({ print }: Context, exported: Exported, files: ExportFiles): void {
  const objects = exported.manifests.reduce((sum, one) => sum + one.addresses.length, 0)
  if (files.size === 0) return print.note('nothing is live here')
  print.result(`Wrote ${counted(objects, 'object')} into ${[...files.keys()].map(safeLine).join(', ')}.\n`)
  const lines = variableLines(exported.variables)
  if (lines !== '') print.result(`\nThese lines of iac.yaml declare what the manifests ask for:\n\n${lines}`)
}

function documentOf({ manifests, variables, leftOut, refused }: Exported, files: ExportFiles, folder: string | undefined): MachineDocument<'export'> {
  return {
    folder: folder ?? null,
    files: [...files].map(([path, text]) => ({ path, text })),
    resources: manifests.flatMap((one) => one.addresses.map(([{ thing }, address]) => ({ address, kind: thing.kind.name, id: thing.id }))),
    variables: variables.map(({ name, type, sensitive, about }) => ({ name, type, sensitive, about })),
    left_out: [
      ...leftOut.map(({ thing, why }) => ({ kind: thing.kind.name, id: thing.id, why })),
      ...refused.map(({ kind, words }) => ({ kind, id: null, why: words })),
    ],
  }
}
