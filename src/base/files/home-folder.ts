// Where the user's own files lie, whatever the environment says of it.
import { homedir, userInfo } from 'node:os'
import { isAbsolute } from 'node:path'

/** No folder that anybody has. */
const NOWHERE = '/nonexistent'

/** The home folder of the user, absolute: `HOME` may be empty or relative, and what is looked for there would be found in the project. */
export function homeFolder(): string {
  return [homedir, () => userInfo().homedir].map(attempted).find(isAbsolute) ?? NOWHERE
}

/** A user without an entry in the system's list has none. */
function attempted(read: () => string): string {
  try {
    return read()
  } catch {
    return ''
  }
}
