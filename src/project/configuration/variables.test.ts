// Variables: which source wins, what each type takes, what is missing or too much.
import { describe, expect, test } from 'vitest'
import { load, loaded, manifest, memoryFiles, mistakes } from '../../../test/builders/project.ts'
import type { JsonValue } from '../../base/json.ts'
import { unmetered } from '../../base/meter.ts'
import { atOnce } from '../files/turns.ts'
import { readProjectFileInTurns } from './project-file.ts'

const project = (variables: string, more = '') => ({
  'a.yaml': manifest('Vpc', 'none', 'description: ${vars.x}', 'for_each: []'),
  'iac.yaml': `apiVersion: iac/v1\nkind: Project\nvariables:\n  x: ${variables}\n${more}`,
})
const environments = 'environments:\n  staging:\n    variables: {x: block}\n'
const given = (flags: readonly string[], files: readonly string[] = [], environment: Record<string, string> = {}) => ({
  variables: { flags: flags.map((text) => ({ name: 'x', text })), files: files.map((text, at) => ({ file: `${at}.yaml`, text })), environment },
})
const value = (...args: Parameters<typeof loaded>) => loaded(...args).variables.x?.value

test('the order of sources', () => {
  const files = project('{type: string, default: last}', environments)
  const environment = { IAC_VAR_x: 'env', IAC_OTHER: 'no' }
  expect(value(files, { ...given(['one', 'flag'], ['x: file'], environment), environment: 'staging' })).toBe('flag')
  expect(value(files, { ...given([], ['x: early', 'x: file'], environment), environment: 'staging' })).toBe('file')
  expect(value(files, { ...given([], [], environment), environment: 'staging' })).toBe('env')
  expect(value(files, { ...given([]), environment: 'staging' })).toBe('block')
  expect(value(files, given([]))).toBe('last')
})

test('what only an environment gives is told with it, and not missed where no such environment is declared', () => {
  const files = project('{type: string}', environments)
  const found = (environment: string | null) => load(files, { ...given([]), environment }).diagnostics.map(({ code, hint }) => [code, hint])
  expect(found(null)).toEqual([['missing_variable', expect.stringMatching(/ or a default, or choose an environment that has it with -e: staging$/)]])
  expect(found('stagin')).toEqual([['unknown_environment', 'did you mean "staging"?']])
})

describe('types', () => {
  test.each<[string, string, JsonValue]>([
    ['string', '5', '5'],
    ['int', '-5', -5],
    ['int', '9007199254740993', 9007199254740993n],
    ['float', '1.5', 1.5],
    ['float', '2', 2],
    ['bool', 'true', true],
    ['list', '[a, 1]', ['a', 1]],
    ['map', '{a: 1}', { a: 1 }],
    ['any', 'null', null],
    ['any', '[1]', [1]],
    ['any', '3', 3],
    ['any', '1.5', 1.5],
    ['any', 'a: 1', { a: 1 }],
    ['any', '"1.10"', '1.10'],
    ['any', '', ''],
    // What a number, a comment or folded lines would make of it is not what was given.
    ...['1.10', '2.0', '0123456', '1234e5', '0x1f', 'Tr0ub4dor #3', '#secret', '"a" b', '-----BEGIN-----\na\n-----END-----\n', '@x', "it's: b: c"].map(
      (text): [string, string, JsonValue] => ['any', text, text],
    ),
  ])('%s takes %s', (type, text, expected) => {
    expect(value(project(`{type: ${type}}`), given([text]))).toEqual(expected)
  })

  test.each([
    ['int', '1.0'],
    ['int', '9223372036854775808'],
    ['bool', 'yes'],
    ['float', 'Infinity'],
    ['list', '{a: 1}'],
    ['map', '[a]'],
  ])('%s does not take %s', (type, text) => {
    expect(mistakes(project(`{type: ${type}}`), given([text]))).toEqual([`invalid_value 0:0 the variable x must be of type ${type} (from --var x)`])
  })

  test.each([
    ['any', '{"a\\u0000": 1}', 'line 1, column 2: a key holds the invisible character U+0000'],
    ['any', '[1, "\\u0000"]', 'line 1, column 5: the control character U+0000 is not allowed in a text'],
    ['any', 'a: !foo canary', 'line 1, column 4: tags are not supported'],
    ['any', '{a: canary', 'line 1, column 1: what is open here must be closed with }'],
    ['any', '{canary: 1, canary: 2}', 'line 1, column 13: a key stands here twice'],
    ['list', '[a', 'line 1, column 1: what is open here must be closed with ]'],
    ['map', '{a: .inf}', 'line 1, column 5: infinite numbers and .nan are not supported'],
    ['any', '[1]\n---\n[2]', 'line 3, column 1: a second document begins here'],
  ])('%s says of %s what is wrong with it, and nothing of the value', (type, text, why) => {
    for (const sensitive of [false, true])
      expect(mistakes(project(`{type: ${type}, sensitive: ${sensitive}}`), given([text]))).toEqual([
        `invalid_value 0:0 the variable x cannot be read as YAML, ${why} (from --var x)`,
      ])
  })

  test('defaults and blocks are not coerced', () => {
    expect(mistakes(project('{type: int, default: "5"}'))).toEqual([
      'invalid_value 4:27 the variable x must be of type int, got the text "5" (from the default)',
    ])
    expect(mistakes(project('{type: string, default: 5}'))[0]).toMatch(/got 5/)
  })
})

