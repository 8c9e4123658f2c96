// Lists that many operations ask for at the same time: one request serves all who asked before it left.
import type { JsonValue } from '../../base/json.ts'
import type { Source } from '../model/live.ts'
import { questionOf } from '../model/live.ts'

type Items = readonly JsonValue[]

/**
 * The same source, whose equal lists share requests: while one is under way, everybody who asks waits for the one that follows it.
 * So no answer is older than its question, and an effect that was confirmed before asking shows as it would alone.
 */
export function sharedLists(source: Source): Source {
  const running = new Map<string, Promise<Items>>()
  const next = new Map<string, Promise<Items>>()

  function start(question: string, ask: () => Promise<Items>): Promise<Items> {
    const answer = ask().finally(() => {
      if (running.get(question) === answer) running.delete(question)
    })
    running.set(question, answer)
    return answer
  }
  async function after(before: Promise<Items> | undefined, question: string, ask: () => Promise<Items>): Promise<Items> {
    // With nothing under way still one turn of promises, in which others may join.
    await before?.catch(() => undefined)
    next.delete(question)
    return await start(question, ask)
  }
  return Object.freeze({
    read: source.read,
    text: source.text,
    all(call, options) {
      const question = questionOf(call)
      const ask = (): Promise<Items> => source.all(call, options)
      const following = next.get(question) ?? after(running.get(question), question, ask)
      next.set(question, following)
      return following
    },
  } satisfies Source)
}
