// A state that does not exist yet, while the project's former one still lies in its folder at another path, or is one that nobody can name any more: everything would be made a second time.
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { failure, Failure } from '../../base/diagnostic.ts'
import { shellWord } from '../../base/words/shell-word.ts'
import { isOwner } from '../../engine/model/state-owner.ts'
import { stateBackends } from '../../project/configuration/state-backends.ts'
import type { Files } from '../../project/files/files.ts'
import { atOnce } from '../../project/files/turns.ts'
import type { Project } from '../../project/resolving/declared.ts'
import type { StateStore } from '../../state/store.ts'
import { lookedStore } from '../storage/looked-store.ts'
import { openAnywhere } from '../storage/open-store.ts'
import { OWN_FOLDER } from '../storage/own-places.ts'
import { folderForStates, isBelow } from '../storage/state-place.ts'
import type { Surroundings } from '../surroundings/surroundings.ts'
import type { StatesOf } from './load-given.ts'
import { holdsSomething } from './states-left.ts'

/** Who asks for a state. */
export type Asking = Pick<Project, 'name' | 'isNamed' | 'folder' | 'environment' | 'state'>

/** What it is looked with. */
interface Looking {
  readonly surroundings: Surroundings
  readonly files: Files
  /** What iac.yaml declares. */
  declared(): Promise<Declared>
}

type Declared = Pick<StatesOf, 'environments' | 'defaultEnvironment'>

/** The same store: Failure 9 from reading it where it holds nothing yet, and the project's own folder a state that was never moved away. */
export function unlessLeftBehind(store: StateStore, asking: Asking, looking: Looking): StateStore {
  return lookedStore(store, async ({ document, entries }) => {
    if (document || entries.length > 0) return
    await assertNoneLeft(store, asking, looking)
    await assertNoneRenamed(store, asking, looking)
  })
}

/** Whether that is why a state was not read: its place can be reached. */
export function isLeftBehind(error: unknown): boolean {
  return error instanceof Failure && error.diagnostics[0]?.code === 'state_unmoved'
}

async function assertNoneLeft({ where }: StateStore, asking: Asking, { surroundings, files }: Looking): Promise<void> {
  const { environment, folder, state } = asking
  const isFile = state.backend === 'local'
  const usual = localPath(environment)
  // What stands at another path of its own folder, or where its states may lie beside, is the project's where it says so.
  const place = asking.isNamed ? folderForStates(surroundings) : undefined
  const outside = place === undefined ? [] : statesIn(files, folder, place, isProjects)
  const others = [localPath(null), ...statesIn(files, folder, OWN_FOLDER), ...outside].filter((path) => path !== usual)
  for (const path of [usual, ...others]) {
    const former = { ...asking, state: { backend: 'local', path, keys: state.keys } } as const
    const sign = await signIn(former, surroundings, { isUsual: path === usual, isFile, where })
    if (sign !== undefined) throw unmoved(where, path, { sign, way: relative(surroundings.workingFolder, folder), isFile })
  }
}

function localPath(environment: string | null): string {
  return stateBackends.local.settingsOf({}, environment).path
}

/** A state of an environment that is declared nowhere any more: nobody can name it, so that the one that does not exist yet may be the same under another name. Beside a local path that is written out its environments have their states, too. */
async function assertNoneRenamed({ where }: StateStore, asking: Asking, { surroundings, files, declared }: Looking): Promise<void> {
  const { folder, state } = asking
  // Outside of its folder a project is told by its name alone, and one that only repeats the folder's may be another's.
  const beside = state.backend === 'local' && (asking.isNamed || isBelow(resolve(folder, state.path), folder)) ? [dirname(state.path)] : []
  const paths = [...new Set([OWN_FOLDER, ...beside])].flatMap((place) => statesIn(files, folder, place))
  if (paths.length === 0) return
  const known = await declared()
  for (const path of paths) {
    const former = await formerName({ ...asking, state: { backend: 'local', path, keys: state.keys } }, surroundings, known)
    if (former) throw renamed(where, path, { ...former, asking, way: relative(surroundings.workingFolder, folder) })
  }
}

/** The environment whose state of this project lies there, where nobody can name it: none is declared so, or it is the project's own beside a default. What cannot be read says nothing: it may be anybody's. */
async function formerName(
  asking: Asking,
  surroundings: Surroundings,
  { environments, defaultEnvironment }: Declared,
): Promise<Pick<Renamed, 'environment'> | undefined> {
  try {
    const loaded = await (await openAnywhere(asking.state, asking.folder, surroundings, 'clear too')).read()
    const { document } = loaded
    if (!document) return undefined
    const { environment } = document
    const isNamed = environment === null ? defaultEnvironment === null : environments.includes(environment)
    return !isNamed && isOwner({ ...asking, environment }, document) && holdsSomething(loaded) ? { environment } : undefined
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return undefined
  }
}

