// Any field may hold something sensitive: what stands in it is nowhere in the state, by whatever way it is told again.
import { expect, test } from 'vitest'
import { isList, isObject, stringifyJson } from '../../src/base/json.ts'
import type { JsonValue } from '../../src/base/json.ts'
import { readToken } from '../../src/base/token.ts'
import { toJson } from '../../src/engine/model/live.ts'
import { celLiteral } from '../../src/project/resolving/filled.ts'
import { drawn, isLongForm } from '../builders/long-form.ts'
import { load, manifest } from '../builders/project.ts'
import { brief } from '../scenarios/stage.ts'
import { fields, given } from './any-field.ts'
import type { Field } from './any-field.ts'
import { createPlace } from './place.ts'

/** A text or number in a place of a subject's spec. */
interface Secret {
  readonly field: Field
  readonly value: string | number
}

// What operators alone make stands in no workspace.
const secrets = fields.filter(({ subject }) => !subject.staff).flatMap(secretsOf)
const most = isLongForm ? secrets.length : 30

function secretsOf(field: Field): readonly Secret[] {
  const { subject, path } = field
  const value = dig(subject.filled(subject.example.spec), path)
  return typeof value === 'string' || typeof value === 'number' ? [{ field, value }] : []
}

function dig(value: JsonValue | undefined, path: readonly (string | number)[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>((at, part) => {
    if (isList(at)) return at[Number(part)]
    return isObject(at) && Object.hasOwn(at, String(part)) ? at[String(part)] : undefined
  }, value)
}

/** The project with the secret, a Vpc and an output that tell it, and one more Vpc that can tell it once the subject is made. */
function textsOf({ field: { subject, path, ...field }, value }: Secret): Readonly<Record<string, string>> {
  const whole = { subject, path, ...field }
  const texts = subject.texts({ spec: given(whole, celLiteral(typeof value === 'number' ? BigInt(value) : value), 'loading', 'sensitive') })
  const it = `${subject.kind.name}['subject']`
  const member = `${it}${path.map((one) => (typeof one === 'number' ? `[${one}]` : `.${one}`)).join('')}`
  const vpc = (name: string, octet: number, text: string): string =>
    manifest('Vpc', name, `name: ${name}\ndescription: "${text}"\nrange: 10.${octet}.0.0/24`, 'workspace: { name: default }')
  return {
    ...texts,
    'iac.yaml': (texts['iac.yaml'] ?? '').replace(/\}\s*$/, `, "outputs": { "direct": { "value": "\${${member}}" } } }`),
    'teller.yaml': vpc('teller', 98, `told \${${member}}`),
    'later.yaml': vpc('later', 97, `told \${${member}} of \${${it}.id}`),
  }
}

/** Where it stands in clear in what an apply left, as lines of a report; undefined where a manifest may not say it so. */
async function shownBy(secret: Secret): Promise<readonly string[] | undefined> {
  const { subject, path, title } = secret.field
  const texts = textsOf(secret)
  const environment = Object.fromEntries(Object.entries(subject.variables).map(([name, text]) => [`IAC_VAR_${name}`, text]))
  if (!load(texts, { sandbox: true, variables: { flags: [], files: [], environment } }).project) return undefined
  const place = await createPlace({ title: 'in process', http: false, readings: {} }, subject)
  try {
    const person = place.person()
    const done = await person.apply(texts)
    const document = await person.document()
    const recordOf = (address: string) => document?.resources.find((one) => one.address === address)
    const told = {
      spec: dig(recordOf(subject.address)?.spec, path),
      outputs: recordOf(subject.address)?.outputs[String(path[0])],
      teller: recordOf('Vpc/teller')?.spec['description'],
      later: recordOf('Vpc/later')?.spec['description'],
      direct: toJson(document?.outputs['direct'] ?? null),
    }
    const text = stringifyJson(secret.value).replaceAll('"', '')
    return [
      ...done.diagnostics.filter((one) => one.severity === 'error').map((one) => one.summary),
      ...Object.entries(told).flatMap(([where, one]) =>
        stringifyJson(withoutDigests(one ?? null)).includes(text) ? [`${where} shows ${stringifyJson(one ?? null)}`] : [],
      ),
      ...(told.teller === undefined || told.later === undefined ? ['nobody was told'] : []),
      ...brief((await person.plan(texts)).plan),
    ].map((line) => `${title}: ${line}`)
  } finally {
    await place.close()
  }
}

function withoutDigests(value: JsonValue): JsonValue {
  if (readToken(value)?.is === 'digest') return null
  if (isList(value)) return value.map(withoutDigests)
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withoutDigests(one)])) : value
}

test(
  'the state tells of none',
  async () => {
    const reports: (readonly string[] | undefined)[] = []
    for (const one of drawn(secrets, most, 'secret fields')) reports.push(await shownBy(one))
    const allowed = reports.filter((report) => report !== undefined)
    expect(allowed.flat()).toEqual([])
    // Names and references may hold none.
    expect(allowed.length).toBeGreaterThan(most / 4)
  },
  isLongForm ? 600_000 : 60_000,
)
