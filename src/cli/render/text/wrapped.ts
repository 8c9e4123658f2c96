// Text in lines that fit, for what people read as prose.
import { widthOf } from './width.ts'

/** The words of a text behind `head`, in lines of at most `columns` columns where words allow it; later lines begin with `indent` spaces. What stands in backticks is one word where it fits in a line: it is a command to copy. */
export function wrapped(head: string, text: string, columns: number, indent: number): string {
  const lines: string[] = []
  let line = head
  for (const word of wordsOf(text, columns - indent)) {
    const isFirst = line.trim() === ''
    if (isFirst || widthOf(line) + 1 + widthOf(word) <= columns) line = isFirst ? line + word : `${line} ${word}`
    else {
      lines.push(line.trimEnd())
      line = ' '.repeat(indent) + word
    }
  }
  return [...lines, line.trimEnd()].join('\n')
}

function wordsOf(text: string, columns: number): readonly string[] {
  const words: string[] = []
  let command: string[] = []
  for (const part of text.split(' ')) {
    const opensOrCloses = part.split('`').length % 2 === 0
    const isOpen = command.length > 0
    if (isOpen || opensOrCloses) command.push(part)
    else words.push(part)
    if (!isOpen || !opensOrCloses) continue
    const whole = command.join(' ')
    words.push(...(widthOf(whole) <= columns ? [whole] : command))
    command = []
  }
  return [...words, ...command]
}
