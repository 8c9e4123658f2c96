// Every wrong name is found, with its offset and the nearest right word.
import { describe, expect, test } from 'vitest'
import type { CheckScope } from './check.ts'
import { checkExpression } from './check.ts'
import { parseExpression } from './expression.ts'

const variables = ['region', 'replicas']
const scope: CheckScope = {
  each: false,
  hasVar: (name) => variables.includes(name),
  varNames: () => variables,
  kindNames: () => ['Instance', 'Vpc', 'Plan'],
  resources: (kind) => new Set(kind === 'Plan' ? [] : ['main', 'web']),
  keysOf: (kind, name) => (kind === 'Vpc' && name === 'main' ? new Set(['a', 'b']) : undefined),
  attributes: () => ['id', 'name', 'labels'],
  isScalar: (_, attribute) => attribute !== 'labels',
}

const inScope = " (in scope: vars.region, vars.replicas; other resources as Kind['name'].attribute; functions (`iac explain functions`))"

function problems(source: string, within: CheckScope = scope): readonly string[] {
  const parsed = parseExpression(source)
  if (!parsed.ok) return [`does not parse: ${parsed.message}`]
  return checkExpression(parsed.parsed, within).map((one) => `${one.offset} ${one.code}: ${one.message}${one.hint === undefined ? '' : ` (${one.hint})`}`)
}

