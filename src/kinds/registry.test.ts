// What holds of every kind in the registry: marks, examples, descriptions, and the laws of steps.
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { fc } from '../../test/builders/properties.ts'
import { runSteps, wantedView } from '../../test/builders/wanted-view.ts'
import { compatSchema } from '../api/calls/compat.ts'
import type { Route } from '../api/routes/route.ts'
import { isObject } from '../base/json.ts'
import type { AnyKind, Example, Peer, Step } from './definition/kind.ts'
import { normaliseSpec } from './definition/normalise.ts'
import { readShape } from './definition/shape.ts'
import { kinds } from './registry.ts'

type Fields = Readonly<Record<string, unknown>>
const compat = compatSchema.parse({})

// Fields that cannot change alone: another type needs other fields, there is one source, and another subject stands elsewhere.
const alone: Readonly<Record<string, readonly string[]>> = { Instance: ['type'], BgpPrefix: ['source'], ApiToken: ['subject'], DediboxIp: ['type'] }
function at(index: number) {
  const found = cases[index]
  if (!found) throw new Error(`no case ${index}`)
  return found
}
const managed = kinds.filter((kind) => kind.managed)
const cases = managed.flatMap((kind) => kind.examples.map((example) => ({ name: `${kind.name}: ${example.title}`, kind, example })))

/** The slimmest object that the kind can read. */
function made(kind: AnyKind): unknown {
  const slim = kind.live.schema.safeParse({ id: '1' })
  return slim.success ? slim.data : readShape(kind.live, { id: '1', name: 'first', instance: '2', vpc: '3', dedibox: '4', type: 'CPU' }, {})
}

/** What a manifest of the kind begins with: nothing, or the object that it takes over. */
function found(kind: AnyKind): unknown {
  return kind.adopted === undefined ? undefined : made(kind)
}

/** The workspace that an example stands in. */
function placeOf({ workspace }: Example): string {
  return workspace === null ? '' : '9'
}

/** References as the engine gives them: ids, whatever stands in the example. */
function resolve(kind: AnyKind, spec: Fields): Record<string, unknown> {
  const idOf = (value: unknown) => (typeof value === 'string' ? String(1000 + Array.from(value).reduce((sum, one) => sum * 31 + one.charCodeAt(0), 7)) : '77')
  const entries = Object.entries(spec).map(([name, value]) => {
    const { ref, output } = kind.fields[name] ?? {}
    if (!ref || output !== undefined) return [name, value]
    return [name, Array.isArray(value) ? value.map(idOf) : idOf(value)]
  })
  return { ...kind.defaults, ...normaliseSpec(kind, Object.fromEntries(entries)) }
}

/** The spec as often as it has values, each time with a token in the place of another. */
function tokenised(spec: Fields): Fields[] {
  const instead = (value: unknown): unknown[] => [
    '\u0001unknown\u0001token\u0002',
    ...(Array.isArray(value) ? value.flatMap((one: unknown, at) => instead(one).map((other) => value.with(at, other))) : []),
    ...(isObject(value) ? tokenised(value) : []),
  ]
  return Object.entries(spec).flatMap(([name, value]) => instead(value).map((other) => ({ ...spec, [name]: other })))
}

function afterEach(kind: AnyKind, example: Example): Fields[] {
  const { changes = {}, spec } = example
  return Object.entries(changes).map(([name, value]) => resolve(kind, { ...spec, [name]: value }))
}

function peerOf(kind: AnyKind, spec: Fields): Peer {
  return { address: `${kind.name}/example`, kind: kind.name, workspace: kind.standsAlone?.(spec) ? '' : '9', spec }
}

function expectValidBody({ call }: Step<Fields>) {
  if (!('route' in call) || call.route.body === undefined) return
  expect(z.safeEncode(call.route.body(), call.body).error).toBeUndefined()
}

