// Searching agrees with the language's own, and takes linear time where that does not.
import { expect, test } from 'vitest'
import { cpuTime } from '../../test/builders/cpu-time.ts'
import { fc } from '../../test/builders/properties.ts'
import { find, findLast, piecesOf } from './search.ts'

const letters = (minLength: number, maxLength: number) => fc.string({ unit: fc.constantFrom('a', 'b'), minLength, maxLength })

test('agrees with the language', () => {
  const long = fc.tuple(letters(0, 300), letters(65, 90), letters(0, 300), fc.boolean())
  fc.assert(
    fc.property(long, fc.nat(500), ([before, part, after, isThere], from) => {
      const text = before + (isThere ? part + part.slice(10) + part : '') + after
      expect(find(text, part, from)).toBe(text.indexOf(part, from))
      expect(findLast(text, part, from)).toBe(text.lastIndexOf(part, from))
      expect(findLast(text, part)).toBe(text.lastIndexOf(part))
      expect(piecesOf(text, part)).toEqual(text.split(part))
    }),
  )
})

test('gives at most so many pieces, the rest in the last one', () => {
  expect(piecesOf('a,b,c,d', ',', 2)).toEqual(['a', 'b,c,d'])
  const wall = '-'.repeat(80)
  expect(piecesOf(`a${wall}b${wall}c`, wall, 2)).toEqual(['a', `b${wall}c`])
})

test('is not slowed down by texts that nearly match', () => {
  const text = 'a'.repeat(1_000_000)
  const part = `${'a'.repeat(250_000)}b${'a'.repeat(250_000)}`
  const { result, spentMs } = cpuTime(() => [find(text, part), findLast(text, part), piecesOf(text, part).length])
  expect(result).toEqual([-1, -1, 1])
  expect(spentMs).toBeLessThan(3000)
})
