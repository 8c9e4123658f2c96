// Where a command's words go: results to standard output, everything else to standard error, both made safe.
import pc from 'picocolors'
import type { Diagnostic } from '../../base/diagnostic.ts'
import { stringifyJson } from '../../base/json.ts'
import { placed, withPlace } from '../../base/placed-commands.ts'
import { told } from '../../base/told-diagnostics.ts'
import { diagnosticsText } from '../render/diagnostics/diagnostic-text.ts'
import { diagnosticLine, streamText } from '../render/progress/stream-json.ts'
import type { StreamLine } from '../render/progress/stream-json.ts'
import { withoutVerdicts } from '../render/text/foreign-verdicts.ts'
import type { Palette } from '../render/text/palette.ts'
import { noColours } from '../render/text/palette.ts'
import { safeJson } from '../render/text/sanitise.ts'
import type { Output, Surroundings } from './surroundings.ts'

export interface Printer {
  readonly palette: Palette // of standard output
  readonly errorPalette: Palette
  /** A result, already made safe by its renderer. */
  result(text: string): void
  /** A result that a program reads as it stands: escaped on a terminal, never altered elsewhere. Throws a Failure 3 where a runner would carry it out. */
  data(text: string): void
  /** Lines that the runner of a pipeline is meant to carry out, with everything foreign in them escaped. */
  commands(text: string): void
  /** A result as JSON: two spaces, a final line end. */
  json(value: unknown): void
  /** One line of the JSON stream: to standard output with --json, to where the stream is kept, and nowhere else. */
  line(line: StreamLine): void
  /** A line on standard error, whatever the flags. */
  aside(text: string): void
  /** From here on what goes to standard error is handed to the live frame, which stands below it; undefined ends that. */
  divert(above: ((text: string) => void) | undefined): void
  /** A remark on standard error; nothing with --quiet or --json. */
  note(text: string): void
  /** Diagnostics as this run tells them, in whatever form: the commands in them lead to where it was. */
  placed(all: readonly Diagnostic[]): readonly Diagnostic[]
  /** Errors and warnings on standard error, in a --json stream's shape if `stream` is on. */
  diagnostics(all: readonly Diagnostic[]): void
  /** From here on diagnostics are lines of the stream, on standard output with --json; all of it is handed to `keep`, too. */
  beginStream(keep?: (text: string) => void): void
  /** Whether the stream is kept anywhere but on standard output. */
  isKept(): boolean
  /** Whether nothing has gone to standard output so far. */
  isSilent(): boolean
}

/** How things are printed; `asTerraform`: errors and warnings begin as readers of Terraform's text expect. */
interface PrintFlags {
  readonly json: boolean
  readonly colours: boolean
  readonly quiet: boolean
  readonly verbose?: boolean
  readonly asTerraform?: boolean
  /** What commands in texts are given, so that they lead to where this run was. */
  readonly place?: readonly string[]
}

/** A printer over the streams; colours only where stream and flags want them. */
export function createPrinter(surroundings: Surroundings, flags: PrintFlags): Printer {
  const { stdout, stderr, clock } = surroundings
  const { place = [] } = flags
  const [palette, errorPalette] = [paletteOf(stdout, flags.colours), paletteOf(stderr, flags.colours)]
  let [streaming, keep]: [boolean, ((text: string) => void) | undefined] = [false, undefined]
  const plainly = (text: string): void => stderr.write(text)
  let toError = plainly
  // Of the steps of its workflow Atlantis reads all that was printed, whatever the words.
  const tell = (text: string): void => toError(withoutVerdicts(text))
  let silent = true
  function say(how: 'write' | 'data' | 'commands', text: string): void {
    stdout[how](text)
    silent = false
  }
  function line(one: StreamLine): void {
    const text = streamText(one, new Date(clock.wall()).toISOString())
    if (flags.json) say('write', text)
    keep?.(text)
  }
  return {
    palette,
    errorPalette,
    result: (text) => say('write', text),
    data: (text) => say('data', text),
    commands: (text) => say('commands', text),
    json: (value) => say('write', `${safeJson(stringifyJson(value, 2))}\n`),
    line,
    aside: (text) => tell(`${withPlace(text, place)}\n`),
    divert: (above) => void (toError = above ?? plainly),
    note(text) {
      if (!flags.quiet && !flags.json) tell(`${withPlace(text, place)}\n`)
    },
    placed: (all) => placed(all, place),
    diagnostics(all) {
      const shown = placed(told(all.filter((one) => !flags.quiet || one.severity === 'error')), place)
      if (streaming) for (const one of shown) line(diagnosticLine(one))
      if (streaming && flags.json) return
      const telling = { all: flags.verbose === true, isStrict: flags.asTerraform === true, columns: stderr.size?.columns }
      if (shown.length > 0) tell(diagnosticsText(shown, errorPalette, telling))
    },
    beginStream(kept) {
      ;[streaming, keep] = [true, kept]
    },
    isKept: () => keep !== undefined,
    isSilent: () => silent,
  }
}

function paletteOf(output: Output, wanted: boolean): Palette {
  return output.colours && wanted ? pc.createColors(true) : noColours
}
