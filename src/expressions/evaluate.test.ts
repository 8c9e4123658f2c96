// What expressions and templates give: values, types, unknown and sensitive, and their errors.
import { describe, expect, test } from 'vitest'
import type { Scope } from './evaluate.ts'
import { evaluate, renderTemplate } from './evaluate.ts'
import { parseExpression } from './expression.ts'
import { parseTemplate } from './template.ts'
import type { Value } from './value.ts'
import { list, map, scalar, unknown, valueAt, valueOf } from './value.ts'

const secret = 'hunter2-canary'
const variables: Readonly<Record<string, Value>> = {
  text: scalar('fra-1'),
  count: scalar(2n),
  big: scalar(9007199254740993n),
  rate: scalar(1.5),
  on: scalar(true),
  none: scalar(null),
  zones: valueOf(['a', 'b']),
  sizes: valueOf({ small: 1, large: 4, nested: { deep: 'x' } }),
  mixed: valueOf([1, 'a', null, [2.5]]),
  secret: scalar(secret, true),
  secretMap: valueOf({ user: 'root', tags: ['x'] }, { sensitive: true }),
  account: map(
    new Map<string, Value>([
      ['user', scalar('root')],
      ['password', scalar(secret, true)],
    ]),
  ),
  open: unknown(['Vpc/new.id']),
  openToo: unknown(['Ip/new.address']),
  openSecret: unknown(['ApiToken/t.code'], true),
  partly: list([scalar(1n), unknown(['Vpc/new.id'])]),
  partlyMap: map(
    new Map<string, Value>([
      ['a', scalar(1n)],
      ['b', unknown(['Vpc/new.id'])],
    ]),
  ),
}
const web = map(
  new Map<string, Value>([
    ['id', unknown(['Instance/web.id'])],
    ['name', scalar('web')],
    ['ipv6', scalar(null)],
    ['net', valueOf({ mtu: 1500 })],
  ]),
)
const vpcs: Readonly<Record<string, Value>> = { a: valueOf({ id: '1' }), b: valueOf({ id: '2' }) }
const scope: Scope = {
  each: { key: scalar('a'), value: valueOf({ host: 'web' }) },
  variable: (name) => variables[name] ?? { kind: 'error', message: `no variable ${name}` },
  keysOf: (kind) => (kind === 'Vpc' ? new Set(['a', 'b']) : undefined),
  resource: (kind, name, key, path) => {
    if (key !== undefined) return valueAt(vpcs[key] ?? scalar(null), path)
    return name === 'web' ? valueAt(web, path) : { kind: 'error', message: `no ${kind}/${name}` }
  },
  lookup: (_, name) => valueOf({ memory: 4096, name }),
  file: (path) => (path === 'motd' ? scalar('hello\n') : { kind: 'error', message: 'the file is outside of the project' }),
}

/** A value as text: strings quoted, `?origin` for unknown, `*` after what is sensitive. */
function shown(value: Value): string {
  const star = value.sensitive ? '*' : ''
  if (value.kind === 'unknown') return `?${value.origins.join('&')}${star}`
  if (value.kind === 'list') return `[${value.items.map(shown).join(', ')}]${star}`
  if (value.kind === 'map') return `{${[...value.entries].map(([key, member]) => `${key}: ${shown(member)}`).join(', ')}}${star}`
  if (typeof value.scalar === 'string') return JSON.stringify(value.scalar) + star
  return (typeof value.scalar === 'number' && Number.isInteger(value.scalar) ? value.scalar.toFixed(1) : String(value.scalar)) + star
}

function result(source: string): string {
  const parsed = parseExpression(source)
  if (!parsed.ok) return `does not parse: ${parsed.message}`
  const evaluated = evaluate(parsed.parsed, scope)
  return evaluated.ok ? shown(evaluated.value) : `${evaluated.offset}: ${evaluated.message}`
}

