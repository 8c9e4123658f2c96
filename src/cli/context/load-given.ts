// The project as the flags name it: its folder, its manifests, variables and environment, and where its state is.
import { resolve } from 'node:path'
import { Failure, failure } from '../../base/diagnostic.ts'
import type { Diagnostic } from '../../base/diagnostic.ts'
import { kinds, workspaceKind } from '../../kinds/registry.ts'
import { environmentOf, unknownEnvironment } from '../../project/configuration/environments.ts'
import { folderName, readProjectFileInTurns } from '../../project/configuration/project-file.ts'
import type { ProjectFields } from '../../project/configuration/project-schema.ts'
import { stateSettings } from '../../project/configuration/state-settings.ts'
import type { VariableInputs } from '../../project/configuration/variables.ts'
import type { Files } from '../../project/files/files.ts'
import { projectFileName } from '../../project/files/find-project.ts'
import { loadInTurns } from '../../project/load.ts'
import type { Loaded } from '../../project/load.ts'
import type { Project, StateSettings } from '../../project/resolving/declared.ts'
import type { Named } from '../../project/yaml/sources.ts'
import type { Given } from '../arguments/flags.ts'
import { usageFailure } from '../arguments/usage.ts'
import { openParseCache } from '../surroundings/parse-cache-file.ts'
import { projectFiles } from '../surroundings/project-files.ts'
import type { Surroundings } from '../surroundings/surroundings.ts'
import { readingInTurns, takingTurns } from '../surroundings/taking-turns.ts'
import { textOfFile, textOfInput } from './given-text.ts'
import { pathFromHere } from './project-folder.ts'

type Globals = Given

/** A project without an error, and the warnings that came with it. */
export interface GoodProject {
  readonly project: Project
  readonly diagnostics: readonly Diagnostic[]
}

/** Where the state is, and what it belongs to; known although manifests may be wrong. */
export interface StateOf {
  readonly project: string
  /** Whether iac.yaml says the project's name; else it is the folder's. */
  readonly isNamed: boolean
  readonly environment: string | null
  readonly state: StateSettings
}

/** What was loaded, and every file that was read for it, as absolute paths. */
export interface LoadedGiven extends Loaded {
  readonly read: readonly string[]
}

/** Where a project is, and what it is read with. */
interface Loading {
  readonly folder: string
  readonly globals: Globals
  readonly surroundings: Surroundings
  readonly files: Files
  /** The variables of a saved plan that is carried out. */
  readonly planned?: VariableInputs['planned']
}

/** Loads the project, with whatever is wrong with it. */
export async function loadGiven({ folder, globals, surroundings, files: disk, planned }: Loading): Promise<LoadedGiven> {
  const parsed = openParseCache(folder, surroundings)
  const read: string[] = []
  const files: Files = {
    ...disk,
    read(path, options) {
      read.push(path)
      return disk.read(path, options)
    },
  }
  const work = loadInTurns({
    files,
    folder,
    shown: pathFromHere(folder, surroundings),
    kinds,
    workspaceKind,
    environment: globals.text('env') ?? null,
    variables: { ...variablesOf(globals, { folder, surroundings, files: disk }), planned },
    named: await namedOf(globals, surroundings),
    sandbox: globals.switch('sandbox'),
    parsed,
  })
  const loaded = await takingTurns(work, surroundings)
  parsed.save()
  return { ...loaded, read }
}

/** The loaded project if nothing in it is an error; else a Failure 3 with everything that was found. */
export function good(loaded: Loaded): GoodProject {
  const { project, diagnostics } = loaded
  if (!project) throw new Failure(3, diagnostics)
  return { project, diagnostics }
}

/** What a project file says of the project's states. */
export interface StatesOf {
  readonly project: string
  readonly isNamed: boolean
  /** The one that the run is for: what it asks for, or the file's default. */
  readonly environment: string | null
  readonly defaultEnvironment: string | null
  /** The environments that it declares. */
  readonly environments: readonly string[]
  /** Where the state of one of them lies, or that of none. */
  stateFor(environment: string | null): StateSettings
}

