// Which requests are shown for a filter, and how.
import { describe, expect, test } from 'vitest'
import { request } from '../../../../test/builders/page-look.ts'
import { requestsShown } from './request-list.ts'

const requests = [
  request(1),
  request(2, { method: 'POST', path: '/v1/instances', status: 409, message: 'busy' }),
  request(3, { status: null, outcome: 'lost-after', fault: 'fault-1' }),
  request(4, { status: 503, fault: 'fault-2' }),
]
const idsOf = (text: string, errorsOnly = false): readonly number[] => requestsShown(requests, { text, errorsOnly }).rows.map((one) => one.id)

describe('the request log', () => {
  test.each([
    ['', [4, 3, 2, 1]],
    ['post instances', [2]],
    ['409', [2]],
    ['busy', [2]],
    ['lost', [3]],
    ['fault', [4, 3]],
    ['nothing', []],
  ])('filters by %j, newest first', (text, ids) => {
    expect(idsOf(text)).toEqual(ids)
  })
  test('shows errors alone', () => {
    expect(idsOf('', true)).toEqual([4, 3, 2])
  })
  test('says what became of each', () => {
    expect(requestsShown(requests, { text: '', errorsOnly: true }).rows.map(({ result, tone, note }) => [result, tone, note])).toEqual([
      ['503', 'bad', 'by a fault'],
      ['lost after', 'bad', 'by a fault'],
      ['409', 'paused', 'busy'],
    ])
  })
  test('shows the last of many, and counts all', () => {
    const many = Array.from({ length: 300 }, (_, index) => request(index))
    const { rows, matching } = requestsShown(many, { text: '', errorsOnly: false })
    expect([rows.length, rows[0]?.id, matching]).toEqual([150, 299, 300])
  })
})
