// The life of each kind by each of its examples: made, found, imported, changed, replaced, lost, repaired, destroyed.
import { afterEach, describe, expect, test } from 'vitest'
import * as z from 'zod'
import type { Applied } from '../../src/engine/session.ts'
import type { ResourceRecord } from '../../src/state/record.ts'
import { standingObjects } from '../builders/kind-tables.ts'
import { turnOf } from '../builders/long-form.ts'
import type { Runs } from '../builders/runs.ts'
import { dated, growing, inseparable, unseen } from './limits.ts'
import { createPlace } from './place.ts'
import type { Place, Variant } from './place.ts'
import { subjects } from './subject.ts'
import type { Subject } from './subject.ts'
import { asked, isSent } from './traffic.ts'
import { applied, changeOf, creatingRoute, expectEmpty, expectSent, expectShown, listed, problemsOf, recordOf, settledIn, shown } from './walk.ts'
import type { Fields } from './walk.ts'

/** Which of the walks fall to a variant, where each falls to one turn of `of`, drawn by the run's seed. */
export interface Share {
  readonly turn: number
  readonly of: number
}

/** Registers the walk of every example that falls to one variant of the service. */
export function kindConformance(variant: Variant, { turn, of }: Share): void {
  let place: Place | undefined
  const enter = async (subject: Subject): Promise<Place> => {
    place = await createPlace(variant, subject)
    return place
  }
  afterEach(async () => {
    await place?.close()
    place = undefined
  })
  const isMine = (subject: Subject, { does }: Walk): boolean => turnOf(`${subject.title} ${does}`, of) === turn
  const walked = variant.http ? subjects.filter((subject) => !dated.includes(subject.title)) : subjects
  const mine = walked.map((subject) => ({ title: subject.title, subject, walks: walksOf(subject).filter((walk) => isMine(subject, walk)) }))
  describe.each(mine.filter(({ walks }) => walks.length > 0))(`${variant.title}: $title`, ({ subject, walks }) => {
    test.each(walks)('$does', async ({ expectIt }) => expectIt(await enter(subject), subject))
  })
}

interface Walk {
  readonly does: string
  expectIt(place: Place, subject: Subject): Promise<void>
}

/** All that the life of a subject has, by the marks of its fields. */
function walksOf({ kind, example }: Subject): readonly Walk[] {
  const changes = Object.entries(example.changes ?? {})
  const marksOf = (field: string) => kind.fields[field] ?? {}
  const mutable = changes.filter(([field]) => !marksOf(field).immutable && !marksOf(field).createOnly && !marksOf(field).local)
  const immutable = changes.filter(([field]) => marksOf(field).immutable)
  const createOnly = changes.filter(([field]) => marksOf(field).createOnly)
  const removable = Object.keys(example.spec).filter((field) => marksOf(field).clearable)
  const staying = Object.keys(example.spec).filter(
    (field) => kind.spec.shape[field] instanceof z.ZodOptional && !Object.keys(marksOf(field)).some((mark) => leavesOtherwise.has(mark)),
  )
  const byFields: readonly (Walk & { readonly fields: readonly unknown[] })[] = [
    { does: 'is updated in each field', fields: mutable, expectIt: async (place, subject) => expectUpdates(place, subject, mutable) },
    { does: 'is replaced for each fixed field', fields: immutable, expectIt: async (place, subject) => expectReplacements(place, subject, immutable) },
    { does: 'notes what matters when it is made', fields: createOnly, expectIt: async (place, subject) => expectNotes(place, subject, createOnly) },
    { does: 'loses each removable field', fields: removable, expectIt: async (place, subject) => expectCleared(place, subject, removable) },
    { does: 'keeps what can only be left out', fields: staying, expectIt: async (place, subject) => expectKept(place, subject, staying) },
    { does: 'is repaired when it drifted', fields: mutable, expectIt: async (place, subject) => expectRepaired(place, subject, mutable) },
  ]
  const blindly: readonly Walk[] = [
    { does: 'is made, found, imported and destroyed', expectIt: expectLife },
    { does: 'is made of every field', expectIt: expectMadeOfAll },
    { does: 'is made once although its answer was lost', expectIt: expectMadeOnce },
    { does: 'is never changed', expectIt: async (place, subject) => expectRefused(place, subject, changes, removable) },
  ]
  if (!kind.readable) return blindly
  return [
    { does: 'is made, found, imported and destroyed', expectIt: expectLife },
    { does: 'is made of every field', expectIt: expectMadeOfAll },
    { does: 'is made anew when it vanished', expectIt: expectMadeAnew },
    ...(kind.adopted === undefined ? [{ does: 'is made once although its answer was lost', expectIt: expectMadeOnce }] : []),
    ...byFields.filter(({ fields }) => fields.length > 0),
  ]
}

