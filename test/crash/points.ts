// The points at which a run is killed: found by dry runs, each then a world of its own, and the table of what was tried.
import { drawn, turnOf } from '../builders/long-form.ts'
import { dated } from '../conformance/limits.ts'
import { subjects } from '../conformance/subject.ts'
import type { Subject } from '../conformance/subject.ts'
import { problemsAfter, problemsOfFiles, problemsOfOutput } from './checks.ts'
import type { Effect } from './effects.ts'
import { newFolder } from './program.ts'
import { phases, phasesOfExample } from './project.ts'
import type { Phase } from './project.ts'
import type { Moment, Stage, World } from './world.ts'
import { createWorld } from './world.ts'

const DRAWN_EXAMPLES = 2

/** A phase, where it begins, and its effects. */
export interface Walked {
  readonly phase: Phase
  readonly stage: Stage | undefined
  readonly effects: readonly Effect[]
}

/** One kill: where, when, and what was wrong afterwards. */
export interface Point {
  readonly walked: Walked
  readonly effect: Effect
  readonly moment: Moment
}
export interface Tried extends Point {
  readonly problems: readonly string[]
}

/**
 * Runs every phase to its end without any kill, and notes its effects: of the project, and of the examples of kinds with steps that it has not, of
 * which the short form draws some. Throws where even that goes wrong. */
export async function dryRuns(expected: Readonly<Record<string, readonly string[]>>): Promise<readonly Walked[]> {
  const walked = [...(await dryRun(phases()))]
  const met = new Set(walked.flatMap(({ effects }) => effects.map(({ kind, step }) => `${kind} ${step}`)))
  const lacks = ({ kind }: Subject): boolean => (expected[kind.name] ?? []).some((step) => !met.has(`${kind.name} ${step}`))
  const others = subjects.filter((one) => lacks(one) && !dated.includes(one.title))
  for (const subject of drawn(others, DRAWN_EXAMPLES, 'examples that are killed')) walked.push(...(await dryRun(phasesOfExample(subject))))
  return walked
}

/** What stands there before the run. */
function begin(world: World, phase: Phase): void {
  world.files(phase.files)
  phase.meanwhile?.(world.sandbox.world.tables)
}

async function dryRun(all: readonly Phase[]): Promise<readonly Walked[]> {
  const walked: Walked[] = []
  let stage: Stage | undefined
  for (const phase of all) {
    const world = await createWorld({ ...(stage ? { stage } : {}), variables: phase.variables, staff: phase.staff })
    begin(world, phase)
    const ended = await world.run(wordsOf(phase))
    const problems = await problemsAfter(world, phase, ended)
    if (problems.length > 0) throw new Error(`${phase.name} without any kill:\n${problems.join('\n')}`)
    walked.push({ phase, stage, effects: [...world.effects] })
    stage = world.stage(newFolder('stage'))
    await world.close()
  }
  return walked
}

/** Every effect of every phase at each moment. */
export function allPoints(walked: readonly Walked[], moments: readonly Moment[]): readonly Point[] {
  return walked.flatMap((one) => {
    const labels = new Map(one.effects.map((effect) => [effect.label, effect]))
    return [...labels.values()].flatMap((effect) => moments.map((moment) => ({ walked: one, effect, moment })))
  })
}

/** One point for each kind and step, drawn by the run's seed among all phases and moments that have it. */
export function oneOfEach(points: readonly Point[]): readonly Point[] {
  const byStep = new Map<string, Point[]>()
  for (const point of points) {
    const step = `${point.effect.kind} ${point.effect.step}`
    byStep.set(step, (byStep.get(step) ?? []).concat(point))
  }
  return Array.from(byStep).flatMap(([step, all]) => all[turnOf(`kill ${step}`, all.length)] ?? [])
}

/** Each step at one moment, and of the other points one in `of`: neighbours, which are the moments of one effect, with other seeds. */
export function shareOf(points: readonly Point[], of: number): readonly Point[] {
  const always = new Set(oneOfEach(points))
  const turn = turnOf('a share of the kills', of)
  return points.filter((point, place) => always.has(point) || (place + Math.floor(place / 3)) % of === turn)
}

/** Kills at each point and runs again, `width` worlds at a time; `twice` kills that run as well, at its first effect. */
export async function tryAll(points: readonly Point[], width: number, twice = false): Promise<readonly Tried[]> {
  const left = [...points]
  const tried: Tried[] = []
  const worker = async (): Promise<void> => {
    for (let point = left.shift(); point; point = left.shift()) tried.push({ ...point, problems: await tryPoint(point, twice) })
  }
  await Promise.all(Array.from({ length: width }, worker))
  return tried
}

async function tryPoint({ walked, effect, moment }: Point, twice: boolean): Promise<readonly string[]> {
  const { phase, stage } = walked
  const world = await createWorld({ ...(stage ? { stage } : {}), variables: phase.variables, staff: phase.staff })
  try {
    begin(world, phase)
    const killed = await world.killed(wordsOf(phase), { label: effect.label, moment })
    const out = [...problemsOfFiles(world), ...problemsOfOutput(killed)]
    if (killed.signal !== 'SIGKILL') return [...out, `was not killed, but ended with ${killed.code}: ${killed.stderr.slice(-500)}`]
    if (twice) {
      await world.killed(wordsOf(phase), { label: undefined, moment: 'after' })
      out.push(...problemsOfFiles(world))
    }
    const rerun = await world.run(wordsOf(phase))
    return [...new Set([...out, ...(await problemsAfter(world, phase, rerun))])]
  } finally {
    await world.close()
  }
}

/** The words of a phase's command. */
function wordsOf(phase: Phase): readonly string[] {
  return [phase.command, '--auto-approve']
}

/** Kind × step × moment: how many points were tried there, and in which phases; a dash where none was. */
export function tableOf(tried: readonly Tried[], expected: Readonly<Record<string, readonly string[]>>, moments: readonly Moment[]): string {
  const steps = new Map(Object.entries(expected).map(([kind, names]) => [kind, new Set(names)]))
  for (const { effect } of tried) steps.set(effect.kind, (steps.get(effect.kind) ?? new Set()).add(effect.step))
  const rows = [...steps].flatMap(([kind, names]) =>
    Array.from(names, (step) => [kind, step].concat(moments.map((moment) => cellOf(tried, kind, step, moment)))),
  )
  return [['kind', 'step', ...moments], ...rows]
    .map((row) =>
      row
        .map((cell) => cell.padEnd(28))
        .join('')
        .trimEnd(),
    )
    .join('\n')
}

function cellOf(tried: readonly Tried[], kind: string, step: string, moment: Moment): string {
  const here = tried.filter((one) => one.effect.kind === kind && one.effect.step === step && one.moment === moment)
  if (here.length === 0) return '-'
  const bad = here.filter((one) => one.problems.length > 0).length
  return `${here.length} ${[...new Set(here.map((one) => one.walked.phase.name))].join('+')}${bad > 0 ? ` (${bad} BAD)` : ''}`
}

/** What the points lack, as `kind step moment`. */
export function missingFrom(points: readonly Point[], expected: Readonly<Record<string, readonly string[]>>, moments: readonly Moment[]): readonly string[] {
  const there = new Set(points.map(({ effect, moment }) => `${effect.kind} ${effect.step} ${moment}`))
  const wanted = Object.entries(expected).flatMap(([kind, names]) => names.flatMap((step) => moments.map((moment) => `${kind} ${step} ${moment}`)))
  return wanted.filter((one) => !there.has(one))
}
