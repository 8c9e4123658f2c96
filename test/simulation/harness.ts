// Runs a seed: four phases under faults and crashes, each followed by one clean run, and everything that must hold looked at.
import { Failure } from '../../src/base/diagnostic.ts'
import { randomOf } from '../builders/random-of.ts'
import { withBystanders } from './bystanders.ts'
import type { PhasePlan, SharedPlan } from './draw.ts'
import { draw, drawShared } from './draw.ts'
import { checkCovered, checkDestroyed, checkQuiet, checkSecrets, readState, serialOf } from './invariants.ts'
import type { Fate, Moment } from './mortal.ts'
import type { Asleep, Ended, Rig, RigOptions } from './rig.ts'
import { createRig } from './rig.ts'
import type { Phase } from './scenario.ts'
import { phasesOf } from './scenario.ts'
import type { Violation } from './violation.ts'

/** What a seed came to. */
export interface Outcome {
  readonly seed: number
  readonly violations: readonly (Violation & { readonly phase: string })[]
  readonly struck: ReadonlyMap<string, number>
  readonly runs: number
  readonly crashes: number
  /** How many processes were stopped and woken, and whether the state lay where machines share it. */
  readonly stops: number
  readonly isShared: boolean
  readonly requests: number
  readonly trace: string
}

/** Takes the place of what a seed would decide, for planted bugs. */
export interface Overrides extends Partial<Pick<RigOptions, 'careless' | 'compat'>> {
  /** The state lies where machines share it, whatever the seed says. */
  readonly isShared?: boolean
  /** Told what happens, for people. */
  readonly tell?: ((text: string) => void) | undefined
}

interface Going {
  readonly rig: Rig
  readonly tell: (text: string) => void
  readonly violations: (Violation & { readonly phase: string })[]
  readonly struck: Map<string, number>
  readonly shared: SharedPlan | undefined
  /** Processes that were stopped, and are woken after the next run. */
  readonly asleep: Asleep[]
  runs: number
  crashes: number
  stops: number
  /** Serial of the state that was last acknowledged. */
  serial: number
}

/** Time for everything that is still on its way to arrive. */
const QUIET_MS = 45_000

export async function runSeed(seed: number, overrides: Overrides = {}): Promise<Outcome> {
  const random = randomOf(seed)
  const drawn = draw(random)
  const shared = drawShared(seed, overrides.isShared)
  const compat = { ...drawn.compat, ...overrides.compat }
  const rig = createRig({ seed, snapshot: withBystanders(), readings: drawn.readings, ...overrides, compat, shared })
  const none = { violations: [], struck: new Map(), asleep: [], runs: 0, crashes: 0, stops: 0, serial: 0 }
  const going: Going = { rig, shared, tell: overrides.tell ?? (() => undefined), ...none }
  const phases = phasesOf(drawn.variant)
  if (shared) going.tell(`the state lies in ${rig.shared?.title}, each run ${shared.elsewhere ? 'on another machine' : 'on the same machine'}`)
  going.tell(`blocks ${[...drawn.variant].join(' ')}, readings ${JSON.stringify(drawn.readings)}, compat ${JSON.stringify(drawn.compat)}`)
  for (const [index, phase] of phases.entries()) {
    const plan = drawn.phases[index]
    if (plan) await runPhase(going, phase, plan, phases[index - 1], shared?.phases[index])
    if (going.violations.length > 0) break
  }
  for (const [id, count] of rig.shared?.struck ?? []) going.struck.set(`store ${id}`, count)
  for (const [id, count] of rig.network.struck) going.struck.set(id, (going.struck.get(id) ?? 0) + count)
  return {
    seed,
    violations: going.violations,
    struck: going.struck,
    runs: going.runs,
    crashes: going.crashes,
    stops: going.stops,
    isShared: shared !== undefined,
    requests: rig.network.requests.all,
    trace: rig.trace(),
  }
}

type SharedPhase = SharedPlan['phases'][number]

