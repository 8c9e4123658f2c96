// The journal's bytes: there and back, torn at every byte, damaged at every byte.
import { describe, expect, test } from 'vitest'
import { intentOf } from '../../test/builders/journal.ts'
import { Failure } from '../base/diagnostic.ts'
import { tokenText } from '../base/token.ts'
import { decodeJournal, encodeEntries, encodeJournal } from './journal-file.ts'
import type { Entry } from './record.ts'
import { inClear } from './sealing.ts'

const header = { lineage: 'l', serial: 3 }
const digest = `hmac-sha256:${'ab'.repeat(32)}`
const first: Entry[] = [{ t: 'seen', kind: 'Vpc', workspace_id: null, ids: ['1', 'ü'] }]
const second: Entry[] = [{ t: 'done', seq: 1, id: '2' }, intentOf(2, { sets: { password: tokenText({ is: 'digest', digest }) } })]

const start = encodeJournal(header, first, inClear)
const whole = Buffer.concat([start.bytes, encodeEntries(start.chain, second, inClear).bytes])

function damageOf(bytes: Uint8Array): string {
  try {
    decodeJournal(bytes, '/s/state.json.journal', inClear)
  } catch (error) {
    if (error instanceof Failure && error.exitCode === 9) return error.diagnostics[0]?.detail ?? ''
    throw error
  }
  return 'none'
}

describe('the journal', () => {
  test('reads back what was written, digests not in clear form of a token', () => {
    const journal = decodeJournal(whole, 'j', inClear)
    expect(journal).toMatchObject({ header, entries: [...first, ...second], torn: false })
    expect(journal.chain).toBe(encodeEntries(start.chain, second, inClear).chain)
    expect(whole.toString()).toContain(`{"$digest":"${digest}"}`)
    expect(decodeJournal(encodeJournal(header, [], inClear).bytes, 'j', inClear)).toMatchObject({ header, entries: [], torn: false })
  })

  test('is written anew in several lines where it is long', () => {
    const many = Array.from({ length: 2500 }, (_, seq): Entry => ({ t: 'done', seq, id: '2' }))
    const { bytes, chain } = encodeJournal(header, many, inClear)
    const lines = Buffer.from(bytes).toString().trimEnd().split('\n')
    expect([lines.length, Math.max(...lines.map((one) => one.length)) < bytes.length / 2]).toEqual([4, true])
    expect(decodeJournal(bytes, 'j', inClear)).toEqual({ header, entries: many, torn: false, chain })
  })

  test('gives the lines before a last one that was cut off anywhere, and says so', () => {
    for (let length = start.bytes.length + 1; length < whole.length; length += 1) {
      expect(decodeJournal(whole.subarray(0, length), 'j', inClear)).toMatchObject({ entries: first, torn: true, chain: start.chain })
    }
    const hole = Buffer.from(whole)
    hole.fill(0, start.bytes.length + 10, start.bytes.length + 30)
    expect(decodeJournal(hole, 'j', inClear)).toMatchObject({ entries: first, torn: true })
  })

  test('is damaged where any byte of a line differs, the last line included', () => {
    for (let at = 0; at < whole.length - 1; at += 1) {
      const bytes = Buffer.from(whole)
      bytes[at] = (bytes[at] ?? 0) ^ 1
      expect(damageOf(bytes)).not.toBe('none')
    }
  })

  test('is damaged where a line is missing, repeated, or of another journal', () => {
    const lines = whole.toString().split(/(?<=\n)/)
    expect(lines).toHaveLength(3)
    expect(damageOf(Buffer.from([lines[0], lines[2]].join('')))).toContain('does not fit')
    expect(damageOf(Buffer.from([lines[0], lines[1], lines[1]].join('')))).toContain('does not fit')
    const other = encodeJournal({ lineage: 'other', serial: 3 }, first, inClear)
      .bytes.toString()
      .split(/(?<=\n)/)
    expect(damageOf(Buffer.from([lines[0], other[1]].join('')))).toContain('does not fit')
  })

  test('is damaged where it is empty, has no header, or holds what is no entry', () => {
    expect(damageOf(Buffer.alloc(0))).toContain('first line')
    expect(damageOf(whole.subarray(0, 20))).toContain('first line')
    const forged: Entry[] = JSON.parse('[{"t":"done","seq":1,"id":"2","more":true}]')
    expect(damageOf(encodeJournal(header, forged, inClear).bytes)).toContain('0')
    const deep = [intentOf(2, { sets: { a: JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`) } })]
    expect(damageOf(encodeJournal(header, deep, inClear).bytes)).not.toBe('none')
  })
})
