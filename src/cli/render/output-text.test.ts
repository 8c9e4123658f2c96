// Outputs as people read them.
import { expect, test } from 'vitest'
import { outputLines } from './output-text.ts'

test('outputs stand in order of their names, and what is sensitive is hidden however deep it goes', () => {
  const lines = outputLines({
    web: { value: { host: 'web.example', password: 'hunter2' }, sensitive: true },
    address: { value: '192.0.2.1', sensitive: false },
    key: { value: 'hunter2', sensitive: true },
  })
  expect(lines.map((line) => line.split(' ')[0])).toEqual(['address', 'key', 'web'])
  expect(lines.join('\n')).toContain('192.0.2.1')
  expect(lines.join('\n')).not.toMatch(/hunter2|web\.example/)
})
