// Refusals say what was wrong: the first issue in the reason, all of them as fields.
import { expect, test } from 'vitest'
import { found, messageOf, misfit } from './refusal.ts'

test('a misfit names the first field, unless it is the whole', () => {
  const issues = [
    { path: ['ports', 0, 'name'], message: 'too short' },
    { path: [], message: 'too much' },
  ]
  expect(misfit('the body does not fit', issues)).toMatchObject({
    status: 400,
    message: 'the body does not fit: ports.0.name: too short',
    fields: [
      { field: 'ports.0.name', message: 'too short' },
      { field: '', message: 'too much' },
    ],
  })
  expect(misfit('the body does not fit', issues.slice(1)).message).toBe('the body does not fit: too much')
})

test('what is not found is a 404, and an error says what it can', () => {
  expect(() => found(undefined, 'VPC')).toThrow(expect.objectContaining({ status: 404, message: 'VPC not found' }))
  expect([found(0, 'number'), messageOf(new Error('why')), messageOf('thrown')]).toEqual([0, 'why', 'thrown'])
})
