// The canonical form: values and comments stay, a second pass changes nothing, other tools' documents are left alone.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Lexer, parseAllDocuments, stringify } from 'yaml'
import { longForm } from '../../../test/builders/long-form.ts'
import { canonicalText } from './canonical.ts'

const kinds = new Set(['Vpc', 'Instance'])
const formed = (text: string): string => canonicalText(text, kinds).text
const head = 'apiVersion: iac/v1\nkind: Vpc\nmetadata:\n  name: main\n'

test('puts the head first, other keys as written, and quotes where they are needed', () => {
  const text =
    'spec:\n    name: "main"\n    "range": \'10.0.0.0/24\'\n    text: "12"\n    list: [ a,"b" ]\n    map: {a: 1}\nzeta: 1\nmetadata: {"name": main}\nkind: "Vpc"\napiVersion: iac/v1\nalpha: 2\n'
  expect(formed(text)).toBe(
    'apiVersion: iac/v1\nkind: Vpc\nmetadata: { name: main }\nspec:\n  name: main\n  range: 10.0.0.0/24\n  text: "12"\n  list: [a, b]\n  map: { a: 1 }\nzeta: 1\nalpha: 2\n',
  )
})

test('keeps comments with what they are about', () => {
  const text = '# all\n\nkind: Vpc # the kind\n# version\napiVersion: iac/v1\nspec:\n  # first\n  - a # one\nmetadata: {}\n# end\n'
  expect(formed(text)).toBe('# all\n\n# version\napiVersion: iac/v1\nkind: Vpc # the kind\nmetadata: {}\nspec:\n  # first\n  - a # one\n\n# end\n')
})

test('keeps what stands above everything there, whichever key comes first', () => {
  const text = '# Licence\n# of it\nkind: Vpc\n# version\napiVersion: iac/v1\n'
  expect(formed(text)).toBe('# Licence\n# of it\n# version\napiVersion: iac/v1\nkind: Vpc\n')
})

describe('leaves alone', () => {
  test.each([
    ['what another tool reads', 'kind:   Pod\napiVersion:   v1\n', 'foreign'],
    ['what is no YAML', 'apiVersion: iac/v1\nkind: [\n', 'broken'],
    ['what a loader refuses', 'apiVersion: iac/v1\nkind:   Vpc\nkind:   Vpc\n', 'broken'],
    ['a manifest of another version', 'apiVersion:   v2\nkind:   Vpc\nspec:   {}\n', 'broken'],
  ] as const)('%s', (_, text, why) => {
    const around = `${head}---\n${text}---\n${head}`
    expect(canonicalText(around, kinds)).toEqual({ text: around, left: [{ line: 6, why }] })
  })
  test('blank parts and markers', () => {
    const text = `---\n# nothing\n---\n${head}...\n---\n${head}`
    expect(canonicalText(text, kinds)).toEqual({ text, left: [] })
  })
})

test('an anchor that stands behind its alias once keys move stays where it is', () => {
  const text = 'spec: &all\n    a: 1\nmetadata: *all\nkind: Vpc\napiVersion: iac/v1\n'
  expect(formed(text)).toBe('spec: &all\n  a: 1\nmetadata: *all\nkind: Vpc\napiVersion: iac/v1\n')
})

test.each([
  '"1"',
  "'true'",
  '"null"',
  '" a"',
  '"a: b"',
  '"a #b"',
  '"- a"',
  '"${vars.x}"',
  '"0o17"',
  '"1e3"',
  '"~"',
  '""',
  '"\\u00e9\\n"',
  '"@a"',
  '"*a"',
  '"!a"',
  '"%a"',
  '"a\\tb"',
])('the text %s stays the same text', (text) =>
  expect(parseAllDocuments(formed(`${head}spec: { a: ${text}, b: [${text}] }\nmore: ${text}\n`)).map((one) => one.toJS())).toEqual(
    parseAllDocuments(`${head}spec: { a: ${text}, b: [${text}] }\nmore: ${text}\n`).map((one) => one.toJS()),
  ),
)

const scalar = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.constantFrom(
    'yes',
    'true',
    '12',
    'a: b',
    '# no comment',
    'two\nlines\n',
    ' lead',
    'trail ',
    '- x',
    '${each.key}',
    "it's",
    '"q"',
    'a, b',
    '[x]',
    '{y}',
    '\n\nx',
  ),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null),
)
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.string({ minLength: 1, maxLength: 6 }), tie('value'), { maxKeys: 4 }),
  ),
}))
const quoting = fc.constantFrom('PLAIN', 'QUOTE_DOUBLE', 'QUOTE_SINGLE', 'BLOCK_LITERAL', 'BLOCK_FOLDED')

/** A document as nobody's tool would write it: indents, quoting, flow, comments and blank lines at random. */
const drawn = fc
  .record({
    spec: value,
    first: fc.boolean(),
    indent: fc.integer({ min: 1, max: 5 }),
    type: quoting,
    key: fc.constantFrom('PLAIN', 'QUOTE_DOUBLE', 'QUOTE_SINGLE'),
    flow: fc.boolean(),
    shared: fc.boolean(),
    comments: fc.array(fc.tuple(fc.nat(), fc.constantFrom('# one', '#two', '  # three', '\t# four')), { maxLength: 6 }),
    blank: fc.array(fc.nat(), { maxLength: 3 }),
  })
  .map(({ spec, first, indent, type, key, flow, shared, comments, blank }) => {
    const whole = {
      ...(first ? { apiVersion: 'iac/v1' } : {}),
      spec: shared ? { a: spec, b: spec } : spec,
      kind: 'Vpc',
      ...(first ? {} : { apiVersion: 'iac/v1' }),
      other: spec,
    }
    const text = stringify(whole, {
      indent,
      defaultStringType: type,
      defaultKeyType: key,
      collectionStyle: flow ? 'flow' : 'any',
      aliasDuplicateObjects: true,
      lineWidth: 30,
    })
    const lines = text.split('\n')
    for (const [at, comment] of comments) lines.splice(at % lines.length, 0, comment)
    for (const at of blank) lines.splice(at % lines.length, 0, '')
    return lines.join('\n')
  })

const values = (text: string) => parseAllDocuments(text, { version: '1.2', schema: 'core', intAsBigInt: true }).map((one) => one.toJS())
// What begins with # and is no text.
const comments = (text: string): string[] =>
  [...new Lexer().lex(text)]
    .filter((one) => one.startsWith('#'))
    .map((one) => one.trim())
    .toSorted()

test('values are identical, comments are all there, and a second pass changes nothing', { tags: ['longer'] }, () => {
  let rewritten = 0
  fc.assert(
    fc.property(drawn, (text) => {
      const once = canonicalText(text, kinds)
      expect(canonicalText(once.text, kinds).text).toBe(once.text)
      if (once.left.length > 0) {
        expect(once.text).toBe(text)
        return
      }
      rewritten += 1
      expect(values(once.text)).toEqual(values(text))
      expect(comments(once.text)).toEqual(comments(text))
    }),
    { numRuns: longForm(300, 100) },
  )
  expect(rewritten).toBeGreaterThan(longForm(100, 33))
})
