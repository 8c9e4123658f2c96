// How the texts of a project's state are kept: in clear, or encrypted by the keys that the environment holds.
import { failure } from '../../base/diagnostic.ts'
import { noKeyDetail, readKeyText } from '../../base/key-text.ts'
import type { StateSettings } from '../../project/resolving/declared.ts'
import { inClear, sealedBy } from '../../state/sealing.ts'
import type { Sealing, SealingKey } from '../../state/sealing.ts'
import type { Surroundings } from '../surroundings/surroundings.ts'

/** Throws Failure 9 for a key that is missing or none, and quotes nothing of it. With `takesClear` what is in clear is read, too. */
export function stateSealing({ keys = [] }: Pick<StateSettings, 'keys'>, { environment, randomBytes }: Surroundings, takesClear = false): Sealing {
  const [first, ...others] = keys.map((name) => keyIn(environment, name))
  return first === undefined ? inClear : sealedBy({ keys: [first, ...others], randomBytes, takesClear })
}

function keyIn(environment: Surroundings['environment'], name: string): SealingKey {
  const text = (environment[name] ?? '').trim()
  const hint = `give it in the environment: 32 bytes in base64, as of \`openssl rand -base64 32\`, or a passphrase`
  if (text === '') throw failure('state_key', `${name} is not set, and state.encryption names it as a key`, { hint })
  const key = readKeyText(text)
  if (!key) throw failure('state_key', `${name} holds no key`, { detail: noKeyDetail, hint })
  return key
}
