// The walk can fail: kinds that never send a field, or send it once, or send something else.
import { describe, expect, test } from 'vitest'
import { isObject } from '../../src/base/json.ts'
import type { JsonObject } from '../../src/base/json.ts'
import { toJson } from '../../src/engine/model/live.ts'
import type { AnyKind } from '../../src/kinds/definition/kind.ts'
import { kinds } from '../../src/kinds/registry.ts'
import { drawn } from '../builders/long-form.ts'
import { wantedView } from '../builders/wanted-view.ts'
import { expectMadeOfAll, expectUpdates } from './life.ts'
import { createPlace } from './place.ts'
import type { Place } from './place.ts'
import { subjectOf, subjects } from './subject.ts'
import type { Subject } from './subject.ts'

type Spoil = (body: JsonObject) => JsonObject

const rows = subjects.flatMap((subject) =>
  Object.keys(subject.example.spec).flatMap((field) => (isInBody(subject, field) ? [{ name: subject.title, field, subject }] : [])),
)
const mutable = rows.filter(({ subject: { kind, example }, field }) => {
  const { immutable, createOnly } = kind.fields[field] ?? {}
  return !immutable && !createOnly && example.changes && Object.hasOwn(example.changes, field)
})

/** What the service sets by itself is not missed where an example asks for just that, and never for anything else. */
const missable = rows.filter(({ subject: { kind, example }, field }) => {
  const { [field]: asked, ...others } = example.spec
  const filled = kind.spec.safeParse(others).data?.[field]
  return filled !== asked || Object.hasOwn(example.changes ?? {}, field)
})

function isInBody({ kind, example }: Subject, field: string): boolean {
  const bodies = kind.steps(wantedView(kind, { desired: example.spec })).map((step) => step.call.body)
  return bodies.some((body) => typeof body === 'object' && body !== null && Object.hasOwn(body, field))
}

/** The kind with other bodies; it reads nothing of the field. */
function spoiled(kind: AnyKind, field: string, spoil: Spoil, creates: boolean): AnyKind {
  const bodyOf = (given: unknown) => {
    const body = given === undefined ? null : toJson(given)
    return isObject(body) ? spoil(body) : given
  }
  const { shown: _, ...marks } = kind.fields[field] ?? {}
  return {
    ...kind,
    fields: { ...kind.fields, [field]: marks },
    toSpec: (live) => ({ ...kind.toSpec(live), [field]: undefined }),
    steps: (view) => kind.steps(view).map((step) => (step.creates && !creates ? step : { ...step, call: { ...step.call, body: bodyOf(step.call.body) } })),
  }
}

function without(field: string): Spoil {
  return (body) => Object.fromEntries(Object.entries(body).filter(([name]) => name !== field))
}

async function walk({ kind, example }: Subject, mutant: AnyKind, expectIt: (place: Place, subject: Subject) => Promise<void>): Promise<void> {
  const subject = subjectOf(mutant, example)
  const all = kinds.map((one) => (one === kind ? mutant : one))
  const place = await createPlace({ title: '', http: false, readings: {} }, subject, all)
  try {
    await expectIt(place, subject)
  } finally {
    await place.close()
  }
}

/** Changes the one field alone. */
const changing =
  ({ example }: Subject, field: string) =>
  async (place: Place, one: Subject) =>
    expectUpdates(place, one, [[field, example.changes?.[field]]])

test.each(drawn(subjects, 6, 'kinds that are whole'))('a kind that is sent as it is passes: $title', async (subject) => {
  const whole = spoiled(subject.kind, '', (body) => body, true)
  await expect(walk(subject, whole, expectMadeOfAll)).resolves.toBeUndefined()
})

describe('a field that is never sent is missed', () => {
  test.each(drawn(missable, 15, 'fields that are never sent'))('$name: $field', async ({ name, subject, field }) => {
    const mutant = spoiled(subject.kind, field, without(field), true)
    const updates = mutable.some((one) => one.name === name && one.field === field) ? changing(subject, field) : undefined
    const both = async () => {
      await walk(subject, mutant, expectMadeOfAll)
      // What the service sets by itself shows when it is to be something else.
      if (updates) await walk(subject, mutant, updates)
    }
    await expect(both()).rejects.toThrow(/./)
  })
})

describe('a field that only the create sends is missed', () => {
  test.each(drawn(mutable, 10, 'fields that only the create sends'))('$name: $field', async ({ subject, field }) => {
    await expect(walk(subject, spoiled(subject.kind, field, without(field), false), changing(subject, field))).rejects.toThrow(/./)
  })
})

describe('a field that is sent as something else is missed', () => {
  test.each(drawn(rows, 15, 'fields that are sent as something else'))('$name: $field', async ({ subject, field }) => {
    const mutant = spoiled(subject.kind, field, (body) => ({ ...body, [field]: { DB_PASSWORD: 'wrong' } }), true)
    await expect(walk(subject, mutant, expectMadeOfAll)).rejects.toThrow(/./)
  })
})
