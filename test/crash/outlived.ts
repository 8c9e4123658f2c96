// A run that is killed, on a machine whose disk goes with it or stays, and the next ones, until all is done: what is there twice, in no state, or not done.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import type { Fault, FaultRequest } from '../../src/sandbox/faults/faults.ts'
import { routes } from '../../src/sandbox/served-routes.ts'
import { canariesIn } from '../builders/canaries.ts'
import { seededObjects, standingObjects } from '../builders/kind-tables.ts'
import type { StatePlace } from '../builders/state-places.ts'
import type { Ended } from './program.ts'
import { createWorld } from './world.ts'
import type { World } from './world.ts'

/** When the caller dies: before the effect, after it and before its answer, with the request after it, or so long after it arrived. */
export type Moment = 'before' | 'after' | 'answered' | { readonly laterMs: number }

/** One kill -9 of an apply: at its effect of this number, at its first request where that is 0. */
export interface Blow {
  readonly at: number
  readonly moment: Moment
  /** The next run has nothing of this one's machine. */
  readonly moves: boolean
}

/** What is wrong in the end, by what it is. */
export type Wrong = Readonly<Record<'duplicates' | 'orphans' | 'plans' | 'others', readonly string[]>>

/** A life: how many of its blows met a run, and what is wrong in the end. */
export interface Outlived extends Wrong {
  readonly kills: number
  readonly runs: number
}

const secret = 'Canary"shared/1+v8n5'
const manifests = `apiVersion: iac/v1
kind: Vpc
metadata: { name: main }
spec: { name: main, description: "", range: 10.1.0.0/24 }
---
apiVersion: iac/v1
kind: Instance
metadata: { name: node, for_each: [a, b, c] }
spec: { name: "\${each.key}", type: PLAN, plan: lightning-1, region: fra-1, firewall_enabled: true, vpcs: [main] }
---
apiVersion: iac/v1
kind: Disk
metadata: { name: data }
spec: { name: data, size: 20GiB, backend: LOCAL, region: fra-1, instance: 'node["a"]' }
---
apiVersion: iac/v1
kind: BgpConfiguration
metadata: { name: session }
spec: { asn: 64512, password: "\${vars.session}", instance: 'node["b"]', max_prefixes: 8 }
`
const addresses = ['BgpConfiguration/session', 'Disk/data', 'Instance/node["a"]', 'Instance/node["b"]', 'Instance/node["c"]', 'Vpc/main']
export const apply = ['apply', '--auto-approve'] as const
/** For a run that is to lose its lease. All others have the usual one: a busy machine can stand still for most of the shortest. */
export const shortLease = { IAC_LOCK_LEASE: '5s' } as const
const stateSchema = z.object({ resources: z.array(z.object({ address: z.string(), kind: z.string(), id: z.string(), status: z.string() })) })

/** A world whose project has its state in the place, under this name. */
export async function startShared(place: StatePlace, project: string): Promise<World> {
  const world = await createWorld({ environment: place.environment, variables: { session: secret } })
  const settings = `state: ${place.settings(project)}\nprovider:\n  compat: { settle_window: 1s, read_grace: 1s }\nvariables:\n  session: { type: string, sensitive: true }\n`
  world.files({ 'iac.yaml': `apiVersion: iac/v1\nkind: Project\nname: ${project}\n${settings}`, 'main.yaml': manifests })
  return world
}

/** The secrets of the manifests and of the place that stand in a text, in whatever form. */
export function secretsIn(text: string, place: StatePlace): readonly string[] {
  return canariesIn(text, [secret, ...place.secrets])
}

/** Whether a request changes something: some that only ask are no GET. */
export function isEffect({ operation }: FaultRequest): boolean {
  return operation !== undefined && routes[operation].effect
}

/** How many effects an apply from nothing has. Throws where even that goes wrong. */
export async function countEffects(place: StatePlace): Promise<number> {
  const world = await startShared(place, 'whole')
  let effects = 0
  world.sandbox.faults.hook = (request) => void (effects += isEffect(request) ? 1 : 0)
  const ended = await world.run(apply)
  world.sandbox.faults.hook = undefined
  const wrong = Object.values(await wrongAfter(world, place)).flat()
  await world.close()
  if (ended.code !== 0 || wrong.length > 0) throw new Error(`without any kill: ${ended.stderr}${wrong.join('\n')}`)
  return effects
}

