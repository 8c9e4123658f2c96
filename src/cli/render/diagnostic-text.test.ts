// Diagnostics for people and for machines.
import { expect, test } from 'vitest'
import { diagnostic } from '../../diagnostic.ts'
import { diagnosticsText, diagnosticText } from './diagnostic-text.ts'
import { validateDocument } from './diagnostic-json.ts'
import { noColours } from './palette.ts'

const position = { file: 'infra/web.yaml', line: 12, column: 5, text: '  東 nmae: x' }

test('a diagnostic says what, where with a caret, why, and the way out', () => {
  const text = diagnosticText(
    diagnostic('unknown_field', 'no field "nmae" exists here', { position, detail: 'One.\nTwo.', hint: 'did you mean name?' }),
    noColours,
  )
  expect(text).toBe(`error: no field "nmae" exists here
  infra/web.yaml:12:5
   12 |   東 nmae: x
      |      ^
  One.
  Two.
  hint: did you mean name?
  code: unknown_field
`)
})

test('an address is named once, and nothing in it is obeyed', () => {
  const text = diagnosticText(diagnostic('advice', 'slow \u001b[2J', { address: 'Vpc/main', detail: '::error::x' }), noColours)
  expect(text).toBe('warning: Vpc/main: slow \\x1b[2J\n  : :error: :x\n')
  expect(diagnosticText(diagnostic('advice', 'Vpc/main is slow', { address: 'Vpc/main' }), noColours)).toBe('warning: Vpc/main is slow\n')
})

test('errors come last', () => {
  const all = [diagnostic('usage', 'first'), diagnostic('note', 'second'), diagnostic('advice', 'third')]
  expect(diagnosticsText(all, noColours).match(/^\w+/gm)).toEqual(['note', 'warning', 'error'])
})

test('the document counts errors and warnings', () => {
  expect(
    validateDocument([diagnostic('usage', 'a', { position }), diagnostic('advice', 'b', { address: 'Vpc/a', hint: 'h' }), diagnostic('note', 'c')]),
  ).toEqual({
    valid: false,
    error_count: 1,
    warning_count: 1,
    diagnostics: [
      {
        severity: 'error',
        code: 'usage',
        summary: 'a',
        detail: '',
        address: null,
        range: { filename: 'infra/web.yaml', start: { line: 12, column: 5 } },
        hint: null,
      },
      { severity: 'warning', code: 'advice', summary: 'b', detail: '', address: 'Vpc/a', range: null, hint: 'h' },
      { severity: 'note', code: 'note', summary: 'c', detail: '', address: null, range: null, hint: null },
    ],
  })
})
