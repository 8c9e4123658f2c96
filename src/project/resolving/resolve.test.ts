// What becomes of a spec: known, unknown, sensitive and known-once values, and what is said of wrong ones.
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { load, loaded, manifest, mistakes, resource, scopeOf } from '../../../test/builders/project.ts'
import { tokenText } from '../../base/token.ts'
import { ref, secret } from '../../kinds/definition/fields.ts'
import { defineKind } from '../../kinds/definition/kind.ts'
import { defineShape } from '../../kinds/definition/shape.ts'

const spec = z.strictObject({
  name: z.string().min(2),
  size: z.int().max(100).optional(),
  ratio: z.number().optional(),
  image: z.string().regex(/^\d+$/).optional(),
  password: secret(z.string().min(8)).optional(),
  tags: z.record(z.string(), z.string()).optional(),
  ports: z.array(z.strictObject({ port: z.int(), proto: z.enum(['TCP', 'UDP']).default('TCP') })).optional(),
  peer: ref('Thing').nullable().optional(),
})
const Thing = defineKind({
  name: 'Thing',
  plural: 'things',
  about: 'a thing',
  section: 'none',
  scope: 'account',
  spec,
  live: defineShape('Thing', () => z.object({ id: z.string() })),
  outputs: {
    id: { type: 'string', about: 'id' },
    address: { type: 'string', about: 'address' },
    parts: { type: 'list', about: 'parts' },
    code: { type: 'string', about: 'code', sensitive: true, once: true },
  },
  examples: [],
  list: () => Promise.resolve([]),
  read: () => Promise.resolve(undefined),
  id: (one) => one.id,
  toSpec: () => ({}),
  outputsOf: () => ({}),
  status: () => 'ready',
  naturalKey: (one) => String(one.name),
  check: (one) => (one.size === 13 ? [{ path: ['size'], message: 'thirteen is unlucky', hint: 'take 14' }] : []),
  steps: () => [],
  removal: () => [],
})
const options = { kinds: [Thing] }
const variables = {
  'iac.yaml': 'apiVersion: iac/v1\nkind: Project\nvariables:\n  pw: {type: string, sensitive: true, default: ""}\n  n: {default: 5}\n  text: {default: hi}\n',
}
const flags = { variables: { flags: [{ name: 'pw', text: 'hunter2-CANARY' }], files: [], environment: {} } }
const other = manifest('Thing', 'other', '')
const files = (text: string, metadata = '') => ({ ...variables, 'a.yaml': other + manifest('Thing', 'one', text, metadata) })
const one = (text: string, scope = scopeOf()) => resource(loaded(files(text), { ...options, ...flags }), 'Thing/one').resolve(scope)
const wrong = (text: string) => mistakes(files(text), { ...options, ...flags })
const digest = (value: unknown) => tokenText({ is: 'digest', digest: `hmac-sha256:${JSON.stringify(value)}` })
const unknownAt = (place: string) => tokenText({ is: 'unknown', place })

