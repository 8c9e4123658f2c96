// What must hold, seen from outside: at the service, on the disk, in what was told. Each check names what it found broken.
import { canonicalJson } from '../../src/base/json.ts'
import { hashOfCode } from '../../src/sandbox/request/caller.ts'
import type { Folded } from '../../src/state/fold.ts'
import { fold } from '../../src/state/fold.ts'
import type { ResourceRecord } from '../../src/state/record.ts'
import { canariesIn } from '../builders/canaries.ts'
import type { KindTable, StandingObject } from '../builders/kind-tables.ts'
import { heldObject, isPart, kindOfTable, standingObjects, wordOf } from '../builders/kind-tables.ts'
import { adoptedKinds, asJson, bystanders, isBystander, ownTables } from './bystanders.ts'
import type { Rig } from './rig.ts'
import type { Phase } from './scenario.ts'
import { canaries, deliveredToken } from './scenario.ts'
import type { Violation } from './violation.ts'

function isKindTable(name: string): name is KindTable {
  return Object.hasOwn(Object.fromEntries(ownTables.map((one) => [one, true])), name)
}

/** Everything that our runs made and that is still there; memberships that an instance lists itself are left out. */
function madeObjects(rig: Rig, folded: Folded): readonly StandingObject[] {
  const lists = new Set([...folded.resources.values()].filter((one) => one.kind === 'Instance' && 'vpcs' in one.spec).flatMap(idsOf))
  for (const { intent } of folded.open) if (intent.creates && 'vpcs' in intent.sets) lists.add('')
  const isListed = ({ memberOf }: StandingObject): boolean => memberOf !== undefined && (lists.has(memberOf) || lists.has(''))
  return standingObjects(rig.sandbox.world.tables).filter((one) => !isBystander(one.table, one.rowId) && !isListed(one))
}

function idsOf(record: ResourceRecord): readonly string[] {
  return [record.id, ...record.deposed.map((old) => old.id)]
}

/** State and journal as a new process would read them. */
export async function readState(rig: Rig): Promise<Folded> {
  const loaded = await rig.store().read()
  return fold(loaded.document, loaded.entries)
}

/** I2 at any instant: whatever was made is recorded, or an open create speaks of it. */
export function checkCovered(rig: Rig, folded: Folded): Violation[] {
  const { tables } = rig.sandbox.world
  const recorded = new Set([...folded.resources.values()].flatMap((one) => idsOf(one).map((id) => heldObject(tables, one.kind, id))))
  const loose = madeObjects(rig, folded).filter((one) => !one.leaving && one.kind !== 'Workspace' && !recorded.has(`${one.kind} ${one.id}`))
  const open = folded.open.filter(({ intent }) => intent.creates)
  return [...new Set(loose.map((one) => one.kind))].flatMap((kind) => {
    const objects = loose.filter((one) => one.kind === kind)
    const intents = open.filter((one) => one.intent.kind === kind)
    return objects.length <= intents.length ? [] : [{ invariant: 'I2', text: `${objects.map((one) => `${kind} ${one.id}`).join(', ')}: nothing records it` }]
  })
}

/** I1, I2, I8 and the hidden values, once all is quiet. */
export function checkQuiet(rig: Rig, phase: Phase, folded: Folded): Violation[] {
  const gone = phase.name === 'destroy'
  const out: Violation[] = folded.open.map(({ intent }) => ({ invariant: 'I4', text: `${intent.address}: ${intent.step} is still open` }))
  const records = [...folded.resources.values()].filter((one) => one.status !== 'deleting')
  const addresses = gone ? [] : phase.addresses
  for (const one of records) {
    if (!addresses.includes(one.address)) out.push({ invariant: 'I4', text: `${one.address} is in the state` })
    if (one.status !== 'ready') out.push({ invariant: 'I4', text: `${one.address} is ${one.status}` })
  }
  const made = madeObjects(rig, folded)
  const alive = new Set(made.filter((one) => !one.leaving).map((one) => `${one.kind} ${one.id}`))
  // A deletion that the service has scheduled stays in the state until it is carried out.
  const old = records.flatMap((one) => one.deposed.map(({ id }) => ({ address: one.address, key: `${one.kind} ${id}` })))
  for (const { address, key } of old) if (alive.has(key)) out.push({ invariant: 'I4', text: `${address} still has an old half, ${key}` })
  const held = new Set(records.map((one) => heldObject(rig.sandbox.world.tables, one.kind, one.id)))
  const there = made.filter((one) => !one.leaving && !(gone && one.kind === 'Workspace'))
  for (const one of there) if (!held.has(`${one.kind} ${one.id}`)) out.push({ invariant: 'I1/I2', text: `${one.kind} ${one.id} is in no state` })
  const takenOver = standingObjects(rig.sandbox.world.tables).filter((one) => adoptedKinds.has(one.kind))
  const found = new Set([...there, ...takenOver].map((one) => `${one.kind} ${one.id}`))
  for (const key of held) if (!found.has(key)) out.push({ invariant: 'I4', text: `${key} is in the state and not at the service` })
  if (made.filter((one) => one.kind === 'Workspace').length > 1) out.push({ invariant: 'I1', text: 'more than one workspace was made' })
  return [...out, ...checkFacts(rig, phase), ...checkBystanders(rig)]
}