describe('macros', () => {
  test.each([
    ['[1, 2].all(x, x > 0)', 'true'],
    ['[].all(x, false)', 'true'],
    ['[1, 2].exists(x, x == 2)', 'true'],
    ['[0, 1].exists(x, 1 / x == 1)', 'true'],
    ['[0, 2].all(x, 4 / x == 1)', 'false'],
    ['[1, 2, 2].exists_one(x, x == 2)', 'false'],
    ['[1, 2].map(x, x * 2)', '[2, 4]'],
    ['[1, 2, 3].map(x, x > 1, x * 2)', '[4, 6]'],
    ['[1, 2, 3].filter(x, x != 2)', '[1, 3]'],
    ['vars.sizes.map(k, k)', '["small", "large", "nested"]'],
    ['[[1, 2], [3]].map(x, x.map(x, x + 1))', '[[2, 3], [4]]'],
    ['[1].map(vars, vars + 1)', '[2]'],
    ['has(vars.sizes.small)', 'true'],
    ['has(vars.sizes.tiny)', 'false'],
    ['has(vars.sizes.nested.__proto__)', 'false'],
    ['has({"a": 1}.a)', 'true'],
    ['has(vars.text)', 'true'],
    ["has(Instance['web'].ipv6)", 'false'],
    ["has(Instance['web'].net.mtu)", 'true'],
    ["has(Instance['web'].id)", '?Instance/web.id'],
    ['cel.bind(x, 3, x * x)', '9'],
    ['cel.bind(x, 1, cel.bind(x, x + 1, x))', '2'],
  ])('%s → %s', (source, expected) => {
    expect(result(source)).toBe(expected)
  })
})

describe('names and functions of the project', () => {
  test.each([
    ['vars.text', '"fra-1"'],
    ['vars["text"]', '"fra-1"'],
    ['each.key + "-" + each.value.host', '"a-web"'],
    ["Instance['web'].name", '"web"'],
    ["Instance['web'].id", '?Instance/web.id'],
    ["Instance['web'].ipv6", 'null'],
    ["Instance['web'].net.absent", 'null'],
    ['Instance[each.value.host].name', '"web"'],
    ["Instance['web'].net", '{mtu: 1500}'],
    ["json(Instance['web'].net)", '"{\\"mtu\\":1500}"'],
    ["Vpc['n']['b'].id", '"2"'],
    ["Vpc['n'][each.key].id", '"1"'],
    ["Vpc['n'].map(k, Vpc['n'][k].id)", '["1", "2"]'],
    ["Vpc['n']", '{a: {id: "1"}, b: {id: "2"}}'],
    ["size(Vpc['n'])", '2'],
    ["'a' in Vpc['n']", 'true'],
    ["Vpc['n'][vars.open].id", '?Vpc/new.id'],
    ["lookup('Plan', 'ryzen-4').memory * 2", '8192'],
    ["lookup('Plan', vars.text).name", '"fra-1"'],
    ["lookup('Plan', 'x').absent", 'null'],
    ["file('motd').trim()", '"hello"'],
    ['json({"b": [1, 2.5, null], "a": vars.big})', '"{\\"a\\":9007199254740993,\\"b\\":[1,2.5,null]}"'],
    ['json("é\\"")', '"\\"é\\\\\\"\\""'],
    ['base64("é")', '"w6k="'],
    ['base64(b"\\xff")', '"/w=="'],
    ['sha256("abc")', '"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"'],
    ['cidr_subnet("10.0.0.0/8", 8, 2)', '"10.2.0.0/16"'],
    ['cidr_host("10.0.0.0/24", 5)', '"10.0.0.5"'],
    ['cidr_host("10.0.0.0/24", -1)', '"10.0.0.255"'],
  ])('%s → %s', (source, expected) => {
    expect(result(source)).toBe(expected)
  })
})