/** Where the state is, from the project file alone: the commands on the state work with wrong manifests, too. */
export async function stateOf(folder: string, globals: Globals, surroundings: Surroundings): Promise<StateOf> {
  const { project, isNamed, environment, environments, stateFor } = await statesIn(ownFile(folder), globals, surroundings)
  if (environment !== null && !environments.includes(environment)) throw new Failure(3, [unknownEnvironment(environment, environments)])
  return { project, isNamed, environment, state: stateFor(environment) }
}

interface FileOfStates {
  readonly folder: string
  readonly name: string
  readonly isNeeded: boolean
  /** What messages call a project that the file does not name; the folder's name by default. */
  readonly called?: string
}

/** The project file that a run takes, if there is one. */
export function ownFile(folder: string): FileOfStates {
  return { folder, name: projectFileName, isNeeded: false }
}

/** The states of a project file that may have another name. Throws a Failure 3 for one that is wrong. */
export async function statesIn({ isNeeded, ...place }: FileOfStates, globals: Globals, surroundings: Surroundings): Promise<StatesOf> {
  const shown = pathFromHere(place.folder, surroundings, place.name)
  const { file, problems } = await readingInTurns(({ whole }) => readProjectFileInTurns(projectFiles(surroundings), { ...place, shown }, whole), surroundings)
  if (isNeeded && !file && problems.length === 0) throw failure('file_unreadable', `there is no project file ${place.name} in ${place.folder}`)
  if (problems.some((one) => one.severity === 'error')) throw new Failure(3, problems)
  return statesOf(file?.fields, {
    called: place.called ?? folderName(place.folder),
    asked: globals.text('env') ?? null,
    sandbox: globals.switch('sandbox'),
  })
}

interface Asked {
  readonly called: string
  readonly asked: string | null
  readonly sandbox: boolean
}

function statesOf(fields: ProjectFields | undefined, { called, asked, sandbox }: Asked): StatesOf {
  const project = fields?.name ?? called
  const declared = fields?.environments ?? {}
  return {
    project,
    isNamed: fields?.name !== undefined,
    environment: environmentOf(asked, fields),
    defaultEnvironment: fields?.default_environment ?? null,
    environments: Object.keys(declared),
    stateFor: (environment) =>
      stateSettings({
        name: project,
        environment,
        sandbox,
        own: fields?.state,
        environments: environment === null ? undefined : declared[environment]?.state,
      }),
  }
}

/** Where the states of the project lie that are files and of every environment, as absolute paths. */
export async function localStates(folder: string, surroundings: Surroundings): Promise<readonly string[]> {
  const { file } = await readingInTurns(({ whole }) => readProjectFileInTurns(projectFiles(surroundings), { folder }, whole), surroundings)
  const { environments, stateFor } = statesOf(file?.fields, { called: folderName(folder), asked: null, sandbox: false })
  return [null, ...environments].flatMap((environment) => {
    const state = stateFor(environment)
    return state.backend === 'local' ? [resolve(folder, state.path)] : []
  })
}

/** The values of variables that flags, files and the environment give. */
export function variablesOf(globals: Globals, around: Omit<Loading, 'globals'>): VariableInputs {
  const flags = globals.list('var').map((text) => {
    const at = text.indexOf('=')
    if (at < 1) throw usageFailure('--var is written NAME=VALUE')
    return { name: text.slice(0, at), text: text.slice(at + 1) }
  })
  const files = globals.list('var-file').map((file) => ({ file, text: textOfFile(file, around) }))
  return { flags, files, environment: around.surroundings.environment }
}

async function namedOf(globals: Globals, surroundings: Surroundings): Promise<Named | undefined> {
  const given = globals.list('file')
  if (given.length === 0) return undefined
  const paths = given.filter((one) => one !== '-').map((shown) => ({ path: resolve(surroundings.workingFolder, shown), shown }))
  return { paths, stdin: given.includes('-') ? await textOfInput(surroundings) : undefined }
}
