// Finished text in lines that fit a terminal, so that it breaks between words and not where the last column is.
import { stripVTControlCharacters } from 'node:util'
import { widthOf } from './width.ts'

const HANG = 4

/** The text with every longer line broken at spaces, later parts hanging below the first; a word that is too long stands whole on a line of its own. */
export function fitted(text: string, columns: number | undefined): string {
  if (columns === undefined) return text
  return text
    .split('\n')
    .map((line) => (widthOn(line) <= columns ? line : brokenLine(line, columns)))
    .join('\n')
}

/** Columns of a line that may hold colours. */
function widthOn(line: string): number {
  return widthOf(line.includes('\u001b') ? stripVTControlCharacters(line) : line)
}

function brokenLine(line: string, columns: number): string {
  const [, indent = '', rest = ''] = /^( *)(.*)$/s.exec(line) ?? []
  const hang = ' '.repeat(Math.min(indent.length + HANG, Math.floor(columns / 2)))
  const lines: string[] = []
  let [own, width, isEmpty] = [indent, indent.length, true]
  for (const [, space = '', word = ''] of rest.matchAll(/( *)([^ ]+)/g)) {
    const more = widthOn(word) + (isEmpty ? 0 : space.length)
    if (!isEmpty && width + more > columns) {
      lines.push(own)
      own = hang + word
      width = hang.length + widthOn(word)
    } else {
      own += isEmpty ? word : space + word
      width += more
    }
    isEmpty = false
  }
  return [...lines, own].join('\n')
}
