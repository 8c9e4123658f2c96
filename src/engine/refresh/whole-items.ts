// Items of lists with what single reads alone may carry: whose an object is, and that it is on its way out.
import { inTurns } from '../../base/in-turns.ts'
import type { AnyKind } from '../../kinds/definition/kind.ts'

/** How items of a list are looked into, and read singly; undefined where one is gone. */
interface Reading<T> {
  readonly kind: AnyKind
  readonly liveOf: (item: T) => unknown
  readonly read: (item: T) => Promise<T | undefined>
}

/** The items as they are where a single read of one that lacks something has no more of it; else those that lack that, as their reads have them. */
export async function wholeItems<T>(items: readonly T[], { kind, liveOf, read }: Reading<T>): Promise<readonly T[]> {
  const lacked = (item: T): readonly string[] => kind.live.keys.filter((name) => memberOf(liveOf(item), name) === undefined)
  const first = kind.singleRead ? items.find((one) => lacked(one).length > 0) : undefined
  if (first === undefined) return items
  const whole = await read(first)
  const more = new Set(whole === undefined ? [] : lacked(first).filter((name) => memberOf(liveOf(whole), name) !== undefined))
  if (more.size === 0) return items
  const completed = async (item: T): Promise<T> => (lacked(item).some((name) => more.has(name)) ? ((await read(item)) ?? item) : item)
  return inTurns(items, async (item) => (item === first ? (whole ?? item) : completed(item)))
}

/** Whether an answer left out anything that its kind reads. */
export function lacksMembers({ kind, live }: { readonly kind: AnyKind; readonly live: unknown }): boolean {
  return kind.live.keys.some((name) => memberOf(live, name) === undefined)
}

function memberOf(live: unknown, name: string): unknown {
  return typeof live === 'object' && live !== null ? Reflect.get(live, name) : undefined
}
