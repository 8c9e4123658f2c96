// Where marks stand in an object that a state holds digests of.
import { expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../base/json.ts'
import { tokenText } from '../../base/token.ts'
import { Vpc } from '../../kinds/vpc.ts'
import { concealing } from './concealed.ts'

const digest = (value: JsonValue): string => `hmac-sha256:${JSON.stringify(value)}`
const hidden = (value: JsonValue): string => tokenText({ is: 'digest', digest: digest(value) })
const mark = { $sensitive: true }
const object = (seen: JsonObject) => ({ kind: Vpc, workspaceId: '1', id: '2', live: {}, seen })
const conceal = (seen: JsonObject, spec: JsonObject) => concealing(object(seen), { digest, specsOf: () => [spec] })

test('in its place, in lists and maps too', () => {
  const seen = { name: 'main', args: ['--token', 'hunter2', 80], env: { A: 'b', C: 'long secret' } }
  const spec = { name: 'main', args: ['--token', hidden('hunter2'), hidden(80)], env: { A: 'b', C: hidden('long secret') } }
  expect(conceal(seen, spec)?.(seen)).toEqual({ name: 'main', args: ['--token', mark, mark], env: { A: 'b', C: mark } })
})

test('in its place whatever stands there by now', () => {
  expect(conceal({ description: 'new' }, { description: hidden('old') })?.({ description: 'new', id: '2' })).toEqual({ description: mark, id: '2' })
})

test('wherever a record repeats or quotes it, and where the record holds the object as a member', () => {
  const told = conceal({ description: 'battery' }, { name: 'main', description: hidden('battery') })
  const record = { data: { description: 'other', name: 'main' }, live: { note: 'the battery, empty' }, list: ['battery'], count: 3, gone: null }
  expect(told?.(record)).toEqual({ data: { description: mark, name: 'main' }, live: { note: mark }, list: [mark], count: 3, gone: null })
})

test('a short text is hidden where it stands alone, and not in every other', () => {
  expect(conceal({ description: 'a' }, { description: hidden('a') })?.({ description: 'a', name: 'main', tag: 'a' })).toEqual({
    description: mark,
    name: 'main',
    tag: mark,
  })
})

test('nothing where the state holds no digest of the object, or is not known', () => {
  expect(conceal({ description: 'a' }, { description: 'a' })).toBeUndefined()
  expect(concealing(object({ description: 'a' }), undefined)).toBeUndefined()
  expect(concealing(object({ description: 'a' }), { digest, specsOf: () => [] })).toBeUndefined()
})
