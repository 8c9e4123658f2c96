// Instants in every form that they are sent in.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { instantMs } from './instant.ts'

test.each([
  ['2026-03-01T12:30:15Z', '2026-03-01T12:30:15.000Z'],
  ['2026-03-01T12:30:15.25Z', '2026-03-01T12:30:15.250Z'],
  ['2026-03-01T12:30:15,25+02:00', '2026-03-01T10:30:15.250Z'],
  ['2026-03-01T12:30:15', '2026-03-01T12:30:15.000Z'],
  ['2026-03-01T12:30Z', '2026-03-01T12:30:00.000Z'],
  ['2026-03-01T12:30-0530', '2026-03-01T18:00:00.000Z'],
  ['2026-03-01T12:30+02', '2026-03-01T10:30:00.000Z'],
  ['2026-03-01T12:30', '2026-03-01T12:30:00.000Z'],
  ['2026-03-01', '2026-03-01T00:00:00.000Z'],
  ['2024-02-29', '2024-02-29T00:00:00.000Z'],
])('%s is %s', (text, wanted) => {
  expect(new Date(instantMs(text)).toISOString()).toBe(wanted)
})

test.each([
  '',
  'now',
  '2026',
  '2026-03',
  '2026-02-29',
  '2026-04-31T12:00Z',
  '2026-13-01',
  '2026-03-01T24:00',
  '2026-03-01T12',
  '2026-03-01 12:30',
  '1 Mar 2026',
  '2026-03-01T12:30z ',
  ' 2026-03-01',
  '2026-03-01Z',
  '2026-03-01T12:60Z',
  '2026-03-01T12:30+2',
])('%j is no instant', (text) => {
  expect(instantMs(text)).toBeNaN()
})

test('what the program writes reads back, whatever zone the machine has', () => {
  fc.assert(
    fc.property(fc.date({ min: new Date(0), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true }), (date) => {
      const text = date.toISOString()
      expect(instantMs(text)).toBe(date.getTime())
      expect(instantMs(text.slice(0, -1))).toBe(date.getTime())
      expect(instantMs(text.slice(0, 16))).toBe(Math.floor(date.getTime() / 60_000) * 60_000)
      expect(instantMs(text.slice(0, 10))).toBe(Math.floor(date.getTime() / 86_400_000) * 86_400_000)
    }),
  )
})
