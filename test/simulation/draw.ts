// What a seed decides: the project, the readings of the document, faults, courses of workflows, crashes.
import type { Readings } from '../../src/sandbox/readings/assumptions.ts'
import type { Settings } from '../../src/sandbox/readings/questions.ts'
import { questions } from '../../src/sandbox/readings/questions.ts'
import { compatFor } from '../../src/sandbox/readings/reading-compat.ts'
import type { WorkflowCourse } from '../../src/sandbox/world.ts'
import { randomOf } from '../builders/random-of.ts'
import { faultRows } from './faults.ts'
import type { FaultRow } from './faults.ts'
import type { Block } from './scenario.ts'
import { blocks } from './scenario.ts'
import type { ServerKind } from './server-ground.ts'
import { groundFaults } from './shared-ground.ts'
import type { ArmedGroundFault } from './shared-ground.ts'

export interface CrashPlan {
  /** Which of the moments of a run it is; of those around requests with an effect alone where `effects` says so. */
  readonly moment: number
  readonly effects: boolean
  readonly power: boolean
}

/** A course with the id of the fault that it is. */
export interface CoursePlan {
  readonly id: string
  readonly course: WorkflowCourse
}

export interface PhasePlan {
  readonly faults: readonly { readonly row: FaultRow; readonly skip: number; readonly left: number }[]
  readonly courses: readonly CoursePlan[]
  readonly crashes: readonly CrashPlan[]
  /** After the last crash the manifests of the phase before are applied, then those of this one again. */
  readonly turnsBack: boolean
}

export interface Drawn {
  readonly variant: ReadonlySet<Block>
  readonly readings: Partial<Readings>
  /** Settings of `provider.compat`: those that the readings ask for, and at times short pages. */
  readonly compat: Settings
  readonly phases: readonly PhasePlan[]
}

/** What befalls the place of a state that machines share, in each phase: faults, and which of the crashes is none, but a machine that is stopped and wakes after the next run. */
export interface SharedPlan {
  /** Each run is on another machine: of none of them the others can tell that it is dead. */
  readonly elsewhere: boolean
  /** What kind of server keeps it; undefined for a bucket. */
  readonly server: ServerKind | undefined
  readonly phases: readonly { readonly faults: readonly ArmedGroundFault[]; readonly stops: readonly boolean[] }[]
}

const older = ['network', 'workspace', 'routing', 'cluster'] as const satisfies readonly Block[]

/** How many of the lives have their state where machines share it, and how many of those on a server. */
const SHARED = 0.25
const ON_SERVER = 0.5

/** Whether a seed's life has its state in a bucket or on a server, and what befalls it there; undefined for one on the disk. From a stream of its own, so that what else a seed decides stays. */
export function drawShared(seed: number, isSure = false): SharedPlan | undefined {
  const random = randomOf(seed ^ 0x510e527f)
  if (random() >= SHARED && !isSure) return undefined
  const elsewhere = random() < 0.5
  const quiet = random() < 0.2
  const phases = [0, 1, 2, 3].map(() => ({
    faults: Array.from({ length: quiet ? 0 : upTo(random, 3) }, () => drawGroundFault(random)),
    stops: Array.from({ length: 3 }, () => random() < 0.4),
  }))
  // Behind all that seeds were known by.
  const server = random() < ON_SERVER ? ({ manner: random() < 0.5 ? 'gitlab' : 'plain', withJournal: random() < 0.5 } as const) : undefined
  return { elsewhere, server, phases }
}

/** One that lasts may outlast the lease. */
function drawGroundFault(random: Random): ArmedGroundFault {
  const is = pick(random, groundFaults)
  return { is, skip: Math.floor(random() ** 2 * 80), left: is === 'down' ? 1 : 1 + upTo(random, 3), forMs: 5000 + random() ** 2 * 120_000 }
}

