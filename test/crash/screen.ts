// A terminal's screen, as far as the program may use it: text, line ends, cursor up, erase below, colours, cursor on and off.

export interface Screen {
  write(text: string): void
  /** What stands there, without blanks at the ends of lines; what has scrolled away comes first. */
  lines(): readonly string[]
  readonly cursorShown: boolean
}

/** An empty screen. Throws for any sequence that it does not know. */
export function createScreen(columns: number, rows: number): Screen {
  const cells: string[][] = [[]]
  let [row, column] = [0, 0]
  let shown = true
  let held = ''
  const line = (): string[] => (cells[row] ??= [])
  const down = (): void => void ((row += 1), line())
  function put(char: string): void {
    if (column >= columns) {
      column = 0
      down()
    }
    const at = line()
    while (at.length < column) at.push(' ')
    at[column] = char
    column += 1
  }
  function control(sequence: string): void {
    const [, words = '', end = ''] = /^\u001b\[([?\d;]*)([A-Za-z])$/.exec(sequence) ?? []
    if (end === 'm') return
    if (end === 'l' && words === '?25') shown = false
    else if (end === 'h' && words === '?25') shown = true
    // The cursor cannot go above the top of what is visible.
    else if (end === 'A') row = Math.max(0, cells.length - rows, row - Number(words || 1))
    else if (end === 'J' && words === '') {
      line().length = Math.min(line().length, column)
      cells.length = row + 1
    } else throw new Error(`the screen does not know ${JSON.stringify(sequence)}`)
  }
  return {
    write(text) {
      const all = held + text
      const open = /\u001b(?:\[[?\d;]*)?$/.exec(all)
      held = open?.[0] ?? ''
      for (const part of all.slice(0, all.length - held.length).match(/\u001b\[[?\d;]*[A-Za-z]|[^]/gu) ?? []) {
        if (part.startsWith('\u001b')) control(part)
        else if (part === '\r') column = 0
        else if (part === '\n') down()
        else put(part)
      }
    },
    lines: () =>
      cells.map((one) =>
        Array.from(one, (char) => char ?? ' ')
          .join('')
          .trimEnd(),
      ),
    get cursorShown() {
      return shown
    },
  }
}
