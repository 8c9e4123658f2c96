// The files that stories are held against: which route the service accepted from which command.
import { readdirSync, readFileSync } from 'node:fs'

/** Where they are, below the repository. */
export const ACCEPTED = 'test/stories/accepted'

/** A route that a story was seen to drive. */
export interface Accepted {
  readonly story: string
  readonly route: string
  readonly commands: readonly string[]
}

/** What all stories were seen to drive. Reads from the working folder. */
export function acceptedCalls(): readonly Accepted[] {
  return readdirSync(ACCEPTED)
    .toSorted()
    .flatMap((file) => {
      const [story = '', , ...lines] = readFileSync(`${ACCEPTED}/${file}`, 'utf8').trimEnd().split('\n')
      return lines.map((line) => {
        const [route = '', commands = ''] = line.split(': ')
        return { story, route, commands: commands.split(', ') }
      })
    })
}
