// What the service accepted while the commands of a story ran, held against a file; the page of all calls is made from those files.
import { basename, relative, resolve } from 'node:path'
import { expect } from 'vitest'
import { commandOf } from '../cli/run-cli.ts'
import { ACCEPTED } from './accepted.ts'

const WORKFLOWS = 'Workflows'

/** The service's coverage, route by route. */
export type Counts = readonly { readonly name: string; readonly section: string; readonly accepted: number }[]

export interface Notes {
  /** Does the work of a command, and notes what the service accepted meanwhile; `read` asks it for its coverage. */
  during<T>(words: readonly string[], read: () => Promise<Counts>, work: () => Promise<T>): Promise<T>
  /** All that was noted is what the file of the story says, which `vitest -u` writes anew; gives the calls of these sections that were not accepted. */
  hold(sections: readonly string[]): Promise<readonly string[]>
}

/** Empty notes, for the story of the test file that runs. */
export function emptyNotes(): Notes {
  const noted = new Map<string, Set<string>>()
  let known: Counts = []
  return {
    async during(words, read, work) {
      const before = new Map((await read()).map((one) => [one.name, one.accepted]))
      const done = await work()
      known = await read()
      for (const { name, accepted } of known) {
        if (accepted > (before.get(name) ?? 0)) noted.set(name, (noted.get(name) ?? new Set()).add(commandOf(words)))
      }
      return done
    },
    async hold(sections) {
      const story = relative('.', expect.getState().testPath ?? '').replaceAll('\\', '/')
      // Which of its calls a run polls workflows by hangs on how many it waits for at a moment: the story of workflows tells of it, with one at a time.
      const polled = new Set(known.filter((one) => one.section === WORKFLOWS && !sections.includes(WORKFLOWS)).map((one) => one.name))
      const lines = [...noted].filter(([name]) => !polled.has(name)).map(([name, commands]) => `${name}: ${[...commands].toSorted().join(', ')}\n`)
      await expect(`${story}\n\n${lines.toSorted().join('')}`).toMatchFileSnapshot(resolve(ACCEPTED, `${basename(story, '.test.ts')}.txt`))
      return known.filter((one) => sections.includes(one.section) && !noted.has(one.name)).map((one) => one.name)
    },
  }
}
