// Tokens in texts, as people are shown them.
import { expect, test } from 'vitest'
import { readable, tokenText } from './token.ts'

test.each([
  [{ is: 'unknown', place: 'Instance/web["a"]' } as const, 'Instance/web["a"]'],
  [{ is: 'unknown', place: 'Instance/web /vpcs/0' } as const, '(known after apply)'],
  [{ is: 'digest', digest: 'hmac-sha256:00' } as const, '(sensitive value)'],
  [{ is: 'once', address: 'ApiToken/bot', id: '1', output: 'code' } as const, '(sensitive value)'],
  [{ is: 'hidden' } as const, '(sensitive value)'],
])('%o reads %s', (token, words) => {
  expect(readable(`no rule of ${tokenText(token)}, none; ${tokenText(token)}`)).toBe(`no rule of ${words}, none; ${words}`)
})

test('a text without one stays as it is', () => {
  expect(readable('SSH will be dropped')).toBe('SSH will be dropped')
})
