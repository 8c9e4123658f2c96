// Secrets are found in every spelling that other layers give them.
import { describe, expect, test } from 'vitest'
import { longForm } from '../../test/builders/long-form.ts'
import { createRedactor, MASK } from './redact.ts'

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
    ['large letters', secret.toUpperCase()],
    ['small hex digits', encodeURIComponent(secret).replace(/%../g, (one) => one.toLowerCase())],
    ['JSON in a URL', encodeURIComponent(JSON.stringify(secret).slice(1, -1))],
    ['JSON in the path of a URL', encodeURI(JSON.stringify(secret).slice(1, -1))],
    ['JSON in a form', new URLSearchParams([['', JSON.stringify(secret).slice(1, -1)]]).toString().slice(1)],
    ['JSON in ASCII', JSON.stringify(secret).replace('ö', String.raw`\u00f6`)],
    ['JSON safe within HTML', JSON.stringify(secret).replace('&', String.raw`\u0026`)],
    [
      'JSON in ASCII, safe within HTML',
      JSON.stringify(secret)
        .replace('ö', String.raw`\u00F6`)
        .replace('&', String.raw`\u0026`),
    ],
    ['JSON with slashes escaped', JSON.stringify(secret).replace('/', String.raw`\/`)],
    [
      'JSON in ASCII with slashes escaped',
      JSON.stringify(secret)
        .replace('/', String.raw`\/`)
        .replace('ö', String.raw`\u00f6`),
    ],
    ['HTML', secret.replace('&', '&amp;').replace('"', '&quot;')],
    ['HTML with a number', secret.replace('&', '&amp;').replace('"', '&#34;')],
    ['a header in ASCII', secret.replace('ö', '?')],
    ['JSON in a header in ASCII', JSON.stringify(secret).replace('ö', '?')],
    ['cut off', `${secret.slice(0, 8)}…`],
    ['cut off with dots, in other letters', `${secret.slice(0, 12).toUpperCase()}...`],
  ])('%s', (_, text) => {
    const redactor = createRedactor()
    redactor.add(secret)
    const cleaned = redactor.clean(`before ${text} after`)
    expect(cleaned).toContain('(sensitive value)')
    expect(cleaned).not.toContain(text)
    expect(cleaned).toMatch(/^before .* after$/)
  })

  test.each([
    ['Gson', String.raw`it\u0027s\u003d\u003cb\u003e+\"\\\u0026`],
    ['.NET', String.raw`it\u0027s=\u003Cb\u003E\u002B\u0022\\\u0026`],
  ])('JSON as %s writes it', (_, text) => {
    const redactor = createRedactor()
    redactor.add(JSON.parse(`"${text}"`))
    expect(redactor.clean(`{"password":"${text}"}`)).toBe('{"password":"(sensitive value)"}')
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

  test('a short word is masked as it is written, since others may write it in large letters', () => {
    const redactor = createRedactor()
    for (const one of ['Post', 'ab1c']) redactor.add(one)
    expect(redactor.clean('POST /Post post AB1C')).toBe('POST /(sensitive value) post (sensitive value)')
  })

  test.each(['İSTANBUL-ΟΔΟΣ', 'istanbul-οδος', '😀İSTANBUL-ΟΔΟσ'])('letters that are not as long in the other case: %s', (written) => {
    const redactor = createRedactor()
    redactor.add('İstanbul-οδος')
    expect(redactor.clean(`İİ ${written}Σ İ`)).toMatch(/^İİ 😀?\(sensitive value\)Σ İ$/u)
  })

  test('only a beginning of eight characters right before the dots counts as cut off', () => {
    const redactor = createRedactor()
    for (const one of ['canary-1-password', 'canary-1... and more']) redactor.add(one)
    const told = 'canary-… canary-1 … canary-1" canary-2-password… canary-1-pass, canary-1…… x'
    expect(redactor.clean(told)).toBe('canary-… canary-1 … canary-1" canary-2-password… canary-1-pass, (sensitive value)…… x')
    expect(redactor.clean('xcanary-1..., canary-1-p...')).toBe('x(sensitive value)..., (sensitive value)...')
  })

  test('a text of the longest size is cleaned in time linear to it', { tags: ['longer'] }, () => {
    const redactor = createRedactor()
    for (let at = 0; at < 100; at += 1) redactor.add(`${'canary-1'.repeat(50)}${at}`)
    const text = `${'canary-1'.repeat(longForm(8, 4))}…`.repeat(4096)
    const { user } = process.cpuUsage()
    expect(redactor.clean(text)).toBe(`${MASK}…`.repeat(4096))
    expect(process.cpuUsage().user - user).toBeLessThan(longForm(4_000_000, 2_000_000))
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
