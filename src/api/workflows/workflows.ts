// One watcher for all workflows under way: one listing per tick and workspace, whatever their number.
import { onAbort } from '../../base/abort.ts'
import type { Clock } from '../../base/clock.ts'
import { reasonOf } from '../../base/clock.ts'
import type { Workflow } from '../calls/call.ts'
import type { Client } from '../client.ts'
import type { Looked } from './workflow-poll.ts'
import { createLooker } from './workflow-poll.ts'
import { createWorkflowTimes } from './workflow-times.ts'
import type { WorkflowTimes } from './workflow-times.ts'

/** How a watch ended. Nothing is remembered: whoever finds that the object does not bear out a terminal state watches again. */
export type Watched =
  | { readonly is: 'ended'; readonly state: TerminalState; readonly workflow: Workflow }
  /** The service no longer knows it: settle by reading the object. */
  | { readonly is: 'lost'; readonly why: string }
  | { readonly is: 'timeout'; readonly workflow: Workflow | undefined }

export type TerminalState = 'COMPLETED' | 'FAILED' | 'ABORTED' | 'TIMED_OUT'

export interface WatchOptions {
  /** From now until the watch ends as `timeout`. */
  readonly deadlineMs: number
  /** What it does: it is first looked at when others that do the same have taken that long. */
  readonly like?: string | undefined
  readonly signal?: AbortSignal | undefined
  /** Told whenever something new is known; `progress` only for what is shown. */
  readonly onProgress?: ((workflow: Workflow) => void) | undefined
}

export interface Watcher {
  /** Follows one workflow to its end. Rejects with the signal's reason, and with an ApiError when the caller may not look (401, 403). */
  watch(workspaceId: string | undefined, workflowId: string, options: WatchOptions): Promise<Watched>
}

export interface WatcherParts {
  readonly client: Pick<Client, 'all' | 'read' | 'filtersWork'>
  readonly clock: Clock
  readonly random: () => number
  /** How long a 404 may be a read that lags behind (`compat.read_grace`). */
  readonly graceMs?: number | undefined
  readonly onWarning?: ((text: string) => void) | undefined
  /** The workflows that a terminal shows, asked at each look: only these are fetched with progress. */
  readonly shown?: (() => ReadonlySet<string>) | undefined
}

interface Watch extends WatchOptions {
  readonly id: string
  readonly deadlineAt: number
  readonly begunAt: number
  /** Before that it has hardly ended; undefined once it was looked at. */
  firstAt: number | undefined
  readonly settle: (watched: Watched) => void
  readonly fail: (error: unknown) => void
  seen: Workflow | undefined
  missingSince: number | undefined
}

/** The watches of one workspace, and the nap before the next look. */
interface Group {
  readonly watches: Set<Watch>
  eventAt: number
  nap: AbortController
  /** When the nap ends, and whether a watch has joined since it began. */
  dueAt: number
  joined: boolean
}

const FIRST_MS = 80
const SOONEST_MS = 80
const LATEST_MS = 15_000
// A wait of a quarter of the time since something happened adds at most a quarter to any workflow.
const SHARE = 0.25
const JITTER = 0.2
// Workflows that began together are looked at together: one that is due a moment later would wait until after the next pause.
const GATHER_MS = 50
// Of words for states that are not known.
const MOST_WARNINGS = 20
/** Made once: a reason of its own for each nap that is broken off would cost a stack trace. */
const awake = new Error('a nap was broken off')
const terminal = ['COMPLETED', 'FAILED', 'ABORTED', 'TIMED_OUT'] as const
const underWay = new Set(['QUEUED', 'RUNNING'])

/** The end that a workflow has come to; undefined while it is under way, and for words that are not known. */
export function terminalState({ state }: Pick<Workflow, 'state'>): TerminalState | undefined {
  const word = state.toUpperCase()
  return terminal.find((known) => known === word)
}

