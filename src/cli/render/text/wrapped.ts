// Text in lines that fit, for what people read as prose.
import { widthOf } from './width.ts'

/** The words of a text behind `head`, in lines of at most `columns` columns where words allow it; later lines begin with `indent` spaces. What stands in backticks is one word: it is a command to copy. */
export function wrapped(head: string, text: string, columns: number, indent: number): string {
  const lines: string[] = []
  let line = head
  for (const word of wordsOf(text)) {
    const isFirst = line.trim() === ''
    if (isFirst || widthOf(line) + 1 + widthOf(word) <= columns) line = isFirst ? line + word : `${line} ${word}`
    else {
      lines.push(line.trimEnd())
      line = ' '.repeat(indent) + word
    }
  }
  return [...lines, line.trimEnd()].join('\n')
}

function wordsOf(text: string): readonly string[] {
  const words: string[] = []
  let isOpen = false
  for (const part of text.split(' ')) {
    if (isOpen) words.push(`${words.pop() ?? ''} ${part}`)
    else words.push(part)
    if ((part.split('`').length - 1) % 2 === 1) isOpen = !isOpen
  }
  return words
}