describe('mistakes', () => {
  test('a missing value', () => {
    expect(mistakes(project('{type: string}'))).toEqual(['missing_variable 4:3 the variable x has no value'])
  })

  test.each([
    ['a flag', { flags: [{ name: 'y', text: '' }], files: [], environment: {} }],
    ['a file', { flags: [], files: [{ file: 'v.yaml', text: 'y: 1' }], environment: {} }],
  ])('%s for what is not declared', (_, variables) => {
    expect(load(project('{default: 1}'), { variables }).diagnostics).toMatchObject([{ code: 'unknown_variable', hint: 'did you mean "x"?' }])
  })

  test.each([null, 'staging', 'production'])('every block of an environment for what is not declared, whichever is chosen: %s', (environment) => {
    const blocks = 'environments:\n  staging:\n    variables: {y: 1}\n  production:\n    variables:\n      nope: 1\n      x: [2]\n  bare:\n'
    const { diagnostics } = load(project('{default: 1}', blocks), { environment })
    expect(diagnostics.map((one) => [one.code, one.position?.line, one.summary, one.hint])).toEqual([
      ['unknown_variable', 7, 'environments.staging gives a value to "y", which the project does not declare', 'did you mean "x"?'],
      ['unknown_variable', 10, 'environments.production gives a value to "nope", which the project does not declare', 'declared: x'],
    ])
  })

  test('the environment for what is not declared', () => {
    const variables = (name: string) => ({ flags: [], files: [], environment: { [`IAC_VAR_${name}`]: '' } })
    const hint = (name: string) => load(project('{default: 1}'), { variables: variables(name) }).diagnostics.map((one) => one.hint)
    expect(load(project('{default: 1}'), { variables: variables('other') })).toMatchObject({ project: {}, diagnostics: [{ severity: 'warning' }] })
    expect(hint('other')).toEqual(['unset IAC_VAR_other, or declare other under variables'])
    expect(hint('y')).toEqual(['did you mean "x"? Else unset IAC_VAR_y, or declare y under variables'])
    // Under these nothing can be declared.
    for (const name of ['', 'some-name', 'no name']) expect(hint(name)).toEqual([`unset IAC_VAR_${name}`])
  })

  test('the line is shown unless it holds something sensitive', () => {
    const lines = (text: string) => load({ 'iac.yaml': `apiVersion: iac/v1\nkind: Project\nvariables:\n${text}` }).diagnostics.map((one) => one.position?.text)
    expect(lines('  x: { type: string }\n')).toContain('  x: { type: string }')
    expect(lines('  x:\n    type: int\n    default: "5"\n')).toContain('    default: "5"')
    expect(lines('  x: { type: int, sensitive: true, default: CANARY }\n').join('')).not.toMatch('CANARY')
    expect(lines('  { x: { type: int, default: "5" }, y: { sensitive: true, default: CANARY } }\n').join('')).not.toMatch('CANARY')
    expect(lines('  {\n  x: { type: int, default: "5" }, y: { sensitive: true, default: CANARY } }\n').join('')).not.toMatch('CANARY')
    expect(lines('  { y: { typ: int }, x: { sensitive: true, default: CANARY } }\n').join('')).not.toMatch('CANARY')
  })

  test('a file that is no map, or no YAML', () => {
    expect(mistakes(project('{default: 1}'), given([], ['- 1']))[0]).toMatch(/invalid_value 1:1 .*map of names/)
    expect(mistakes(project('{default: 1}'), given([], ['a: [']))[0]).toMatch(/yaml_syntax/)
  })

  test.each([
    ['string', '\u0001hidden\u0002', 'U+0001'],
    ['any', 'a\u0002', 'U+0002'],
  ])('a mark of tokens in a flag or the environment, for %s', (type, text, mark) => {
    const says = (from: string) => [`invalid_value 0:0 the variable x holds the control character ${mark} (from ${from})`]
    expect(mistakes(project(`{type: ${type}}`), given([text]))).toEqual(says('--var x'))
    expect(mistakes(project(`{type: ${type}}`), given([], [], { IAC_VAR_x: text }))).toEqual(says('IAC_VAR_x'))
  })

  test('sensitive values are never echoed', () => {
    const { diagnostics } = load(project('{type: int, sensitive: true, default: CANARY}'), given(['CANARY']))
    expect(diagnostics.map((one) => one.code).toSorted()).toEqual(['invalid_value', 'secret_literal'])
    expect(JSON.stringify(diagnostics)).not.toContain('CANARY')
  })
})

