// JSON in and out: exact integers, refusals that quote nothing, parity with the built-in JSON.
import { describe, expect, test } from 'vitest'
import { cpuTime } from '../../test/builders/cpu-time.ts'
import { fc } from '../../test/builders/properties.ts'
import type { JsonValue } from './json.ts'
import { canonicalJson, canonicalParts, equalJson, measureJson, parseJson, stringifyJson } from './json.ts'

const exact: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.string({ unit: 'binary' }),
    fc.boolean(),
    fc.constant(null),
    // An integer beyond 2^53 is a bigint; JSON.stringify, which we equal, rounds such doubles.
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((one) => (Number.isInteger(one) && Math.abs(one) >= 2 ** 53 ? BigInt(one) : one)),
    fc.maxSafeInteger(),
    fc.bigInt(2n ** 53n, 2n ** 70n),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.string(), tie('value'), { maxKeys: 4 }),
  ),
})).value

function messageOf(text: string): string {
  try {
    parseJson(text)
  } catch (error) {
    if (error instanceof SyntaxError) return error.message
  }
  throw new Error('was read')
}

describe('parseJson', () => {
  test('keeps integers exact on both sides of 2^53', () => {
    expect(parseJson('[9007199254740991, 9007199254740993, -9007199254740993, 18446744073709551615]')).toEqual([
      9007199254740991,
      9007199254740993n,
      -9007199254740993n,
      18446744073709551615n,
    ])
  })

  test('reads other numbers as JSON.parse does', () => {
    expect(parseJson('[1.0, 1e3, -0.5, 0.1000000000000000055, 1e20]')).toEqual([1, 1000, -0.5, 0.1, 1e20])
  })

  test('reads the same with and without a long integer beside', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(parseJson(`[9007199254740993,${text}]`)).toEqual([9007199254740993n, parseJson(text)])
      }),
    )
  })

  test('ignores a BOM', () => {
    expect(parseJson('\uFEFF{"a":1}')).toEqual({ a: 1 })
  })

  test.each(['{"__proto__":{"polluted":true}}', '{"__proto__":{"polluted":true},"n":9007199254740993}'])('keeps __proto__ as an own key of %s', (text) => {
    const value = parseJson(text)
    expect(Object.hasOwn(Object(value), '__proto__')).toBe(true)
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect(Object(value).polluted).toBeUndefined()
  })

  test.each(['{"a":1,"a":2}', '{"a":1,"a":1}', '[{"b":{"a":1,"\\u0061":1}}]', '{"a":9007199254740993,"a":9007199254740993}'])(
    'refuses the repeated key of %s',
    (text) => {
      expect(() => parseJson(text)).toThrow(SyntaxError)
    },
  )

  test.each(['', ' ', '{', '[1,]', '{"a"}', '01', '1.', 'nul', '"\u0001"', "{'a':1}", '[1] 2', '"\\x"', '"abc', '[9007199254740993', 'NaN', '{"a":1,}', ']'])(
    'refuses %j',
    (text) => {
      expect(() => parseJson(text)).toThrow(SyntaxError)
    },
  )

  test('refuses a number beyond double instead of making it infinite', () => {
    expect(() => parseJson('[1e400]')).toThrow('out of range')
    expect(() => parseJson('[-1e400, 9007199254740993]')).toThrow('out of range')
  })

  test('says where, and quotes nothing', () => {
    expect(messageOf('{\n  "token": "s3cret" x\n}')).toBe('invalid JSON at line 2, column 21')
    expect(messageOf('{"s3cret":1,"s3cret":2,"n":9007199254740993}')).not.toContain('s3cret')
    expect(messageOf('{"s3cret":1,"s3cret":1}')).not.toContain('s3cret')
    expect(messageOf('-s3cret')).not.toContain('s3cret')
  })

  test.each([
    ['an integer', (length: number) => '7'.repeat(length)],
    ['a fraction', (length: number) => `0.${'7'.repeat(length)}`],
    ['what is none', (length: number) => '1-'.repeat(length / 2)],
  ])('refuses %s of 31 million characters at once', (_, make) => {
    const { result, spentMs } = cpuTime(() => messageOf(`{"id":${make(31_000_000)}}`))
    expect(result).toBe('invalid JSON: a number of more than 1100 digits')
    expect(spentMs).toBeLessThan(2000)
  })

  test('reads numbers as long as a double can need them', () => {
    expect(parseJson(`[0.${'1'.repeat(1000)}, ${'9'.repeat(308)}]`)).toEqual([1 / 9, BigInt('9'.repeat(308))])
    expect(() => parseJson('7'.repeat(400))).toThrow('out of range')
  })

  test('takes nothing for a long integer that is not written as one', () => {
    const long = '9007199254740993'
    expect(parseJson(`["${long}", "[1e999,\\"1\\"]", {"${long}": ${long}}, 0.${long}, [${long}], -${long}, 1000000000000000]`)).toEqual([
      long,
      '[1e999,"1"]',
      { [long]: 9007199254740993n },
      0.9007199254740993,
      [9007199254740993n],
      -9007199254740993n,
      1_000_000_000_000_000,
    ])
    for (const forged of [
      `[[1e999,"1"], ${long}]`,
      `{${long}:1}`,
      `0${long}`,
      `[${long}${long}x]`,
      `["a"${long}]`,
      `[--${long}]`,
      `[${long} ${long}]`,
      `.${long}`,
    ])
      expect(() => parseJson(forged)).toThrow(SyntaxError)
  })

  test('keeps a long text beside a long integer as one text', () => {
    const { result, spentMs } = cpuTime(() => parseJson(`["${'x'.repeat(8_000_000)}", 9007199254740993]`))
    expect(result).toEqual(['x'.repeat(8_000_000), 9007199254740993n])
    expect(spentMs).toBeLessThan(400)
  })

  test('says where in a text of many lines without keeping them', () => {
    expect(messageOf(`{${'\n'.repeat(3_000_000)}x`)).toBe('invalid JSON at line 3000001, column 1')
  })

  test('counts values while it looks, and tells how much they take', () => {
    expect(parseJson('[1,[],{"a":2}]', { maxValues: 6 })).toEqual([1, [], { a: 2 }])
    expect(() => parseJson('[1,[],{"a":2}]', { maxValues: 5 })).toThrow('more than 5 values')
    expect(() => parseJson(`[${'{},'.repeat(10_000_000)}`, { maxValues: 1000 })).toThrow('more than 1000 values')
    expect(measureJson('["€"]')).toEqual({ value: ['€'], sizeBytes: 5 + 2 * 32 })
  })

  test('limits the depth before it recurses', () => {
    expect(parseJson(`${'['.repeat(200)}${']'.repeat(200)}`)).toBeDefined()
    expect(() => parseJson(`${'['.repeat(201)}${']'.repeat(201)}`)).toThrow('deeper than 200')
    expect(() => parseJson('{"a":'.repeat(1_000_000))).toThrow('deeper than 200')
    expect(() => parseJson('[[1]]', { maxDepth: 1 })).toThrow('deeper than 1')
    expect(parseJson(JSON.stringify(['[[[{{{\\"', '"[']), { maxDepth: 1 })).toEqual(['[[[{{{\\"', '"['])
  })
})

