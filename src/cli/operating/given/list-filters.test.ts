// Filters that a service passes over: what an object shows to be otherwise is left out.
import { expect, test } from 'vitest'
import { findKind } from '../../arguments/find-kind.ts'
import type { Given } from '../../arguments/flags.ts'
import { filteredBy, filterFlags } from './list-filters.ts'

const flags = filterFlags()

function filtered(kind: string, given: Readonly<Record<string, readonly string[]>>) {
  const found = findKind(kind)
  if (!found) throw new Error(`no kind ${kind}`)
  const read: Given = { arguments: [], switch: () => false, text: () => undefined, number: () => undefined, list: (name) => given[name] ?? [] }
  return filteredBy(found, read, flags)
}

test('there is a flag for each filter of any list, and none for pages', () => {
  expect(Object.keys(flags)).toEqual(expect.arrayContaining(['q', 'name', 'state', 'online', 'available', 'status', 'access-level', 'prefix', 'disabled']))
  for (const name of ['limit', 'page', 'sort', 'dir', 'after', 'before', 'id']) expect(Object.keys(flags)).not.toContain(name)
  expect(flags['state']).toMatchObject({ type: 'list', completes: expect.arrayContaining(['AVAILABLE', 'FAILED']) })
})

test('a query has the values that its route takes', () => {
  expect(filtered('instances', {})).toBeUndefined()
  expect(filtered('instances', { online: ['false'], state: ['available'], plan: ['7', '8'] })?.query).toEqual({
    online: false,
    state: 'AVAILABLE',
    plan: ['7', '8'],
  })
  expect(filtered('Disk', { backend: ['local'] })?.query).toEqual({ backend: ['LOCAL'] })
})

test.each([
  [{ online: ['false'] }, { online: true }, false],
  [{ online: ['false'] }, { online: false }, true],
  [{ online: ['false'] }, {}, true],
  [{ state: ['failed'] }, { state: 'AVAILABLE' }, false],
  [{ state: ['failed'] }, { state: 'failed' }, true],
  [{ name: ['web'] }, { name: 'web-1' }, true],
])('%j of %j: %s', (given, shown, fits) => {
  expect(filtered('instances', given)?.fits(shown)).toBe(fits)
})

test.each([
  ['instances', { plan: ['ryzen-4'] }, '--plan ryzen-4: it takes ids, as `iac get plans` shows them'],
  ['instances', { name: ['a', 'b'] }, '--name is given once; here it stands 2 times'],
  ['instances', { online: ['perhaps'] }, '--online perhaps: it is one of true, false'],
])('%s by %j: %s', (kind, given, words) => {
  expect(() => filtered(kind, given)).toThrow(words)
})