describe('unknown', () => {
  test.each([
    ['vars.open + "x"', '?Vpc/new.id'],
    ['vars.open + vars.openToo', '?Vpc/new.id&Ip/new.address'],
    ['vars.open && false', 'false'],
    ['false && vars.open', 'false'],
    ['vars.open && true', '?Vpc/new.id'],
    ['vars.open || true', 'true'],
    ['vars.open || false', '?Vpc/new.id'],
    ['vars.open || vars.openToo', '?Vpc/new.id&Ip/new.address'],
    ['vars.open && 1/0 == 1', '?Vpc/new.id'],
    ['!vars.open', '?Vpc/new.id'],
    ['vars.on ? 1 : vars.open', '1'],
    ['vars.open ? 1 : 2', '?Vpc/new.id'],
    ['vars.open ? 1/0 : 2', '?Vpc/new.id'],
    ['[1, vars.open]', '[1, ?Vpc/new.id]'],
    ['{"a": vars.open, "b": 1}', '{a: ?Vpc/new.id, b: 1}'],
    ['{"a": vars.open, "b": 1}.b', '1'],
    ['{vars.open: 1}', '?Vpc/new.id'],
    ['[Instance[vars.open].id, lookup("Plan", vars.open).memory, file(vars.open)]', '[?Vpc/new.id, ?Vpc/new.id, ?Vpc/new.id]'],
    ['vars.partly[0]', '1'],
    ['vars.partly[1]', '?Vpc/new.id'],
    ['vars.zones[vars.open]', '?Vpc/new.id'],
    ['vars.open.a.b[0]', '?Vpc/new.id'],
    ['size(vars.partly)', '2'],
    ['size(vars.open)', '?Vpc/new.id'],
    ['vars.partly + [3]', '[1, ?Vpc/new.id, 3]'],
    ['vars.partly == [2, 3]', 'false'],
    ['vars.partly == [1, 3]', '?Vpc/new.id'],
    ['vars.partly != [1]', 'true'],
    ['1 in vars.partly', 'true'],
    ['2 in vars.partly', '?Vpc/new.id'],
    ['vars.open in [1]', '?Vpc/new.id'],
    ['"a" in vars.partlyMap', 'true'],
    ['has(vars.partlyMap.b)', 'true'],
    ['vars.partly.map(x, [x])', '[[1], [?Vpc/new.id]]'],
    ['vars.partly.filter(x, x == 1)', '?Vpc/new.id'],
    ['vars.partly.exists(x, x == 1)', 'true'],
    ['vars.partly.all(x, x == 2)', 'false'],
    ['vars.partly.all(x, x == 1)', '?Vpc/new.id'],
    ['vars.partly.exists_one(x, x == 1)', '?Vpc/new.id'],
    ['vars.partly.map(x, x != 1, 1 / 0)', '?Vpc/new.id'],
    ['vars.open.map(x, x + 1)', '?Vpc/new.id'],
    ['json(vars.partly)', '?Vpc/new.id'],
    ['["a", vars.open].join()', '?Vpc/new.id'],
    ['string(vars.open)', '?Vpc/new.id'],
    ['type(vars.open)', '?Vpc/new.id'],
    ['vars.open.contains("x")', '?Vpc/new.id'],
    ['vars.openSecret + "x"', '?ApiToken/t.code*'],
  ])('%s → %s', (source, expected) => {
    expect(result(source)).toBe(expected)
  })
})

describe('sensitive', () => {
  test.each([
    ['vars.secret + "x"', `"${secret}x"*`],
    ['sensitive("a")', '"a"*'],
    ['vars.secret == "x"', 'false*'],
    ['vars.secret < "z"', 'true*'],
    ['size(vars.secret)', '14*'],
    ['size(vars.secretMap)', '2*'],
    ['vars.secretMap.user', '"root"*'],
    ['vars.secretMap.tags', '["x"*]*'],
    ['vars.account', `{user: "root", password: "${secret}"*}`],
    ['vars.account.user', '"root"'],
    ['vars.account.password == ""', 'false*'],
    ['size(vars.account)', '2'],
    ['json(vars.account)', `"{\\"password\\":\\"${secret}\\",\\"user\\":\\"root\\"}"*`],
    ['vars.account == {}', 'false*'],
    ['[vars.secret, 1][1]', '1'],
    ['[vars.secret, 1] + [2]', `["${secret}"*, 1, 2]`],
    ['"x" in [vars.secret]', 'false*'],
    ['vars.zones[sensitive(0)]', '"a"*'],
    ['sensitive(true) ? 1 : 2', '1*'],
    ['vars.on ? 1 : vars.secret', '1'],
    ['vars.open ? 1 : vars.secret', '?Vpc/new.id*'],
    ['vars.open + vars.secret', '?Vpc/new.id*'],
    ['sensitive(true) && false', 'false*'],
    ['false && sensitive(true)', 'false'],
    ['vars.zones.filter(z, z == vars.secret)', '[]*'],
    ['vars.zones.exists(z, z == vars.secret)', 'false*'],
    ['vars.secretMap.tags.map(t, 1)', '[1*]*'],
    ['sensitive([1, 2]).map(x, x)[0]', '1*'],
    ['vars.secret.split("-")', '["hunter2"*, "canary"*]*'],
    ['{vars.secret: 1}[vars.secret]', '1*'],
    ['type(vars.secret) == string', 'true*'],
    ['sha256(vars.secret) == "x"', 'false*'],
    ['has(vars.secretMap.user)', 'true*'],
    ['"%s".format([vars.secret])', `"${secret}"*`],
    ['vars.open.map(x, vars.secret)', '?Vpc/new.id*'],
  ])('%s → %s', (source, expected) => {
    expect(result(source)).toBe(expected)
  })

  test.each([
    'int(vars.secret)',
    'bool(vars.secret)',
    'duration(vars.secret)',
    'timestamp(vars.secret)',
    '{"a": 1}[vars.secret]',
    'vars.secretMap[vars.secret]',
    '"a".matches("(" + vars.secret)',
    'cidr_subnet(vars.secret, 1, 1)',
    'cidr_host("10.0.0.0/8" + vars.secret, 1)',
    '-vars.secret',
    'vars.secret + 1',
    'vars.secret.substring(99)',
    'Instance[vars.secret].name',
    "Vpc['n'][vars.secret].id",
    'file(vars.secret)',
    'lookup("Plan", vars.secret).name',
    'vars.secret ? 1 : 2',
    'vars.secret && true',
    'vars.secret.x',
    '[1].map(x, x + vars.secret)',
    '9223372036854775807 + sensitive(77777)',
    '{vars.secret: 1, vars.secret: 2}',
    '{vars.secret: b"x"}',
    '"%d".format([vars.secret])',
  ])('the error of %s quotes nothing', (source) => {
    const message = result(source)
    expect(message).toMatch(/^\d+: ./)
    expect(message).not.toMatch(/hunter2|canary|77777|584/)
  })
})