describe('what IAC_SENSITIVE_VARS names is sensitive', () => {
  const named = (names: string, flags: readonly string[] = ['canary'], files: readonly string[] = []) =>
    given(flags, files, { IAC_SENSITIVE_VARS: names, ...(flags.length + files.length === 0 ? { IAC_VAR_x: 'canary' } : {}) })
  test.each([
    ['x', '{type: string}'],
    ['other,x', '{type: string, sensitive: false}'],
    [' a, x ,b', '{}'],
    ['IAC_VAR_x', '{type: any}'],
  ])('by %j, whatever %s declares', (names, declared) => {
    for (const from of [named(names), named(names, []), named(names, [], ['x: canary'])]) {
      expect(loaded(project(declared), from).variables.x?.sensitive).toBe(true)
    }
  })
  test('from a default and a block, too', () => {
    expect(loaded(project('{type: string, default: text}'), named('x', [], ['{}'])).variables.x).toEqual({ value: 'text', sensitive: true })
    const inBlock = loaded(project('{type: string, default: text}', environments), { ...named('x', [], ['{}']), environment: 'staging' })
    expect(inBlock.variables.x).toEqual({ value: 'block', sensitive: true })
  })
  test('and quoted by no mistake', () => {
    const wrong = load(project('{type: int}'), named('x', [], ['x: canary'])).diagnostics
    expect(wrong.map((one) => one.summary)).toEqual(['the variable x must be of type int (from 0.yaml)'])
    const key = load({ ...project('{type: string}'), 'a.yaml': manifest('Vpc', 'none', 'description: text', 'for_each: ["${vars.x}"]') }, named('x'))
    expect(JSON.stringify(key.diagnostics)).toMatch(/sensitive/)
    expect(JSON.stringify(key.diagnostics)).not.toContain('canary')
  })
  test.each<[string, string, string | null]>([
    ['its default', '  x:\n    type: int\n    default: canary\n', null],
    ['its default beside others', '  { x: { type: int, default: canary }, y: { type: int, default: "5" } }\n', null],
    ['what declares it', '  x:\n    typ: int\n    default: canary\n', null],
    ['a wrong setting on its line', '  { y: { typ: int }, x: { default: canary } }\n', null],
    ['a wrong setting of an environment', '  x: {}\nenvironments: { staging: { variables: { x: canary }, stat: {} } }\n', null],
    ['its value in an environment', '  x: { type: int }\nenvironments:\n  staging:\n    variables:\n      x: canary\n', 'staging'],
  ])('and no line that is shown holds %s', (_, text, environment) => {
    const { diagnostics } = load(
      { 'iac.yaml': `apiVersion: iac/v1\nkind: Project\nvariables:\n${text}` },
      { ...given([], [], { IAC_SENSITIVE_VARS: 'x' }), environment },
    )
    expect(diagnostics.map((one) => one.severity)).toContain('error')
    expect(JSON.stringify(diagnostics)).not.toContain('canary')
  })
  test('nor, where a command reads iac.yaml alone, that of any variable', () => {
    const files = memoryFiles({ '/p/iac.yaml': 'apiVersion: iac/v1\nkind: Project\nvariables:\n  x: { typ: int, default: canary }\n  y: { typ: int }\n' })
    const { problems } = atOnce(readProjectFileInTurns(files, { folder: '/p' }, unmetered))
    expect(problems.map((one) => one.position?.text)).toEqual([undefined, '  y: { typ: int }'])
  })
  test('while other variables stay as they are, and names that are not declared mean nothing', () => {
    expect(loaded(project('{type: string}'), named('y,X')).variables.x?.sensitive).toBe(false)
    expect(loaded(project('{type: string}'), named('')).variables.x?.sensitive).toBe(false)
  })
  test.each(['x;y', '*', 'a b-c'])('%j names nothing that a variable can be called', (names) => {
    expect(mistakes(project('{type: string}'), named(names))[0]).toMatch(/^usage 0:0 IAC_SENSITIVE_VARS holds /)
  })
})
