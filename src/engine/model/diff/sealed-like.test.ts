// What stands in the place of live values that a manifest calls sensitive.
import { expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../../base/json.ts'
import { tokenText } from '../../../base/token.ts'
import { Vpc } from '../../../kinds/vpc.ts'
import { sealedLike } from './sealed-like.ts'

const digest = (value: JsonValue): string => `hmac-sha256:${JSON.stringify(value)}`
const hidden = (value: string): string => tokenText({ is: 'digest', digest: digest(value) })
const seal = (seen: JsonObject, ...specs: JsonObject[]) => sealedLike({ kind: Vpc, workspaceId: '1', id: '2', live: {}, seen }, specs, digest).seen

test('a field that holds a digest is sealed, whatever live shows there', () => {
  expect(seal({ name: 'plain', description: 'drifted' }, { name: 'plain', description: hidden('old') })).toEqual({
    name: 'plain',
    description: hidden('drifted'),
  })
})

test('members of maps are sealed one by one, and what is empty stays', () => {
  const spec = { env: { TOKEN: hidden('a'), PLAIN: 'b', GONE: hidden('c') } }
  expect(seal({ env: { TOKEN: 'a', PLAIN: 'b', MORE: 'd' }, other: null }, spec)).toEqual({
    env: { TOKEN: hidden('a'), PLAIN: 'b', MORE: 'd' },
    other: null,
  })
  expect(seal({ description: null }, { description: hidden('a') })).toEqual({ description: null })
})

test('in lists by value, so that another order is the same', () => {
  const spec = { args: [hidden('secret'), '--verbose'] }
  expect(seal({ args: ['--verbose', 'secret'] }, spec)).toEqual({ args: ['--verbose', hidden('secret')] })
  expect(seal({ args: ['--verbose', 'another'] }, spec)).toEqual({ args: ['--verbose', hidden('another')] })
  expect(seal({ args: ['plain', 'also'] }, { args: ['plain'] })).toEqual({ args: ['plain', 'also'] })
})

test('in objects of lists by place', () => {
  expect(seal({ rows: [{ a: 'x', b: 'y' }, { a: 'z' }] }, { rows: [{ a: hidden('x') }] })).toEqual({ rows: [{ a: hidden('x'), b: 'y' }, { a: 'z' }] })
})

test('either spec may say so: what was sensitive at the last apply is not shown by the next', () => {
  expect(seal({ description: 'x' }, { description: 'y' }, { description: hidden('x') })).toEqual({ description: hidden('x') })
})
