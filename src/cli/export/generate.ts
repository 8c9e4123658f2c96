// Manifests for objects that the project does not manage yet, written where it looks for manifests.
import { existsSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { failure } from '../../base/diagnostic.ts'
import { isInside } from '../../base/files/own-files.ts'
import type { AnyKind } from '../../kinds/definition/kind.ts'
import { groupBy } from '../../kinds/definition/live-fields.ts'
import { kinds, workspaceKind } from '../../kinds/registry.ts'
import { readProjectFileInTurns } from '../../project/configuration/project-file.ts'
import type { Files } from '../../project/files/files.ts'
import { maxManifestBytes } from '../../project/files/files.ts'
import { projectFileName } from '../../project/files/find-project.ts'
import { matchesGlob } from '../../project/files/glob.ts'
import { inOrder } from '../../project/files/node-files.ts'
import type { Project } from '../../project/resolving/declared.ts'
import type { Context } from '../context/context.ts'
import { workspacesOf } from '../context/listed-objects.ts'
import { recordedSecrets } from '../context/recorded-secrets.ts'
import { currentState } from '../context/state-access.ts'
import { projectFiles } from '../surroundings/project-files.ts'
import { readingInTurns } from '../surroundings/taking-turns.ts'
import { writeAllNew } from '../surroundings/write-new.ts'
import { variableLines } from './export-files.ts'
import type { ExportFiles } from './export-files.ts'
import { exportManifests } from './export-manifests.ts'
import type { Asked, Exported } from './export-manifests.ts'
import { spokenFor } from './spoken-for.ts'

/** `vars.NAME` and `vars["NAME"]` in the text of a manifest, quotes escaped or not. */
const reference = /\bvars\s*(?:\.\s*|\[\s*\\?["'])(\w+)/g

/** What manifests are to be made of: one object under a name, or all of some kinds. */
export interface Generating {
  readonly kinds: readonly AnyKind[]
  readonly named: ReadonlySet<string>
  readonly only?: Asked['only']
}

/** What stands there without a manifest, and the addresses of manifests that import an object by its id and were never recorded. */
export interface Generated extends Exported {
  readonly unrecorded: readonly string[]
}

/** Manifests of what nobody manages here, beside the project. Throws a Failure 3 where they ask for variables that it does not declare. */
export async function generate(context: Context, project: Project, wanted: Generating): Promise<Generated> {
  const { compat, workspace } = project
  const client = await context.client(compat)
  const state = await currentState(context)
  const { folded } = state
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
      spokenFor: (things) => spokenFor(context, project, state, { things, only: wanted.only }),
      variables: referredVariables(context, project),
      secrets: recordedSecrets(folded),
      folds: true,
    },
    { randomBytes, nowMs: client.serverNow() },
  )
  const missing = exported.variables.filter((one) => !Object.hasOwn(project.variables, one.name))
  const unrecorded = project.resources.filter((one) => one.importId !== undefined && wanted.kinds.includes(one.kind) && !folded.resources.has(one.address))
  if (missing.length === 0) return { ...exported, unrecorded: unrecorded.map((one) => one.address) }
  throw failure('missing_variable', 'the manifests ask for what the service does not show, or what is sensitive', {
    detail: `Nothing was written. iac.yaml must declare, and the command line or a file give:\n${variableLines(missing).trimEnd()}`,
    hint: 'declare them, give them, and run it again',
  })
}

/** The variables that manifests refer to already: each holds a value of theirs, which no other object may follow. */
function referredVariables({ files, folder }: Context, { hashes }: Project): ReadonlySet<string> {
  const texts = Object.keys(hashes).flatMap((path) => {
    const { bytes } = path === projectFileName ? {} : files.read(join(folder, path), { limitBytes: maxManifestBytes, root: folder })
    return bytes === undefined ? [] : [new TextDecoder().decode(bytes)]
  })
  return new Set(texts.flatMap((text) => [...text.matchAll(reference)].map((match) => match[1] ?? '')))
}

function nameIn(address: string): string {
  return /^[^/]+\/([^[]+)/.exec(address)?.[1] ?? ''
}

/** Manifests by the paths in the project where they are to stand: where it looks for manifests, and nothing stands. */
export async function placeManifests(context: Context, files: ExportFiles): Promise<ReadonlyMap<string, string>> {
  if (context.globals.list('file').length > 0) throw failure('usage', 'manifests are written into the project: -f has no place here')
  const { folder, surroundings } = context
  const { file } = await readingInTurns(({ whole }) => readProjectFileInTurns(projectFiles(surroundings), { folder }, whole), surroundings)
  const patterns = file?.fields.manifests
  return new Map([...files].map(([name, text]) => [freePath(folder, name, patterns), text]))
}

/** Writes all of them, or none. Throws a Failure `file_unwritable`. */
export async function writeManifests(folder: string, placed: ReadonlyMap<string, string>): Promise<void> {
  const files = new Map([...placed].map(([path, text]) => [join(folder, path), text]))
  const taken = await writeAllNew(files, (path) => relative(folder, path))
  if (taken !== undefined) throw failure('file_unwritable', `${relative(folder, taken)} is there by now, and nothing is overwritten`)
}

/** The files of a project as they are once these manifests stand in its folder. */
export function withManifests(files: Files, folder: string, placed: ReadonlyMap<string, string>): Files {
  const texts = new Map([...placed].map(([path, text]) => [join(folder, path), Buffer.from(text)]))
  return {
    ...files,
    *list(at, enter, guard) {
      const listing = yield* files.list(at, enter, guard)
      const more = [...texts.keys()].filter((path) => isInside(at, path)).map((path) => relative(at, path).replaceAll(sep, '/'))
      return { ...listing, files: inOrder([...listing.files, ...more]) }
    },
    read(path, options) {
      const bytes = texts.get(path)
      return bytes === undefined ? files.read(path, options) : { bytes }
    },
    kindOf: (path) => (texts.has(path) ? 'file' : files.kindOf(path)),
  }
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
