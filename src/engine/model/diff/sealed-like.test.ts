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

test('objects of lists by what they are: items move, and a stranger among secrets counts as one', () => {
  const spec = { rows: [{ a: hidden('x'), b: 'y' }] }
  const first = { a: hidden('x'), b: 'y' }
  expect(seal({ rows: [{ a: 'x', b: 'y' }, { b: 'z' }] }, spec)).toEqual({ rows: [first, { b: 'z' }] })
  expect(
    seal(
      {
        rows: [
          { b: 'z', a: 'w' },
          { a: 'x', b: 'y' },
        ],
      },
      spec,
    ),
  ).toEqual({ rows: [{ b: 'z', a: hidden('w') }, first] })
})

test('a value that is sensitive in one item may stand in another in clear', () => {
  const rows = [
    { id: '1', port: hidden('80') },
    { id: '2', port: '80' },
  ]
  const live = rows.map(({ id }) => ({ id, port: '80', more: 'x' }))
  const shown = rows.map((row) => ({ ...row, more: 'x' }))
  expect(seal({ rows: live }, { rows })).toEqual({ rows: shown })
  expect(seal({ rows: live.toReversed() }, { rows })).toEqual({ rows: shown.toReversed() })
})

test('what is known as sensitive is so wherever it turns up, but where a spec says it in clear', () => {
  const spec = { commands: [{ path: '/a', args: ['--token', hidden('s')] }], name: 'web' }
  const moved = { commands: [{ path: '/new' }, { path: '/a', args: ['--token', 's'] }], name: 'web' }
  expect(seal(moved, spec)).toEqual({ commands: [{ path: '/new' }, { path: '/a', args: ['--token', hidden('s')] }], name: 'web' })
  const told = { commands: [{ path: '/a', args: ['--token', 'other'], note: 's' }], name: 's', description: 's', nested: { of: ['s'] } }
  expect(JSON.stringify(seal(told, spec))).not.toMatch(/"(s|other)"/)
  expect(seal({ name: 's', description: 's' }, { name: 's', description: hidden('s') })).toEqual({ name: 's', description: hidden('s') })
})

test('either spec may say so: what was sensitive at the last apply is not shown by the next', () => {
  expect(seal({ description: 'x' }, { description: 'y' }, { description: hidden('x') })).toEqual({ description: hidden('x') })
})

test('a list may hold a value once in clear and once as a secret', () => {
  const spec = { args: ['same', hidden('same')] }
  expect(seal({ args: ['same', 'same'] }, spec)).toEqual(spec)
  expect(seal({ args: ['same', 'same'] }, spec, { args: [hidden('same'), 'same'] })).toEqual(spec)
  expect(seal({ args: ['other', 'same', 'same'] }, spec)).toEqual({ args: [hidden('other'), hidden('same'), hidden('same')] })
})