describe('known', () => {
  test('a spec that asks nothing of others is made once, any other by each scope anew', () => {
    const { resources } = loaded(files('size: ${vars.n}\ntags: {a: b}'), { ...options, ...flags })
    const alone = resources.find(({ address }) => address === 'Thing/one')
    expect(alone?.resolve(scopeOf())).toBe(alone?.resolve(scopeOf({ 'Thing/other.id': '7' })))
    const asking = resource(loaded(files('peer: other\nsize: "${vars.n + 1}"\ntags: {a: "${vars.text}!"}'), { ...options, ...flags }), 'Thing/one')
    expect(asking.resolve(scopeOf()).spec.peer).toBe(unknownAt('Thing/other'))
    expect(asking.resolve(scopeOf({ 'Thing/other.id': '7' })).spec).toEqual({ name: 'one', peer: '7', size: 6, tags: { a: 'hi!' } })
    const hidden = resource(loaded(files('password: "${vars.pw}"'), { ...options, ...flags }), 'Thing/one')
    expect(hidden.resolve({ ...scopeOf(), digest: () => 'hmac-sha256:other' }).spec.password).toBe(tokenText({ is: 'digest', digest: 'hmac-sha256:other' }))
    expect(hidden.resolve(scopeOf()).spec.password).toBe(digest('hunter2-CANARY'))
  })

  test('names and nested defaults are filled in, nulls of absent fields dropped', () => {
    expect(one('ports: [{port: 1}, {port: 2, proto: UDP}]\nsize: null\npeer: null').spec).toEqual({
      name: 'one',
      ports: [
        { port: 1, proto: 'TCP' },
        { port: 2, proto: 'UDP' },
      ],
      peer: null,
    })
  })

  test('types are kept by one expression, text comes from several', () => {
    expect(one('size: ${vars.n}\nratio: ${1.5}\nname: "${vars.text}-${vars.n}$${x}"').spec).toEqual({ size: 5, ratio: 1.5, name: 'hi-5${x}' })
  })

  test('a bare integer is exact where digits stand', () => {
    expect(one('image: 9007199254740993').spec.image).toBe('9007199254740993')
  })

  test('an id in a reference may be computed, as a text or a whole number', () => {
    expect(one('peer: { id: "${vars.n}" }').spec.peer).toBe('5')
    expect(one('peer: { id: "${ string(vars.n) + \'7\' }" }').spec.peer).toBe('57')
    expect(wrong('peer: { id: "${vars.n + 0.5}" }')).toHaveLength(1)
    for (const text of ['../${vars.n}', "${ 'other' }"]) expect(wrong(`peer: { id: "${text}" }`)).toEqual([expect.stringMatching(/^\w+ 14:\d+ ".*" is no id$/)])
  })

  test('fields and outputs of others', () => {
    const scope = scopeOf({ 'Thing/other.address': '10.0.0.1', 'Thing/other.size': 7 })
    expect(one("name: ${Thing['other'].address}\nsize: ${Thing['other'].size + 1}", scope).spec).toEqual({ name: '10.0.0.1', size: 8 })
  })
})

describe('unknown', () => {
  test('is a token of its place, or of the object where it is an id', () => {
    const { spec: found, unresolved } = one("peer: other\nname: \"x-${Thing['other'].address}-${vars.text}\"\nimage: ${Thing['other'].id}")
    expect(found).toEqual({ name: unknownAt('Thing/one /name'), peer: unknownAt('Thing/other'), image: unknownAt('Thing/other') })
    expect(unresolved).toEqual({ '/name': 'x-${Thing[\'other\'].address}-${"hi"}', '/peer': "${Thing['other'].id}", '/image': "${Thing['other'].id}" })
  })

  test('leaves the rest of a list known, and is not judged', () => {
    const { spec: found, unresolved, problems } = one("tags: \"${{'a': 'b', 'c': Thing['other'].address}}\"\nsize: ${Thing['other'].size}")
    expect(problems).toEqual([])
    expect(found).toMatchObject({ tags: { a: 'b', c: unknownAt('Thing/one /tags/c') }, size: unknownAt('Thing/one /size') })
    expect(unresolved['/tags/c']).toBe("${({'a': 'b', 'c': Thing['other'].address})[\"c\"]}")
  })

  test('is nothing once it is known: resolving again gives values', () => {
    const text = 'name: "x-${Thing[\'other\'].address}"\npeer: other'
    expect(one(text, scopeOf({ 'Thing/other.address': 'a', 'Thing/other.id': 12 }))).toMatchObject({ spec: { name: 'x-a', peer: '12' }, unresolved: {} })
  })
})