describe('errors', () => {
  test.each([
    ['1 / 0', '0: division by zero'],
    ['1 % 0', '0: modulo by zero'],
    ['9223372036854775807 + 1', '0: integer overflow: 9223372036854775808'],
    ['-(-9223372036854775807 - 1)', '0: integer overflow: 9223372036854775808'],
    ['(-9223372036854775807 - 1) / -1', '24: the integer does not fit 64 bits'],
    ['int(1e30)', '0: the integer does not fit 64 bits'],
    ['1 + "a"', '0: `+` does not fit int and string; string(x) makes text'],
    ['1 + 1.5', '0: `+` does not fit int and double'],
    ['1 < "a"', '0: `<` does not fit int and string'],
    ['!1', '0: `!` does not fit int'],
    ['-"a"', '0: `-` does not fit string'],
    ['1 ? 2 : 3', '0: ?: needs a bool, not int'],
    ['"a" && true', '0: `&&` needs a bool, not string'],
    ['true && 1', '8: `&&` needs a bool, not int'],
    ['[1].filter(x, x)', '4: filter needs a bool, not int'],
    ['(1).map(x, x)', '4: a macro runs over a list or a map, not int'],
    ['vars.sizes.tiny', "11: the map has no key 'tiny'"],
    ['vars.sizes.__proto__', "11: the map has no key '__proto__'"],
    ['vars.sizes.constructor', "11: the map has no key 'constructor'"],
    ['vars.sizes["toString"]', "11: the map has no key 'toString'"],
    ['vars.zones.length', "11: list has no field 'length'"],
    ['vars.text.length', "10: string has no field 'length'"],
    ['vars.none.x', "10: null_type has no field 'x'"],
    ['vars.zones[2]', '11: the index is outside of the list'],
    ['vars.zones[-1]', '11: the index is outside of the list'],
    ['vars.zones["0"]', '11: the index of a list is an int, not string'],
    ['vars.text[0]', '10: string cannot be indexed'],
    ['{[1]: 2}', '1: list cannot be a key'],
    ['{"a": 1, "a": 2}', '0: the map holds the same key twice'],
    ['{"__proto__": 1}', '0: the keys __proto__, constructor and prototype are not allowed'],
    ['{1: 2}', '0: the keys of a map in a manifest are strings'],
    ['1 in "a"', '0: `in` needs a list or a map, not string'],
    ['int("")', '0: this text is no int'],
    ['int("0x10")', '0: this text is no int'],
    ['double("1_0")', '0: this text is no double'],
    ['string([1])', '0: string(list) does not exist; json(x) gives its text'],
    ['base64([1])', '0: base64(list) does not exist; json(x) gives the text of a value'],
    ['json(b"x")', '0: a value of type bytes cannot stand in a manifest; string(x) makes text'],
    ['b"x"', '0: a value of type bytes cannot stand in a manifest; string(x) makes text'],
    ['[duration("1s")]', '0: a value of type google.protobuf.Duration cannot stand in a manifest; string(x) makes text'],
    ['type(1)', '0: a value of type type cannot stand in a manifest'],
    ['1.0 / 0.0', '0: infinity and NaN are no values of a manifest'],
    ['18446744073709551615u', '0: the integer does not fit 64 bits with a sign'],
    ['string(b"\\xff")', '0: these bytes are no UTF-8 text'],
    ['[1, 2].join()', '7: join needs a list of strings, not of int'],
    ['"a".charAt(5)', '4: the index is outside of the text'],
    ['"abc".substring(2, 1)', '6: the range ends before it begins'],
    ['"%d".format(["x"])', '5: %d does not fit its argument'],
    ['"%s".format([])', '5: format has fewer arguments than clauses'],
    ['"a".format([1])', '4: format has more arguments than clauses'],
    ['"%q".format([1])', '5: format does not know %q'],
    ['"a".matches("(?=a)")', '4: the pattern holds a group that RE2 does not know (there is no look-around)'],
    ["Instance['gone'].id", '0: no Instance/gone'],
    ["Instance['web']['a'].id", '16: Instance/web has no for_each, so it takes no key'],
    ["Vpc['n']['c'].id", "9: Vpc/n has no key 'c'"],
    ["Vpc['n'].id", '0: Vpc/n has a for_each: a key is missing'],
    ['Instance[vars.count].id', '14: this name must be a string, not int'],
    ['Instance[vars.secret].id', '14: a sensitive value cannot be a name'],
    ["file('../x')", '0: the file is outside of the project'],
    ['vars.gone', '5: no variable gone'],
    ['nothing', "0: no name 'nothing' is in scope"],
    ['nothing(1)', '0: no function nothing takes 1 arguments'],
  ])('%s → %s', (source, expected) => {
    expect(result(source)).toBe(expected)
  })

  test('work is bounded', () => {
    const tenItems = '[1,2,3,4,5,6,7,8,9,10]'
    const nested = (levels: number): string => (levels === 0 ? '1' : `${tenItems}.map(x${levels}, ${nested(levels - 1)})`)
    expect(result(nested(7))).toBe('0: the expression takes too many steps')
  })

  test('text, lists and comparisons that double with each level end in an error', () => {
    const doubling = (first: string, body: string, last: string): string => {
      const levels = Array.from({ length: 40 }, (_, level) => level)
      return (
        levels
          .reduceRight((inner, level) => `cel.bind(v${level + 1}, ${body.replaceAll('@', `v${level}`)}, ${inner})`, last)
          .replace(/^/, `cel.bind(v0, ${first}, `) + ')'
      )
    }
    expect(result(doubling('"aaaaaaaaaa"', '@ + @', 'v40'))).toMatch(/the text is longer than 16 MiB/)
    expect(result(doubling('[1]', '@ + @', 'v40'))).toMatch(/too many steps/)
    expect(result(doubling('[1]', '[@, @]', 'v40'))).toMatch(/too many steps/)
    expect(result(doubling('[1]', '[@, @]', 'v40 == [v39, v39]'))).toMatch(/too many steps/)
    expect(result(doubling('b"aaaaaaaaaa"', '@ + @', 'v40 == v39'))).toMatch(/longer than 16 MiB/)
    expect(result(doubling('"ab"', '@.replace("a", @)', 'v40'))).toMatch(/longer than 16 MiB|too many steps/)
  })

  test('a pattern cannot hang', () => {
    expect(result('["(a|a)*b", "(a*)*b", "(a+)+b", "a*a*a*a*a*b"].map(p, ("a" + "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa").matches(p))')).toBe(
      '[false, false, false, false]',
    )
  })
})