/** Blows as drawn: one, two or three. */
export function drawBlows(random: () => number, effects: number): readonly Blow[] {
  const moments: readonly Moment[] = ['before', 'after', 'answered', { laterMs: Math.floor(random() * 400) }]
  // The runs that go on have less to do.
  return Array.from({ length: 1 + Math.floor(random() * 3) }, (_, index) => ({
    at: Math.floor(random() ** (index + 1) * (effects + 1)),
    moment: moments[Math.floor(random() * moments.length)] ?? 'before',
    moves: random() < 0.7,
  }))
}

/** Lives through the blows, then runs once more elsewhere, and looks at everything. */
export async function outlive(place: StatePlace, project: string, blows: readonly Blow[]): Promise<Outlived> {
  const world = await startShared(place, project)
  try {
    let kills = 0
    const printed: string[] = []
    for (const blow of blows) {
      const ended = await killedAt(world, blow)
      printed.push(ended.stdout, ended.stderr)
      if (ended.signal !== 'SIGKILL') break
      kills += 1
      if (blow.moves) world.move()
    }
    world.move()
    const rerun = await world.run([...apply, '--lock-timeout', '30s'])
    printed.push(rerun.stdout, rerun.stderr)
    const failed = rerun.code === 0 ? [] : [`the rerun ended with ${rerun.code}: ${rerun.stderr.slice(-1500)}`]
    const told = secretsIn(printed.join('\n'), place).map((one) => `printed ${one}`)
    const { others, ...wrong } = await wrongAfter(world, place)
    return { kills, runs: kills + 1, ...wrong, others: [...failed, ...told, ...others] }
  } finally {
    await world.close()
    place.forget(project)
  }
}

/** What is wrong where all should be done: seen at the service, in the state, in the place where that lies, and by a plan. */
export async function wrongAfter(world: World, place: StatePlace): Promise<Wrong> {
  const planned = await world.look('plan', '--detailed-exitcode')
  const pulled = await world.look('state', 'pull')
  const { tables } = world.sandbox.world
  const there = standingObjects(tables).filter((one) => !seededObjects().has(`${one.table} ${one.rowId}`) && !one.leaving && one.memberOf === undefined)
  const names = [...tables.instances.all(), ...tables.vpcs.all(), ...tables.disks.all().filter((one) => !one.boot)].map((one) => one.name)
  names.push(...tables.bgpConfigurations.all().map(() => 'session'))
  const { resources } = pulled.code === 0 ? stateSchema.parse(JSON.parse(pulled.stdout)) : { resources: [] }
  const held = new Set(resources.map((one) => `${one.kind} ${one.id}`))
  const found = new Set(there.map((one) => `${one.kind} ${one.id}`))
  const lost = [...held].filter((one) => !found.has(one)).map((one) => `${one} is in the state and not at the service`)
  const isWhole = resources.map((one) => one.address).join() === addresses.join() && resources.every((one) => one.status === 'ready')
  const left = existsSync(join(world.folder, '.iac')) ? readdirSync(join(world.folder, '.iac')).filter((one) => one.startsWith('state')) : []
  return {
    duplicates: names.filter((one, at) => names.indexOf(one) !== at).map((one) => `${one} is there twice`),
    orphans: [...found].filter((one) => !held.has(one)).map((one) => `${one} is in no state`),
    plans: planned.code === 0 ? [] : [`the plan answers ${planned.code}: ${planned.stdout.slice(-1500)}${planned.stderr.slice(-1500)}`],
    others: [
      ...lost,
      ...(isWhole ? [] : [`the state holds ${JSON.stringify(resources)}${pulled.stderr}`]),
      ...left.map((one) => `${one} is left in the folder`),
      ...secretsIn(place.dump(), place).map((one) => `where the state lies stands ${one}`),
    ],
  }
}

/** Runs an apply until it is killed, or to its end where the blow does not come. */
async function killedAt(world: World, { at, moment }: Blow): Promise<Ended> {
  const running = world.start([...apply, '--lock-timeout', '30s'], shortLease)
  let [effects, isMet, isOver] = [0, false, false]
  const kill = (): void => {
    isOver = true
    running.child.kill('SIGKILL')
  }
  /** Stops the caller there and then, or lets it go on for a moment. */
  function meet(): Fault | undefined {
    isMet = true
    if (typeof moment !== 'object') kill()
    else setTimeout(kill, moment.laterMs)
    return isOver ? { reset: moment === 'after' ? 'after' : 'before' } : undefined
  }
  world.sandbox.faults.hook = (request) => {
    if (isOver) return { reset: 'before' }
    if (isMet) return undefined
    if (at === 0 || (effects === at && moment === 'answered')) return meet()
    effects += isEffect(request) ? 1 : 0
    return isEffect(request) && effects === at && moment !== 'answered' ? meet() : undefined
  }
  const ended = await running.ended
  world.sandbox.faults.hook = undefined
  return ended
}
