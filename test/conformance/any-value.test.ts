// An expression may give anything to any field: it is taken for what it is, or refused in words and with its place before a request is made of it.
import { describe, expect, test } from 'vitest'
import { encodeCall } from '../../src/api/calls/encode.ts'
import { catalogue } from '../../src/base/catalogue.ts'
import type { Diagnostic } from '../../src/base/diagnostic.ts'
import { Failure } from '../../src/base/diagnostic.ts'
import { isObject } from '../../src/base/json.ts'
import type { JsonValue } from '../../src/base/json.ts'
import { tokenText } from '../../src/base/token.ts'
import { injectSecrets } from '../../src/engine/model/diff/inject-secrets.ts'
import { stepsOf } from '../../src/engine/plan/change.ts'
import type { Prepared } from '../../src/engine/plan/prepared-plan.ts'
import type { StateDocument } from '../../src/state/record.ts'
import { drawn, isLongForm, turnOf } from '../builders/long-form.ts'
import { load, manifest } from '../builders/project.ts'
import { fields, given, stages, values, ways } from './any-field.ts'
import type { Field, Stage, Way } from './any-field.ts'
import { createPlace } from './place.ts'
import type { Place } from './place.ts'
import type { Subject } from './subject.ts'
import { asked } from './traffic.ts'

interface Case {
  readonly field: Field
  readonly value: string
  readonly way: Way
}

// All values to all fields, each in one of the ways: another one with another seed.
const turn = turnOf('the way of a value', ways.length)
const cases: readonly Case[] = fields.flatMap((field, at) =>
  values.map((value, index) => ({ field, value, way: ways[(at + index + turn) % ways.length] ?? 'there' })),
)
const patienceMs = isLongForm ? 600_000 : 30_000
const titleOf = ({ field, value, way }: Case, stage: Stage): string => `${field.title} given ${value} ${way}, known when ${stage}`
const source = manifest('Vpc', 'source', 'name: source\ndescription: what is made in the same apply\nrange: 10.99.0.0/24', 'workspace: { name: default }')

/** What stands beside a subject, made once; every apply begins from there. */
interface Stand {
  readonly place: Place
  readonly document: StateDocument | undefined
  readonly snapshot: unknown
}
const stands = new Map<string, Promise<Stand>>()

async function standOf(subject: Subject): Promise<Stand> {
  const make = async (): Promise<Stand> => {
    const place = await createPlace({ title: 'in process', http: false, readings: {} }, subject)
    const person = place.person()
    if ((subject.example.beside ?? []).length > 0) await person.apply(subject.beside)
    return { place, document: await person.document(), snapshot: place.sandbox.snapshot() }
  }
  const found = stands.get(subject.title) ?? make()
  stands.set(subject.title, found)
  return found
}

function textsOf({ field, value, way }: Case, stage: Stage): Readonly<Record<string, string>> {
  const texts = field.subject.texts({ spec: given(field, value, stage, way) })
  return stage === 'applying' ? { ...texts, 'source.yaml': source } : texts
}

/** What was said of a case, or the plan that was made of it. */
type Judged = { readonly errors: readonly Diagnostic[] } | { readonly prepared: Prepared }

/** Loads and plans a case. */
async function judged(one: Case, stage: Stage): Promise<Judged> {
  const { subject } = one.field
  const texts = textsOf(one, stage)
  const environment = Object.fromEntries(Object.entries(subject.variables).map(([name, text]) => [`IAC_VAR_${name}`, text]))
  const { project, diagnostics } = load(texts, { sandbox: true, variables: { flags: [], files: [], environment } })
  if (!project) return { errors: errorsOf(diagnostics) }
  const { place, document } = await standOf(subject)
  try {
    const prepared = await place.person(document).plan(texts)
    const errors = errorsOf(prepared.plan.diagnostics)
    return errors.length > 0 ? { errors } : { prepared }
  } catch (error) {
    if (error instanceof Failure) return { errors: errorsOf(error.diagnostics) }
    throw error
  }
}

const errorsOf = (found: readonly Diagnostic[]): readonly Diagnostic[] => found.filter((one) => one.severity === 'error')

/** What is wrong with how a case was judged: an error that is none of the manifests or has no place, a call that cannot be sent. */
function faultsOf(found: Judged): readonly string[] {
  if ('prepared' in found) return unsendable(found.prepared)
  const wrong = found.errors.filter((one) => catalogue[one.code].exit !== 3 || one.position?.line === undefined)
  return wrong.map((one) => `${one.code} at ${one.position?.line ?? 'no place'}: ${one.summary}`)
}