describe('the list', () => {
  test('holds every file that defines a kind', () => {
    const files = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    const texts = files.map((file) => readFileSync(`${import.meta.dirname}/${file}`, 'utf8'))
    const defined = texts.flatMap((text) => [...text.matchAll(/^export const (\w+) = defineKind\(/gm)].map((match) => match[1]))
    expect(kinds.map((kind) => kind.name).toSorted()).toEqual(defined.toSorted())
  })
  test('has each name and plural once', () => {
    const words = kinds.flatMap((kind) => [kind.name, kind.plural])
    expect(new Set(words).size).toBe(words.length)
  })
})

describe.each(kinds)('$name', (kind) => {
  const shape: Readonly<Record<string, z.ZodType>> = z
    .record(
      z.string(),
      z.custom<z.ZodType>((value) => value instanceof z.ZodType),
    )
    .parse(kind.spec.shape)

  test('describes every field, nested ones too', () => {
    const bare: string[] = []
    const look = (path: string, schema: z.core.$ZodType): void => {
      if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) look(path, schema.unwrap())
      else if (schema instanceof z.ZodArray) look(path, schema.element)
      else if (schema instanceof z.ZodObject) for (const [name, one] of Object.entries(schema.shape)) describeOne(`${path}.${name}`, one)
    }
    const describeOne = (path: string, schema: z.ZodType): void => {
      if (!schema.description) bare.push(path)
      look(path, schema)
    }
    for (const [name, schema] of Object.entries(shape)) describeOne(name, schema)
    expect(bare).toEqual([])
  })
  test('points at kinds that are there', () => {
    const names = new Set(kinds.map((one) => one.name))
    const strange = Object.values(kind.fields).flatMap((marks) => marks.ref ?? [])
    expect(strange.filter((name) => !names.has(name))).toEqual([])
    expect(kind.parentField === undefined || kind.fields[kind.parentField]?.ref).toBeTruthy()
  })
  test('sets every field in its examples, and changes it', () => {
    const set = new Set(kind.examples.flatMap((example) => Object.keys(example.spec)))
    const changes = new Set(kind.examples.flatMap((example) => Object.keys(example.changes ?? {})))
    const fields = kind.managed ? Object.keys(kind.fields) : []
    expect(
      fields.filter((name) => !set.has(name)),
      'in `spec` of none of its examples',
    ).toEqual([])
    expect(
      fields.filter((name) => !changes.has(name) && !alone[kind.name]?.includes(name)),
      'in `changes` of none of its examples',
    ).toEqual([])
  })
  test('gives outputs that it names, from the slimmest object', () => {
    const outputs = kind.outputsOf(made(kind))
    expect(Object.keys(outputs).filter((name) => !Object.hasOwn(kind.outputs, name))).toEqual([])
    expect(outputs.id).toBe(kind.id(made(kind)))
    for (const { follows = [] } of Object.values(kind.outputs)) expect(Object.keys(kind.fields)).toEqual(expect.arrayContaining([...follows]))
  })
})

test.each(managed.map((kind) => ({ kind, name: kind.name })))('$name declares the calls of its steps and of its removal, and no other', ({ kind }) => {
  const slim = made(kind)
  const holders = [{ kind: 'Instance', id: '6', does: 'to be taken off', instance: '6' }]
  const full =
    kind.live.schema.safeParse({ id: '1', instance: '2', vpc: '3', memberships: [{ vpc: '8' }], extra_disks: [{ id: '4' }], own_addresses: ['5'], holders })
      .data ?? slim
  const making = kind.examples.flatMap((example) => {
    const desired = resolve(kind, example.spec)
    const optional = Object.keys(desired).filter((name) => kind.spec.shape[name] instanceof z.ZodOptional)
    const without = optional.map((gone) => Object.fromEntries(Object.entries(desired).filter(([name]) => name !== gone)))
    const first = runSteps(kind, desired, { recorded: {}, live: found(kind), workspaceId: placeOf(example) }, slim)
    const wanted = [...afterEach(kind, example), ...without].flatMap((spec) =>
      [slim, full].flatMap((live) => kind.steps(wantedView(kind, { desired: spec, recorded: first.recorded, live, fresh: false }))),
    )
    const restarted = kind.restart?.(wantedView(kind, { desired, recorded: first.recorded, live: full })) ?? []
    return [...first.done, ...wanted, ...[restarted].flat()]
  })
  const removing = kind.removal({ id: '1', workspaceId: '9', recorded: {}, live: full, fresh: false, nowMs: 0 })
  const pathsOf = (found: readonly Route[]) => [...new Set(found.map((one) => `${one.methods[0]} ${one.path}`))].toSorted()
  expect(pathsOf(kind.calls.making)).toEqual(pathsOf(making.map((step) => step.call.route)))
  expect(pathsOf(kind.calls.removing)).toEqual(pathsOf(removing.map((step) => step.call.route)))
})