/** A watcher whose ticks grow from 80 ms to 15 s, and start anew when a workflow ends or may have ended, and when one joins of which nothing is known ("Workflow"). */
export function createWatcher(parts: WatcherParts): Watcher {
  const { client, clock } = parts
  const groups = new Map<string, Group>()
  const looker = createLooker(client)
  const times = createWorkflowTimes()
  const observe = createObserver(parts, times)

  function begin(workspaceId: string | undefined): Group {
    const group: Group = { watches: new Set(), eventAt: clock.now(), nap: new AbortController(), dueAt: Infinity, joined: false }
    groups.set(workspaceId ?? '', group)
    // After the first watch has joined.
    queueMicrotask(() => void follow(workspaceId, group))
    return group
  }
  async function follow(workspaceId: string | undefined, group: Group): Promise<void> {
    let lookedAt = -Infinity
    while (group.watches.size > 0) {
      await rest(group, lookedAt, parts)
      expire(group, clock)
      lookedAt = clock.now()
      if (group.watches.size > 0) await look(workspaceId, group)
      expire(group, clock)
    }
    groups.delete(workspaceId ?? '')
  }
  async function look(workspaceId: string | undefined, group: Group): Promise<void> {
    const shown = parts.shown?.() ?? new Set<string>()
    const watches = [...group.watches].filter((one) => one.firstAt === undefined || one.firstAt <= clock.now() || shown.has(one.id))
    if (watches.length === 0) return
    for (const one of watches) if (one.firstAt !== undefined && one.firstAt <= clock.now()) begun(group, one, clock)
    const ids = [...new Set(watches.map((one) => one.id))]
    const leftMs = Math.max(1, firstDeadline(group) - clock.now())
    const looked = await looker.look(workspaceId, ids, shown, leftMs).catch((error: unknown) => {
      for (const one of watches) one.fail(error)
    })
    for (const one of watches) observe(group, one, looked?.get(one.id))
  }
  return Object.freeze({
    watch(workspaceId: string | undefined, workflowId: string, options: WatchOptions) {
      if (options.signal?.aborted) return Promise.reject(reasonOf(options.signal))
      return join(groups.get(workspaceId ?? '') ?? begin(workspaceId), workflowId, options, clock, times)
    },
  })
}

/** Adds a watch to its group, and wakes the group where its nap, which may be long, would end too late for it. */
function join(group: Group, id: string, options: WatchOptions, clock: Clock, times: WorkflowTimes): Promise<Watched> {
  return new Promise((resolve, reject) => {
    const end =
      <T>(then: (value: T) => void) =>
      (value: T): void => {
        forget?.()
        if (group.watches.delete(one)) then(value)
      }
    const begunAt = clock.now()
    const deadlineAt = begunAt + options.deadlineMs
    const leastMs = options.like === undefined ? undefined : times.leastMs(options.like)
    // Its like may be of another size: it is never waited for longer than between looks, and looked at before its watch ends.
    const firstAt = begunAt + Math.min(leastMs ?? FIRST_MS, LATEST_MS, options.deadlineMs / 2)
    const one: Watch = { ...options, id, deadlineAt, begunAt, firstAt, settle: end(resolve), fail: end(reject), seen: undefined, missingSince: undefined }
    function stop(): void {
      if (options.signal) one.fail(reasonOf(options.signal))
      if (group.watches.size === 0) group.nap.abort(awake)
    }
    group.watches.add(one)
    group.joined = true
    if (leastMs === undefined) group.eventAt = begunAt
    // Hundreds that join while they are sent would each wake it for nothing.
    if (Math.min(firstAt, deadlineAt, begunAt + SOONEST_MS * (1 - JITTER)) < group.dueAt) group.nap.abort(awake)
    const forget = options.signal && onAbort(options.signal, stop)
  })
}

