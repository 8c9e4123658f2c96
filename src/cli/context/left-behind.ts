// A shared state that does not exist yet, while the project's former one still lies in its folder: everything would be made a second time.
import { failure, Failure } from '../../base/diagnostic.ts'
import { shellWord } from '../../base/shell-word.ts'
import { isOwner } from '../../engine/model/state-owner.ts'
import { stateBackends } from '../../project/configuration/state-backends.ts'
import type { Project } from '../../project/resolving/declared.ts'
import type { StateStore } from '../../state/store.ts'
import { lookedStore } from '../storage/looked-store.ts'
import { openAnywhere } from '../storage/open-store.ts'
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
  const local = stateBackends.local.settingsOf({}, environment)
  const sign = local.backend === 'local' && (await signIn({ ...asking, state: { ...local, keys: state.keys } }, surroundings))
  if (!sign) return
  const path = shellWord(local.path)
  throw failure('state_unmoved', `there is no state yet at ${where}, and ${local.path} ${sign}`, {
    detail: `Everything that it holds would be made a second time. Nothing was read from the service or changed. The folder is ${folder}.`,
    hint: `to move it: \`mkdir shared && cp iac.yaml shared/\`, take the new state settings out of iac.yaml, \`iac state migrate --to shared/iac.yaml\`, and put them back; if it is not wanted any more: \`mkdir .iac/old && mv ${path}* .iac/old/\``,
  })
}

/** What speaks for a state of the project there that was not moved away; undefined where nothing does. */
async function signIn(asking: Asking, surroundings: Surroundings): Promise<string | undefined> {
  try {
    const store = await openAnywhere(asking.state, asking.folder, surroundings, 'clear too')
    const loaded = await store.read()
    return holdsSomething(loaded) && (!loaded.document || isOwner(asking, loaded.document)) ? 'holds one of this project' : undefined
  } catch (error) {
    if (error instanceof Failure) return `may hold one of this project: ${error.message}`
    throw error
  }
}