describe('renderTemplate', () => {
  function rendered(template: string): string {
    const parsed = parseTemplate(template)
    if (!parsed.ok) return `does not parse: ${parsed.mistakes[0]?.message}`
    const whole = renderTemplate(parsed.parts, scope)
    return whole.ok ? shown(whole.value) : whole.mistakes.map((one) => `${one.offset}: ${one.message}`).join('; ')
  }

  test.each([
    ['', '""'],
    ['plain', '"plain"'],
    ['$${x}', '"${x}"'],
    ['${vars.count}', '2'],
    ['${vars.zones}', '["a", "b"]'],
    ['${vars.none}', 'null'],
    ['${vars.on}', 'true'],
    [' ${vars.count}', '" 2"'],
    ['${vars.text}-${vars.count}-${vars.on}', '"fra-1-2-true"'],
    ['n${vars.big}', '"n9007199254740993"'],
    ['r${vars.rate}', '"r1.5"'],
    ['x${vars.open}y${vars.openToo}', '?Vpc/new.id&Ip/new.address'],
    ['x${vars.secret}', `"x${secret}"*`],
    ['x${vars.open}${vars.secret}', '?Vpc/new.id*'],
    ['x${vars.none}', '3: null cannot stand in text; write json(…)'],
    ['x${vars.zones}', '3: a list cannot stand in text; write json(…)'],
    ['x${vars.sizes}', '3: a map cannot stand in text; write json(…)'],
    ['x${json(vars.zones)}', '"x[\\"a\\",\\"b\\"]"'],
    ['abc ${1 / 0}', '6: division by zero'],
    ['${vars.open}${1 / 0}-${vars.none}${vars.gone}', '14: division by zero; 23: null cannot stand in text; write json(…); 40: no variable gone'],
  ])('%s → %s', (template, expected) => {
    expect(rendered(template)).toBe(expected)
  })
})
