// A shared state that does not exist yet, while the project's former one still lies in its folder: everything would be made a second time.
import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { failure, Failure } from '../../base/diagnostic.ts'
import { shellWord } from '../../base/shell-word.ts'
import { isOwner } from '../../engine/model/state-owner.ts'
import { stateBackends } from '../../project/configuration/state-backends.ts'
import type { Project } from '../../project/resolving/declared.ts'
import type { StateStore } from '../../state/store.ts'
import { lookedStore } from '../storage/looked-store.ts'
import { openAnywhere } from '../storage/open-store.ts'
import { OWN_FOLDER } from '../storage/own-places.ts'
import type { Surroundings } from '../surroundings/surroundings.ts'
import { holdsSomething } from './states-left.ts'

/** Who asks for a state. */
export type Asking = Pick<Project, 'name' | 'isNamed' | 'folder' | 'environment' | 'state'>

/** The same store: Failure 9 from reading it where it holds nothing yet, and the project's own folder a state that was never moved away. */
export function unlessLeftBehind(store: StateStore, asking: Asking, surroundings: Surroundings): StateStore {
  return lookedStore(store, async ({ document, entries }) => {
    if (!document && entries.length === 0) await assertNoneLeft(store, asking, surroundings)
  })
}

async function assertNoneLeft({ where }: StateStore, asking: Asking, surroundings: Surroundings): Promise<void> {
  const { environment, folder, state } = asking
  const usual = localPath(environment)
  // What stands at another path of its own folder is the project's where it says so.
  const others = [localPath(null), ...ownFiles(folder)].filter((path) => path !== usual)
  for (const path of [usual, ...others]) {
    const sign = await signIn({ ...asking, state: { backend: 'local', path, keys: state.keys } }, surroundings, path === usual)
    if (sign !== undefined) throw unmoved(where, path, { sign, folder })
  }
}

function localPath(environment: string | null): string {
  return stateBackends.local.settingsOf({}, environment).path
}

function ownFiles(folder: string): readonly string[] {
  try {
    const names = readdirSync(resolve(folder, OWN_FOLDER))
    return names.flatMap((name) => (name.endsWith('.json') ? [`${OWN_FOLDER}/${name}`] : []))
  } catch {
    return []
  }
}

function unmoved(where: string, former: string, { sign, folder }: { readonly sign: string; readonly folder: string }): Failure {
  const path = shellWord(former)
  return failure('state_unmoved', `there is no state yet at ${where}, and ${former} ${sign}`, {
    detail: `Everything that it holds would be made a second time. Nothing was read from the service or changed. The folder is ${folder}; the commands below are for it.`,
    hint: `to move it: \`mkdir shared && cp iac.yaml shared/\`, take the new state settings out of iac.yaml, \`iac state migrate --to shared/iac.yaml\`, and put them back; if it is not wanted any more: \`mkdir .iac/old && mv ${path}* .iac/old/\``,
  })
}

/** What speaks for a state of the project there that was not moved away; undefined where nothing does. Where it usually is, its name may be an older one, and what cannot be read may be it. */
async function signIn(asking: Asking, surroundings: Surroundings, isUsual: boolean): Promise<string | undefined> {
  try {
    const store = await openAnywhere(asking.state, asking.folder, surroundings, 'clear too')
    const loaded = await store.read()
    const { document } = loaded
    const isOurs = !document || isOwner(asking, document) || (isUsual && document.environment === asking.environment)
    return holdsSomething(loaded) && isOurs ? 'holds one of this project' : undefined
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return isUsual ? `may hold one of this project: ${error.message}` : undefined
  }
}
