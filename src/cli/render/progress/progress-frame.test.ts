// The live frame fits every terminal.
import { describe, expect, test } from 'vitest'
import { fc } from '../../../../test/builders/properties.ts'
import type { Event } from '../../../engine/model/events.ts'
import { widthOf } from '../text/width.ts'
import { progressFrame } from './progress-frame.ts'
import { stillLine } from './progress-lines.ts'
import { createUnderWay } from './running-operations.ts'
import type { UnderWay } from './running-operations.ts'

function running(addresses: readonly string[]): UnderWay {
  const under = createUnderWay()
  under.take({ type: 'begin', operations: addresses.length })
  for (const address of addresses) {
    under.take({ type: 'start', address, task: 'make', action: 'create', id: null, atMs: 0 })
    const progress = { completed: 2, total: 6, activity: 'restore-image' }
    under.take({ type: 'progress', address, task: 'make', workflowId: 'w', progress, waitingFor: '', atMs: 10 })
  }
  return under
}

describe('the frame', () => {
  test('shows address, activity and elapsed time of each operation', () => {
    const lines = progressFrame(running(['Instance/web', 'Vpc/main']), { columns: 80, rows: 24 }, 65_000)
    expect(lines[0]).toBe('0 of 2 done, 2 running')
    expect(lines.slice(1).map((line) => line.replace(/ +/g, ' '))).toEqual([
      ' Instance/web creating 2/6 restore-image 1m5s',
      ' Vpc/main creating 2/6 restore-image 1m5s',
    ])
  })

  test('says each word once', () => {
    const under = running(['Instance/web'])
    const activityAfter = (step: string, activity: string | undefined, waitingFor = ''): string => {
      under.take({ type: 'step', address: 'Instance/web', task: 'make', step, workflowId: 'w', atMs: 20 })
      const progress = activity === undefined ? undefined : { completed: 1, total: 2, activity }
      under.take({ type: 'progress', address: 'Instance/web', task: 'make', workflowId: 'w', progress, waitingFor, atMs: 30 })
      return progressFrame(under, { columns: 80, rows: 24 }, 0)[1]?.trim().split(/ {2,}/)[1] ?? ''
    }
    expect(activityAfter('power on', 'power on')).toBe('creating: power on 1/2')
    expect(activityAfter('power on', 'verify')).toBe('creating: power on 1/2 verify')
    expect(activityAfter('power on', undefined, 'power on')).toBe('creating: power on')
    expect(activityAfter('update', undefined, 'busy object')).toBe('creating, waiting for busy object')
  })

  test('counts what does not fit: 30 operations on 80 by 24', () => {
    const lines = progressFrame(running(Array.from({ length: 30 }, (_, at) => `Instance/web-${at}`)), { columns: 80, rows: 24 }, 5000)
    expect(lines).toHaveLength(23)
    expect(lines.filter((line) => /^ {2}Instance\/web-\d+ .*creating.* 5s$/.test(line))).toHaveLength(21)
    expect(lines.at(-1)).toBe('  … and 9 more running')
  })

  test('never wraps, whatever the address, the activity and the terminal', () => {
    const address = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 300 }).map((text) => `Instance/${text}`)
    fc.assert(
      fc.property(
        fc.uniqueArray(address, { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 1, max: 200 }),
        fc.integer({ min: 1, max: 60 }),
        fc.nat(1e9),
        (addresses, columns, rows, nowMs) => {
          const lines = progressFrame(running(addresses), { columns, rows }, nowMs)
          for (const line of lines) expect(widthOf(line)).toBeLessThan(Math.max(columns, 2))
          expect(lines.length).toBeLessThan(Math.max(rows, 2))
          expect(lines.join('')).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/)
        },
      ),
    )
  })

  test('forgets what has ended', () => {
    const under = running(['Vpc/a', 'Vpc/b'])
    const ended: Event = { type: 'complete', address: 'Vpc/a', task: 'make', action: 'create', id: '1', elapsedMs: 5, scheduled: false }
    under.take(ended)
    expect(progressFrame(under, { columns: 80, rows: 24 }, 0)).toHaveLength(2)
    expect(progressFrame(under, { columns: 80, rows: 24 }, 0)[0]).toBe('1 of 2 done, 1 running')
  })
})

test('what failed, what was stopped and what was not begun are counted apart', () => {
  const under = running(['Vpc/a', 'Vpc/b', 'Vpc/c', 'Vpc/d', 'Vpc/e'])
  const ended = (address: string, stopped: boolean): Event => ({
    type: 'failed',
    address,
    task: 'make',
    action: 'create',
    elapsedMs: 5,
    diagnostics: [],
    inFlight: false,
    stopped,
  })
  const headline = (...events: readonly Event[]): string | undefined => {
    for (const event of events) under.take(event)
    return progressFrame(under, { columns: 80, rows: 24 }, 0)[0]
  }
  expect(headline(ended('Vpc/a', true), ended('Vpc/b', true))).toBe('0 of 5 done, 3 running, 2 stopped')
  expect(headline({ type: 'skipped', address: 'Vpc/z', task: 'make', id: null, because: 'Vpc/a', stopped: true })).toBe(
    '0 of 5 done, 3 running, 2 stopped, 1 not begun',
  )
  expect(headline(ended('Vpc/c', false))).toBe('0 of 5 done, 2 running, 1 failed, 2 stopped, 1 not begun')
})

describe('the line of what still runs', () => {
  test('names one operation as OpenTofu does', () => {
    expect(stillLine(running(['Vpc/a']), 20_000)).toBe('Vpc/a: Still creating 2/6 restore-image... [20s elapsed]')
  })
  test('names a few and counts the rest', () => {
    const line = stillLine(running(Array.from({ length: 9 }, (_, at) => `Vpc/n${at}`)), 1000)
    expect(line).toContain('Vpc/n4 creating 2/6 restore-image [1s] and 4 more')
    expect(stillLine(createUnderWay(), 0)).toBeUndefined()
  })
})
