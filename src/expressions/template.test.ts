// Splitting strings at ${…}.
import { describe, expect, test } from 'vitest'
import { longForm } from '../../test/builders/long-form.ts'
import { fc } from '../../test/builders/properties.ts'
import type { Piece } from './template.ts'
import { parseTemplate, splitTemplate } from './template.ts'

/** The pieces as text: expressions in angle brackets. */
function shown(text: string): string {
  const split = splitTemplate(text)
  if (!split.ok) return `error at ${split.offset}`
  return split.pieces.map((piece) => (piece.kind === 'text' ? piece.text : `<${piece.source}@${piece.offset}>`)).join('')
}

function mistakesIn(text: string) {
  const parsed = parseTemplate(text)
  return parsed.ok ? [] : parsed.mistakes
}

describe('splitTemplate', () => {
  test.each([
    ['', ''],
    ['plain', 'plain'],
    ['$', '$'],
    ['a$b {c}', 'a$b {c}'],
    ['$ {x}', '$ {x}'],
    ['${x}', '<x@2>'],
    ['a${x}b', 'a<x@3>b'],
    ['${x}${y}', '<x@2><y@6>'],
    ['$${x}', '${x}'],
    ['a$${x}b${y}', 'a${x}b<y@9>'],
    ['$$${x}', '$${x}'],
    ['$${${x}', '${<x@5>'],
    ['$$', '$$'],
    ['${ {"a": {"b": 1}} }', '< {"a": {"b": 1}} @2>'],
    ['${"}"}', '<"}"@2>'],
    ["${'}'}", "<'}'@2>"],
    ['${"\\"}"}', '<"\\"}"@2>'],
    ["${r'\\d{2}'}", "<r'\\d{2}'@2>"],
    ['${"""a"}b"""}', '<"""a"}b"""@2>'],
    ["${'''a\n'}'''}", "<'''a\n'}'''@2>"],
    ['${b"}"}', '<b"}"@2>'],
    ['${""}', '<""@2>'],
    ['${"" + "}"}', '<"" + "}"@2>'],
    ['${x // }\n}', '<x // }\n@2>'],
    ['${a / b}', '<a / b@2>'],
    ['${"${x}"}', '<"${x}"@2>'],
    ['}${x}{', '}<x@3>{'],
    ['${', 'error at 0'],
    ['ab${x', 'error at 2'],
    ['${"}', 'error at 0'],
    ['${{}', 'error at 0'],
    ['${x} ${y', 'error at 5'],
    ['${x // }', 'error at 0'],
    ["${r'\\'}", 'error at 0'],
  ])('%s → %s', (text, expected) => {
    expect(shown(text)).toBe(expected)
  })

  test('puts together again what it split', { tags: ['longer'] }, () => {
    const text = fc.string({ unit: fc.constantFrom('a', '$', '{', '}', '"', "'", '\\', '/', '\n', 'é') })
    fc.assert(
      fc.property(text, (string) => {
        const split = splitTemplate(string)
        if (!split.ok) return string.startsWith('${', split.offset)
        return split.pieces.every((piece) => piece.kind === 'text' || string.slice(piece.offset, piece.offset + piece.source.length) === piece.source)
      }),
      { numRuns: longForm(2000, 700) },
    )
  })

  test('gives back any text once it is escaped', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', '{', '}', ' ', 'ü', '"')), fc.constantFrom('name', '"}"', '{"a": 1}'), (letters, source) => {
        const literal = letters.join('')
        const expected: Piece[] = [{ kind: 'source', source, offset: 2 }]
        if (literal !== '') expected.push({ kind: 'text', text: literal })
        expect(splitTemplate(`\${${source}}${literal}`)).toEqual({ ok: true, pieces: expected })
        expect(shown(`${literal}$\${${literal}`)).toBe(`${literal}\${${literal}`)
      }),
    )
  })
})

describe('parseTemplate', () => {
  test('places a syntax error in the whole string', () => {
    expect(mistakesIn('abc${1 +}')).toEqual([{ offset: 8, message: 'unexpected token: the end' }])
    expect(mistakesIn('ab${vars.x}${var.y}')).toEqual([{ offset: 13, message: 'CEL reserves `var`; write vars.NAME' }])
  })

  test('tells of every mistake, and keeps what is right', () => {
    const parsed = parseTemplate('a${1 +}b${vars.x}${var.y}${')
    expect(parsed).toMatchObject({ ok: false, mistakes: [{ offset: 6 }, { offset: 19 }, { offset: 25, message: expect.stringContaining('never closed') }] })
    expect(parsed.parts.map((part) => (part.kind === 'text' ? part.text : part.offset))).toEqual(['a', 'b', 10])
  })

  test('an expression in an expression is refused at its place', () => {
    expect(mistakesIn('${${a}}')).toEqual([{ offset: 2, message: 'unexpected `$`: inside of ${…} names stand without it' }])
  })

  test('never throws, whatever the text', { tags: ['longer'] }, () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.string({ unit: fc.constantFrom(...Array.from('$${{}}"\'\\ar.b[]()?:,+-*/%!=<>&|0123 \nvarsin')), maxLength: 60 }),
    )
    fc.assert(
      fc.property(text, (string) => {
        expect(typeof parseTemplate(string).ok).toBe('boolean')
        expect(typeof parseTemplate(`\${${string}}`).ok).toBe('boolean')
      }),
      { numRuns: longForm(3000, 1000) },
    )
  })
})
