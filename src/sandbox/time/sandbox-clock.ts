// The one clock of a sandbox, whose course can be changed while it runs: real, scaled, frozen, or jumping.
import type { Clock, Sleeper, Sleepers } from '../../base/clock.ts'
import { idle, sleeperHeap, sleepingBy } from '../../base/clock.ts'
import { earlier } from './earlier.ts'

/** How time passes: as the base clock's, faster, not at all, or in jumps whenever all that waits is waiting for time. */
export const clockModes = ['real', 'scaled', 'frozen', 'jumping'] as const

export type ClockMode = (typeof clockModes)[number]

/** How many seconds may pass in one. */
export const scales = { least: 1, most: 100_000 } as const

/** Where time ends, in ms since 1970: instants have years of four digits. What is due later never comes. */
export const LAST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** A distance leads to no instant of the clock: before what it shows, or beyond the last one. */
export class UnreachableInstant extends RangeError {}

/** What happens by time alone, besides who sleeps: instants are in ms since 1970, `run` carries out what is due. */
export interface TimedSource {
  nextMs(): number | undefined
  run(): void
}

/** How a clock goes; `scale` is how many seconds pass in one. */
export interface Course {
  readonly mode: ClockMode
  readonly scale: number
}

/** How far time is to go on: by so much, to an instant in ms since 1970, or until nothing is due any more. */
export type Distance = { readonly ms: number } | { readonly toMs: number } | { readonly until: 'idle' }

/** How far it went, and at how many instants something was due on the way. */
export interface Passage {
  readonly movedMs: number
  readonly instants: number
}

/** A clock whose course can be changed. Frozen, it stands but for `advance`; jumping, also for `jump` and for who sleeps. */
export interface SandboxClock extends Clock {
  /** As `sleep`, but nothing jumps for it: it ends when time has come there for other reasons. */
  readonly doze: Clock['sleep']
  readonly course: Course
  /** Throws a RangeError for a mode or scale that there is none of. */
  set(mode: ClockMode, scale?: number): void
  /** Throws a RangeError for what is no time, an UnreachableInstant for what leads nowhere. Moves on by `ms` through everything that falls due, in order; resolves with the count of instants when all has settled. */
  advance(ms: number): Promise<number>
  /** The same for any distance; who asks while time goes on already has their turn afterwards. */
  pass(distance: Distance): Promise<Passage>
  /** Time goes no further for those who have asked so far: what they asked it of begins anew. */
  halt(): void
  /** Moves to the next instant at which something is due; false where nothing waits for time. */
  jump(): Promise<boolean>
  /** The time on the base clock, in ms, until this instant since 1970; undefined where it does not come by itself. */
  baseMsUntil(atMs: number): number | undefined
  follow(source: TimedSource): void
  /** Shows this instant from here on, in ms since 1970, also an earlier one; who sleeps is not woken by it. */
  show(wallMs: number): void
}

/** A clock over a base clock; `startWallMs` is what it shows at first, the base clock's time without it. It stands still at LAST_MS. */
export function sandboxClock(options: {
  readonly base: Clock
  readonly mode?: ClockMode
  readonly scale?: number
  readonly startWallMs?: number | undefined
  /** Told each time that it was set or moved on by hand, what it shows now in ms since 1970. */
  readonly moved?: ((wallMs: number) => void) | undefined
}): SandboxClock {
  const { base, moved } = options
  let startMs = Math.min(LAST_MS, Math.floor(options.startWallMs ?? base.wall()))
  const line = timeline(base, courseOf(options.mode ?? 'real', options.scale), () => LAST_MS - startMs)
  const sources = timedSources(() => startMs, line)
  const waiting = waitingRoom(base, line, sources)
  const passing = passages(line, sources, waiting, () => startMs)
  async function pass(distance: Distance): Promise<Passage> {
    const passage = await passing.pass(distance)
    moved?.(startMs + line.now())
    return passage
  }
  return Object.freeze({
    now: line.now,
    wall: () => startMs + line.now(),
    alarm: waiting.alarm,
    sleep: sleepingBy(waiting.alarm),
    doze: waiting.doze,
    get course() {
      return line.course()
    },
    set(mode: ClockMode, scale?: number) {
      line.set(courseOf(mode, scale))
      waiting.arm()
      moved?.(startMs + line.now())
    },
    ...passing,
    pass,
    advance: async (ms: number) => (await pass({ ms })).instants,
    baseMsUntil: (atMs: number) => (line.rate() === 0 || atMs > LAST_MS ? undefined : Math.max(0, atMs - startMs - line.now()) / line.rate()),
    follow: sources.add,
    show(wallMs: number) {
      // What went by while the clock stood at its end is not made up for.
      line.moveTo(line.now())
      startMs = Math.min(LAST_MS, wallMs) - line.now()
    },
  })
}