describe.each(cases)('$name', ({ kind, example }) => {
  const desired = resolve(kind, example.spec)

  test('is a valid manifest without problems, and so is each change of it', () => {
    for (const spec of [desired, ...afterEach(kind, example)]) {
      expect(kind.spec.safeParse(spec).error).toBeUndefined()
      expect(kind.check?.(spec) ?? []).toEqual([])
      expect(kind.checkAll?.([peerOf(kind, spec)]) ?? []).toEqual([])
    }
  })
  test('is no problem with a token in the place of any value, and can be planned', () => {
    for (const spec of tokenised(desired)) {
      expect(kind.check?.(spec) ?? [], JSON.stringify(spec)).toEqual([])
      expect(kind.checkAll?.([peerOf(kind, spec)]) ?? []).toEqual([])
      kind.advise?.([peerOf(kind, spec)])
      for (const half of ['new', 'old', 'next', 'late'] as const) kind.place?.(spec, half)
      expect([kind.naturalKey(spec), ...(kind.needs?.(spec, '9') ?? []), ...(kind.provides?.(spec, '9') ?? [])].every((text) => text !== '')).toBe(true)
      expect(JSON.stringify(kind.price?.(spec, () => undefined, compat) ?? null)).not.toContain('token')
      expect(Object.values(kind.quota?.(spec, () => undefined) ?? {}).every(Number.isSafeInteger)).toBe(true)
      expect(kind.steps(wantedView(kind, { desired: spec, live: found(kind) }))[0]?.creates).toBe(kind.adopted === undefined ? true : undefined)
    }
  })
  test('is listed in a plan as it is carried out, with bodies that the routes take', () => {
    const planned = kind.steps(wantedView(kind, { desired, live: found(kind), workspaceId: placeOf(example) })).map((step) => step.name)
    const { done } = runSteps(kind, desired, { recorded: {}, live: found(kind), workspaceId: placeOf(example) }, made(kind))
    expect(done.map((step) => step.name)).toEqual(planned)
    expect(new Set(planned).size).toBe(planned.length)
    expect(planned).not.toEqual([])
    expect(done.map((step) => step.creates === true)).toEqual(done.map((_, index) => index === 0 && kind.adopted === undefined))
    for (const step of done) expectValidBody(step)
  })
  test('comes to each change by steps that do not repeat', () => {
    const { recorded } = runSteps(kind, desired, { recorded: {}, live: found(kind), workspaceId: placeOf(example) }, made(kind))
    for (const [index, spec] of afterEach(kind, example).entries()) {
      const field = Object.keys(example.changes ?? {})[index] ?? ''
      const { immutable, createOnly, local } = kind.fields[field] ?? {}
      if (immutable || createOnly || local) continue
      const run = runSteps(kind, spec, { recorded, live: made(kind) }, undefined)
      const names = run.done.map((step) => step.name)
      expect(names, field).not.toEqual([])
      expect(new Set(names).size).toBe(names.length)
      expect(run.done.some((step) => step.creates)).toBe(false)
      for (const step of run.done) expectValidBody(step)
    }
  })
  test('is left by steps that end with the removal, if there is one', () => {
    const steps = kind.removal({ id: '1', workspaceId: '9', recorded: desired, live: made(kind), fresh: false, nowMs: 0 })
    expect(steps.findIndex((step) => step.removes)).toBe(steps.length - 1)
  })
})

test('after any prefix of the steps, the same question gives the rest', () => {
  const anyCase = fc.nat(cases.length - 1).chain((index) => {
    const { kind, example } = at(index)
    const optional = Object.keys(example.spec).filter((name) => kind.spec.shape[name] instanceof z.ZodOptional)
    const left = fc.subarray(optional)
    return fc.record({ index: fc.constant(index), before: left, after: left })
  })
  fc.assert(
    fc.property(anyCase, ({ index, before, after }) => {
      const { kind, example } = at(index)
      const without = (spec: Fields, names: readonly string[]) =>
        resolve(kind, Object.fromEntries(Object.entries(spec).filter(([name]) => !names.includes(name))))
      const first = runSteps(kind, without(example.spec, before), { recorded: {}, live: found(kind) }, made(kind))
      const mutable = Object.entries(example.changes ?? {}).filter(([name]) => !kind.fields[name]?.immutable)
      const desired = without({ ...example.spec, ...Object.fromEntries(mutable) }, after)
      const planned = kind.steps(wantedView(kind, { desired, recorded: first.recorded, live: made(kind), fresh: false }))
      const { done, recorded } = runSteps(kind, desired, { recorded: first.recorded, live: made(kind) }, undefined)
      expect(done.map((step) => step.name)).toEqual(planned.map((step) => step.name))
      expect(kind.steps(wantedView(kind, { desired, recorded, live: made(kind), fresh: false }))).toEqual([])
    }),
    { numRuns: 500 },
  )
})
