// What a client has to be told for readings that are not the first.
import { expect, test } from 'vitest'
import { compatFor } from './reading-compat.ts'

test('a reading asks for its settings, another one of the same name for none', () => {
  expect(compatFor({ arrayQuery: 'comma', detachPath: 'detach' })).toEqual({ array_query: 'comma', detach_ip: { path: '/v1/commands/detach' } })
  expect(compatFor({ arrayQuery: 'repeat', maxPageSize: 100, created: 200 })).toEqual({})
})

test('two readings that fill one setting have their members come together', () => {
  expect(compatFor({ ipMembers: 'words', detachPath: 'detach' })).toEqual({
    attach_ip: { ip: 'address', instance: 'instance' },
    detach_ip: { ip: 'address', path: '/v1/commands/detach' },
  })
})

test('what is no reading asks for nothing', () => {
  expect(compatFor({ clouds: 'words', '': 1 })).toEqual({})
})
