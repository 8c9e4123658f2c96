// The questions that the walk asks of plans, states and the service.
import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'
import { routes } from '../../src/api/routes/routes.ts'
import type { RouteName } from '../../src/api/routes/routes.ts'
import { same } from '../../src/engine/model/diff/equal.ts'
import { createReader, liveObject } from '../../src/engine/model/live.ts'
import type { LiveObject } from '../../src/engine/model/live.ts'
import type { Change, Plan } from '../../src/engine/model/plan-data.ts'
import { wantedView } from '../../src/engine/model/view.ts'
import type { Applied } from '../../src/engine/session.ts'
import type { ResourceRecord } from '../../src/state/record.ts'
import type { Runs, Texts } from '../builders/runs.ts'
import { inborn, spoken, unsent } from './limits.ts'
import type { Place } from './place.ts'
import type { Subject } from './subject.ts'
import { isSent, plain, shownRaw } from './traffic.ts'

/** Fields of a spec with their values. */
export type Fields = readonly (readonly [string, unknown])[]

/** The change of the subject in a plan. */
export function changeOf(plan: Plan, subject: Subject): Change {
  const found = plan.changes.find((one) => one.address === subject.address && !one.deposed)
  if (!found) throw new Error(`the plan holds no ${subject.address}`)
  return found
}

/** The resource as recorded after an apply. */
export function recordOf(applied: Pick<Applied, 'document'>, subject: Subject): ResourceRecord {
  const found = applied.document.resources.find((one) => one.address === subject.address)
  if (!found) throw new Error(`the state holds no ${subject.address}`)
  return found
}

/** Applies and expects that everything went well. */
export async function applied(person: Runs, texts: Texts): Promise<Applied> {
  const done = await person.apply(texts)
  expect(problemsOf(done)).toEqual([])
  expect(done.exitCode).toBe(0)
  return done
}

/** Errors of an apply in words. */
export function problemsOf(done: Applied): string[] {
  const all = [...done.plan.diagnostics, ...done.diagnostics, ...(done.outcome?.failed ?? [])]
  return all.filter((one) => one.severity === 'error').map((one) => `${one.summary} ${one.detail ?? ''}`)
}

/** Expects that nothing is left to do. */
export async function expectEmpty(person: Runs, texts: Texts): Promise<void> {
  const { plan } = await person.plan(texts)
  const open = plan.changes.filter((one) => one.action !== 'no-op')
  expect(open.map(({ address, action, reason, patch, steps }) => ({ address, action, reason, patch, steps }))).toEqual([])
  expect(plan.drift?.map(({ address, before, after }) => ({ address, before, after }))).toEqual([])
  expect(plan.diagnostics.filter((one) => one.severity === 'error')).toEqual([])
}

/** The object as the service shows it now; undefined when it is gone or leaving. */
export async function shown(person: Runs, subject: Subject, record: ResourceRecord): Promise<LiveObject | undefined> {
  const { kind } = subject
  const { client, compat } = person.run()
  const workspaceId = record.workspace_id ?? ''
  const wants = (field: string): boolean => field in kind.fields
  const live = await kind.read(createReader(client, compat), record.id, { workspaceId, parents: parentsOf(subject, record), wants })
  return live === undefined ? undefined : liveObject(kind, workspaceId, live, String)
}

/** The ids that the list of the subject's kind holds. */
export async function listed(person: Runs, subject: Subject, record: ResourceRecord): Promise<readonly string[]> {
  const { client, compat } = person.run()
  const at = { workspaceId: record.workspace_id ?? '', parents: parentsOf(subject, record), wants: (field: string) => field in subject.kind.fields }
  const found = await subject.kind.list(createReader(client, compat), at)
  return found.map((one) => subject.kind.id(one))
}

function parentsOf({ kind }: Subject, record: ResourceRecord): string[] {
  const parent = kind.parentField === undefined ? undefined : record.spec[kind.parentField]
  return typeof parent === 'string' ? [parent] : []
}

/** Expects that the service shows every field of the recorded spec that is no secret, and that the kind reads each that may change and stands in an answer. */
export async function expectShown({ traffic }: Place, person: Runs, subject: Subject, record: ResourceRecord): Promise<void> {
  traffic.take()
  const object = await shown(person, subject, record)
  const answers = traffic.take()
  const changing = Object.keys(record.spec).filter((field) => !subject.kind.fields[field]?.immutable)
  const unread = changing.filter((field) => object?.seen[field] === undefined && shownRaw(answers, record.id, field) !== undefined)
  expect(unread, `${subject.address} does not read what stands in the answer`).toEqual([])
  expect(object, `${subject.address} is not there`).toBeDefined()
  const strange = Object.entries(record.spec).filter(([field, value]) => {
    const marks = subject.kind.fields[field] ?? {}
    const seen = object?.seen[field]
    return seen !== undefined && !marks.secret && !marks.createOnly && !marks.confirmed && !same(value, seen, marks)
  })
  expect(strange.map(([field, value]) => ({ field, recorded: value, seen: object?.seen[field] }))).toEqual([])
}

/** Expects that fields of the subject went over the wire as they are declared, or that the service shows them so. */
export async function expectSent(
  place: Place,
  person: Runs,
  subject: Subject,
  record: ResourceRecord,
  declared: Fields,
  before?: ResourceRecord,
): Promise<void> {
  const { kind } = subject
  const sent = place.traffic.take()
  await shown(person, subject, record)
  const answers = place.traffic.take()
  const missing = declared.filter(([field, given]) => {
    const marks = kind.fields[field] ?? {}
    const value = marks.secret ? subject.filled(given) : record.spec[field]
    if (value === undefined || value === null || marks.local || unsent[kind.name]?.[field] !== undefined) return false
    const word = spoken[kind.name]?.[field]?.[JSON.stringify(value)]
    if (isSent(sent, field, value, marks, before?.spec[field]) || (word !== undefined && isSent(sent, '', word, marks))) return false
    return inborn[kind.name]?.[field] !== value && !same(plain(value), shownRaw(answers, record.id, field), marks)
  })
  expect(
    missing.map(([field]) => field),
    `${subject.address} does not send them`,
  ).toEqual([])
}

/** The route that makes the subject. */
export async function creatingRoute(person: Runs, subject: Subject): Promise<RouteName> {
  const { planned } = await person.plan(subject.texts())
  const one = planned.find((each) => each.address === subject.address)
  if (!one?.desired) throw new Error(`${subject.address} is not to be made`)
  const [first] = subject.kind.steps(wantedView(one.situation, one.desired, []))
  const route = first && 'route' in first.call ? first.call.route : undefined
  const names: readonly RouteName[] = keysOf(routes)
  const name = names.find((each) => isDeepStrictEqual(routes[each], route))
  if (!name) throw new Error(`no route makes ${subject.address}`)
  return name
}

function keysOf<K extends string>(object: Readonly<Record<K, unknown>>): K[] {
  const keys: K[] = []
  for (const key in object) keys.push(key)
  return keys
}

/** A person whose project holds what the subject stands beside, and then the subject. */
export async function settledIn(place: Place, subject: Subject) {
  const person = place.person()
  const made = await applied(person, subject.texts())
  return { person, made, record: recordOf(made, subject) }
}
