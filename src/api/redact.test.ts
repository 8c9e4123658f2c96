// Secrets are found in every spelling that other layers give them.
import { describe, expect, test } from 'vitest'
import { longForm } from '../../test/builders/long-form.ts'
import { createRedactor } from './redact.ts'

const secret = 'pa"ss/wörd +1&2'

describe('createRedactor', () => {
  test.each([
    ['raw', secret],
    ['JSON', JSON.stringify({ password: secret })],
    ['URL', `https://host/?q=${encodeURIComponent(secret)}&x`],
    ['form', new URLSearchParams({ q: secret }).toString()],
    ['base64', Buffer.from(secret).toString('base64')],
    ['base64url', Buffer.from(secret).toString('base64url')],
    ['inside other base64', Buffer.from(`user:${secret}!`).toString('base64')],
  ])('%s', (_, text) => {
    const redactor = createRedactor()
    redactor.add(secret)
    const cleaned = redactor.clean(`before ${text} after`)
    expect(cleaned).toContain('(sensitive value)')
    expect(cleaned).not.toContain(text)
    expect(cleaned).toMatch(/^before .* after$/)
  })

  test('lines of a key are secrets as well', () => {
    const redactor = createRedactor()
    redactor.add('-----BEGIN KEY-----\nMC4CAQAwBQYDK2Vw\n-----END KEY-----\n')
    expect(redactor.clean('bad line: MC4CAQAwBQYDK2Vw')).toBe('bad line: (sensitive value)')
  })

  test('the longer of two secrets wins, and what is too short is left alone', () => {
    const redactor = createRedactor()
    for (const one of ['abcdef', 'abcdefgh', 'a', '']) redactor.add(one)
    expect(redactor.clean('abcdefgh a')).toBe('(sensitive value) a')
  })

  test('a hundred thousand secrets are learned in time linear to them, in the short form a third of them', { tags: ['longer'] }, () => {
    const redactor = createRedactor()
    const count = longForm(100_000, 33_000)
    const { user } = process.cpuUsage()
    for (let at = 0; at < count; at += 1) redactor.add(`secret-${at}-`)
    expect(redactor.clean(`it was secret-${count - 1}-`)).toBe('it was (sensitive value)')
    expect(process.cpuUsage().user - user).toBeLessThan(200 * count)
  })
})
