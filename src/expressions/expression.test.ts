// Parsing expressions and what they refer to.
import { describe, expect, test } from 'vitest'
import type { Named, Reference } from './expression.ts'
import { parseExpression, referencesOf } from './expression.ts'

function mistake(source: string): string {
  const result = parseExpression(source)
  return result.ok ? 'parsed' : `${result.offset}: ${result.message}`
}

function named(name: Named | undefined): string {
  if (name === undefined) return '*'
  return typeof name === 'string' ? name : '<computed>'
}

function shown(reference: Reference): string {
  if (reference.kind === 'vars') return `vars.${reference.name}`
  if (reference.kind === 'each') return `each.${reference.part}`
  if (reference.kind === 'file') return `file ${named(reference.path)}`
  const key = reference.kind === 'resource' ? `[${named(reference.key)}]` : ''
  return `${reference.kind} ${reference.resourceKind}/${named(reference.name)}${key} ${reference.path.join('.')}`
}

function references(source: string): readonly string[] {
  const result = parseExpression(source)
  return result.ok ? referencesOf(result.parsed).map((one) => `${one.offset}: ${shown(one)}`) : [result.message]
}

describe('parseExpression', () => {
  test.each([
    ['', '0: the expression is empty'],
    ['  ', '0: the expression is empty'],
    ['1 +', '3: unexpected token: the end'],
    ['(1', '2: expected `)`, got the end'],
    ['"a', '0: unterminated string'],
    ['env:HOME', "3: unexpected character: ':'"],
    ['var', '0: CEL reserves `var`; write vars.NAME'],
    ['1 + var.x', '4: CEL reserves `var`; write vars.NAME'],
    ['for', '0: CEL reserves `for`'],
    ['a.?b', '2: expected a name, got `?`'],
    ['\u001b[31m', '0: unexpected character: \\u{1b}'],
    ['9223372036854775808', '0: this integer does not fit 64 bits'],
    ['-9223372036854775809', '0: this integer does not fit 64 bits'],
    ['-9223372036854775808', 'parsed'],
    ['9223372036854775807', 'parsed'],
    ["1 == b'é'", "5: bytes in quotes are ASCII; write bytes('…')"],
    ["'é' + b'''€'''", "6: bytes in quotes are ASCII; write bytes('…')"],
    ["['é', b'e\\xe9', 'é']", 'parsed'],
    ['x.map(1, 2)', '6: the first argument is the name of a variable'],
    ['x.all(y)', '2: all takes a variable and one expression'],
    ['x.map(a, b, c, d)', '2: map takes a variable and one or two expressions'],
    ['all(x, y)', '0: all is called on a list or map: x.all(…)'],
    ['has(vars)', '0: has takes one field: has(x.field)'],
    ["has(Instance['a'])", '0: has takes one field: has(x.field)'],
    ['each.index', '5: each has no index; there are each.key and each.value'],
    ['vars[each.key]', '5: the name after vars is written out: vars.NAME'],
    ['Instance.web.id', "0: write Instance['web'], then the attribute"],
    ["Instance['a' + 'b'].id", '9: the index after a kind is a name in quotes, or comes from vars or each'],
    ['Instance[1].id', '9: the index after a kind is a name in quotes, or comes from vars or each'],
    ['[1].map(i, Instance[i].id)', '20: the index after a kind is a name in quotes, or comes from vars or each'],
    ["Instance[Vpc['a'].id].id", '9: the index after a kind is a name in quotes, or comes from vars or each'],
    ['lookup(vars.kind, "x")', '12: the kind of a lookup is written in quotes'],
    ['lookup("Plan")', "0: lookup takes a kind and a name: lookup('Kind', 'name')"],
    ["lookup('Plan', Instance['a'].plan)", '15: the name of a lookup is made of literals, vars and each alone'],
    ['file()', "0: file takes one path: file('path')"],
    ["file(Instance['a'].path)", '5: the path of a file is made of literals, vars and each alone'],
    ['cel.bind(1, 2, 3)', '9: the first argument is the name of a variable'],
  ])('%s → %s', (source, expected) => {
    expect(mistake(source)).toBe(expected)
  })

  test('holds the limits of 16 KiB and 100 levels, for chains and runs too', () => {
    expect(mistake(`"${'a'.repeat(16 * 1024 - 2)}"`)).toBe('parsed')
    expect(mistake(`"${'é'.repeat(8 * 1024)}"`)).toBe('0: the expression is longer than 16 KiB')
    expect(mistake(`${'['.repeat(100)}1${']'.repeat(100)}`)).toBe('parsed')
    expect(mistake(`${'['.repeat(101)}1${']'.repeat(101)}`)).toMatch(/nested deeper than 100 levels/)
    expect(mistake(`${'('.repeat(5000)}1${')'.repeat(5000)}`)).toMatch(/nested deeper than 100 levels/)
    expect(mistake(`${'!'.repeat(16_000)}true`)).toMatch(/nested deeper than 100 levels/)
    expect(mistake(`${'-'.repeat(101)}x`)).toMatch(/nested deeper than 100 levels/)
    expect(mistake(`${'1+'.repeat(8000)}1`)).toBe('parsed')
    expect(mistake(`a${'.b'.repeat(101)}`)).toMatch(/nested deeper than 100 levels/)
  })
})

describe('referencesOf', () => {
  test.each<[string, string[]]>([
    ['1 + 2', []],
    ['vars.a + vars.b', ['5: vars.a', '14: vars.b']],
    ["vars['a']", ['5: vars.a']],
    ['each.key == each.value.x', ['5: each.key', '17: each.value']],
    ["Instance['web'].ip", ['0: resource Instance/web[*] ip']],
    ["Instance['web'].net.ip + 'x'", ['0: resource Instance/web[*] net.ip']],
    ["Vpc['n']['a'].id", ['0: resource Vpc/n[a] id']],
    ["Vpc['n'][each.key].id", ['0: resource Vpc/n[<computed>] id', '14: each.key']],
    ['Instance[vars.which].id', ['0: resource Instance/<computed>[*] id', '14: vars.which']],
    ['Instance[each.value.host].id', ['0: resource Instance/<computed>[*] id', '14: each.value']],
    ["Vpc['n'].map(k, Vpc['n'][k].id)", ['0: resource Vpc/n[*] ', '16: resource Vpc/n[*] id']],
    ["has(Instance['web'].ipv6)", ['4: resource Instance/web[*] ipv6']],
    ["lookup('Plan', 'x').memory", ['0: lookup Plan/x memory']],
    ["lookup('Plan', vars.p + '-4')", ['0: lookup Plan/<computed> ', '20: vars.p']],
    ["file('a/b.yaml')", ['0: file a/b.yaml']],
    ["file('conf/' + each.key)", ['0: file <computed>', '20: each.key']],
    ['[1].map(vars, vars.x)', []],
    ['[1].map(vars, vars.x) + [vars.y]', ['30: vars.y']],
    ["cel.bind(Vpc, {'a': 1}, Vpc['a'])", []],
    ['[1].exists(each, each.key == vars.k)', ['34: vars.k']],
    ["[Instance['b'].id, Instance['a'].id]", ['1: resource Instance/b[*] id', '19: resource Instance/a[*] id']],
  ])('%s', (source, expected) => {
    expect(references(source)).toEqual(expected)
  })
})
