// A line as it is typed, key by key, on a terminal that shows none of it.

/** What keys made of the line so far: finished, given up by ^C, ended by ^D while it was empty, or not done; `rest` is what stood behind its end. */
export interface Typed {
  readonly is: 'line' | 'interrupted' | 'ended' | 'more'
  readonly text: string
  readonly rest: string
}

const [INTERRUPT, END, CLEAR] = ['\u0003', '\u0004', '\u0015']
/** What keys without a character send, such as arrows. */
const SEQUENCE = /\u001b(?:\[[0-9;]*[A-Za-z~]|O[A-Z]|.)?/gu

/** A line that takes keys as they come; rubbing out and clearing work as in a terminal's own lines, other controls do nothing. */
export function createTypedLine(): { take(keys: string): Typed } {
  let characters: string[] = []
  return {
    take(keys) {
      const all = Array.from(keys.replace(SEQUENCE, ''))
      for (const [at, key] of all.entries()) {
        if (key === '\r' || key === '\n') return { is: 'line', text: characters.join(''), rest: all.slice(at + 1).join('') }
        if (key === INTERRUPT) return { is: 'interrupted', text: '', rest: '' }
        if (key === END && characters.length === 0) return { is: 'ended', text: '', rest: '' }
        if (key === '\b' || key === '\u007f') characters.pop()
        else if (key === CLEAR) characters = []
        else if (key >= ' ') characters.push(key)
      }
      return { is: 'more', text: '', rest: '' }
    },
  }
}