/** Marks of fields that do something else when they are left out. */
const leavesOtherwise = new Set(['clearable', 'immutable', 'createOnly', 'local'])

/** The short walk of a subject: its making and its end. */
export async function expectLife(place: Place, subject: Subject): Promise<void> {
  const person = place.person()
  const { plan } = await person.plan(subject.texts())
  expect(changeOf(plan, subject)).toMatchObject({ action: subject.kind.adopted === undefined ? 'create' : 'import', reason: 'new' })
  const made = await applied(person, subject.texts())
  const record = recordOf(made, subject)
  expect(record.status).toBe('ready')
  await expectEmpty(person, subject.texts())
  await followMails(place, subject)
  await lagOver(place)
  if (subject.kind.readable) {
    expect(await listed(person, subject, record)).toContain(record.id)
    expect(record.id).toMatch(subject.kind.idForm)
    await expectShown(place, person, subject, record)
  }
  const other = place.person()
  for (const { kind, name } of subject.example.beside ?? []) {
    const id = made.document.resources.find((one) => one.address === `${kind}/${name}`)?.id ?? ''
    await other.importObject(subject.texts(), `${kind}/${name}`, id)
  }
  const imported = await other.importObject(subject.texts(), subject.address, record.id)
  expect(recordOf({ document: imported }, subject)).toMatchObject({ id: record.id, status: 'ready', outputs: record.outputs })
  await expectEmpty(other, subject.texts())
  const ended = await expectEnd(place, person, subject)
  // Without a call that deletes, it is forgotten and stays.
  const stays = ended.plan.changes.find((one) => one.address === subject.address)?.action === 'forget'
  expect((await shown(person, subject, record)) !== undefined).toBe(stays)
}

/** Follows the links in the mails that ask for confirmation. */
async function followMails({ sandbox }: Place, { kind }: Subject): Promise<void> {
  if (!Object.values(kind.fields).some((marks) => marks.confirmed)) return
  for (const { code } of sandbox.world.tables.mails.all().filter((one) => one.kind === 'EMAIL_CHANGE')) {
    const { status } = await sandbox.handle({
      method: 'POST',
      path: '/v1/verify-email',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code }),
    })
    expect(status).toBe(202)
  }
}

/** What shows no state is ready before lists show it, where these lag. */
async function lagOver({ sandbox, clock }: Place): Promise<void> {
  const { effectLagMs, readLagMs } = sandbox.world.readings
  if (effectLagMs + readLagMs === 0) return
  await clock.sleep(effectLagMs + readLagMs + 1)
  sandbox.tick()
}

/** Destroys all; where the service carries out late what it accepted, what stays until then is asked for once more after it. */
async function expectEnd({ sandbox, clock }: Place, person: Runs, subject: Subject): Promise<Applied> {
  const ended = await person.destroy(subject.texts())
  const left = ended.document.resources
  const { deletion, effectLagMs, readLagMs } = sandbox.world.readings
  const isLate = deletion !== 'immediate' || effectLagMs > 0 || readLagMs > 0
  if (isLate && left.some((one) => one.status === 'deleting')) {
    for (let dueMs = sandbox.nextDueMs(); dueMs !== undefined; dueMs = sandbox.nextDueMs()) {
      await clock.sleep(Math.max(0, dueMs - clock.wall()) + 1)
      sandbox.tick()
    }
    await clock.sleep(readLagMs + 1)
    const again = await person.destroy(subject.texts())
    expect(again.exitCode).toBe(0)
    expect(again.document.resources).toEqual([])
  } else {
    expect(problemsOf(ended)).toEqual([])
    expect(ended.exitCode).toBe(0)
    expect(left).toEqual([])
  }
  return ended
}

/** Makes the subject beside what it needs, and looks for each of its fields in what was sent. */
export async function expectMadeOfAll(place: Place, subject: Subject): Promise<void> {
  const person = place.person()
  await applied(person, subject.beside)
  place.traffic.take()
  const made = await applied(person, subject.texts())
  await expectSent(place, person, subject, recordOf(made, subject), Object.entries(subject.example.spec))
}

