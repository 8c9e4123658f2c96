// The points at which a run is killed: found by dry runs, each then a world of its own, and the table of what was tried.
import { problemsAfter, problemsOfFiles, problemsOfOutput } from './checks.ts'
import type { Effect } from './effects.ts'
import { newFolder } from './program.ts'
import { phases } from './project.ts'
import type { Phase } from './project.ts'
import type { Moment, Stage } from './world.ts'
import { createWorld } from './world.ts'

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

/** Runs every phase to its end without any kill, and notes its effects. Throws where even that goes wrong. */
export async function dryRuns(): Promise<readonly Walked[]> {
  const walked: Walked[] = []
  let stage: Stage | undefined
  for (const phase of phases()) {
    const world = await createWorld({ ...(stage ? { stage } : {}), variables: phase.variables })
    world.files(phase.files)
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

/** One point for each kind, step and moment: `before` in the first phase that has it, `after` in the last. */
export function oneOfEach(points: readonly Point[]): readonly Point[] {
  const chosen = new Map<string, Point>()
  for (const point of points) {
    const key = `${point.effect.kind} ${point.effect.step} ${point.moment}`
    if (!chosen.has(key) || point.moment === 'after') chosen.set(key, point)
  }
  return [...chosen.values()]
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
  const world = await createWorld({ ...(stage ? { stage } : {}), variables: phase.variables })
  try {
    world.files(phase.files)
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

/** What the table lacks, as `kind step moment`. */
export function missingFrom(tried: readonly Tried[], expected: Readonly<Record<string, readonly string[]>>, moments: readonly Moment[]): readonly string[] {
  return Object.entries(expected).flatMap(([kind, names]) =>
    names.flatMap((step) => moments.flatMap((moment) => (cellOf(tried, kind, step, moment) === '-' ? [`${kind} ${step} ${moment}`] : []))),
  )
}
