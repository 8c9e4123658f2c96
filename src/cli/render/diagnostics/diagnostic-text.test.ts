// Diagnostics for people and for machines.
import { describe, expect, test } from 'vitest'
import type { Diagnostic } from '../../../base/diagnostic.ts'
import { diagnostic } from '../../../base/diagnostic.ts'
import { noColours } from '../text/palette.ts'
import { validateDocument } from './diagnostic-json.ts'
import { diagnosticsText, diagnosticText } from './diagnostic-text.ts'

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

test('what says the same of many is told once, and of many mistakes twenty', () => {
  const alike = Array.from({ length: 30_000 }, (_, at) =>
    diagnostic('unknown_field', `Vpc/v${at} has no field "nmae"`, {
      address: `Vpc/v${at}`,
      position: { ...position, line: at + 1 },
      hint: 'did you mean name?',
    }),
  )
  const text = diagnosticsText(alike, noColours)
  expect(text).toMatch(/^error: Vpc\/v0 has no field[^]*and 29999 more like this: Vpc\/v1, Vpc\/v2, Vpc\/v3, Vpc\/v4, Vpc\/v5, …\n$/)
  expect(text.match(/^error/gm)).toHaveLength(1)
  const unlike = [
    ...Array.from({ length: 40 }, (_, at) => diagnostic('advice', `warning ${at}`)),
    ...Array.from({ length: 15 }, (_, at) => diagnostic('usage', `error ${at}`)),
  ]
  const cut = diagnosticsText([...unlike, diagnostic('more_errors', '7 more mistakes are left out')], noColours)
  expect(cut.match(/^(?:error|warning): .*$/gm)).toEqual([
    ...[0, 1, 2, 3, 4].map((at) => `warning: warning ${at}`),
    ...Array.from({ length: 15 }, (_, at) => `error: error ${at}`),
    'warning: 35 more warnings are not shown',
    'error: 7 more mistakes are left out',
  ])
  expect(diagnosticsText([...unlike, ...alike], noColours, { all: true }).match(/^(?:error|warning)/gm)).toHaveLength(30_055)
})

describe('what is like it is named', () => {
  const namesOf = (all: readonly Diagnostic[]) => /more like this(.*)/.exec(diagnosticsText(all, noColours))?.[1]
  const five = (of: (at: number) => Partial<Diagnostic>) => Array.from({ length: 5 }, (_, at) => diagnostic('advice', 'slow', of(at)))
  const at = (line: number) => ({ position: { ...position, line } })

  test('by its address, else by its place', () => {
    expect(namesOf(five((nth) => ({ address: `Vpc/v${nth}`, position })))).toBe(': Vpc/v1, Vpc/v2, Vpc/v3, Vpc/v4')
    expect(namesOf(five(at))).toBe(': infra/web.yaml:1:5, infra/web.yaml:2:5, infra/web.yaml:3:5, infra/web.yaml:4:5')
  })
  test('by what it is called, where that is more than its address', () => {
    expect(namesOf(five((nth) => ({ address: `Vpc/v${nth}`, called: `Vpc/u${nth} -> Vpc/v${nth}` })))).toBe(
      ': Vpc/u1 -> Vpc/v1, Vpc/u2 -> Vpc/v2, Vpc/u3 -> Vpc/v3, Vpc/u4 -> Vpc/v4',
    )
  })
  test('by its place where several have the same address', () => {
    expect(namesOf(five((nth) => ({ ...at(nth), address: 'K3sSecret/sec' })))).toBe(
      ': infra/web.yaml:1:5, infra/web.yaml:2:5, infra/web.yaml:3:5, infra/web.yaml:4:5',
    )
    expect(namesOf(five((nth) => ({ ...at(nth), address: nth < 2 ? 'Vpc/a' : `Vpc/v${nth}` })))).toBe(': infra/web.yaml:1:5, Vpc/v2, Vpc/v3, Vpc/v4')
  })
  test('once, whatever stands there', () => {
    expect(namesOf(five(() => ({ position })))).toBe(': infra/web.yaml:12:5')
    expect(namesOf(five(() => ({ address: 'Vpc/a' })))).toBe(': Vpc/a')
    expect(namesOf(five(() => ({})))).toBe('')
    expect(namesOf(five((nth) => (nth < 3 ? { address: `Vpc/v${nth}` } : {})))).toBe(': Vpc/v1, Vpc/v2, …')
  })
})

describe('of more than twenty', () => {
  const short = Array.from({ length: 25 }, (_, at) => diagnostic('invalid_value', `field${at} must have at least 4 characters`))
  const firstLines = (all: readonly Diagnostic[]) => diagnosticsText(all, noColours).match(/^(?:error|warning|note): .*$/gm)

  test('the first of each sort is shown, in the order they were in', () => {
    const all = [...short, diagnostic('unknown_field', 'no field exists'), diagnostic('unknown_variable', 'no variable exists')]
    expect(firstLines(all)).toEqual([
      ...short.slice(0, 18).map((one) => `error: ${one.summary}`),
      'error: no field exists',
      'error: no variable exists',
      'error: 7 more mistakes are not shown',
    ])
  })
  test('a warning of another sort is shown as well, before the errors', () => {
    expect(firstLines([...short, diagnostic('advice', 'slow'), diagnostic('advice', 'slower')])).toEqual([
      'warning: slow',
      ...short.slice(0, 19).map((one) => `error: ${one.summary}`),
      'error: 6 more mistakes and 1 more warning are not shown',
    ])
  })
  test('those that are not shown are counted, each by its severity', () => {
    const many = (count: number, code: 'advice' | 'note') => Array.from({ length: count }, (_, at) => diagnostic(code, `${code} ${at}`))
    expect(firstLines([...short, ...many(3, 'advice'), ...many(2, 'note')])?.at(-1)).toBe(
      'error: 7 more mistakes, 2 more warnings and 1 more note are not shown',
    )
    expect(firstLines(many(21, 'note'))?.at(-1)).toBe('note: 1 more note is not shown')
    expect(firstLines(many(22, 'advice'))?.at(-1)).toBe('warning: 2 more warnings are not shown')
  })
})

test('three that say the same stand in full', () => {
  const three = ['a', 'b', 'c'].map((name) => diagnostic('usage', 'wrong', { address: `Vpc/${name}` }))
  expect(diagnosticsText(three, noColours).match(/^error/gm)).toHaveLength(3)
})

test('on a terminal lines break between words, elsewhere they go as they are', () => {
  const one = diagnostic('advice', 'there is one of this name already', {
    address: 'Vpc/main',
    detail: 'short\n    of a stack that goes on and on',
    hint: 'take it over with: iac import --sandbox Vpc/main 12',
  })
  expect(diagnosticsText([one], noColours, { columns: 30 })).toBe(`warning: Vpc/main: there is
  one of this name already
  short
      of a stack that goes on
        and on
  hint: take it over with: iac
    import --sandbox Vpc/main
    12
`)
  const alike = ['a', 'b', 'c', 'd', 'e'].map((name) => diagnostic('advice', 'slow', { address: `Vpc/${name}` }))
  expect(diagnosticsText(alike, noColours, { columns: 30 })).toBe('warning: Vpc/a: slow\n  and 4 more like this: Vpc/b,\n    Vpc/c, Vpc/d, Vpc/e\n')
  expect(diagnosticsText([one], noColours)).toContain('  hint: take it over with: iac import --sandbox Vpc/main 12\n')
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
