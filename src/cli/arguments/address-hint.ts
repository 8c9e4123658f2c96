// What was meant by a word of the command line that is no address.
import { isAddressPattern } from '../../base/address.ts'
import { shellWord } from '../../base/words/shell-word.ts'

/** A shell takes the quotes of a key away, where nothing stands around them; undefined where nothing tells what was meant. */
export function addressHint(wrong: string): string | undefined {
  const [, before, key = ''] = /^([^[]+)\[['"]?([^'"\]]+)['"]?\]$/.exec(wrong) ?? []
  const meant = `${before}[${JSON.stringify(key)}]`
  if (before !== undefined && isAddressPattern(meant)) return `did you mean ${shellWord(meant)}?`
  const capital = `${wrong.slice(0, 1).toUpperCase()}${wrong.slice(1)}`
  return capital !== wrong && isAddressPattern(capital) ? 'a kind is written with its capital letters, as `iac explain` lists it' : undefined
}
