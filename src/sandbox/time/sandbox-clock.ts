// The one clock of a sandbox, whose course can be changed while it runs: real, scaled, frozen, or jumping.
import type { Clock, Sleeper, Sleepers } from '../../base/clock.ts'
import { idle, sleeperHeap, sleepingBy } from '../../base/clock.ts'
import { earlier } from './earlier.ts'

/** How time passes: as the base clock's, faster, not at all, or in jumps whenever all that waits is waiting for time. */
export const clockModes = ['real', 'scaled', 'frozen', 'jumping'] as const

export type ClockMode = (typeof clockModes)[number]

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
  /** Throws a RangeError for what is no time. Moves on by `ms` through everything that falls due, in order; resolves with the count of instants when all has settled. */
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

/** A clock over a base clock; `startWallMs` is what it shows at first, the base clock's time without it. */
export function sandboxClock(options: {
  readonly base: Clock
  readonly mode?: ClockMode
  readonly scale?: number
  readonly startWallMs?: number | undefined
  /** Told each time that it was set or moved on by hand, what it shows now in ms since 1970. */
  readonly moved?: ((wallMs: number) => void) | undefined
}): SandboxClock {
  const { base, moved } = options
  let startMs = Math.floor(options.startWallMs ?? base.wall())
  const line = timeline(base, courseOf(options.mode ?? 'real', options.scale))
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
    baseMsUntil: (atMs: number) => (line.rate() === 0 ? undefined : Math.max(0, atMs - startMs - line.now()) / line.rate()),
    follow: sources.add,
    show: (wallMs: number) => void (startMs = wallMs - line.now()),
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
    let instants = 0
    if (isOver()) return instants
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

/** Where a distance ends on the line; throws a RangeError for one that leads nowhere. */
function endOf(distance: { readonly ms: number } | { readonly toMs: number }, nowMs: number, startMs: number): number {
  const ms = 'ms' in distance ? distance.ms : distance.toMs - startMs - nowMs
  if (!Number.isFinite(ms)) throw new RangeError('time goes on by a number of ms from 0 on')
  if (ms < 0) throw new RangeError('the clock does not go back')
  return nowMs + ms
}

interface Timeline {
  course(): Course
  set(course: Course): void
  /** How fast time passes by itself; 0 where it does not. */
  rate(): number
  now(): number
  /** Goes on to an instant; never back. */
  moveTo(atMs: number): void
}

function timeline(base: Clock, first: Course): Timeline {
  let course = first
  let anchorMs = 0
  let baseAnchorMs = base.now()
  const rate = (): number => (course.mode === 'real' || course.mode === 'scaled' ? course.scale : 0)
  const now = (): number => anchorMs + (base.now() - baseAnchorMs) * rate()
  function moveTo(atMs: number): void {
    anchorMs = Math.max(now(), atMs)
    baseAnchorMs = base.now()
  }
  function set(next: Course): void {
    moveTo(now())
    course = next
  }
  return { course: () => course, set, rate, now, moveTo }
}

interface Sources {
  add(source: TimedSource): void
  run(): void
  /** The next instant, after now, at which one of them has something to do. */
  nextAt(): number | undefined
}

function timedSources(startMs: () => number, { now }: Timeline): Sources {
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
      return next
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
  /** Sets the base clock's alarm to who wakes next, or watches for the moment when time may jump. */
  arm(): void
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
  let alarm: AbortController | undefined
  let watching = false

  function arm(): void {
    alarm?.abort(rearmed)
    alarm = undefined
    const next = earlier(sleepers.nextAt(), dozers.nextAt())
    const { mode } = line.course()
    if (next === undefined || mode === 'frozen') return
    if (mode === 'jumping') {
      if (!watching && (sleepers.nextAt() !== undefined || next <= line.now())) void watch()
      return
    }
    alarm = new AbortController()
    base.sleep(Math.max(0, next - line.now()) / line.rate(), alarm.signal).then(ring, () => undefined)
  }
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
      if (line.course().mode !== 'jumping') break
      const next = sleepers.nextAt()
      if (next !== undefined) {
        line.moveTo(Math.min(next, earlier(sources.nextAt(), dozers.nextAt()) ?? next))
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
    sleeperAt: sleepers.nextAt,
    dozerAt: dozers.nextAt,
    arm,
  }
}

const rearmed = new Error('the alarm is set anew')

/** Throws a RangeError for a mode or a scale that is none. */
function courseOf(mode: ClockMode, scale = mode === 'scaled' ? 60 : 1): Course {
  if (!clockModes.includes(mode)) throw new RangeError(`no clock is called ${mode}; there are ${clockModes.join(', ')}`)
  if (!Number.isFinite(scale) || scale <= 0) throw new RangeError('the scale is a positive number')
  return Object.freeze({ mode, scale: mode === 'scaled' ? scale : 1 })
}