describe('checkExpression', () => {
  test.each([
    "vars.region + 'x'",
    "Instance['web'].id",
    "Instance['web'].labels.anything",
    "Instance['web']",
    "Vpc['main']['a'].id",
    "Vpc['main'].map(k, Vpc['main'][k].id)",
    "size(Vpc['main'])",
    'Vpc[vars.region].id',
    "lookup('Plan', vars.region).name",
    '[1, 2].exists(x, x > vars.replicas)',
    '[{"a": 1}].map(vars, vars.a)',
    "'a'.split(',', 2).join()",
    "type(1) == int && type(timestamp('2024-01-01T00:00:00Z')) == google.protobuf.Timestamp",
    'strings.quote("a") + base64(sha256(json([])))',
    'cel.bind(x, 1, x + 1)',
    "has(Instance['web'].name)",
  ])('%s is right', (source) => {
    expect(problems(source)).toEqual([])
  })

  test.each<[string, ...string[]]>([
    ['vars.regoin', "5 unknown_variable: no variable 'regoin' is declared (did you mean 'region'?)"],
    ['vars.zone', "5 unknown_variable: no variable 'zone' is declared (declared: region, replicas)"],
    ['region', "0 expression: no name 'region' is in scope (write vars.region)"],
    ['vasr.region', `0 expression: no name 'vasr' is in scope (did you mean vars? ${inScope.slice(2)}`],
    [
      'environment',
      `0 expression: no name 'environment' is in scope (which environment it is, is no value by itself: declare a variable, and give it a value in environments.NAME.variables; ${inScope.slice(2)}`,
    ],
    ['nothing', `0 expression: no name 'nothing' is in scope${inScope}`],
    ['a.__proto__.x', `0 expression: no name 'a' is in scope${inScope}`],
    ['vars', '0 expression: vars is no value by itself; write vars.NAME (declared: region, replicas)'],
    ['each', '0 expression: each is no value by itself; write each.key or each.value'],
    ['each.key', '5 expression: each.key exists in manifests with for_each only'],
    ['Instance', "0 expression: Instance is a kind (write Instance['name'].attribute)"],
    ["Instnace['web'].id", "0 unknown_kind: no kind is named 'Instnace' (did you mean Instance?)"],
    ["Server['web'].id", "0 unknown_kind: no kind is named 'Server' (kinds: Instance, Vpc, Plan)"],
    ["Instance['wbe'].id", "9 unknown_reference: no Instance named 'wbe' is declared (did you mean 'web'?)"],
    ["Instance['other'].id", "9 unknown_reference: no Instance named 'other' is declared (declared: main, web)"],
    ["Plan['x'].id", "5 unknown_reference: no Plan named 'x' is declared (declared: none)"],
    ["Instance['web'].nmae", "16 unknown_field: Instance has no attribute 'nmae' (did you mean 'name'?)"],
    ["Instance['web'].address", "16 unknown_field: Instance has no attribute 'address' (attributes: id, name, labels)"],
    ["Instance['web'].id.a", "16 unknown_field: Instance.id is no map, and has no member 'a'"],
    ["Vpc['main']['a'].name.b.c", "17 unknown_field: Vpc.name is no map, and has no member 'b'"],
    ["lookup('Plan', 'x').id.a", "20 unknown_field: Plan.id is no map, and has no member 'a'"],
    ["Instance['web']['id']", "16 unknown_reference: Instance/web has no for_each, so it takes no key (write Instance['web'].id)"],
    ["Vpc['main'].a.id", "12 ambiguous_reference: Vpc/main has a for_each: a key is missing (write Vpc['main']['a'].id; keys: a, b)"],
    ["Vpc['main'].id", "12 ambiguous_reference: Vpc/main has a for_each: a key is missing (write Vpc['main']['a'].id; keys: a, b)"],
    ["Vpc['main']['c'].id", "12 unknown_reference: Vpc/main has no key 'c' (did you mean 'a'?)"],
    ["Vpc['main']['zone'].id", "12 unknown_reference: Vpc/main has no key 'zone' (keys: a, b)"],
    ["Vpc['main']['a'].nam", "17 unknown_field: Vpc has no attribute 'nam' (did you mean 'name'?)"],
    ["lookup('Pln', 'x').id", "0 unknown_kind: no kind is named 'Pln' (did you mean Plan?)"],
    ["lookup('Plan', 'x').nam", "20 unknown_field: Plan has no attribute 'nam' (did you mean 'name'?)"],
    ["Plan['\\u001b[31m'].id", "5 unknown_reference: no Plan named '\\u{1b}[31m' is declared"],
    ['jsn(1)', '0 expression: no function jsn(…) (did you mean json?)'],
    ['now()', '0 expression: no function now(…)'],
    ['"a".contians("b")', '4 expression: no function x.contians(…) (did you mean contains?)'],
    ['trim("a")', '0 expression: no function trim(…) (write x.trim(…))'],
    ['[1].json()', '4 expression: no function x.json(…) (write json(x))'],
    ['json(1, 2)', '0 expression: json takes 1 argument, not 2'],
    ['"a".substring()', '4 expression: x.substring takes 1 to 2 arguments, not 0'],
    ['[1].map(x, y)', `11 expression: no name 'y' is in scope${inScope}`],
    ['[1].map(x, x) + [x]', `17 expression: no name 'x' is in scope${inScope}`],
    ['constructor(1)', '0 expression: no function constructor(…)'],
    [
      "vars.a + Instance['other'].id",
      "5 unknown_variable: no variable 'a' is declared (declared: region, replicas)",
      "18 unknown_reference: no Instance named 'other' is declared (declared: main, web)",
    ],
  ])('%s is wrong', (source, ...expected) => {
    const found = problems(source)
    expect(found).toHaveLength(expected.length)
    for (const [index, one] of expected.entries()) expect(found[index]).toContain(one)
  })

  test('a name that nothing is near to is answered with what is in scope', () => {
    const within = { ...scope, each: true, varNames: () => [] }
    expect(problems('elsewhere', within)).toEqual([
      "0 expression: no name 'elsewhere' is in scope (in scope: variables of iac.yaml as vars.NAME (none is declared); each.key, each.value; other resources as Kind['name'].attribute; functions (`iac explain functions`))",
    ])
  })

  test('each is in scope where the manifest has a for_each', () => {
    expect(problems('each.key + each.value', { ...scope, each: true })).toEqual([])
  })

  test('long lists of words are cut', () => {
    const names = Array.from({ length: 40 }, (_, index) => `resource_${index}`)
    const [found] = problems("Vpc['zzz'].id", { ...scope, resources: () => new Set(names) })
    expect(found).toContain('resource_11 and 28 more')
    expect(found).not.toContain('resource_12')
  })
})