/** Calls of a plan that are known throughout and do not fit their route. */
function unsendable({ planned, secrets, input }: Prepared): readonly string[] {
  return planned.flatMap((one) => {
    const known = new Map([...secrets, [tokenText({ is: 'unknown', place: one.address }), '1']])
    return stepsOf(one, false).flatMap((step) => {
      const filled = injectSecrets(step.call, known, () => undefined)
      try {
        if ('call' in filled) encodeCall(filled.call, step.call.route.methods[0] ?? 'GET', 'repeat', input.compat)
        return []
      } catch (error) {
        return [error instanceof Error ? error.message : 'something was thrown']
      }
    })
  })
}

/** What is wrong with a case, as lines of a report; what is thrown is among it. */
async function reported(one: Case, stage: Stage, look: (one: Case, stage: Stage) => Promise<readonly string[]>): Promise<readonly string[]> {
  try {
    return (await look(one, stage)).map((fault) => `${titleOf(one, stage)}: ${fault}`)
  } catch (error) {
    return [`${titleOf(one, stage)}: ${error instanceof Error ? (error.stack ?? error.message) : 'something was thrown'}`]
  }
}

/** What is wrong with how a value that only the apply knows is taken: as it would have been when planning, or refused before anything is sent for it. */
async function lateFaultsOf(one: Case): Promise<readonly string[]> {
  const { place, snapshot } = await standOf(one.field.subject)
  place.sandbox.load(snapshot)
  const early = await judged(one, 'planning')
  const late = await judged(one, 'applying')
  if ('errors' in late) return [...faultsOf(early), ...faultsOf(late)]
  const { subject } = one.field
  const { document } = await standOf(subject)
  const person = place.person(document)
  place.traffic.take()
  const done = await person.apply(textsOf(one, 'applying'))
  const failed = (done.outcome?.failed ?? []).filter((found) => found.address === subject.address)
  const sent = place.traffic.take().filter(({ method, path, body }) => method !== 'GET' && !asked.has(path) && !isOfSource(body))
  const broken = [...done.diagnostics, ...failed].filter((found) => /cannot be sent/.test(found.summary) || /^ +at /m.test(found.detail ?? ''))
  // What is not there the service refuses, too, and by then it may be there.
  if ('errors' in early && early.errors.some((one) => one.code !== 'unsupported_change')) {
    const lost = failed.filter((found) => found.position === undefined || catalogue[found.code].exit !== 3)
    return [
      ...(failed.length === 0 ? [`taken, though planning says ${early.errors[0]?.summary}`] : []),
      ...sent.map(({ method, path }) => `${method} ${path} was sent, though planning says ${early.errors[0]?.summary}`),
      ...lost.map((found) => `${found.code} at ${found.position?.line ?? 'no place'}: ${found.summary}`),
    ]
  }
  const wrong = failed.filter((found) => catalogue[found.code].exit === 3)
  if (broken.length > 0 || wrong.length > 0) return [...broken, ...wrong].map((found) => `${found.code}: ${found.summary}, though planning says nothing`)
  if (failed.length > 0) return []
  const { plan } = await person.plan(textsOf(one, 'applying'))
  return plan.changes
    .filter((change) => change.action !== 'no-op')
    .map((change) => `${change.action} ${change.address} right after: ${JSON.stringify(change.patch)}`)
}

const isOfSource = (body: JsonValue | undefined): boolean => body !== undefined && isObject(body) && body['name'] === 'source'

test(
  'known while loading: a plan, or what is wrong with it',
  async () => {
    const faults: string[] = []
    for (const one of drawn(cases, 60, 'values while loading'))
      faults.push(...(await reported(one, 'loading', async (each) => faultsOf(await judged(each, 'loading')))))
    expect(faults).toEqual([])
  },
  patienceMs,
)

test(
  'known when planning, and known to the apply alone: the same is said of both',
  async () => {
    const faults: string[] = []
    for (const one of drawn(cases, 20, 'values that come late')) faults.push(...(await reported(one, 'applying', lateFaultsOf)))
    expect(faults).toEqual([])
  },
  patienceMs,
)

describe('a whole number is an id of as many digits, whenever it is known', () => {
  test.each(stages)('%s', async (stage) => {
    const field = fields.find(({ title }) => title === 'Instance /vpcs/0')
    if (!field) throw new Error('no such field')
    const found = await judged({ field, value: '9007199254740993', way: 'within' }, stage)
    const said = 'prepared' in found ? found.prepared.plan.changes.find((one) => one.address === 'Instance/subject')?.after?.['vpcs'] : found.errors
    expect(said).toEqual(stage === 'applying' ? [null] : [expect.objectContaining({ summary: 'Instance/subject: there is no Vpc with id 9007199254740993' })])
  })
})