/** Waits until the next look is due, which is thought over again where a watch has joined meanwhile. */
async function rest(group: Group, lookedAt: number, { clock, random, shown }: WatcherParts): Promise<void> {
  const jitter = 1 - JITTER + 2 * JITTER * random()
  for (;;) {
    const now = clock.now()
    const pauseMs = Math.min(LATEST_MS, Math.max(SOONEST_MS, (now - group.eventAt) * SHARE)) * jitter
    const dueAt = Math.min(nextLook(group, lookedAt, pauseMs, shown?.()), firstDeadline(group))
    if (now >= dueAt || group.watches.size === 0) return
    Object.assign(group, { nap: new AbortController(), dueAt, joined: false })
    const rested = await napUntil(dueAt, clock, group.nap.signal).then(
      () => true,
      () => false,
    )
    if (rested && !group.joined) return
  }
}

/** A machine's clock may wake a part of a millisecond early: nothing would be due yet, and the next look a pause later. */
async function napUntil(dueAt: number, clock: Clock, signal: AbortSignal): Promise<void> {
  for (let now = clock.now(); now < dueAt; now = clock.now()) await clock.sleep(dueAt - now, signal)
}

/** When the first of those that nobody has looked at may have ended, or the others, and those that a terminal shows, are due again; those that are due shortly after it are waited for, and one look is never close upon another. */
function nextLook(group: Group, lookedAt: number, pauseMs: number, shown?: ReadonlySet<string>): number {
  let next = Infinity
  for (const { id, begunAt, firstAt = Infinity } of group.watches) {
    const againAt = firstAt === Infinity || shown?.has(id) ? Math.max(lookedAt, begunAt) + pauseMs : Infinity
    next = Math.min(next, firstAt, againAt)
  }
  let gathered = next
  for (const { firstAt = 0 } of group.watches) if (firstAt <= next + GATHER_MS) gathered = Math.max(gathered, firstAt)
  return Math.max(gathered, lookedAt + Math.min(pauseMs, SOONEST_MS))
}

/** From now on it may end at any moment. */
function begun(group: Group, one: Watch, clock: Clock): void {
  one.firstAt = undefined
  group.eventAt = clock.now()
}

/** What a look means for one watch. */
function createObserver({ clock, graceMs = 10_000, onWarning }: WatcherParts, times: WorkflowTimes) {
  const warned = new Set<string>()

  function there(group: Group, one: Watch, workflow: Workflow): void {
    one.missingSince = undefined
    one.seen = workflow
    one.onProgress?.(workflow)
    const word = workflow.state.toUpperCase()
    const state = terminalState(workflow)
    if (state) {
      group.eventAt = clock.now()
      const seenMs = clock.now() - one.begunAt
      if (one.like !== undefined) times.note(one.like, Math.min(workflow.durationMs ?? seenMs, seenMs))
      one.settle({ is: 'ended', state, workflow })
    } else if (!underWay.has(word) && !warned.has(word) && warned.size < MOST_WARNINGS) {
      warned.add(word)
      onWarning?.(`workflow ${workflow.id} is in state ${JSON.stringify(workflow.state)}, which is not known; it is taken as still running`)
    }
  }
  /** A 404 is believed when it lasts, through looks that follow each other soon: right after acceptance, or on a lagging replica, it says nothing. */
  function missing(group: Group, one: Watch): void {
    if (one.missingSince === undefined) group.eventAt = clock.now()
    one.missingSince ??= clock.now()
    if (clock.now() - one.missingSince < graceMs) return
    one.settle({ is: 'lost', why: one.seen ? 'the service no longer knows this workflow' : 'the service does not know this workflow' })
  }
  return (group: Group, one: Watch, looked: Looked | undefined): void => {
    if (looked?.is === 'forbidden') one.fail(looked.error)
    else if (looked?.is === 'absent') missing(group, one)
    else if (looked?.is === 'there') there(group, one, looked.workflow)
  }
}

function expire(group: Group, clock: Clock): void {
  for (const one of group.watches) if (clock.now() >= one.deadlineAt) one.settle({ is: 'timeout', workflow: one.seen })
}

function firstDeadline(group: Group): number {
  let first = Infinity
  for (const one of group.watches) first = Math.min(first, one.deadlineAt)
  return first
}
