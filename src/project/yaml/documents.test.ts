// Documents of a file: what is read, what is refused, and where things stand.
import { describe, expect, test } from 'vitest'
import { cpuTime } from '../../../test/builders/cpu-time.ts'
import { createSource } from '../findings/source.ts'
import { readYaml } from './documents.ts'

const read = (text: string) => readYaml(createSource('a.yaml', text))
const head = 'apiVersion: iac/v1\n'
const codes = (text: string) => read(text).problems.map((one) => one.code)

describe('documents', () => {
  test('integers are exact, doubles stay doubles, words stay words', () => {
    const [document] = read(`${head}a: 9007199254740993\nb: 5.0\nc: no\nd: 012\ne: 2024-01-01\n`).documents
    expect(document?.value).toEqual({ apiVersion: 'iac/v1', a: 9007199254740993n, b: 5, c: 'no', d: 12n, e: '2024-01-01' })
  })

  test('a syntax error hides only its own document', () => {
    const file = read(`${head}a: 1\n---\n${head}a: [1,\n---\n${head}b: "x\n---\n${head}b: 2\n`)
    expect(file.documents.map((one) => one.value)).toEqual([
      { apiVersion: 'iac/v1', a: 1n },
      { apiVersion: 'iac/v1', b: 2n },
    ])
    expect([...new Set(file.problems.map((one) => one.position?.line))]).toHaveLength(2)
  })

  test('documents of other tools are counted and left alone', () => {
    expect(read('a: !Ref x\n---\n- 1\n')).toMatchObject({ documents: [], foreign: [{ line: 1 }, { line: 3 }], problems: [] })
    expect(read('{{ template }}: {\n')).toMatchObject({ documents: [], foreign: [{ line: 1 }], problems: [] })
    expect(read(`kind: x\na: !Ref x\n---\n${head}`)).toMatchObject({ foreign: [{ line: 1 }], problems: [] })
  })

  test.each(['\u2028', '\u2029'])('no line begins behind %j: what a comment or a text holds there stays in it', (letter) => {
    const file = read(`${head}# a remark${letter}--- {${head.trim()}, kind: Vpc}\na: before${letter}--- after\n`)
    expect(file.documents.map((one) => one.value)).toEqual([{ apiVersion: 'iac/v1', a: `before${letter}--- after` }])
    expect(read(`# kept${letter}apiVersion: iac/v1\na: 1\n`)).toMatchObject({ documents: [], foreign: [{ line: 2 }] })
  })

  test('markers inside of texts end documents, directives belong to the next', () => {
    expect(read(`%YAML 1.2\n---\n${head}a: |\n  --- x\n  y\n...\n# end\n`).documents[0]?.value).toEqual({ apiVersion: 'iac/v1', a: '--- x\ny\n' })
    expect(codes(`%YAML 1.1\n---\n${head}`)).toEqual(['yaml_unsupported'])
  })

  test.each([
    ['tab', 'a:\n\tb: 1\n', 'yaml_syntax', 3],
    ['duplicate', 'a: 1\na: 2\n', 'yaml_duplicate_key', 3],
    ['merge', 'a: &a {x: 1}\nb: {<<: *a}\n', 'yaml_unsupported', 3],
    ['tag', 'a: !foo x\n', 'yaml_unsupported', 2],
    ['binary', 'a: !!binary aGk=\n', 'yaml_unsupported', 2],
    ['set', 'a: !!set {x}\n', 'yaml_unsupported', 2],
    ['recursive', 'a: &a [*a]\n', 'yaml_unsupported', 2],
    ['undefined alias', 'a: *b\n', 'yaml_syntax', 2],
    ['proto', '__proto__: {polluted: 1}\n', 'yaml_unsupported', 2],
    ['infinity', 'a: .inf\n', 'yaml_unsupported', 2],
    ['1e400', 'a: 1e400\n', 'yaml_unsupported', 2],
    ['beyond 64 bits', 'a: 9223372036854775808\n', 'yaml_unsupported', 2],
    ['NUL', 'a: "\\0"\n', 'yaml_unsupported', 2],
    ['raw escape', 'a: \u001b[31m\n', 'yaml_unsupported', 2],
    ['surrogate', 'a: "\\ud800"\n', 'yaml_unsupported', 2],
    ['bidi key', 'a\u202eb: 1\n', 'yaml_unsupported', 2],
    ['map as key', '? {a: b}\n: c\n', 'yaml_syntax', 2],
  ])('%s', (_, text, code, line) => {
    const { problems } = read(head + text)
    expect(problems[0]).toMatchObject({ code, position: { line } })
    expect(JSON.stringify(problems)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/)
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  })

  test.each([
    ['a quote', 'a: "b\n', '2:4 "'],
    ['a quote within brackets', "a: { b: { 'c: d } }\n", "2:11 '"],
    ['a bracket', 'a: [b\nd: e\n', '2:4 ]'],
    ['a bracket that another one closes', 'a: { b: [c }\nd: e\n', '2:9 ]'],
    ['brackets within brackets', 'a: { b: [{c: d\ne: f\n', '2:10 }'],
    ['a bracket around a block', 'a: {\n  b: c\n  d: e\n', '2:4 }'],
    ['each of two', 'a: [b\nc: { "d\n', '2:4 ] 3:6 "'],
    ['one beside what is wrong by itself', 'a: "\\z"\nb: [c\n', '2:5 undefined 3:4 ]'],
    ['one around what is wrong by itself', 'a: [b, "\\z"\nc: d\n', '2:4 ] 2:9 undefined'],
  ])('what is never closed is one mistake where it opens: %s', (_, text, places) => {
    const found = read(head + text).problems.map(({ position, hint }) => `${position?.line}:${position?.column} ${/^write (\S) where/.exec(hint ?? '')?.[1]}`)
    expect(found.join(' ')).toBe(places)
  })

  test('an alias bomb is refused, modest aliases are not', () => {
    const bomb = Array.from({ length: 9 }, (_, at) => `k${at}: &k${at} [${Array.from({ length: 9 }, () => (at === 0 ? 'x' : `*k${at - 1}`)).join(',')}]`).join(
      '\n',
    )
    expect(codes(`${head}${bomb}\n`)[0]).toBe('yaml_unsupported')
    expect(read(`${head}a: &a [1]\nb: *a\n`).documents[0]?.value).toEqual({ apiVersion: 'iac/v1', a: [1n], b: [1n] })
  })

  test.each([
    ['flow', (levels: number) => '['.repeat(levels)],
    ['sequence', (levels: number) => '- '.repeat(levels)],
    ['mapping', (levels: number) => Array.from({ length: Math.min(levels, 2000) }, (_, at) => `${' '.repeat(at)}k:\n`).join('')],
  ])(
    'nesting, %s',
    (_, nest) => {
      for (const levels of [110, 10_000, 10_000, 1_000_000]) {
        const { result, spentMs } = cpuTime(() => read(`${head}---\n# apiVersion\n${nest(levels)}`))
        expect(result.problems[0]).toMatchObject({ code: 'yaml_unsupported', summary: 'nesting deeper than 100 levels' })
        expect(spentMs).toBeLessThan(1000)
      }
    },
    60_000,
  )

  test('exactly 100 levels', () => {
    const nested = (levels: number) => `${head}a: ${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}\n`
    expect(codes(nested(100))).toEqual([])
    expect(codes(nested(101))).toEqual(['yaml_unsupported'])
  })

  test('50,000 keys', () => {
    const text = head + Array.from({ length: 50_000 }, (_, at) => `k${at}: ${at}`).join('\n')
    const { result, spentMs } = cpuTime(() => read(text))
    expect(Object.keys(result.documents[0]?.value ?? {})).toHaveLength(50_001)
    expect(spentMs).toBeLessThan(8000)
  }, 60_000)

  test('CRLF and many documents', () => {
    expect(read(`${head}a: |\n  x\n  y\nb: 1\n`.replaceAll('\n', '\r\n')).documents[0]?.value).toEqual({ apiVersion: 'iac/v1', a: 'x\ny\n', b: 1n })
  })
})

