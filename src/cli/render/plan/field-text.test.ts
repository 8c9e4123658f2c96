// Sizes and names in plans: by the marks of the fields, in blocks of plans and of drift alike.
import { expect, test } from 'vitest'
import { kinds } from '../../../kinds/registry.ts'
import { fieldTextOf } from './field-text.ts'

const fieldText = fieldTextOf(kinds, { Plan: { '7': 'lightning-4', '8': 'a\u001b" b' } })

test.each([
  ['Instance', '/plan', '7', '"lightning-4" (7)'],
  ['Instance', '/plan', '8', '"a\\x1b\\" b" (8)'],
  ['Instance', '/plan', '9', undefined],
  ['Instance', '/plan', 'constructor', undefined],
  ['Instance', '/name', '7', undefined],
  ['Instance', '/memory_bytes', 4 * 1024 ** 3, '4 GiB'],
  ['Instance', '/storage/0/size_bytes', 60 * 1024 ** 3, '60 GiB'],
  ['Disk', '/size', 10 ** 10, '10 GB'],
  ['Disk', '/size', 1501, '1501 B'],
  ['Disk', '/size', 0, '0'],
  ['Disk', '/size', { $sensitive: true }, undefined],
  ['Nothing', '/size', 1501, undefined],
])('%s%s of %j is shown as %j', (kind, pointer, value, text) => {
  expect(fieldText(kind, pointer, value)).toBe(text)
})

test('sizes that were read exactly are sizes, too', () => {
  expect(fieldText('Disk', '/size', 2n ** 60n)).toBe('1024 PiB')
})
