// Every crash point of every phase: the process dies there, the next one finishes, and everything must hold.
import { compact, fold } from '../../src/state/fold.ts'
import type { Loaded } from '../../src/state/store.ts'
import { withBystanders } from './bystanders.ts'
import { checkCovered, checkDestroyed, checkQuiet, checkSecrets } from './invariants.ts'
import type { Moment } from './mortal.ts'
import type { Ended, Rig } from './rig.ts'
import { createRig } from './rig.ts'
import type { Block, Phase } from './scenario.ts'
import { phasesOf } from './scenario.ts'
import type { Violation } from './violation.ts'

/** What was tried of one phase, and what was found broken, each with its crash point. */
export interface PhaseTrials {
  readonly phase: string
  readonly effects: number
  readonly points: number
  readonly trials: number
  readonly violations: readonly string[]
}

/** Service and disk between two phases. */
interface Place {
  readonly snapshot: unknown
  readonly files: ReadonlyMap<string, Uint8Array>
  readonly wallMs: number
}

const QUIET_MS = 45_000
/** Draws the delays of the run by which points are counted. */
const COUNTED_SEED = 1

/** Requests with an effect, and what makes the disk's content durable. */
function counts({ what, effect, name }: Moment): boolean {
  return what === 'request' ? effect : /^(sync|syncFolder|rename) /.test(name)
}

/** Dies at every point of all four phases, or at one of `every` from the one at `turn` on, counted through all phases, by a kill and, at the points of the disk, by a loss of power as well; then the work is finished, and once more taken back. */
export async function enumerateCrashes(variant: ReadonlySet<Block>, every = 1, turn = 0): Promise<readonly PhaseTrials[]> {
  const out: PhaseTrials[] = []
  let place: Place = { snapshot: withBystanders(), files: new Map(), wallMs: Date.UTC(2026, 0, 1) }
  const phases = phasesOf(variant)
  let passed = 0
  for (const [index, phase] of phases.entries()) {
    const before = (phase.name === 'change' || phase.name === 'replace') && !phase.oneWay ? phases[index - 1] : undefined
    const points: Moment[] = []
    const rig = rigAt(place, COUNTED_SEED)
    const ended = await rig.apply(phase.yaml, phase.name === 'destroy', (moment) => {
      if (counts(moment)) points.push(moment)
      return 'lives'
    })
    const violations = failed(ended, 'without a crash')
    let trials = 0
    for (const [point, moment] of points.entries()) {
      if ((passed + point) % every !== turn % every) continue
      for (const power of moment.what === 'disk' ? [false, true] : [false]) {
        trials += 1
        const found = await tryPoint(place, phase, point, power, phase)
        const where = `${phase.name}, ${power ? 'power lost' : 'killed'} ${moment.when} ${moment.name} (point ${point})`
        violations.push(...found.map((one) => `${where}: ${one.invariant}: ${one.text}`))
      }
      if (!before) continue
      trials += 1
      const found = await tryPoint(place, phase, point, false, before)
      violations.push(...found.map((one) => `${phase.name}, killed ${moment.when} ${moment.name} (point ${point}), then back: ${one.invariant}: ${one.text}`))
    }
    out.push({ phase: phase.name, effects: points.filter((one) => one.effect && one.when === 'before').length, points: points.length, trials, violations })
    passed += points.length
    await rig.clock.sleep(QUIET_MS)
    await rig.settle()
    place = { snapshot: rig.sandbox.snapshot(), files: rig.fileSystem.files(), wallMs: rig.clock.wall() }
  }
  return out
}

function rigAt({ snapshot, files, wallMs }: Place, seed: number): Rig {
  return createRig({ seed, snapshot, files, startWallMs: wallMs })
}

/** A run that dies at a point, with delays drawn by `seed`; undefined where it ends before. */
async function diesAt(place: Place, phase: Phase, point: number, seed: number) {
  const rig = rigAt(place, seed)
  const before = (await rig.store().read()).document
  for (const one of before?.resources ?? []) rig.witness.knows(one.address, one.id)
  const addresses = new Map((before?.resources ?? []).map((one) => [`${one.kind} ${one.id}`, one.address]))
  let count = 0
  const first = await rig.apply(phase.yaml, phase.name === 'destroy', (moment) => (counts(moment) && count++ === point ? 'dies' : 'lives'))
  return first.is === 'dead' ? { rig, addresses } : undefined
}

/** `then` is what the next run applies: the same phase, or the one before. */
async function tryPoint(place: Place, phase: Phase, point: number, power: boolean, then: Phase): Promise<Violation[]> {
  // With other delays lines may share a write, so that there are fewer points: with those that they were counted by it comes.
  const died = (await diesAt(place, phase, point, point)) ?? (await diesAt(place, phase, point, COUNTED_SEED))
  if (!died) return [{ invariant: 'determinism', text: 'the point did not come again' }]
  const { rig, addresses } = died
  if (power) rig.losePower()
  const loaded = await rig.store().read()
  const out = [...checkCovered(rig, fold(loaded.document, loaded.entries)), ...checkCompaction(loaded)]
  out.push(...failed(await rig.apply(then.yaml, then.name === 'destroy'), 'the next run').map((text) => ({ invariant: 'I4', text })))
  await rig.clock.sleep(QUIET_MS)
  await rig.settle()
  if (then.name !== 'destroy') out.push(...(await rig.pending(then.yaml)).map((text) => ({ invariant: 'I4', text: `the plan is not empty: ${text}` })))
  const { document, entries } = await rig.store().read()
  return [
    ...out,
    ...checkQuiet(rig, then, fold(document, entries)),
    ...checkDestroyed(rig, phase, then === phase ? addresses : undefined),
    ...checkSecrets(rig),
    ...rig.witness.broken,
  ]
}

/** What the journal keeps beside a document that holds the rest means the same as the whole of it, whichever of its beginnings is there. */
function checkCompaction({ document, entries }: Pick<Loaded, 'document' | 'entries'>): Violation[] {
  if (!document) return []
  const out: Violation[] = []
  for (let length = 0; length <= entries.length; length += 1) {
    const some = entries.slice(0, length)
    const whole = fold(document, some)
    const resources = [...whole.resources.values()]
    const kept = fold({ ...document, resources, outputs: whole.outputs }, compact(some))
    const [a, b] = [whole, kept].map(
      (one) => JSON.stringify([...one.resources.keys()].toSorted()) + JSON.stringify(one.open.map(({ intent, id, accepted }) => [intent.seq, id, accepted])),
    )
    if (a !== b) out.push({ invariant: 'I3', text: `compaction of the first ${length} entries changes their meaning` })
  }
  return out
}

function failed(ended: Ended, which: string): string[] {
  if (ended.is === 'applied' && ended.applied.exitCode === 0) return []
  if (ended.is === 'applied')
    return [`${which} ended with ${ended.applied.exitCode}: ${(ended.applied.outcome?.failed ?? []).map((one) => one.summary).join('; ')}`]
  return [`${which}: ${ended.is === 'failed' ? String(ended.error) : ended.is}`]
}