describe('sensitive', () => {
  test('is a digest with the value beside it, computed texts too', () => {
    const { spec: found, secrets } = one('password: ${vars.pw}\ntags: {a: "x${vars.pw}"}\nsize: ${vars.pw.size()}')
    expect(found).toMatchObject({ password: digest('hunter2-CANARY'), tags: { a: digest('xhunter2-CANARY') }, size: digest(14) })
    expect(Object.fromEntries(secrets)).toEqual({
      [digest('hunter2-CANARY')]: 'hunter2-CANARY',
      [digest('xhunter2-CANARY')]: 'xhunter2-CANARY',
      [digest(14)]: 14,
    })
  })

  test('literals in secret fields too', () => {
    expect(one('password: literal-one').spec.password).toBe(digest('literal-one'))
  })

  test('is validated, never quoted', () => {
    const found = wrong('size: ${vars.pw}\npassword: short')
    expect(found.filter((text) => !text.startsWith('secret_literal'))).toEqual([
      'invalid_value 14:9 size must be a number, got a value that is not shown',
      'invalid_value 15:13 password must have at least 8 characters, got a value that is not shown',
    ])
    expect(found.join()).not.toMatch(/CANARY|short/)
  })

  test('beside what is wrong hides the line', () => {
    const flow = (text: string) => loadFlow(`spec: {size: 101, ${text}}`)
    expect(flow('ratio: 1')).toMatch(/size: 101/)
    expect(flow('password: "CANARY-x"')).not.toMatch(/CANARY/)
  })

  test('in a name is an error', () => {
    const says = ['sensitive_name 14:9 a sensitive value cannot stand in name, by which the object is found again']
    expect(wrong('name: ${vars.pw}')).toEqual(says)
    expect(wrong('name: "${vars.pw} ${Thing[\'other\'].address}"')).toEqual(says)
  })
})

describe('known once', () => {
  const token = tokenText({ is: 'once', address: 'Thing/other', id: '5', output: 'code' })
  const scope = (value: string | undefined) => scopeOf({}, {}, { 'Thing/other.code': { is: 'once', token, value } })

  test('is its origin whether the value is at hand or not', () => {
    const held = one("password: ${Thing['other'].code}", scope('CANARY-code'))
    expect([held.spec.password, held.secrets.get(token)]).toEqual([token, 'CANARY-code'])
    const lost = one("password: ${Thing['other'].code}", scope(undefined))
    expect([lost.spec.password, lost.secrets.size, lost.problems]).toEqual([token, 0, []])
  })

  test('text around it is part of the origin', () => {
    const at = (text: string, value: string | undefined) => one(`password: "${text}\${Thing['other'].code}"`, scope(value)).spec.password
    expect([at('x', 'CANARY-code') === at('x', undefined), at('x', undefined) === at('y', undefined)]).toEqual([true, false])
    expect(JSON.stringify(at('x', 'CANARY-code'))).not.toContain('CANARY')
  })
})

describe('wrong', () => {
  test.each([
    ['size: 101', 'invalid_value 14:9 size must be at most 100, got 101'],
    ['size: 13', 'invalid_value 14:9 thirteen is unlucky'],
    ['size: ${vars.text}', 'invalid_value 14:9 size must be a number, got the text "hi"'],
    ['size: ${2.0}', 'invalid_value 14:9 an integer is expected here, got a number with a fraction'],
    ['tags: {a: "x${vars.txt}"}', "unknown_variable 14:22 no variable 'txt' is declared"],
    ['tags: |\n  a\n  b ${vars.n +}', 'expression 16:17 unexpected token'],
    ['name: "${Thing[\'othr\'].id}"', "unknown_reference 14:18 no Thing named 'othr' is declared"],
    ['ports: [{port: 1, prot: TCP}]', 'unknown_field 14:21 no field "prot" exists here'],
    ['tags: {a: "${json(Thing[\'other\'])}"}', 'expression 14:13 a value that is told once stands in fields that hold secrets alone'],
    ['ports: [{}]', 'missing_field 14:11 the field port is missing'],
    ['tags: {a: "${[1]}x"}', 'expression 14:16 a list cannot stand in text; write json(…)'],
    ['tags: {a: "${file(\'none\')}"}', 'expression 14:16 file "none" cannot be read: it does not exist'],
  ])('%s', (text, expected) => {
    expect(wrong(text)[0]).toContain(expected)
  })
})

function loadFlow(text: string): string {
  const { diagnostics } = load(`apiVersion: iac/v1\nkind: Thing\nmetadata: {name: one}\n${text}\n`, options)
  return JSON.stringify(diagnostics.filter((found) => found.code === 'invalid_value'))
}
