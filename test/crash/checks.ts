// What must hold when a killed run was run again, seen from outside: at the service, in the folder, in what was printed.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { decodeDocument } from '../../src/state/document.ts'
import { decodeJournal } from '../../src/state/journal-file.ts'
import type { ResourceRecord } from '../../src/state/record.ts'
import { inClear } from '../../src/state/sealing.ts'
import { canariesIn } from '../builders/canaries.ts'
import type { StandingObject } from '../builders/kind-tables.ts'
import { heldObject, isLeaving, kindOfTable, seededObjects, standingObjects, tableOf } from '../builders/kind-tables.ts'
import { openIntents } from './effects.ts'
import type { Ended } from './program.ts'
import { canaries, retainedIn } from './project.ts'
import type { Phase } from './project.ts'
import type { World } from './world.ts'

/** Kinds that this harness can count at the service. */
export const countedKinds: readonly string[] = Object.keys(tableOf)

/** What is wrong after a rerun; empty when all is well. */
export async function problemsAfter(world: World, phase: Phase, rerun: Ended): Promise<readonly string[]> {
  const out = [...problemsOfFiles(world), ...problemsOfOutput(rerun)]
  if (rerun.code !== 0) return [...out, `the rerun ended with ${rerun.code ?? rerun.signal}: ${tail(rerun.stderr)}`]
  const { open, resources } = stateOf(world)
  for (const one of open) out.push(`${one} is still open`)
  const planned = await world.look('plan', '--detailed-exitcode', ...(phase.command === 'destroy' ? ['--destroy'] : []))
  if (planned.code !== 0) out.push(`the plan afterwards answers ${planned.code}: ${tail(planned.stdout)}${tail(planned.stderr)}`)
  const addresses = resources.filter((one) => one.status !== 'deleting').map((one) => one.address)
  if (addresses.toSorted().join() !== phase.holds.toSorted().join()) out.push(`the state holds ${addresses.join(' ')}`)
  for (const one of resources) if (one.status !== 'ready' && one.status !== 'deleting') out.push(`${one.address} is ${one.status}`)
  return [...out, ...problemsOfObjects(world, phase, resources), ...problemsOfHealthy(world)]
}

/** What must hold at any instant, a dead process a moment ago included: readable files, private, without a secret. */
export function problemsOfFiles(world: World): readonly string[] {
  const out = world.unannounced.map((one) => `${one} was sent without a durable intent`)
  try {
    stateOf(world)
  } catch (error) {
    out.push(`the state cannot be read: ${error instanceof Error ? error.message : 'unknown'}`)
  }
  const own = entriesFrom(join(world.folder, '.iac'))
  for (const { path, isFolder } of own) {
    const mode = statSync(path).mode & 0o777
    if (mode !== (isFolder ? 0o700 : 0o600)) out.push(`${path} has the mode ${mode.toString(8)}`)
  }
  for (const { path, isFolder } of [...own, ...entriesFrom(join(world.folder, '../home'))])
    if (!isFolder) out.push(...canariesIn(readFileSync(path, 'latin1'), canaries).map((one) => `${path} holds ${one}`))
  return out
}

/** Secrets in what a run printed, and what stands for values inside of the program. */
export function problemsOfOutput(ended: Pick<Ended, 'stdout' | 'stderr'>): readonly string[] {
  const inner = [ended.stdout, ended.stderr].flatMap((text) => /.*\\x0[12].*/.exec(text) ?? [])
  return [...canariesIn(ended.stdout, canaries), ...canariesIn(ended.stderr, canaries), ...inner].map((one) => `printed ${one}`)
}

/** State and journal as they stand on the disk. */
export function stateOf(world: Pick<World, 'folder'>): { readonly resources: readonly ResourceRecord[]; readonly open: readonly string[] } {
  const path = join(world.folder, '.iac/state.json')
  const state = read(path)
  const resources = state ? decodeDocument(state, path).resources : []
  const journal = read(`${path}.journal`)
  const entries = journal ? decodeJournal(journal, path, inClear).entries : []
  return { resources, open: openIntents(entries).map((one) => `${one.address} ${one.step}`) }
}

/** The objects at the service by kind, those left out that are leaving or that it began with and no resource is; memberships that an instance lists itself are its own. */
export function objectsOf(world: World, resources: readonly ResourceRecord[]): readonly string[] {
  const { tables } = world.sandbox.world
  const lists = new Set(resources.filter((one) => Array.isArray(one.spec['vpcs'])).map((one) => one.id))
  const held = new Set(resources.map((one) => heldObject(tables, one.kind, one.id)))
  const isOurs = (one: StandingObject): boolean => !seededObjects().has(`${one.table} ${one.rowId}`) || held.has(`${one.kind} ${one.id}`)
  const there = standingObjects(tables).filter((one) => isOurs(one) && !one.leaving && !lists.has(one.memberOf ?? ''))
  return there.map((one) => `${one.kind} ${one.id}`)
}

function problemsOfObjects(world: World, phase: Phase, resources: readonly ResourceRecord[]): readonly string[] {
  // Workspaces cannot be deleted: destroying forgets them.
  const there = objectsOf(world, resources).filter((one) => phase.command !== 'destroy' || !one.startsWith('Workspace '))
  const { tables } = world.sandbox.world
  const held = resources.filter((one) => one.status !== 'deleting').map((one) => heldObject(tables, one.kind, one.id))
  const retained = phase.retains ? retainedIn(tables).map((id) => `FloatingIp ${id}`) : []
  const gone = phase.retains && retained.length !== 1 ? ['the retained address is gone'] : []
  const extra = there.filter((one) => !held.includes(one) && !retained.includes(one)).map((one) => `${one} is in no state`)
  const lost = held.filter((one) => !there.includes(one)).map((one) => `${one} is in the state and not at the service`)
  const names = (['vpcs', 'instances', 'clusterSecrets', 'clusterServices'] as const).flatMap((table) =>
    tables[table].all().flatMap((row) => (isLeaving(row) ? [] : [`${table} ${row.name}`])),
  )
  names.push(...tables.workspaces.all().map((row) => `workspace ${row.name}`))
  const twice = names.filter((one, at) => names.indexOf(one) !== at).map((one) => `${one} is there twice`)
  return [...gone, ...extra, ...lost, ...twice]
}

/** What was made in this world and is gone again: nothing healthy may be destroyed because of a kill. */
function problemsOfHealthy(world: World): readonly string[] {
  const born = new Set<string>()
  const out: string[] = []
  for (const { table, id, before, after } of world.changes) {
    // A token whose code was lost is made anew.
    if (!kindOfTable.has(table) || table === 'memberships' || table === 'tokens') continue
    if (!before) born.add(`${table} ${id}`)
    if (!after && born.has(`${table} ${id}`)) out.push(`${kindOfTable.get(table)} ${id} was made and destroyed`)
  }
  return out
}

function read(path: string): Uint8Array | undefined {
  try {
    return readFileSync(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** A folder with all that is in it; nothing where it is not there. */
function entriesFrom(folder: string): readonly { readonly path: string; readonly isFolder: boolean }[] {
  if (!existsSync(folder)) return []
  const below = readdirSync(folder, { recursive: true, withFileTypes: true })
  return [
    { path: folder, isFolder: statSync(folder).isDirectory() },
    ...below.map((one) => ({ path: join(one.parentPath, one.name), isFolder: one.isDirectory() })),
  ]
}

function tail(text: string): string {
  return text.slice(-1500)
}
