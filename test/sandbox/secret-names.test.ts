// What the routes mark as secret is masked in the sandbox's log, which knows names of its own.
import { expect, test } from 'vitest'
import { memberKey, secretMembers } from '../../src/api/answers/secret-members.ts'
import { routes } from '../../src/api/routes/routes.ts'
import { secretMaps, secretNames } from '../../src/sandbox/request/log/logged-body.ts'

test('the log of the sandbox masks all of it', () => {
  const masked = new Set([...secretNames, ...secretMaps, 'data'].map(memberKey))
  const marked = Object.values(routes).flatMap((route) => [...secretMembers(route)])
  expect(marked).toContain('password')
  expect(marked.filter((name) => !masked.has(name))).toEqual([])
})