/** How many instants `until: idle` passes at most: what never ends would keep it going for ever. */
const MOST_INSTANTS = 10_000

/** Going on by hand, one after the other: two at once would each move to where it alone had led. */
function passages(line: Timeline, sources: Sources, waiting: WaitingRoom, startMs: () => number): Pick<SandboxClock, 'pass' | 'jump' | 'halt'> {
  let generation = 0
  let last: Promise<unknown> = Promise.resolve()

  function inTurn<T>(work: (isOver: () => boolean) => Promise<T>): Promise<T> {
    const begun = generation
    const turn = last.then(() => work(() => generation !== begun))
    last = turn.catch(() => undefined)
    return turn
  }
  /** Everything that is due up to an instant, one after the other; the count of instants. */
  async function passTo(endMs: number, isOver: () => boolean): Promise<number> {
    waiting.hold(true)
    try {
      return isOver() ? 0 : await passEach(endMs, isOver)
    } finally {
      waiting.hold(false)
      waiting.arm()
    }
  }
  async function passEach(endMs: number, isOver: () => boolean): Promise<number> {
    let instants = 0
    sources.run()
    for (;;) {
      await idle()
      if (isOver()) return instants
      if (waiting.wakeOne()) continue
      const next = earlier(earlier(waiting.sleeperAt(), waiting.dozerAt()), sources.nextAt())
      if (next === undefined || next > endMs) break
      line.moveTo(next)
      sources.run()
      instants += 1
    }
    line.moveTo(endMs)
    sources.run()
    waiting.arm()
    await idle()
    return instants
  }
  const nextAt = (): number | undefined => earlier(waiting.sleeperAt(), sources.nextAt())
  async function passAll(isOver: () => boolean): Promise<number> {
    let instants = 0
    // What is overdue comes first: the next instant is one after now.
    if (!isOver()) sources.run()
    for (let next = nextAt(); next !== undefined && instants < MOST_INSTANTS && !isOver(); next = nextAt()) {
      await passTo(next, isOver)
      instants += 1
    }
    return instants
  }
  return {
    pass: (distance) =>
      inTurn(async (isOver) => {
        const begunMs = line.now()
        const instants = 'until' in distance ? await passAll(isOver) : await passTo(endOf(distance, begunMs, startMs()), isOver)
        return { movedMs: line.now() - begunMs, instants }
      }),
    async jump() {
      const next = nextAt()
      // What is due next is decided now: of several who ask at once none goes further than the others.
      if (next !== undefined) await inTurn((isOver) => passTo(next, isOver))
      return next !== undefined
    },
    halt: () => void (generation += 1),
  }
}

/** Where a distance ends on the line; throws a RangeError for none, an UnreachableInstant for one that leads nowhere. */
function endOf(distance: { readonly ms: number } | { readonly toMs: number }, nowMs: number, startMs: number): number {
  const ms = 'ms' in distance ? distance.ms : distance.toMs - startMs - nowMs
  if (!Number.isFinite(ms)) throw new RangeError('time goes on by a number of ms from 0 on')
  if (ms < 0) throw new UnreachableInstant('the clock does not go back')
  if (('ms' in distance ? startMs + nowMs + ms : distance.toMs) > LAST_MS)
    throw new UnreachableInstant(`the clock goes no further than ${new Date(LAST_MS).toISOString()}`)
  return nowMs + ms
}

interface Timeline {
  course(): Course
  set(course: Course): void
  /** How fast time passes by itself; 0 where it does not. */
  rate(): number
  now(): number
  /** An instant, undefined for one that never comes. */
  reached(atMs: number | undefined): number | undefined
  /** Goes on to an instant; never back. */
  moveTo(atMs: number): void
}

function timeline(base: Clock, first: Course, lastMs: () => number): Timeline {
  let course = first
  let anchorMs = 0
  let baseAnchorMs = base.now()
  const rate = (): number => (course.mode === 'real' || course.mode === 'scaled' ? course.scale : 0)
  const now = (): number => Math.min(lastMs(), anchorMs + (base.now() - baseAnchorMs) * rate())
  function moveTo(atMs: number): void {
    anchorMs = Math.max(now(), atMs)
    baseAnchorMs = base.now()
  }
  function set(next: Course): void {
    moveTo(now())
    course = next
  }
  const reached: Timeline['reached'] = (atMs) => (atMs !== undefined && atMs <= lastMs() ? atMs : undefined)
  return { course: () => course, set, rate, now, reached, moveTo }
}

interface Sources {
  add(source: TimedSource): void
  run(): void
  /** The next instant, after now, at which one of them has something to do. */
  nextAt(): number | undefined
}