type Random = () => number
function pick<T>(random: Random, from: readonly T[]): T {
  const one = from[Math.floor(random() * from.length)]
  if (one === undefined) throw new Error('nothing to pick from')
  return one
}
const upTo = (random: Random, most: number): number => Math.floor(random() * (most + 1))

/** Everything that a seed decides about one run of the four phases. */
export function draw(random: Random): Drawn {
  const roll = random()
  const one = pick(random, older)
  // By digits of the roll that nothing else goes by: what seeds of the older blocks are known to find stays.
  const variant = new Set<Block>(roll < 0.04 ? blocks : [(roll * 1000) % 1 > 0.8 ? 'attached' : one])
  const quiet = random() < 0.1
  const readings = drawReadings(random)
  const pages = random() < 0.15 ? { page_size: 2 } : {}
  const phases = [0, 1, 2, 3].map((phase) => drawPhase(random, variant, quiet, phase))
  return { variant, readings, compat: { ...compatFor(readings), ...graceFor(readings, phases), ...pages }, phases }
}

/** How often a question that is drawn has another answer than its default. */
const OTHERWISE = 1 / 8
/** How many numbers of a seed's stream the readings take. */
const SHARE = 15

/** How late effects and reads are, and what outlives what: questions drawn from a stream of their own, so that what seeds are known to find stays. */
const late: ReadonlySet<string> = new Set<keyof Readings>(['effectLagMs', 'readLagMs', 'instanceRules'])

/** Half of the seeds take the default readings; the others draw the answer to each question that the sandbox knows, so a new one is drawn by itself. */
function drawReadings(seeds: Random): Partial<Readings> {
  if (seeds() < 0.5) return {}
  // A stream of their own, behind a fixed share of the common one: a new question leaves alone what else a seed decides, and what seeds are known to find.
  const [seed = 0, lateSeed = 0] = Array.from({ length: SHARE }, () => seeds())
  const [common, own] = [randomOf(seed * 2 ** 32), randomOf(lateSeed * 2 ** 32)]
  const drawn = Object.entries(questions).flatMap(([name, { readings }]: [string, { readonly readings: readonly (string | number)[] }]) => {
    const [, ...others] = readings
    const random = late.has(name) ? own : common
    return others.length > 0 && random() < OTHERWISE ? [[name, pick(random, others)] as const] : []
  })
  const readings: Partial<Readings> = Object.fromEntries(drawn)
  // An hour would outlast the phases.
  return (readings.deletion ?? 'immediate') === 'immediate' ? readings : { ...readings, scheduledDeletionMs: 40_000 }
}

/** What is late may be so by a reading and by a fault at once: where that is more than the default, the project says how long, and how long what arrives late takes to show. */
function graceFor({ effectLagMs = 0, readLagMs = 0 }: Partial<Readings>, phases: readonly PhasePlan[]): Settings {
  if (effectLagMs + readLagMs === 0) return {}
  const effectMs = Math.max(effectLagMs, ...phases.flatMap(({ courses }) => courses.map((one) => one.course.lagMs ?? 0)))
  const readMs = Math.max(readLagMs, ...phases.flatMap(({ faults }) => faults.map(({ row }) => row.lagMs ?? 0)))
  const seconds = 1 + Math.ceil((effectMs + readMs) / 1000)
  return seconds > 10 ? { read_grace: `${seconds}s`, settle_window: `${20 + seconds}s` } : {}
}

