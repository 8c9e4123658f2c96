// Foreign text: what is escaped, what is broken up, and that nothing else is changed.
import { describe, expect, test } from 'vitest'
import { fc } from '../../../../test/builders/properties.ts'
import { parseJson, stringifyJson } from '../../../base/json.ts'
import { safeJson, safeLine, safeText } from './sanitise.ts'

const obeyed = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069]/
const commands = /^\s*::|##[a-z]*\[|section_(?:start|end):/im

describe('foreign text', () => {
  test.each([
    ['\u001b[31mred', '\\x1b[31mred'],
    ['\u001b]52;c;aGk=\u0007', '\\x1b]52;c;aGk=\\x07'],
    ['a\rb\bc\u009bd', 'a\\x0db\\x08c\\x9bd'],
    ['left \u202egnp.exe', 'left U+202Egnp.exe'],
    ['two\nlines', 'two\\nlines'],
    ['half \ud800 pair', 'half U+D800 pair'],
    ['in\u034fvisible \u3164 \u{e0101}', 'inU+034Fvisible U+3164 U+E0101'],
    ['Köln 東京 ✓ ☁\ufe0f', 'Köln 東京 ✓ ☁\ufe0f'],
  ])('%j becomes %j', (text, safe) => {
    expect(safeLine(text)).toBe(safe)
  })
  test.each(['::error file=a::b', '  ::add-mask::x', 'fine\n\t::stop-commands::x', '##vso[task.setvariable]x', 'a ##[section]', 'section_start:1:a'])(
    '%j commands nothing',
    (text) => {
      expect(commands.test(text)).toBe(true)
      expect(safeText(text)).not.toMatch(commands)
      expect(safeText(safeText(text))).toBe(safeText(text))
    },
  )
  test('never holds what a terminal or a runner obeys', () => {
    const nasty = fc.string({
      unit: fc.oneof(fc.constantFrom(':', '#', '[', '\n', '\u001b', '\r', '\u202e', ' '), fc.string({ unit: 'binary', minLength: 1, maxLength: 1 })),
    })
    fc.assert(
      fc.property(nasty, (text) => {
        expect(safeText(text)).not.toMatch(obeyed)
        expect(safeText(text)).not.toMatch(commands)
        expect(safeLine(text)).not.toContain('\n')
      }),
    )
  })
})

describe('JSON', () => {
  test('means the same and holds nothing that is obeyed', () => {
    const text = fc.string({
      unit: fc.oneof(fc.constantFrom('#', '[', '"', '\\', '\u0085', '\u2028', '\u{e0041}'), fc.string({ unit: 'binary', minLength: 1, maxLength: 1 })),
    })
    fc.assert(
      fc.property(fc.dictionary(text, text), (value) => {
        const json = safeJson(stringifyJson(value, 2))
        expect(parseJson(json)).toEqual(parseJson(stringifyJson(value)))
        expect(json).not.toMatch(obeyed)
        expect(json).not.toMatch(commands)
      }),
    )
  })
  test('keeps the commands of runners as text', () => {
    const json = safeJson(stringifyJson({ a: '##vso[x]', b: 'section_start:1:x' }))
    expect(json).not.toMatch(commands)
    expect(parseJson(json)).toEqual({ a: '##vso[x]', b: 'section_start:1:x' })
  })
})
