// Where cards stand for any width, and where arrows lead.
import { describe, expect, test } from 'vitest'
import { instance, modelOf } from '../../../../test/builders/page-look.ts'
import { fc } from '../../../../test/builders/properties.ts'
import type { Box } from './map-layout.ts'
import { layoutOf, measures, neighbourOf } from './map-layout.ts'
import { mapOf } from './map-view.ts'

const viewOf = (count: number) => mapOf(modelOf({ instances: Array.from({ length: count }, (_, index) => instance(`i${index}`)) }), 'w')

function overlaps(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
}

describe('the layout', () => {
  test('keeps cards apart and within their area, at every width', () => {
    fc.assert(
      fc.property(fc.integer({ min: 240, max: 1800 }), fc.integer({ min: 1, max: 100 }), (width, count) => {
        for (const { box, cards } of layoutOf(viewOf(count), width).areas)
          for (const [index, one] of cards.entries()) {
            expect(one.box.x + one.box.width).toBeLessThanOrEqual(box.x + box.width)
            expect(one.box.y + one.box.height).toBeLessThanOrEqual(box.y + box.height)
            const next = cards[index + 1]
            expect(next !== undefined && overlaps(one.box, next.box)).toBe(false)
          }
      }),
      { numRuns: 50 },
    )
  })
  test('drops the lines of cards where there are many', () => {
    expect([layoutOf(viewOf(80), 900).isDense, layoutOf(viewOf(81), 900).isDense]).toEqual([false, true])
  })
  test('puts two cards beside one another on a phone', () => {
    const ys = layoutOf(viewOf(3), 350).areas[0]?.cards.map((one) => one.box.y)
    expect(ys?.[0]).toBe(ys?.[1])
    expect(ys?.[2]).toBeGreaterThan(ys?.[0] ?? 0)
  })
  test('leads by arrows to the card beside, above and below', () => {
    const layout = layoutOf(viewOf(8), 700)
    expect((['right', 'down', 'left', 'up'] as const).map((way) => neighbourOf(layout, 'instances/i1', way))).toEqual([
      'instances/i2',
      'instances/i4',
      'instances/i0',
      undefined,
    ])
    expect(neighbourOf(layout, 'instances/i4', 'up')).toBe('instances/i1')
  })
})

test('has room for the words of an area without cards, and for lines where a card has them', () => {
  const vpcs = [{ id: 'x', workspace_id: 'w', name: 'backend', range: '10.0.0.0/24' }]
  const heights = (rows: Parameters<typeof modelOf>[0]) => layoutOf(mapOf(modelOf(rows), 'w'), 700).areas.map((one) => one.box.height)
  const { head, emptyRow, pad, dense, cardHead, line, cardFoot } = measures
  expect(heights({ vpcs })).toEqual([head + emptyRow + pad])
  expect(heights({ instances: [instance('a')] })).toEqual([head + dense + pad])
  expect(heights({ instances: [instance('a', { firewall_enabled: true })] })).toEqual([head + cardHead + line + cardFoot + pad])
})

test('an arrow from a card that is gone leads to the first; without any area the map is a margin', () => {
  expect(neighbourOf(layoutOf(viewOf(3), 700), 'instances/gone', 'down')).toBe('instances/i0')
  expect(layoutOf(mapOf(modelOf({}), 'w'), 700)).toEqual({ areas: [], width: 700, height: measures.pad, isDense: false })
})
