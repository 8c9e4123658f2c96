// A text that is drawn anew in place: cut to what a terminal shows, so that nothing wraps or scrolls.
import { cut } from './text/width.ts'

/** Lines of at most `columns - 1` columns and `rows - 1` lines; what does not fit is counted. */
export function screenOf(text: string, { columns, rows }: { readonly columns: number; readonly rows: number }): readonly string[] {
  const lines = text.replace(/\n$/, '').split('\n')
  const room = Math.max(1, rows - 1)
  const shown = lines.length <= room ? lines : [...lines.slice(0, room - 1), `… and ${lines.length - room + 1} more lines`]
  return shown.map((line) => cut(line, Math.max(1, columns - 1)))
}
