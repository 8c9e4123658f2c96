// A state that does not exist yet, while the project's former one still lies in its folder at another path: everything would be made a second time.
import { join, relative, resolve } from 'node:path'
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
import type { Surroundings } from '../surroundings/surroundings.ts'
import { holdsSomething } from './states-left.ts'

/** Who asks for a state. */
export type Asking = Pick<Project, 'name' | 'isNamed' | 'folder' | 'environment' | 'state'>

/** What it is looked with. */
interface Looking {
  readonly surroundings: Surroundings
  readonly files: Files
}

/** The same store: Failure 9 from reading it where it holds nothing yet, and the project's own folder a state that was never moved away. */
export function unlessLeftBehind(store: StateStore, asking: Asking, looking: Looking): StateStore {
  return lookedStore(store, async ({ document, entries }) => {
    if (!document && entries.length === 0) await assertNoneLeft(store, asking, looking)
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
  // What stands at another path of its own folder is the project's where it says so.
  const others = [localPath(null), ...ownStates(files, folder)].filter((path) => path !== usual)
  for (const path of [usual, ...others]) {
    const former = { ...asking, state: { backend: 'local', path, keys: state.keys } } as const
    const sign = await signIn(former, surroundings, { isUsual: path === usual, isFile, where })
    if (sign !== undefined) throw unmoved(where, path, { sign, way: relative(surroundings.workingFolder, folder), isFile })
  }
}

function localPath(environment: string | null): string {
  return stateBackends.local.settingsOf({}, environment).path
}

/** What may be a state in the project's own folder; none where that is not there. */
function ownStates(files: Files, folder: string): readonly string[] {
  const { files: names } = atOnce(files.list(resolve(folder, OWN_FOLDER), () => false))
  return names.flatMap((name) => (name.endsWith('.json') ? [`${OWN_FOLDER}/${name}`] : []))
}

/** `way` leads from the working folder to the project's; `isFile` where the new place is a path as well, which is put right by a word. */
function unmoved(where: string, former: string, { sign, way, isFile }: { readonly sign: string; readonly way: string; readonly isFile: boolean }): Failure {
  const at = (path: string): string => shellWord(join(way, path))
  const stay = isFile ? `to go on with it: \`path: ${former}\` in the state settings of iac.yaml; ` : ''
  return failure('state_unmoved', `${where} is not there yet, and ${former} ${sign}`, {
    detail: 'Everything that it holds would be made a second time. Nothing was read from the service or changed.',
    hint: `${stay}to move it: \`mkdir ${at('shared')} && cp ${at('iac.yaml')} ${at('shared/')}\`, take the new state settings out of iac.yaml, \`iac state migrate --to ${at('shared/iac.yaml')}\`, and put them back; if it is not wanted any more: \`mkdir ${at('.iac/old')} && mv ${at(former)}* ${at('.iac/old/')}\``,
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
