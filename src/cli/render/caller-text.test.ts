// Who calls, in words: what is counted is what is known.
import { expect, test } from 'vitest'
import type { ShownCaller } from './caller-text.ts'
import { callerText } from './caller-text.ts'

const calls = { reading: { allowed: 4, all: 4 }, changing: { allowed: 2, all: 3 } }
const caller: ShownCaller = {
  service: 'https://api.test',
  profile: null,
  user: { id: '1', name: 'Ada', email: 'ada@test', verified: true },
  token: { name: 'ci', session: false, certain: true, expires: null, grants: { INSTANCE: 'WRITE' } },
  workspaces: [{ id: '7', name: 'prod', role: 'ADMINISTRATOR', calls }],
}
const session = { name: 'me', session: true, certain: true, expires: null, grants: {} }

test('the grants of a token that is not known are not told as counted', () => {
  expect(callerText({ ...caller, token: null })).toMatch(/ADMINISTRATOR +4 of 4 +2 of 3\n\nThese are the calls that the role allows; grants of the token/)
  expect(callerText(caller)).toMatch(/2 of 3\n$/)
})

test('a token that sees no workspace is told which grant it lacks; a session sees all there are', () => {
  expect(callerText({ ...caller, workspaces: [] })).toContain('No workspace is visible. A token sees one with the grant WORKSPACE=READ.\n')
  expect(callerText({ ...caller, token: session, workspaces: [] })).toMatch(/No workspace is visible\.\n$/)
})
