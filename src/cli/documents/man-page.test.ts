// Man pages: what roff would read as something else than its words.
import { expect, test } from 'vitest'
import { defineCommand } from '../context/command.ts'
import { manPages, roff } from './man-page.ts'

test.each([
  ['--out FILE', '\\-\\-out FILE'],
  ['.iac is a folder', '\\&.iac is a folder'],
  ["'quoted'", "\\&'quoted'"],
  ['a\\b', 'a\\eb'],
  ['as `iac plan` says', 'as \\fBiac plan\\fR says'],
  ['`.iac` first', '\\fB.iac\\fR first'],
  ['ends in … or → there', 'ends in \\[u2026] or \\[u2192] there'],
  ['two\n.SH lines', 'two .SH lines'],
  ['see [kinds](kinds.md)', 'see kinds'],
])('%j is %j', (text, says) => expect(roff(text)).toBe(says))

test('a page has what the command has, and no section without a text', () => {
  const command = defineCommand({
    summary: 'show it',
    arguments: [{ name: 'FILE', about: 'which', many: true }],
    flags: { out: { type: 'text', value: 'FILE', about: 'where to' } },
    idle: ['sandbox'],
    examples: [],
    run: async () => await Promise.resolve(0 as const),
  })
  const pages = manPages({ 'state show': command }, { version: '1.2.3', day: '2026-11-25' })
  expect(Object.keys(pages)).toEqual(['iac.1', 'iac-state-show.1'])
  const page = pages['iac-state-show.1'] ?? ''
  expect(page.split('\n').slice(0, 7)).toEqual([
    '.TH IAC\\-STATE\\-SHOW 1 2026-11-25 "iac 1.2.3" "User Commands"',
    '.SH NAME',
    'iac\\-state\\-show \\- show it',
    '.SH SYNOPSIS',
    '.B iac state show',
    '.I FILE \\[u2026]',
    '.RI [ flags ]',
  ])
  expect(page).toContain('.TP\n.B \\-\\-out <FILE>\nwhere to')
  expect(page).toContain('\\-\\-no\\-color')
  expect(page).not.toMatch(/EXAMPLES|\\-\\-sandbox/)
})