/** Values that no read shows: what is at the service is what the manifests say. */
function checkFacts(rig: Rig, { facts }: Phase): Violation[] {
  const { tables } = rig.sandbox.world
  const out: Violation[] = []
  const differs = (what: string, live: unknown, wanted: unknown): void => {
    if (JSON.stringify(live) !== JSON.stringify(wanted)) out.push({ invariant: 'I4', text: `${what} differs behind an empty plan` })
  }
  if (facts.password !== undefined)
    differs('the password of the session', ours(rig, 'bgpConfigurations', tables.bgpConfigurations.all())?.password, facts.password)
  const secrets = tables.clusterSecrets.all().filter((row) => !isBystander('clusterSecrets', row.id))
  if (facts.secret) differs('the data of the secret', secrets.find((row) => row.name.startsWith('database'))?.data, facts.secret)
  if (facts.delivered) {
    const code = secrets.find((row) => row.name === 'registry')?.data['TOKEN'] ?? ''
    const token = tables.tokens.all().find((row) => row.name === deliveredToken && !isBystander('tokens', row.id))
    differs('the code of the token', hashOfCode(code), token?.codeHash)
  }
  if (facts.environment)
    differs('the environment of the service', ours(rig, 'clusterServices', tables.clusterServices.all())?.revision.environment, facts.environment)
  return out
}

function ours<R extends { readonly id: string }>(_: Rig, table: KindTable, rows: readonly R[]): R | undefined {
  return rows.find((row) => !isBystander(table, row.id))
}

/** I8: what was there before is there, as it was, but for what is taken over. */
function checkBystanders(rig: Rig): Violation[] {
  const tables = ownTables.filter((table) => !adoptedKinds.has(kindOfTable.get(table) ?? ''))
  return tables.flatMap((table) => {
    const rows = new Map(rig.sandbox.world.tables[table].all().map((row) => [row.id, canonicalJson(asJson(row))]))
    return [...(bystanders().get(table) ?? [])].flatMap(([id, before]) => {
      const now = rows.get(id)
      return now === before ? [] : [{ invariant: 'I8', text: `${table} ${id} of somebody else ${now === undefined ? 'is gone' : 'was changed'}` }]
    })
  })
}

/** I8: nothing healthy was destroyed but what the phase is to end. `before` gives the addresses of the objects at its beginning; undefined where it went back and forth. */
export function checkDestroyed(rig: Rig, phase: Phase, before: ReadonlyMap<string, string> | undefined): Violation[] {
  const born = new Set<string>()
  const out: Violation[] = []
  for (const change of rig.changes) {
    if (!isKindTable(change.table) || isPart(rig.sandbox.world.tables, change.table, change.after ?? change.before ?? { id: change.id })) continue
    if (!change.before) born.add(`${change.table} ${change.id}`)
    if (change.after || !change.before || !before) continue
    const address = before.get(`${kindOfTable.get(change.table)} ${change.id}`)
    if (address !== undefined && !phase.doomed.has(address)) out.push({ invariant: 'I8', text: `${address} (id ${change.id}) was destroyed` })
    // A token is made anew where its code was lost.
    const again = born.has(`${change.table} ${change.id}`) && change.table !== 'memberships' && change.table !== 'tokens'
    if (again && wordOf(change.before) !== 'FAILED' && !failedItself(rig, change.id))
      out.push({ invariant: 'I8', text: `${change.table} ${change.id} was made and destroyed though healthy` })
  }
  return out
}

/** The workflow that made it failed and took it along. */
function failedItself(rig: Rig, id: string): boolean {
  return rig.sandbox.world.tables.workflows.all().some((one) => one.subject.id === id && one.outcome !== 'COMPLETED' && one.operation.endsWith('.create'))
}

/** I6: no secret in any file, event or diagnostic, plain or encoded. */
export function checkSecrets(rig: Rig): Violation[] {
  const texts: [string, string][] = [...rig.files()].map(([path, bytes]) => [path, Buffer.from(bytes).toString('latin1')])
  texts.push(['events', JSON.stringify(rig.events)], ['what was told', rig.told.join('\n')])
  return texts.flatMap(([where, text]) => canariesIn(text, canaries).map((one) => ({ invariant: 'I6', text: `${where} holds ${JSON.stringify(one)}` })))
}

/** The serial of the state; 0 where there is none, -1 where it cannot be read. */
export function serialOf(rig: Rig): number {
  const text = rig.stateText()
  if (text === undefined) return 0
  const document = parsed(text)
  if (typeof document !== 'object' || document === null) return -1
  if ('serial' in document && typeof document.serial === 'number') return document.serial
  // What a run that took over leaves in the place of a state that was never written.
  return 'format' in document && document.format === 'iac-fence/v1' ? 0 : -1
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
