// Sealed texts: opened by their keys at their place alone, and nothing else is taken for one.
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { Failure } from '../base/diagnostic.ts'
import { readKeyText } from '../base/words/key-text.ts'
import { inClear, isSealed, sealedBy } from './sealing.ts'
import type { Sealing, SealingKey } from './sealing.ts'

function keyOf(text: string): SealingKey {
  const key = readKeyText(text)
  if (!key) throw new Error('no key')
  return key
}

const key = keyOf(Buffer.alloc(32, 1).toString('base64'))
const phrase = keyOf('a passphrase, longer than that')
const shown = { lineage: 'l', serial: 3 }
const place = ['state']

function by(...keys: readonly [SealingKey, ...SealingKey[]]): Sealing {
  return sealedBy({ keys, randomBytes })
}

function codeOf(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    if (error instanceof Failure) return `${error.exitCode} ${error.diagnostics[0]?.code}`
    throw error
  }
  return 'none'
}

test.each([
  ['32 bytes', key],
  ['a passphrase', phrase],
])('sealed by %s, a text is opened with what is shown, and another time looks otherwise', (_, one) => {
  const sealing = by(one)
  const kept = sealing.seal('{"a":"ü"}', place, shown)
  expect([isSealed(kept), JSON.parse(kept)]).toMatchObject([true, { format: 'iac-sealed/v1', lineage: 'l', serial: 3 }])
  expect(sealing.seal('{"a":"ü"}', place, shown)).not.toBe(kept)
  expect(by(one).open(kept, place, 'x')).toBe('{"a":"ü"}')
  expect([sealing.isCurrent(kept), inClear.isCurrent(kept), by(one).isCurrent('{}')]).toEqual([true, false, false])
})

test('altered at any place, put elsewhere, or cut, it is damaged', () => {
  const sealing = by(key)
  const kept = sealing.seal('some text', place, shown)
  const sealed = JSON.parse(kept)
  const flipped = (member: string): string => {
    const bytes = Buffer.from(sealed[member], 'base64')
    bytes.writeUInt8(bytes.readUInt8(0) ^ 1, 0)
    return JSON.stringify({ ...sealed, [member]: bytes.toString('base64') })
  }
  const texts = [
    ...['nonce', 'data'].map(flipped),
    JSON.stringify({ ...sealed, serial: 4 }),
    JSON.stringify({ ...sealed, lineage: 'other' }),
    JSON.stringify({ ...sealed, more: true }),
    JSON.stringify({ ...sealed, data: '' }),
    JSON.stringify({ ...sealed, data: 7 }),
    JSON.stringify({ ...sealed, format: 'iac-sealed/v2' }),
    kept.slice(0, -9),
  ]
  for (const text of texts) expect([text, codeOf(() => sealing.open(text, place, 'x'))]).toEqual([text, '9 state_damaged'])
  expect(codeOf(() => sealing.open(kept, ['journal'], 'x'))).toBe('9 state_damaged')
  expect(sealing.open(kept.replaceAll(',', ' ,\n '), place, 'x')).toBe('some text')
})

test('another key, no key, and a text in clear are told apart', () => {
  const kept = by(phrase).seal('text', place)
  expect(codeOf(() => by(key).open(kept, place, 'x'))).toBe('9 state_key')
  expect(codeOf(() => inClear.open(kept, place, 'x'))).toBe('9 state_key')
  expect(codeOf(() => by(key).open('text', place, 'x'))).toBe('9 state_unsealed')
  expect(sealedBy({ keys: [key], randomBytes, takesClear: true }).open('text', place, 'x')).toBe('text')
  expect(by(key, phrase).open(kept, place, 'x')).toBe('text')
  expect(by(key, phrase).isCurrent(kept)).toBe(false)
})

test('a passphrase has one salt for all that is kept, which later runs go on with', () => {
  const saltOf = (kept: string): string => JSON.parse(kept).salt
  const first = by(phrase)
  const kept = first.seal('text', place)
  const later = by(phrase)
  later.open(kept, place, 'x')
  expect(new Set([kept, first.seal('more', place), later.seal('more', place)].map(saltOf)).size).toBe(1)
  expect(saltOf(by(phrase).seal('text', place))).not.toBe(saltOf(kept))
})

test('a name is the same for one key, and says nothing', () => {
  expect(by(key).name('Vpc/main')).toBe(by(key, phrase).name('Vpc/main'))
  expect(by(key).name('Vpc/main')).not.toBe(by(key).name('Vpc/mail'))
  expect([by(key).name('Vpc/main').includes('main'), inClear.name('Vpc/main')]).toEqual([false, 'Vpc/main'])
})

test.each([
  ['', false],
  ['fifteen letters', false],
  ['sixteen letters!', true],
  [Buffer.alloc(32).toString('base64'), true],
])('a key is 32 bytes in base64, or a passphrase of 16 characters: %j', (text, isKey) => {
  expect(readKeyText(text) !== undefined).toBe(isKey)
})