describe('stringifyJson', () => {
  test('equals JSON.stringify where no bigint is', () => {
    fc.assert(
      fc.property(fc.object({ withDate: true, withNullPrototype: true, withSparseArray: true }), fc.constantFrom(0, 2), (value, indent) => {
        expect(stringifyJson(value, indent)).toBe(JSON.stringify(value, null, indent))
      }),
    )
  })

  test('writes a bigint as an integer literal', () => {
    expect(stringifyJson({ id: 9007199254740993n, list: [1n, undefined], gone: undefined }, 2)).toBe(
      '{\n  "id": 9007199254740993,\n  "list": [\n    1,\n    null\n  ]\n}',
    )
  })

  test('gives back what was read', () => {
    fc.assert(fc.property(exact, fc.constantFrom(0, 2), (value, indent) => equalJson(parseJson(stringifyJson(value, indent)), value)))
  })

  test('refuses what has no JSON', () => {
    expect(() => stringifyJson(undefined)).toThrow(TypeError)
  })
})

describe('canonicalJson', () => {
  test('sorts keys and leaves out white space', () => {
    expect(canonicalJson({ b: [1, { d: null, c: 'x' }], a: 9007199254740993n, B: 0.5 })).toBe('{"B":0.5,"a":9007199254740993,"b":[1,{"c":"x","d":null}]}')
  })

  test('sorts few keys and many, those that look like numbers as texts', () => {
    for (const count of [2, 12, 20, 21, 300]) {
      const keys = Array.from({ length: count }, (_, at) => `${(at * 11) % count}${at % 3 === 0 ? '' : 'é'}`)
      const members = keys.toSorted().map((key) => `${JSON.stringify(key)}:"x"`)
      expect(canonicalJson(Object.fromEntries(keys.map((key) => [key, 'x'])))).toBe(`{${members.join(',')}}`)
    }
  })

  test('is the same text exactly for equal values', () => {
    expect(canonicalJson([5n, 1e21, -0])).toBe(canonicalJson([5, 10n ** 21n, 0]))
    fc.assert(fc.property(exact, exact, (a, b) => equalJson(a, b) === (canonicalJson(a) === canonicalJson(b))))
    fc.assert(fc.property(exact, (a) => canonicalJson(parseJson(canonicalJson(a))) === canonicalJson(a)))
  })

  test('is the same in parts, each item of a list for itself', () => {
    fc.assert(fc.property(exact, (a) => [...canonicalParts({ a, list: [a, a], none: [] })].join('') === canonicalJson({ a, list: [a, a], none: [] })))
    expect([...canonicalParts({ b: [1, 2] })]).toEqual(['{"b":', '[1', ',2', ']', '}'])
    expect([...canonicalParts({})].join('')).toBe('{}')
    expect([...canonicalParts({ a: 1, z: 2 }, { m: ['{}', '3'] })].join('')).toBe(canonicalJson({ a: 1, m: [{}, 3], z: 2 }))
  })
})

describe('equalJson', () => {
  test.each<[JsonValue, JsonValue, boolean]>([
    [5n, 5, true],
    [5, 5n, true],
    [9007199254740993n, 9007199254740992, false],
    ['5', 5, false],
    [5n, '5', false],
    [{ a: 1, b: [2] }, { b: [2], a: 1 }, true],
    [{ a: 1 }, { a: 1, b: null }, false],
    [{ a: null }, { b: null }, false],
    [[1, 2], [2, 1], false],
    [[], {}, false],
    [null, {}, false],
    [{ toString: 1 }, { valueOf: 1 }, false],
  ])('case %#', (a, b, equal) => {
    expect(equalJson(a, b)).toBe(equal)
  })
})
