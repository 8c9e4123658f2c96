// Looks again and again: redraws on a terminal, and tells what is new elsewhere.
import type { ExitCode } from '../../base/catalogue.ts'
import type { Context } from '../context/context.ts'
import { screenOf } from '../render/screen.ts'
import { safeLine } from '../render/text/sanitise.ts'

const REDRAWN_EVERY_MS = 1000
const LOOKED_AT_EVERY_MS = 2000

/** What one look shows: the whole for a terminal, and its lines by what they are about for a pipe. */
export interface Look {
  readonly whole: string
  readonly lines: ReadonlyMap<string, string>
  /** Whether what is not among the lines any more is told as gone. */
  readonly tellsGone?: boolean
  /** How it ended, where nothing more comes. */
  readonly end?: ExitCode | undefined
}

/** Shows look after look until one is the last, ^C (130), or nobody reads any more (0). */
export async function watchTable({ surroundings, print }: Context, look: () => Promise<Look>): Promise<ExitCode> {
  const { clock, stop, stdout } = surroundings
  const told = new Map<string, string>()
  let drawn = 0
  function show({ whole, lines, tellsGone }: Look): void {
    if (stdout.size) {
      const screen = screenOf(whole, stdout.size)
      print.result(`${drawn === 0 ? '' : `\r\u001b[${drawn}A\u001b[J`}${screen.join('\n')}\n`)
      drawn = screen.length
      return
    }
    for (const [key, line] of lines) {
      if (told.get(key) !== line) print.result(line)
      told.set(key, line)
    }
    for (const key of tellsGone === true ? told.keys() : []) if (!lines.has(key) && told.delete(key)) print.result(`${safeLine(key)} is gone\n`)
  }
  for (;;) {
    const looked = await look()
    if (stdout.isGone) return 0
    show(looked)
    if (looked.end !== undefined) return looked.end
    const rested = await clock.sleep(stdout.size ? REDRAWN_EVERY_MS : LOOKED_AT_EVERY_MS, stop).then(
      () => true,
      () => false,
    )
    if (!rested) return 130
  }
}
