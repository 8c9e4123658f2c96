// A store that tells of lines that are left out: the last one of a journal that was cut off, and those that can be delivered no more.
import { diagnostic } from '../../base/diagnostic.ts'
import type { Diagnostic } from '../../base/diagnostic.ts'
import { shellWord } from '../../base/words/shell-word.ts'
import type { StateStore, Undeliverable } from '../../state/store.ts'
import { lookedStore } from './looked-store.ts'

/** The same store; `tell` hears of each such file once. */
export function tellingOfLeftOut(store: StateStore, tell: (one: Diagnostic) => void): StateStore {
  const told = new Set<string>()
  return lookedStore(store, ({ torn, tornBeside, undeliverable = [] }) => {
    const all = [...(torn ? [`the journal of ${store.where}`] : []), ...(tornBeside === undefined ? [] : [tornBeside])]
    for (const what of all.filter((one) => !told.has(one))) {
      told.add(what)
      tell(
        diagnostic('note', `the last line of ${what} was cut off, and is left out`, {
          detail: 'A run was ended while it wrote that line, or had no room for the rest of it.',
        }),
      )
    }
    for (const one of undeliverable.filter(({ path }) => !told.has(path))) {
      told.add(one.path)
      tell(notHeld(one, store.where))
    }
  })
}

function notHeld({ path, objects }: Undeliverable, where: string): Diagnostic {
  return diagnostic('advice', `${path} tells of objects that ${where} does not hold`, {
    detail: `A run from here could not store its lines, and the state was written without them since: ${objects.join(', ')}. They are kept until the state holds that.`,
    // One whose id nobody knows is held by nothing that a run could find out.
    hint: `see whether they are there, and take them over with \`iac import\`; once they are taken over or gone, end this with: rm ${shellWord(path)}`,
  })
}