function timedSources(startMs: () => number, { now, reached }: Timeline): Sources {
  const all: TimedSource[] = []
  return {
    add: (source) => void all.push(source),
    run() {
      for (const source of all) source.run()
    },
    nextAt() {
      let next: number | undefined
      for (const source of all) {
        const atMs = source.nextMs()
        if (atMs !== undefined && atMs - startMs() > now()) next = earlier(next, atMs - startMs())
      }
      return reached(next)
    },
  }
}

interface WaitingRoom {
  readonly alarm: Clock['alarm']
  readonly doze: Clock['sleep']
  /** Wakes who is due next; false when nobody is. */
  wakeOne(): boolean
  sleeperAt(): number | undefined
  dozerAt(): number | undefined
  /** Sets the base clock's alarm to who wakes next, or watches for the moment when time may jump, or who is due may wake. */
  arm(): void
  /** Whether somebody goes on by hand, and wakes who is due while the clock stands. */
  hold(isHeld: boolean): void
}

/** The two sorts of those who wait, in one order. */
interface Beds {
  readonly sleepers: Sleepers
  readonly dozers: Sleepers
  wakeOne(): boolean
  /** Alarms among one of the two; `changed` is called whenever one is set or taken back. */
  alarms(among: Sleepers, changed: () => void): Clock['alarm']
}

function bedsAt(line: Timeline): Beds {
  const [sleepers, dozers] = [sleeperHeap(), sleeperHeap()]
  let order = 0
  return {
    sleepers,
    dozers,
    wakeOne() {
      const dozersFirst = (dozers.nextAt() ?? Infinity) < (sleepers.nextAt() ?? Infinity)
      const due = (dozersFirst ? dozers : sleepers).take(line.now())
      due?.wake()
      return due !== undefined
    },
    alarms: (among, changed) => (ms, wake) => {
      const sleeper: Sleeper = { at: line.now() + Math.max(0, ms), order: order++, wake, stopped: false }
      among.add(sleeper)
      changed()
      return () => {
        sleeper.stopped = true
        changed()
      }
    },
  }
}

function waitingRoom(base: Clock, line: Timeline, sources: Sources): WaitingRoom {
  const { sleepers, dozers, wakeOne, alarms } = bedsAt(line)
  const sleeperAt = (): number | undefined => line.reached(sleepers.nextAt())
  const dozerAt = (): number | undefined => line.reached(dozers.nextAt())
  let alarm: AbortController | undefined
  let watching = false
  let held = false

  function arm(): void {
    alarm?.abort(rearmed)
    alarm = undefined
    const next = earlier(sleeperAt(), dozerAt())
    if (next === undefined) return
    if (line.rate() === 0) {
      if (!watching && (next <= line.now() || jumpsTo() !== undefined) && !isUnwatched()) void watch()
      return
    }
    alarm = new AbortController()
    base.sleep(Math.max(0, next - line.now()) / line.rate(), alarm.signal).then(ring, () => undefined)
  }
  /** Whom time jumps to. */
  const jumpsTo = (): number | undefined => (line.course().mode === 'jumping' ? sleeperAt() : undefined)
  /** Whether others wake who is due: the base clock, or who moves a frozen clock on. */
  const isUnwatched = (): boolean => line.rate() > 0 || (held && line.course().mode === 'frozen')
  /** Nobody is there to be told of an error: whoever asks next meets it again. */
  function runSources(): void {
    try {
      sources.run()
    } catch {
      return
    }
  }
  function ring(): void {
    runSources()
    while (wakeOne());
    arm()
  }
  async function watch(): Promise<void> {
    watching = true
    for (;;) {
      await idle()
      if (isUnwatched()) break
      const next = jumpsTo()
      if (next !== undefined) {
        line.moveTo(Math.min(next, earlier(sources.nextAt(), dozerAt()) ?? next))
        runSources()
      }
      if (!wakeOne() && next === undefined) break
    }
    watching = false
    arm()
  }
  return {
    alarm: alarms(sleepers, arm),
    doze: sleepingBy(alarms(dozers, arm)),
    wakeOne,
    sleeperAt,
    dozerAt,
    arm,
    hold: (isHeld) => void (held = isHeld),
  }
}

const rearmed = new Error('the alarm is set anew')

/** Throws a RangeError for a mode or a scale that is none. */
function courseOf(mode: ClockMode, scale = mode === 'scaled' ? 60 : 1): Course {
  if (!clockModes.includes(mode)) throw new RangeError(`no clock is called ${mode}; there are ${clockModes.join(', ')}`)
  if (!(scale >= scales.least && scale <= scales.most)) throw new RangeError(`the scale is a number from ${scales.least} to ${scales.most}`)
  return Object.freeze({ mode, scale: mode === 'scaled' ? scale : 1 })
}