async function runPhase(going: Going, phase: Phase, plan: PhasePlan, before: Phase | undefined, beside: SharedPhase | undefined): Promise<void> {
  const { rig } = going
  const found = (violations: readonly Violation[]): void => void going.violations.push(...violations.map((one) => ({ ...one, phase: phase.name })))
  rig.changes.length = 0
  going.tell(
    `${phase.name}: faults ${plan.faults.map(({ row, skip, left }) => `${row.id} ${skip}+${left}`).join(', ')}; courses ${plan.courses.map((one) => `${one.id} ${JSON.stringify(one.course)}`).join(', ')}; crashes ${plan.crashes.map((one) => `${one.moment}${one.effects ? ' of effects' : ''}${one.power ? ' power' : ''}`).join(', ')}; ${plan.turnsBack ? 'turns back' : ''}${beside ? `; store ${JSON.stringify(beside)}` : ''}`,
  )
  const addresses = await addressesOf(rig)
  found(await judgeJustMade(going, phase))
  if (going.violations.length > 0) return
  for (const { row, skip, left } of plan.faults) {
    const untilMs = rig.clock.now() + (row.forMs ?? Infinity)
    rig.network.arm({ id: row.id, fits: row.fits, strike: row.strike, share: row.share ?? 1, lagMs: row.lagMs ?? 0, skip, left, untilMs })
  }
  for (const { course } of plan.courses) rig.sandbox.world.courses.push(course)
  for (const fault of beside?.faults ?? []) rig.shared?.arm({ ...fault })
  const ended = await runUntilItEnds(going, phase, plan, beside?.stops ?? [], found)
  calm(going, plan)
  found(rig.witness.broken.splice(0))
  if (plan.turnsBack && before) await turnBack(going, before, plan, found)
  if (going.violations.length === 0) await settleDown(going, phase, plan.turnsBack ? undefined : ended, found)
  if (going.violations.length > 0) return
  await quiet(rig)
  await takeLeave(going, phase, plan, found)
  const pending = phase.name === 'destroy' ? [] : await rig.pending(phase.yaml)
  found(pending.map((text) => ({ invariant: 'I4', text: `the plan is not empty: ${text}` })))
  found(checkQuiet(rig, phase, await readState(rig)))
  found(checkDestroyed(rig, phase, plan.turnsBack ? undefined : addresses))
  found(checkSecrets(rig))
  found(rig.witness.broken.splice(0))
}

/** Before anything is broken a plan is carried out as it was saved. */
async function judgeJustMade({ rig }: Going, phase: Phase): Promise<Violation[]> {
  const why = await rig.refused(phase.yaml, phase.name === 'destroy')
  return why === undefined ? [] : [{ invariant: 'I5', text: `a plan that was just made is refused: ${why}` }]
}

type Find = (violations: readonly Violation[]) => void

/** Runs under faults: a new process after each crash or stop, the last one to its end. */
async function runUntilItEnds(going: Going, phase: Phase, plan: PhasePlan, stops: readonly boolean[], found: Find): Promise<Ended> {
  const { rig } = going
  for (const [index, crash] of plan.crashes.entries()) {
    let moments = 0
    const then: Fate = stops[index] === true ? 'stops' : 'dies'
    const ended = await run(going, phase, found, (moment) => ((!crash.effects || moment.effect) && moments++ === crash.moment ? then : 'lives'))
    found(judge(going, ended))
    if ((ended.is !== 'dead' && ended.is !== 'stopped') || going.violations.length > 0) return ended
    if (ended.is === 'dead') going.crashes += 1
    if (ended.is === 'dead' && crash.power) losePower(going)
    const folded = await readState(rig).catch((error: unknown) => error)
    if (folded instanceof Error || typeof folded !== 'object' || folded === null || !('resources' in folded))
      found([{ invariant: 'I3', text: `the state cannot be read: ${textOf(folded)}` }])
    else found(checkCovered(rig, await readState(rig)))
    if (serialOf(rig) < going.serial) found([{ invariant: 'I3', text: `serial ${serialOf(rig)} after ${going.serial}` }])
    if (going.violations.length > 0 || plan.turnsBack) return ended
  }
  const ended = await run(going, phase, found)
  found(judge(going, ended))
  return ended
}

async function run(going: Going, phase: Phase, found: Find, fate?: (moment: Moment) => Fate): Promise<Ended> {
  going.runs += 1
  const seen = going.rig.events.length
  const ended = await going.rig.apply(phase.yaml, phase.name === 'destroy', fate)
  for (const one of going.asleep.splice(0)) {
    if (one.isSuperseded()) found(await judgeWoken(going, one))
    else going.asleep.push(one)
  }
  if (ended.is === 'stopped') going.asleep.push(ended.asleep)
  going.tell(`  ${phase.name} ${ended.is} at ${Math.round(going.rig.clock.now())} ms: ${summaryOf(ended)}`)
  for (const event of going.rig.events.slice(seen))
    if (event.type === 'failed') going.tell(`    ${event.address}: ${event.diagnostics.map((one) => one.summary).join('; ')}`)
  return ended
}