/** Changes each field by itself, and looks for it in what was sent. */
export async function expectUpdates(place: Place, subject: Subject, fields: Fields): Promise<void> {
  const { person, record } = await settledIn(place, subject)
  const grows = ([field]: Fields[number]): boolean => growing[subject.kind.name]?.includes(field) === true
  for (const [field, value] of [...fields.filter((one) => !grows(one)), ...fields.filter(grows)]) {
    const texts = subject.texts({ spec: { [field]: value } })
    const change = changeOf((await person.plan(texts)).plan, subject)
    expect(change, field).toMatchObject({ action: 'update', reason: 'changed', id: record.id })
    expect(change.steps.length, field).toBeGreaterThan(0)
    expect(
      change.patch.some((one) => one.path === `/${field}` || one.path.startsWith(`/${field}/`)),
      field,
    ).toBe(true)
    const before = await recorded(person, subject)
    place.traffic.take()
    const done = await applied(person, texts)
    await expectSent(place, person, subject, recordOf(done, subject), [[field, value]], before)
    expect(done.outcome, field).toMatchObject({ changed: 1, added: 0, destroyed: 0 })
    expect(recordOf(done, subject).id).toBe(record.id)
    await expectEmpty(person, texts)
    await expectShown(place, person, subject, recordOf(done, subject))
  }
}

async function recorded(person: Runs, subject: Subject): Promise<ResourceRecord | undefined> {
  return (await person.document())?.resources.find((one) => one.address === subject.address)
}

async function expectReplacements(place: Place, subject: Subject, fields: Fields): Promise<void> {
  const { person, made } = await settledIn(place, subject)
  let before = recordOf(made, subject)
  for (const [field, value] of fields) {
    const texts = subject.texts({ spec: { [field]: value } })
    const change = changeOf((await person.plan(texts)).plan, subject)
    expect(change, field).toMatchObject({ action: 'replace', reason: 'immutable_field', id: before.id })
    expect(change.replace_paths).toContain(`/${field}`)
    place.traffic.take()
    const done = await applied(person, texts)
    const after = recordOf(done, subject)
    await expectSent(place, person, subject, after, Object.entries({ ...subject.example.spec, [field]: value }))
    expect(done.outcome, field).toMatchObject({ added: 1, destroyed: 1 })
    expect(after.id).not.toBe(before.id)
    expect(after.deposed).toEqual([])
    expect(await shown(person, subject, before)).toBeUndefined()
    await expectEmpty(person, texts)
    await expectShown(place, person, subject, after)
    before = after
  }
}

async function expectNotes(place: Place, subject: Subject, fields: Fields): Promise<void> {
  const { person, record } = await settledIn(place, subject)
  for (const [field, value] of fields) {
    const { plan } = await person.plan(subject.texts({ spec: { [field]: value } }))
    expect(changeOf(plan, subject), field).toMatchObject({ action: 'no-op' })
    expect(plan.diagnostics.filter((one) => one.code === 'note' && one.summary.includes(field))).toHaveLength(1)
    const again = await person.plan(subject.texts({ spec: { [field]: value }, lifecycle: { replace_on: [`/${field}`] } }))
    expect(changeOf(again.plan, subject), field).toMatchObject({ action: 'replace', id: record.id, replace_paths: [`/${field}`] })
  }
}

async function expectCleared(place: Place, subject: Subject, fields: readonly string[]): Promise<void> {
  const { person } = await settledIn(place, subject)
  for (const field of fields) {
    const along = inseparable[subject.kind.name]?.[field] ?? []
    const texts = subject.texts({ spec: Object.fromEntries([field, ...along].map((name) => [name, undefined])) })
    const change = changeOf((await person.plan(texts)).plan, subject)
    expect(change, field).toMatchObject(
      subject.kind.fields[field]?.immutable || subject.kind.fields[field]?.resets
        ? { action: 'replace', replace_paths: expect.arrayContaining([`/${field}`]) }
        : { action: 'update' },
    )
    place.traffic.take()
    const done = await applied(person, texts)
    expect(place.traffic.take().filter((one) => isSent([one], field, subject.filled(subject.example.spec[field]), {}))).toEqual([])
    expect(recordOf(done, subject).spec).not.toHaveProperty(field)
    await expectEmpty(person, texts)
    await applied(person, subject.texts())
    await expectEmpty(person, subject.texts())
  }
}

async function expectKept(place: Place, subject: Subject, fields: readonly string[]): Promise<void> {
  const { person } = await settledIn(place, subject)
  for (const field of fields) {
    const texts = subject.texts({ spec: { [field]: undefined } })
    const { plan } = await person.plan(texts)
    expect(changeOf(plan, subject), field).toMatchObject({ action: 'no-op' })
    expect(plan.diagnostics.filter((one) => one.code === 'note').map((one) => one.summary)).toEqual([expect.stringContaining(`${field} is no longer declared`)])
    const done = await applied(person, texts)
    expect(recordOf(done, subject).spec).not.toHaveProperty(field)
    expect((await person.plan(texts)).plan.diagnostics.filter((one) => one.code === 'note')).toEqual([])
    await applied(person, subject.texts())
  }
}

