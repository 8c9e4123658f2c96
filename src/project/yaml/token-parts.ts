// What stands below a token of the library's concrete syntax.
import type { CST } from 'yaml'

/** The key and the value of an item, as far as they are there. */
export function partsOf(item: { readonly key?: CST.Token | null; readonly value?: CST.Token }): CST.Token[] {
  return [item.key, item.value].filter((part) => part !== undefined && part !== null)
}
