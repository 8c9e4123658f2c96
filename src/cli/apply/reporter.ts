// Tells of an apply while it runs: a live frame on a terminal, lines elsewhere, a JSON stream with --json.
import type { Event, Report } from '../../engine/model/events.ts'
import type { Context } from '../context/context.ts'
import { diagnosticsText } from '../render/diagnostics/diagnostic-text.ts'
import { activityOf, progressFrame, shownIn } from '../render/progress/progress-frame.ts'
import { eventLine, stillLine } from '../render/progress/progress-lines.ts'
import type { Running } from '../render/progress/running-operations.ts'
import { createUnderWay } from '../render/progress/running-operations.ts'
import { eventLines } from '../render/progress/stream-json.ts'
import { fitted } from '../render/text/fitted.ts'

const FRAME_EVERY_MS = 100
const LINE_EVERY_MS = 10_000
const HIDE_CURSOR = '\u001b[?25l'
const SHOW_CURSOR = '\u001b[?25h'

/** A listener for a run; `stop` takes the frame away and must be called once all is over. */
export interface Reporter {
  readonly report: Report
  /** The workflows that are on the screen now; left out where none ever is. */
  readonly shown?: () => ReadonlySet<string>
  stop(): void
}

/** What of a context a reporter uses. */
type Telling = Pick<Context, 'globals' | 'surroundings' | 'print'>

/** The reporter that flags and streams ask for. */
export function createReporter(context: Telling): Reporter {
  const reporter = reporterByFlags(context)
  return { ...reporter, report: (event) => reporter.report(placedNote(event, context.print)) }
}

function reporterByFlags(context: Telling): Reporter {
  if (context.globals.switch('json')) return streamReporter(context)
  return context.print.isKept() ? both(streamReporter(context), reporterForPeople(context)) : reporterForPeople(context)
}

function placedNote(event: Event, print: Context['print']): Event {
  return event.type === 'note' ? { ...event, diagnostic: print.placed([event.diagnostic])[0] ?? event.diagnostic } : event
}

function reporterForPeople(context: Telling): Reporter {
  const { globals, surroundings } = context
  if (globals.switch('quiet')) return { report: () => undefined, stop: () => undefined }
  return surroundings.stderr.size === undefined || surroundings.environment['TERM'] === 'dumb' ? lineReporter(context) : frameReporter(context)
}

/** What is kept beside what is shown. */
function both(kept: Reporter, shown: Reporter): Reporter {
  return {
    ...shown,
    report(event) {
      kept.report(event)
      shown.report(event)
    },
  }
}

function streamReporter(context: Telling): Reporter {
  const under = createUnderWay()
  const said = new Map<string, { readonly activity: string; readonly atMs: number }>()
  /** Progress is worth a line when it has changed, or after a while. */
  function isNews(running: Running | undefined, atMs: number): boolean {
    if (running === undefined) return false
    const key = `${running.task} ${running.address}`
    const activity = `${activityOf(running)} ${running.workflowId}`
    const last = said.get(key)
    if (last?.activity === activity && atMs - last.atMs < LINE_EVERY_MS) return false
    said.set(key, { activity, atMs })
    return true
  }
  function report(event: Event): void {
    const before = 'task' in event ? under.of(event) : undefined
    under.take(event)
    const isProgress = event.type === 'step' || event.type === 'progress'
    const running = isProgress ? under.of(event) : before
    if (isProgress && !isNews(running, event.atMs)) return
    for (const line of eventLines(event, running)) context.print.line(line)
  }
  return { report, stop: () => undefined }
}

