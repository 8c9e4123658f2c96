// How the texts of a project's state are kept: in clear, or encrypted by the keys that the environment holds.
import { Failure, failure } from '../../base/diagnostic.ts'
import { noKeyDetail, readKeyText } from '../../base/words/key-text.ts'
import type { StateSettings } from '../../project/resolving/declared.ts'
import { inClear, sealedBy } from '../../state/sealing.ts'
import type { Sealing, SealingKey } from '../../state/sealing.ts'
import type { Surroundings } from '../surroundings/surroundings.ts'

/** What of a state a command reads: `clear too` what is about to be encrypted for the first time, `lock first` what needs no key before what does. */
export type Reads = 'sealed' | 'clear too' | 'lock first'

/** Throws Failure 9 for a key that is missing or none, and quotes nothing of it; with `lock first` whoever reads or writes what is encrypted is told so. */
export function stateSealing({ keys = [] }: Pick<StateSettings, 'keys'>, { environment, randomBytes }: Surroundings, reads: Reads = 'sealed'): Sealing {
  try {
    const [first, ...others] = keys.map((name) => keyIn(environment, name))
    return first === undefined ? inClear : sealedBy({ keys: [first, ...others], randomBytes, takesClear: reads === 'clear too' })
  } catch (error) {
    if (reads === 'lock first' && error instanceof Failure) return withoutKeys(error)
    throw error
  }
}

function withoutKeys(problem: Failure): Sealing {
  const refuse = (): never => {
    throw problem
  }
  return Object.freeze({ seal: refuse, open: refuse, isCurrent: () => false, name: refuse })
}

function keyIn(environment: Surroundings['environment'], name: string): SealingKey {
  const text = (environment[name] ?? '').trim()
  const hint = `give it in the environment: 32 bytes in base64, as of \`openssl rand -base64 32\`, or a passphrase`
  if (text === '') throw failure('state_key', `${name} is not set, and state.encryption names it as a key`, { hint })
  const key = readKeyText(text)
  if (!key) throw failure('state_key', `${name} holds no key`, { detail: noKeyDetail, hint })
  return key
}