describe('positions', () => {
  const text = `# top\n---\n${head}spec:\n  name: web\n  list: [a, "b \${vars.x}"]\n  text: |\n    one \${vars.y}\n    two \${\n      vars.z}\n  password: canary\n`
  const [document] = read(text).documents
  const at = (pointer: string, where = {}) => {
    const { line, column } = document?.position(pointer, where) ?? { line: 0, column: 0 }
    return `${line}:${column}`
  }
  test('values, keys, ancestors', () => {
    expect([at(''), at('/spec/name'), at('/spec/name', { key: true }), at('/spec/list/1'), at('/spec/nothing/there'), at('/nothing')]).toEqual([
      '3:1',
      '5:9',
      '5:3',
      '6:13',
      '4:1',
      '3:1',
    ])
  })

  test('inside of texts', () => {
    expect(at('/spec/list/1', { offset: 4 })).toBe('6:18')
    expect(at('/spec/text', { offset: 'one ${vars.y}\ntwo ${\n  vars'.length - 4 })).toBe('10:7')
    expect(at('/spec/text', { offset: 6 })).toBe('8:11')
  })

  test('lines with secrets are left out', () => {
    expect(document?.position('/spec/password').text).toBeUndefined()
    expect(document?.position('/spec/name').text).toBe('  name: web')
    expect(document?.position('/spec/name', { hidden: true }).text).toBeUndefined()
  })
})