function lineReporter(context: Telling): Reporter {
  const { stderr, clock } = context.surroundings
  const under = createUnderWay()
  const lines = writtenByTurns(stderr.write)
  const timer = every(LINE_EVERY_MS, () => {
    const line = stillLine(under, clock.now())
    if (line !== undefined) lines.add(`${fitted(line, stderr.size?.columns)}\n`)
  })
  return {
    report(event) {
      under.take(event)
      lines.add(textOf(event, context))
      timer.set(under.running.size > 0)
      if (event.type === 'note' || event.type === 'failed' || event.type === 'recovered' || event.type === 'end') lines.flush()
    },
    stop() {
      timer.set(false)
      lines.flush()
    },
  }
}

/** Writes together what comes within a turn of the event loop: a write for each of a thousand lines would hold up what the lines are about. */
function writtenByTurns(write: (text: string) => void): { add(text: string): void; flush(): void } {
  let text = ''
  let turn: ReturnType<typeof setImmediate> | undefined
  function flush(): void {
    clearImmediate(turn)
    turn = undefined
    if (text !== '') write(text)
    text = ''
  }
  return {
    add(more) {
      text += more
      turn ??= setImmediate(flush)
    },
    flush,
  }
}

/** Finished operations scroll away above the frame; the frame is drawn anew in place. */
function frameReporter(context: Telling): Reporter {
  const { stderr, clock, atExit } = context.surroundings
  const under = createUnderWay()
  let drawn = 0
  let release: (() => void) | undefined
  const erase = (): string => (drawn === 0 ? '' : `\r${drawn > 1 ? `\u001b[${drawn - 1}A` : ''}\u001b[J`)
  function draw(above: string): void {
    const { size } = stderr
    if (under.running.size === 0 || size === undefined) {
      stderr.write(`${erase()}${above}`)
      drawn = 0
      return
    }
    const frame = progressFrame(under, size, clock.now())
    // At the line's begin, so that what the terminal echoes (^C) makes no new line that nobody erases.
    stderr.write(`${erase()}${above}${frame.join('\r\n')}\r`)
    drawn = frame.length
  }
  const timer = every(FRAME_EVERY_MS, () => draw(''))
  function stop(): void {
    timer.set(false)
    if (!release) return
    stderr.write(`${erase()}${SHOW_CURSOR}`)
    drawn = 0
    context.print.divert(undefined)
    release()
    release = undefined
  }
  return {
    report(event) {
      under.take(event)
      if ((event.type === 'begin' || event.type === 'recovering') && !release) {
        stderr.write(HIDE_CURSOR)
        context.print.divert(draw)
        release = atExit(() => stderr.write(`${erase()}${SHOW_CURSOR}`))
      }
      const line = lasting.has(event.type) ? textOf(event, context) : ''
      if (line !== '') draw(line)
      // After what an earlier run left open comes the plan, and a question: the frame is out of their way.
      if (event.type === 'end' || (event.type === 'recovered' && under.running.size === 0)) stop()
      else timer.set(under.running.size > 0)
    },
    shown: () => new Set(stderr.size === undefined ? [] : shownIn(under, stderr.size).flatMap((one) => one.workflowId ?? [])),
    stop,
  }
}

/** What scrolls away above the frame and stays. */
const lasting: ReadonlySet<Event['type']> = new Set(['complete', 'failed', 'skipped', 'recovered', 'note'])

/** What a terminal shows of an event, in lines that fit. */
function textOf(event: Event, { print, surroundings }: Telling): string {
  const columns = surroundings.stderr.size?.columns
  if (event.type === 'note') return diagnosticsText([event.diagnostic], print.errorPalette, { columns })
  const line = eventLine(event)
  return line === undefined ? '' : `${fitted(line, columns)}\n`
}

/** A timer of real time, whatever the clock: it only redraws. */
function every(ms: number, action: () => void): { set(on: boolean): void } {
  let timer: ReturnType<typeof setInterval> | undefined
  return {
    set(on) {
      if (on && timer === undefined) {
        timer = setInterval(action, ms)
        timer.unref()
      }
      if (!on && timer !== undefined) {
        clearInterval(timer)
        timer = undefined
      }
    },
  }
}