interface Renamed {
  readonly environment: string | null
  readonly asking: Asking
  readonly way: string
}

/** A path of the project as a command in the working folder takes it; `way` leads from there to the project's folder. */
function pathBy(way: string): (path: string) => string {
  return (path) => shellWord(isAbsolute(path) ? path : join(way, path))
}

/** The command that puts a state out of the way, where nothing looks for one. */
function awayCommand(at: (path: string) => string, former: string): string {
  const make = former.startsWith(`${OWN_FOLDER}/`) ? 'mkdir' : 'mkdir -p'
  return `\`${make} ${at('.iac/old')} && mv ${at(former)}* ${at('.iac/old/')}\``
}

function renamed(where: string, former: string, { environment, asking, way }: Renamed): Failure {
  const at = pathBy(way)
  const ours = asking.environment === null ? 'the state settings' : `the block of ${asking.environment}`
  const { what, again, end } = wordsOf(environment)
  // A path is no setting of a shared place: there it is moved under its old name first.
  const same = asking.state.backend === 'local' ? `\`state: { path: ${former} }\` in ${ours} of iac.yaml, and what is said then` : `${again}, and move it first`
  return failure('state_unmoved', `${where} is not there yet, and ${former} holds ${what}`, {
    detail: 'If it has another name now, everything that it holds would be made a second time. Nothing was read from the service or changed.',
    hint: `if it is the same one under another name: ${same}; if both are to be: ${again}; if it is not wanted any more: ${again} and ${end}, or ${awayCommand(at, former)}`,
  })
}

/** What a state that nobody can name is called, how it is named again, and how what it holds goes. */
function wordsOf(environment: string | null): { readonly what: string; readonly again: string; readonly end: string } {
  if (environment === null) {
    return { what: "the project's own state, which default_environment in iac.yaml hides", again: 'take default_environment out', end: '`iac destroy`' }
  }
  const what = `the state of the environment "${environment}", which iac.yaml does not declare any more`
  return { what, again: `declare ${environment} again`, end: `\`iac destroy -e ${shellWord(environment)}\`` }
}

/** What may be a state in a folder of the project, or one by its absolute path, and in those within it that it `enters`; none where it is not there. */
function statesIn(files: Files, folder: string, place: string, enters: (path: string) => boolean = () => false): readonly string[] {
  const { files: names } = atOnce(files.list(resolve(folder, place), enters))
  return names.flatMap((name) => (name.endsWith('.json') ? [join(place, name)] : []))
}

/** Folders of projects in the folder for states. */
function isProjects(path: string): boolean {
  return !path.includes('/') && !path.endsWith('.history')
}

/** `way` leads from the working folder to the project's; `isFile` where the new place is a path as well, which is put right by a word. */
function unmoved(where: string, former: string, { sign, way, isFile }: { readonly sign: string; readonly way: string; readonly isFile: boolean }): Failure {
  const at = pathBy(way)
  const stay = isFile ? `to go on with it: \`path: ${former}\` in the state settings of iac.yaml; ` : ''
  return failure('state_unmoved', `${where} is not there yet, and ${former} ${sign}`, {
    detail: 'Everything that it holds would be made a second time. Nothing was read from the service or changed.',
    hint: `${stay}to move it: \`mkdir ${at('shared')} && cp ${at('iac.yaml')} ${at('shared/')}\`, take the new state settings out of iac.yaml, \`iac state migrate --to ${at('shared/iac.yaml')}\`, and put them back; if it is not wanted any more: ${awayCommand(at, former)}`,
  })
}

/** What speaks for a state of the project there that was not moved away; undefined where nothing does. Where it usually is, its name may be an older one, beside another path excepted (a copied project is given one for itself), and what cannot be read may be it. */
async function signIn(
  asking: Asking,
  surroundings: Surroundings,
  { isUsual, isFile, where }: { readonly isUsual: boolean; readonly isFile: boolean; readonly where: string },
): Promise<string | undefined> {
  try {
    const store = await openAnywhere(asking.state, asking.folder, surroundings, 'clear too')
    if (store.where === where) return undefined
    const loaded = await store.read()
    const { document } = loaded
    const isOurs = !document || isOwner(asking, document) || (isUsual && !isFile && document.environment === asking.environment)
    return holdsSomething(loaded) && isOurs ? 'holds one of this project' : undefined
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return isUsual ? `may hold one of this project: ${error.message}` : undefined
  }
}