async function expectMadeAnew(place: Place, subject: Subject): Promise<void> {
  const { person, made, record } = await settledIn(place, subject)
  const other = place.person(made.document)
  const gone = await other.destroy(subject.texts(), { targets: [subject.address] })
  expect(gone.exitCode).toBe(0)
  if ((await shown(person, subject, record)) !== undefined) return
  const { plan } = await person.plan(subject.texts())
  expect(changeOf(plan, subject)).toMatchObject({ action: 'create', reason: 'missing' })
  expect(plan.drift?.map(({ address, action }) => ({ address, action }))).toContainEqual({ address: subject.address, action: 'delete' })
  const again = await applied(person, subject.texts())
  expect(again.outcome).toMatchObject({ added: 1, destroyed: 0 })
  await expectEmpty(person, subject.texts())
  await expectShown(place, person, subject, recordOf(again, subject))
}

async function expectRepaired(place: Place, subject: Subject, fields: Fields): Promise<void> {
  const { person, made, record } = await settledIn(place, subject)
  for (const [field, value] of fields) {
    if (unseen[subject.kind.name]?.includes(field) || growing[subject.kind.name]?.includes(field) || subject.kind.fields[field]?.confirmed) continue
    const other = place.person(made.document)
    const drifted = recordOf(await applied(other, subject.texts({ spec: { [field]: value } })), subject)
    const { plan } = await person.plan(subject.texts())
    expect(changeOf(plan, subject), field).toMatchObject({ action: 'update', reason: 'drifted', id: record.id })
    expect(
      plan.drift?.map(({ address, action }) => ({ address, action })),
      field,
    ).toContainEqual({ address: subject.address, action: 'update' })
    place.traffic.take()
    await applied(person, subject.texts())
    await expectSent(place, person, subject, record, [[field, subject.example.spec[field]]], drifted)
    await expectEmpty(person, subject.texts())
    await expectShown(place, person, subject, record)
  }
}

async function expectMadeOnce(place: Place, subject: Subject): Promise<void> {
  const person = place.person()
  await applied(person, subject.beside)
  const operation = await creatingRoute(person, subject)
  place.sandbox.faults.list.push({ operation, reset: 'after' })
  const made = await applied(person, subject.texts())
  const record = recordOf(made, subject)
  if (subject.kind.readable) expect(await listed(person, subject, record)).toEqual(expect.arrayContaining([record.id]))
  else expect(standingObjects(place.sandbox.world.tables).filter((one) => one.kind === subject.kind.name)).toHaveLength(1)
  expect(place.sandbox.faults.list).toHaveLength(1)
  await expectEmpty(person, subject.texts())
  const keys = await twins(place, subject, record.id)
  expect(keys).toEqual([])
}

/** What nothing reads or deletes: a plan that would change it says so, and is not carried out. */
async function expectRefused(place: Place, subject: Subject, changes: Fields, removable: readonly string[]): Promise<void> {
  const { person } = await settledIn(place, subject)
  for (const [field, value] of [...changes, ...removable.map((name) => [name, undefined] as const)]) {
    const texts = subject.texts({ spec: { [field]: value } })
    const { plan } = await person.plan(texts)
    expect(plan.diagnostics.filter((one) => one.code === 'unsupported_change').map((one) => one.summary)).toEqual([
      expect.stringContaining(`${field} would change, and the service has no call`),
    ])
    place.traffic.take()
    expect((await person.apply(texts)).exitCode).toBe(3)
    expect(place.traffic.take().filter((one) => one.method !== 'GET' && !asked.has(one.path))).toEqual([])
  }
}

/** Other objects with the subject's natural key: what a create that was sent twice leaves. */
async function twins(place: Place, subject: Subject, id: string): Promise<readonly string[]> {
  const stranger = place.person()
  const { plan, input } = await stranger.plan(subject.texts())
  const one = changeOf(plan, subject)
  const there = input.observation.listed(subject.kind.name, one.workspace_id ?? '') ?? []
  const mine = there.find((each) => each.id === id)
  const key = mine && subject.kind.naturalKey(mine.seen)
  return there.filter((each) => each.id !== id && key !== undefined && subject.kind.naturalKey(each.seen) === key).map((each) => each.id)
}
