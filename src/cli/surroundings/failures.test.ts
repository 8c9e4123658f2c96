// What becomes of errors: exit code, plain words, the way out.
import { expect, test } from 'vitest'
import { ApiError } from '../../api/calls/call.ts'
import { UnreachableError } from '../../api/calls/failed-call.ts'
import { failure } from '../../base/diagnostic.ts'
import { failureOf } from './failures.ts'

test.each([
  [new ApiError(401, 'no such token', 'GET /v1/plans'), 4, 'the service answered 401 to GET /v1/plans: no such token', 'give a valid token in IAC_TOKEN'],
  [new ApiError(403, '', 'GET /v1/plans'), 4, 'the service answered 403 to GET /v1/plans', '`iac whoami` shows'],
  [
    new ApiError(302, 'a redirect to a.test, which is not followed', 'GET /v1/plans'),
    1,
    'the service answered 302 to GET /v1/plans: a redirect to a.test, which is not followed',
    'check IAC_BASE_URL',
  ],
  [new ApiError(500, 'oops', 'GET /v1/plans'), 1, 'the service answered 500 to GET /v1/plans: oops', undefined],
  [new UnreachableError('GET /v1/plans', 'host.test: bad port'), 1, 'no answer to GET /v1/plans: host.test: bad port', 'check IAC_BASE_URL'],
  [
    new UnreachableError('GET /v1/plans', 'host.test, by way of the proxy proxy.test:3128: the connection was refused'),
    1,
    'no answer to GET /v1/plans: host.test, by way of the proxy proxy.test:3128: the connection was refused',
    'check HTTPS_PROXY, IAC_BASE_URL',
  ],
  [failure('unreachable', 'no answer'), 1, 'no answer', 'check IAC_BASE_URL'],
  [failure('unauthorized', 'refused'), 4, 'refused', '`iac whoami` shows'],
  [failure('unauthorized', 'refused', { hint: 'its own' }), 4, 'refused', 'its own'],
])('%s', (error, exitCode, summary, hint) => {
  const failed = failureOf(error)
  expect([failed.exitCode, failed.diagnostics[0]?.summary]).toEqual([exitCode, summary])
  if (hint === undefined) expect(failed.diagnostics[0]?.hint).toBeUndefined()
  else expect(failed.diagnostics[0]?.hint).toContain(hint)
})

test('a reason is said once: fields that repeat it are left out', () => {
  const fields = [
    { path: 'image', message: 'no such image' },
    { path: 'code', message: 'such image' },
    { path: 'name', message: 'too long' },
  ]
  expect(failureOf(new ApiError(400, 'no such image', 'POST /v1/x', fields)).diagnostics[0]?.detail).toBe('name: too long')
})

test('what a field says stands alone where it names no path', () => {
  const fields = [
    { path: '', message: 'a is unknown' },
    { path: 'name', message: 'too long' },
  ]
  expect(failureOf(new ApiError(400, 'invalid', 'POST /v1/x', fields)).diagnostics[0]?.detail).toBe('a is unknown\nname: too long')
})
