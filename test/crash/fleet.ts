// A fleet of equal instances that takes its time: what signals, second runs and full disks are tried on.
import { objectsOf, problemsOfFiles, stateOf } from './checks.ts'
import { createWorld } from './world.ts'
import type { World } from './world.ts'

/** How long each instance takes to be made, in milliseconds of the service's time. */
const MAKING_MS = 3_600_000

/** A world with `count` instances to be made, two requests each: create, power on. They are made once `finishMaking` lets the time pass. */
export async function createFleet(count: number, makingMs = MAKING_MS): Promise<World> {
  const world = await createWorld({ scale: 1 })
  world.sandbox.world.courses.push(
    ...Array.from({ length: count }, () => ({ operation: 'instance.create', outcome: 'COMPLETED', durationMs: makingMs }) as const),
  )
  const keys = Array.from({ length: count }, (_, at) => `n${String(at + 1).padStart(2, '0')}`)
  const spec = { type: 'PLAN', plan: 'lightning-1', region: 'fra-1', firewall_enabled: true }
  world.files({
    'iac.yaml': 'apiVersion: iac/v1\nkind: Project\nname: fleet\nprovider:\n  compat: { settle_window: 1s, read_grace: 1s }\n',
    'main.yaml': JSON.stringify({ apiVersion: 'iac/v1', kind: 'Instance', metadata: { name: 'node', for_each: keys }, spec }),
  })
  return world
}

/** Every instance that is being made is made now. */
export function finishMaking(world: World): void {
  world.skip(MAKING_MS)
}

/** How many effects of this step have arrived. */
export function countOf(world: World, step: string): number {
  return world.effects.filter((one) => one.step === step).length
}

/** Resolves when the condition holds; throws when it does not within the time. */
export async function until(what: string, holds: () => boolean, timeoutMs = 60_000): Promise<void> {
  for (const endMs = performance.now() + timeoutMs; !holds(); await pause(10))
    if (performance.now() > endMs) throw new Error(`${what}: not within ${timeoutMs} ms`)
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** Resolves once every create has arrived and nothing has for a while: from here on any effect is a new one. */
export async function allCreated(world: World, count: number): Promise<void> {
  await until('all creates arrive', () => countOf(world, 'create') === count)
  await pause(200)
}

/** Runs once more and gives what is wrong then; empty when state and service agree, all is ready, and a plan is empty. */
export async function problemsAfterRerun(world: World, count: number): Promise<readonly string[]> {
  const out = [...problemsOfFiles(world)]
  const rerun = await world.run(['apply', '--auto-approve'])
  if (rerun.code !== 0) return [...out, `the rerun ended with ${rerun.code}: ${rerun.stderr.slice(-1000)}`]
  const { resources, open } = stateOf(world)
  const held = resources.map((one) => `${one.kind} ${one.id}`).toSorted()
  if (held.length !== count) out.push(`the state holds ${held.length} of ${count}`)
  const there = objectsOf(world, resources).toSorted()
  if (there.join() !== held.join()) out.push(`the service has ${there.join(' ')}, the state ${held.join(' ')}`)
  const unready = resources.filter((one) => one.status !== 'ready').map((one) => `${one.address} is ${one.status}`)
  const planned = await world.look('plan', '--detailed-exitcode')
  if (planned.code !== 0) out.push(`the plan answers ${planned.code}: ${planned.stdout}`)
  return [...out, ...open, ...unready, ...problemsOfFiles(world)]
}