const LONGEST_ON_ITS_WAY_MS = 20_000

/** One that was taken over from finds its lock lost: it sends nothing more, leaves state and journal as they are, and says so. */
async function judgeWoken(going: Going, { wake, hasSent }: Asleep): Promise<Violation[]> {
  const { rig } = going
  going.stops += 1
  // What the one that took over had on its way when it died has arrived by then.
  await rig.clock.sleep(LONGEST_ON_ITS_WAY_MS)
  const before = JSON.stringify(await rig.store().read(), withBigints)
  const ended = await wake()
  going.tell(`  woken: ${ended.is} ${summaryOf(ended)}`)
  const isSame = JSON.stringify(await rig.store().read(), withBigints) === before
  const written = isSame ? [] : [{ invariant: 'I7', text: 'a run that was taken over from wrote state or journal' }]
  if (ended.is === 'hung') return [...written, { invariant: 'I10', text: 'the run that was woken did not end' }]
  const told = ended.is === 'failed' ? judgeError(ended.error, !hasSent) : judgeLate(ended)
  return [...written, ...told]
}

/** What was refused for a permission comes before what is lost; of what was never begun the plan tells. */
function judgeLate(ended: Ended): Violation[] {
  if (ended.is !== 'applied') return []
  const { exitCode, outcome } = ended.applied
  const isTold = outcome ? exitCode === 8 || exitCode === 4 || exitCode === 0 : exitCode !== 7 && exitCode !== 9
  return isTold ? [] : [{ invariant: 'I5', text: `the run that was woken ended with ${exitCode}: ${summaryOf(ended)}` }]
}

/** What was stopped on the machine is gone with it. */
function losePower({ rig, shared, asleep }: Going): void {
  rig.losePower()
  if (!shared?.elsewhere) asleep.length = 0
}

function withBigints(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}

function summaryOf(ended: Ended): string {
  if (ended.is === 'failed') return textOf(ended.error)
  if (ended.is !== 'applied') return ''
  const { exitCode, plan, diagnostics } = ended.applied
  const changes = plan.changes
    .filter((one) => one.action !== 'no-op')
    .map((one) => `${one.address} ${one.action}${one.create_before_destroy ? ' first' : ''} (${one.reason})`)
  return `${exitCode}; ${changes.join(', ')}; ${diagnostics.map((one) => one.summary).join('; ')}`
}

/** What any run must keep to, whatever befell it. */
function judge(going: Going, ended: Ended): Violation[] {
  const { rig } = going
  if (ended.is === 'hung') return [{ invariant: 'I10', text: 'the run did not end' }]
  if (ended.is === 'dead' || ended.is === 'stopped') return []
  const serial = serialOf(rig)
  const back = serial < going.serial ? [{ invariant: 'I3', text: `serial ${serial} after ${going.serial}` }] : []
  going.serial = Math.max(serial, going.serial)
  const isUnreached = (rig.shared?.struck.size ?? 0) > 0
  if (ended.is === 'failed') return [...back, ...judgeError(ended.error, isUnreached)]
  const { exitCode, document } = ended.applied
  if ((exitCode === 7 && !isUnreached) || exitCode === 9 || exitCode === 130) back.push({ invariant: 'I5', text: `exit code ${exitCode}` })
  if (exitCode === 0 && document.serial !== serial) back.push({ invariant: 'I3', text: `serial ${serial} on the disk, ${document.serial} told` })
  return back
}

/** Before any change a run may fail with what the service or the network said, and with what keeps the state that it did not answer in time; never with a damaged state, a lock, or a defect. */
function judgeError(error: unknown, isUnreached: boolean): Violation[] {
  if (error instanceof Failure) {
    const isOfStore = error.exitCode === 7 || error.diagnostics.every((one) => one.code === 'state_unreachable')
    if (isUnreached && isOfStore) return []
    const bad = error.exitCode === 7 || error.exitCode === 9 || error.diagnostics.some((one) => one.code === 'internal')
    return bad ? [{ invariant: 'I5', text: `exit code ${error.exitCode}: ${error.message}` }] : []
  }
  const expected = error instanceof Error && (error.name === 'ApiError' || error.name === 'UnreachableError' || error.name === 'Unreadable')
  return expected ? [] : [{ invariant: 'I5', text: textOf(error) }]
}