function drawPhase(random: Random, variant: ReadonlySet<Block>, quiet: boolean, phase: number): PhasePlan {
  const drawnFaults = Array.from({ length: quiet ? 0 : upTo(random, 3) }, () => {
    const row = faultRows[Math.floor(random() * faultRows.length)]
    return row ? [{ row, skip: upTo(random, row.skip ?? 0), left: row.most > 10 ? row.most : 1 + upTo(random, row.most - 1) }] : []
  }).flat()
  const drawnCourses = !quiet && random() < 0.35 ? [drawCourse(random, variant)] : []
  const crashes = random() < 0.5 ? [] : Array.from({ length: 1 + upTo(random, 2) }, (_, index) => drawCrash(random, index))
  // How a workflow began or ended that nobody knows any more, and that made what nothing reads, nobody could tell.
  const isLosing = variant.has('attached') && drawnFaults.length + crashes.length > 1
  const faults = isLosing ? drawnFaults.filter(({ row }) => row.id !== 'Q9') : drawnFaults
  const courses = faults.some(({ row }) => row.id === 'Q9') ? drawnCourses.filter(({ course }) => course.operation !== 'app.create') : drawnCourses
  const turnsBack = phase > 0 && phase < 3 && crashes.length > 0 && random() < 0.4
  // What has grown does not shrink, and what a deletion has broken no manifest of before makes whole.
  const breaks = courses.some(({ course }) => course.operation.endsWith('.delete') && course.leaves === 'failed')
  return { faults, courses, crashes, turnsBack: turnsBack && !breaks && !(phase === 1 && variant.has('attached')) }
}

/** A run after a crash has fewer moments, and a lock to take over first. */
function drawCrash(random: Random, index: number): CrashPlan {
  const effects = random() < 0.4
  const most = effects ? 16 : index === 0 ? 180 : 90
  return { effects, moment: (effects ? 0 : 10) + Math.floor(random() ** 1.3 * most), power: random() < 0.4 }
}

const operations: Readonly<Record<Block, readonly [string, ...string[]]>> = {
  network: ['instance.create', 'instance.power', 'instance.delete'],
  workspace: ['instance.create'],
  routing: ['instance.create', 'instance.delete', 'instance.power', 'firewall.create', 'firewall.delete'],
  attached: [
    'instance.create',
    'instance.delete',
    'disk.create',
    'disk.attach',
    'disk.detach',
    'disk.resize',
    'disk.delete',
    'ip.create',
    'ip.attach',
    'ip.detach',
    'ip.dns',
    'ip.delete',
    'dhcp.update',
    'dhcp.reset',
    'app.create',
  ],
  cluster: [
    'instance.create',
    'k3s.create',
    'k3s.delete',
    'k3s.node.create',
    'k3s.node.delete',
    'k3s.service.create',
    'k3s.service.update',
    'k3s.service.delete',
  ],
  // Of what it has no call begins a workflow.
  platform: ['dedibox.power'],
}

function drawCourse(random: Random, variant: ReadonlySet<Block>): CoursePlan {
  const operation = pick(random, operations[pick<Block>(random, ['cluster', ...variant])])
  // What a deletion leaves FAILED is given nothing any more, and of an app nothing tells what is left: to mend that takes a person.
  const isUnmendable = (leaves: string): boolean => operation === 'app.create' || (operation === 'instance.delete' && leaves === 'failed')
  const unmended = (leaves: 'nothing' | 'failed' | 'done') => (isUnmendable(leaves) ? 'nothing' : leaves)
  const leaves = unmended(pick(random, ['nothing', 'failed', 'done'] as const))
  const roll = random()
  if (roll < 0.2) return { id: 'Q1', course: { operation, outcome: 'FAILED', leaves: 'nothing' } }
  if (roll < 0.4) return { id: 'Q2', course: { operation, outcome: 'FAILED', leaves: unmended(pick(random, ['failed', 'done'] as const)) } }
  if (roll < 0.55) return { id: 'Q3', course: { operation, outcome: 'ABORTED', leaves } }
  if (roll < 0.7) return { id: 'Q4', course: { operation, outcome: 'TIMED_OUT', leaves } }
  if (roll < 0.85) return { id: 'Q5', course: { operation, outcome: pick(random, ['RUNNING', 'QUEUED'] as const) } }
  return { id: 'Q11', course: { operation, outcome: 'COMPLETED', lagMs: Math.round(500 + random() * 5500) } }
}
