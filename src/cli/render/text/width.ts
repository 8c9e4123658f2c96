// How many columns a text takes on a terminal, and how it is cut or padded to fit.

const COMBINING = /\p{Mn}|\p{Me}|\p{Cf}/u
const WIDE =
  /[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u

/** Columns of a text without control characters; wide characters take two. */
export function widthOf(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length
  return Array.from(text).reduce((sum, one) => sum + widthOfCharacter(one), 0)
}

/** At most so many columns; what was cut is shown by `…` at the end. */
export function cut(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text
  return columns < 1 ? '' : `${taken(Array.from(text), columns - 1)}…`
}

/** At most so many columns; what was cut is shown by `…` in the middle, so that both ends can be read. */
export function cutMiddle(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text
  if (columns < 3) return cut(text, columns)
  const tail = Math.floor((columns - 1) / 2)
  const characters = Array.from(text)
  const end = Array.from(taken(characters.toReversed(), tail)).toReversed().join('')
  return `${taken(characters, columns - 1 - widthOf(end))}…${end}`
}

/** Padded with spaces on the right. */
export function pad(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - widthOf(text)))
}

/** Padded with spaces on the left. */
export function padLeft(text: string, columns: number): string {
  return ' '.repeat(Math.max(0, columns - widthOf(text))) + text
}

function taken(characters: readonly string[], columns: number): string {
  let out = ''
  let left = columns
  for (const one of characters) {
    left -= widthOfCharacter(one)
    if (left < 0) break
    out += one
  }
  return out
}

function widthOfCharacter(character: string): number {
  if (WIDE.test(character)) return 2
  return COMBINING.test(character) ? 0 : 1
}