/** The faults stop; workflows that would hang for ever come to their end. */
function calm(going: Going, plan: PhasePlan): void {
  const { network, sandbox, clock } = going.rig
  const { courses, tables } = sandbox.world
  network.calm()
  going.rig.shared?.calm()
  for (const { id, course } of plan.courses) if (!courses.includes(course)) going.struck.set(id, (going.struck.get(id) ?? 0) + 1)
  courses.length = 0
  const atMs = Math.floor(clock.wall())
  for (const one of tables.workflows.all()) if (one.endsAtMs === null) tables.workflows.update(one.id, { runsAtMs: atMs, effectAtMs: atMs, endsAtMs: atMs })
}

/** The manifests of before are applied again: whatever the crash left half done is taken back. */
async function turnBack(going: Going, before: Phase, plan: PhasePlan, found: Find): Promise<void> {
  const { rig } = going
  // A request that was lost and then repeated with success may still arrive, and undo what is done next: nobody turns back so fast.
  const { open } = await readState(rig)
  if (open.every((one) => one.accepted)) await rig.clock.sleep(QUIET_MS)
  const ended = await run(going, before, found)
  found([...judge(going, ended), ...unfinished(ended)])
  if (going.violations.length > 0) return
  await quiet(rig)
  await takeLeave(going, before, plan, found)
  found((await rig.pending(before.yaml)).map((text) => ({ invariant: 'I4', text: `back: the plan is not empty: ${text}` })))
  found(checkQuiet(rig, before, await readState(rig)).map(({ invariant, text }) => ({ invariant, text: `back: ${text}` })))
}

/** Runs once more after each deletion that was scheduled: one that fails in the end is asked for again, and what outlives its object goes after that. */
async function takeLeave(going: Going, phase: Phase, plan: PhasePlan, found: Find): Promise<void> {
  for (let runs = 0; runs < 3 && going.violations.length === 0 && (await hasLeft(going.rig, phase, plan)); runs += 1) {
    if (runs > 0) await quiet(going.rig)
    await settleDown(going, phase, undefined, found)
  }
}

/** Whether something was on its way out when the run ended and is gone by now: the next run forgets it, and what outlives it goes then. */
async function hasLeft(rig: Rig, phase: Phase, { courses }: PhasePlan): Promise<boolean> {
  const { resources } = await readState(rig)
  if (phase.name === 'destroy') return resources.size > 0
  // A deletion that stays queued is taken for a scheduled one.
  const isScheduled = rig.sandbox.world.readings.deletion !== 'immediate' || courses.some((one) => one.course.outcome === 'QUEUED')
  return isScheduled && [...resources.values()].some((one) => one.status === 'deleting' || one.deposed.length > 0)
}

/** One clean run, unless the last one said that all is done: then its word is taken. */
async function settleDown(going: Going, phase: Phase, ended: Ended | undefined, found: Find): Promise<void> {
  if (ended?.is === 'applied' && ended.applied.exitCode === 0) return
  const clean = await run(going, phase, found)
  found([...judge(going, clean), ...unfinished(clean)])
}

function unfinished(ended: Ended): Violation[] {
  if (ended.is === 'failed') return [{ invariant: 'I4', text: `the clean run failed: ${textOf(ended.error)}` }]
  if (ended.is !== 'applied' || ended.applied.exitCode === 0) return []
  const { applied } = ended
  const problems = [...applied.diagnostics, ...(applied.outcome?.failed ?? applied.plan.diagnostics)].filter((one) => one.severity === 'error')
  return [{ invariant: 'I4', text: `the clean run ended with ${applied.exitCode}: ${problems.map((one) => one.summary).join('; ')}` }]
}

async function quiet(rig: Rig): Promise<void> {
  await rig.clock.sleep(QUIET_MS)
  await rig.settle()
}

/** Which address holds which object. */
async function addressesOf(rig: Rig): Promise<ReadonlyMap<string, string>> {
  const { resources } = await readState(rig)
  return new Map([...resources.values()].map((one) => [`${one.kind} ${one.id}`, one.address]))
}

function textOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message} ${error.stack?.split('\n').slice(1, 4).join(' ') ?? ''}` : String(error)
}
