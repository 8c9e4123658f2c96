// Every form of a canary is found where it stands in something longer.
import { expect, test } from 'vitest'
import { canariesIn } from './canaries.ts'

const canary = 'Canary"1/+ö'

test.each(['', 'u', 'us', 'use'])('behind %j', (before) => {
  const text = `${before}${canary}:and more`
  const bytes = Buffer.from(text)
  const forms = [text, JSON.stringify({ text }), JSON.stringify(JSON.stringify({ text })), encodeURIComponent(text)]
  for (const form of [...forms, bytes.toString('base64'), bytes.toString('base64url'), bytes.toString('hex'), bytes.toString('hex').toUpperCase()])
    expect([form, canariesIn(form, [canary]).length > 0]).toEqual([form, true])
  expect(canariesIn(`${before}and more`, [canary])).toEqual([])
})
