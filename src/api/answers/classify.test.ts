// The table of what becomes of a delivery.
import { describe, expect, test } from 'vitest'
import { compatSchema } from '../calls/compat.ts'
import type { Route } from '../routes/route.ts'
import { routes } from '../routes/routes.ts'
import type { Delivery } from './classify.ts'
import { classify, redirectText } from './classify.ts'

const compat = compatSchema.parse({})
const workflow = '{"id":"0f8fad5b-d9cb-469f-a165-70867728950e","state":"QUEUED"}'
const { createInstance, createVpc, deleteSshKey, joinVpc } = routes

function answered(status: number, text: string | undefined = ''): Delivery {
  return { is: 'answered', status, headers: {}, text }
}

describe('classify', () => {
  test.each<[string, Route, Delivery, string]>([
    ['connection refused', createVpc, { is: 'not sent', why: 'refused' }, 'not sent'],
    ['reset', createVpc, { is: 'lost', why: 'reset', late: false }, 'unknown'],
    ['timeout', createVpc, { is: 'lost', why: 'late', late: true }, 'unknown'],
    ...[400, 401, 403, 404, 405, 407, 409, 410, 413, 422, 425, 429, 451, 499].map((status): [string, Route, Delivery, string] => [
      String(status),
      createVpc,
      answered(status),
      'rejected',
    ]),
    ['400 whose body broke off', createVpc, { is: 'answered', status: 400, headers: {}, text: undefined }, 'rejected'],
    ['400 with HTML', createVpc, answered(400, '<html>'), 'rejected'],
    ...[301, 302, 307, 308, 408, 500, 501, 502, 503, 504, 520, 100].map((status): [string, Route, Delivery, string] => [
      String(status),
      createVpc,
      answered(status, '{"id":"5"}'),
      'unknown',
    ]),
    ['201 with its id', createVpc, answered(201, '{"id":"5"}'), 'accepted'],
    ['200 in place of 201', createVpc, answered(200, '{"id":9007199254740993}'), 'accepted'],
    ['201 without an id', createVpc, answered(201, '{}'), 'unknown'],
    ['201 with nothing', createVpc, answered(201), 'unknown'],
    ['201 with HTML', createVpc, answered(201, '<html>welcome</html>'), 'unknown'],
    ['201 whose body broke off', createVpc, { is: 'answered', status: 201, headers: {}, text: undefined }, 'unknown'],
    ['201 with half a body', createVpc, answered(201, '{"id":"5"'), 'unknown'],
    ['201 with the id twice', createVpc, answered(201, '{"id":"5","id":"6"}'), 'unknown'],
    ['202 with a workflow', createInstance, answered(202, workflow), 'accepted'],
    ['202 with neither workflow nor id', createInstance, answered(202, '{"workflow":null}'), 'unknown'],
    ['202 where nothing is due', deleteSshKey, answered(202), 'accepted'],
    ['204 where nothing is due', deleteSshKey, answered(204), 'accepted'],
    ['a portal where nothing is due', deleteSshKey, answered(200, '<html>'), 'unknown'],
    ['broken off where nothing is due', deleteSshKey, { is: 'answered', status: 202, headers: {}, text: undefined }, 'unknown'],
    ['an audit entry', joinVpc, answered(201, '{"event":1}'), 'accepted'],
    ['no audit entry', joinVpc, answered(201), 'accepted'],
    ['a portal in place of an audit entry', joinVpc, answered(200, ' <!doctype html>'), 'unknown'],
  ])('%s', (_, route, delivery, expected) => {
    expect(classify(route, delivery, compat).is).toBe(expected)
  })

  test('a redirect names its host, not its path', () => {
    const redirect = { status: 302, headers: { location: 'https://user:pw@evil.example.com/login?token=CANARY' } }
    expect(redirectText(redirect)).toBe('a redirect to evil.example.com, which is not followed')
    const why = 'the service answered 302, a redirect to evil.example.com, which is not followed'
    expect(classify(joinVpc, { is: 'answered', text: '', ...redirect }, compat)).toEqual({ is: 'unknown', why })
    expect(redirectText({ status: 500, headers: {} })).toBe('')
  })
})
