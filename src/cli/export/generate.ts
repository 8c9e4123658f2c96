// Manifests for objects that the project does not manage yet, written where it looks for manifests.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { failure } from '../../base/diagnostic.ts'
import type { AnyKind } from '../../kinds/definition/kind.ts'
import { groupBy } from '../../kinds/definition/live-fields.ts'
import { kinds, workspaceKind } from '../../kinds/registry.ts'
import { readProjectFileInTurns } from '../../project/configuration/project-file.ts'
import { matchesGlob } from '../../project/files/glob.ts'
import { nodeFiles } from '../../project/files/node-files.ts'
import type { Project } from '../../project/resolving/declared.ts'
import type { Context } from '../context/context.ts'
import { workspacesOf } from '../context/listed-objects.ts'
import { currentState } from '../context/state-access.ts'
import { readingInTurns } from '../surroundings/taking-turns.ts'
import { takeAway, writeNew } from '../surroundings/write-new.ts'
import { variableLines } from './export-files.ts'
import type { ExportFiles } from './export-files.ts'
import { exportManifests } from './export-manifests.ts'
import type { Asked, Exported } from './export-manifests.ts'

/** What manifests are to be made of: one object under a name, or all of some kinds. */
export interface Generating {
  readonly kinds: readonly AnyKind[]
  readonly named: ReadonlySet<string>
  readonly only?: Asked['only']
}

/** Manifests of what nobody manages here, beside the project. Throws a Failure 3 where they ask for variables that it does not declare. */
export async function generate(context: Context, project: Project, wanted: Generating): Promise<Exported> {
  const { compat, workspace } = project
  const client = await context.client(compat)
  const { folded } = await currentState(context)
  const idOf = (address: string): string | undefined => folded.resources.get(address)?.id
  const isPlaced = wanted.kinds.some((one) => one.scope !== 'account')
  const workspaceIds = isPlaced ? await workspacesOf(client, { ref: workspace, everywhere: false, idOf }, 'set provider.workspace in iac.yaml') : []
  const names = groupBy(project.resources, (one) => one.kind.name)
  const declared = new Set(project.resources.map((one) => one.address))
  const known = new Map([
    ...project.resources.flatMap(({ kind, importId, address }) => (importId === undefined ? [] : [[`${kind.name} ${importId}`, address] as const])),
    ...[...folded.resources.values()].map((one) => [`${one.kind} ${one.id}`, declared.has(one.address) ? one.address : ''] as const),
  ])
  const { clock, randomBytes } = context.surroundings
  const exported = await exportManifests(
    { source: client, compat, clock },
    {
      ...wanted,
      workspaceIds,
      all: kinds,
      workspaceKind,
      known,
      taken: (kind) => (names.get(kind) ?? []).map((one) => nameIn(one.address)),
      variables: [],
      folds: true,
    },
    { randomBytes, nowMs: client.serverNow() },
  )
  const missing = exported.variables.filter((one) => !Object.hasOwn(project.variables, one.name))
  if (missing.length === 0) return exported
  throw failure('missing_variable', 'the manifests ask for what the service does not show', {
    detail: `Nothing was written. iac.yaml must declare, and the command line or a file give:\n${variableLines(missing).trimEnd()}`,
    hint: 'declare them, give them, and run it again',
  })
}

function nameIn(address: string): string {
  return /^[^/]+\/([^[]+)/.exec(address)?.[1] ?? ''
}

/** Writes each file where the project looks for manifests and nothing stands; what takes them all away again. */
export async function writeManifests(context: Context, files: ExportFiles): Promise<{ readonly paths: readonly string[]; readonly undo: () => Promise<void> }> {
  if (context.globals.list('file').length > 0) throw failure('usage', 'manifests are written into the project: -f has no place here')
  const { folder, surroundings } = context
  const { file } = await readingInTurns(({ whole }) => readProjectFileInTurns(nodeFiles, { folder }, whole), surroundings)
  const patterns = file?.fields.manifests
  const written: string[] = []
  const undo = (): Promise<void> => takeAway(written.map((path) => join(folder, path)))
  for (const [name, text] of files) {
    const path = freePath(folder, name, patterns)
    try {
      if (!(await writeNew(join(folder, path), text, path))) throw failure('file_unwritable', `${path} is there by now, and nothing is overwritten`)
    } catch (error) {
      await undo()
      throw error
    }
    written.push(path)
  }
  return { paths: written, undo }
}

/** A path that fits one of the patterns and where nothing stands: in the folder before the first star. */
function freePath(folder: string, name: string, patterns: readonly string[] | undefined): string {
  const stem = name.replace(/\.yaml$/, '')
  const places = patterns?.map((one) => /^(?:[^*?]*\/)?/.exec(one)?.[0] ?? '') ?? ['']
  for (const place of places)
    for (const ending of ['.yaml', '.yml'])
      for (let number = 1; ; number += 1) {
        const path = `${place}${stem}${number === 1 ? '' : `-${number}`}${ending}`
        if (patterns && !patterns.some((one) => matchesGlob(one, path))) break
        if (!existsSync(join(folder, path))) return path
      }
  throw failure('usage', `no pattern of manifests in iac.yaml fits a new file ${name}`, { hint: 'write the manifest by hand, then import without --generate' })
}
