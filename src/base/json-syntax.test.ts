// Where JSON ends to be JSON, held against the built-in parser.
import { describe, expect, test } from 'vitest'
import { cpuTime } from '../../test/builders/cpu-time.ts'
import { fc } from '../../test/builders/properties.ts'
import { syntaxErrorAt } from './json-syntax.ts'

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

describe('syntaxErrorAt', () => {
  test('finds nothing exactly where the built-in finds nothing', () => {
    fc.assert(fc.property(fc.json(), (text) => syntaxErrorAt(text) === undefined))
    fc.assert(fc.property(fc.string({ unit: fc.constantFrom(...Array.from('{}[]:,"\\ue0123-+. \n\ttrunfalse')), maxLength: 12 }), sameAsBuiltIn), {
      numRuns: 5000,
    })
    const broken = fc.tuple(fc.json(), fc.nat(), fc.constantFrom('', ...Array.from('{}[]:,"\\0-.e x\n')))
    fc.assert(
      fc.property(broken, ([text, at, put]) => sameAsBuiltIn(`${text.slice(0, at % text.length)}${put}${text.slice((at % text.length) + 1)}`)),
      { numRuns: 2000 },
    )
  })

  test.each([
    ['', 0],
    ['{"a":}', 5],
    ['[1,]', 3],
    ['{"a":1,}', 7],
    ['[1 2]', 3],
    ['[1}', 2],
    ['01', 1],
    ['1.x', 2],
    ['-', 1],
    ['2e', 2],
    ['tru', 3],
    ['trUe', 2],
    ['"a\nb"', 2],
    ['"\\x"', 2],
    ['"\\u12g4"', 5],
    ['"\\u12', 5],
    ['1]', 1],
  ])('%j breaks off at %d', (text, at) => {
    expect(syntaxErrorAt(text)).toBe(at)
  })

  test('takes time in proportion, however deep or long it is', () => {
    for (const unit of ['[', '{"a":', '"x', '[1,', '\n', '"\\\\",']) {
      const { result, spentMs } = cpuTime(() => syntaxErrorAt(`[${unit.repeat(Math.floor(4_000_000 / unit.length))}`))
      expect(result).toBeDefined()
      expect(spentMs).toBeLessThan(4000)
    }
  })
})

function sameAsBuiltIn(text: string): boolean {
  return isJson(text) === (syntaxErrorAt(text) === undefined)
}
