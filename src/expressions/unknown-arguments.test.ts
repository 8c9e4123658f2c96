// Calls of which some arguments are not known yet: what the known ones get wrong is wrong whatever the others turn out to be.
import { expect, test } from 'vitest'
import type { Scope } from './evaluate.ts'
import { evaluate } from './evaluate.ts'
import { parseExpression } from './expression.ts'
import { unknown } from './value.ts'

const scope: Scope = {
  each: undefined,
  variable: (name) => unknown([`Vpc/new.${name}`], name === 'secret'),
  keysOf: () => undefined,
  resource: () => ({ kind: 'error', message: 'no resource' }),
  lookup: () => ({ kind: 'error', message: 'no lookup' }),
  file: () => ({ kind: 'error', message: 'no file' }),
}

function result(source: string): string {
  const parsed = parseExpression(source)
  if (!parsed.ok) return `does not parse: ${parsed.message}`
  const evaluated = evaluate(parsed.parsed, scope)
  if (!evaluated.ok) return evaluated.message
  return evaluated.value.kind === 'scalar' ? String(evaluated.value.scalar) : evaluated.value.kind
}

test.each([
  ["cidr_host('10.0.0.0/24', vars.open)", 'unknown'],
  ["cidr_host(vars.open, '1')", 'cidr_host needs string, int, not dyn, string'],
  ['cidr_subnet(vars.open, 8, 1.5)', 'cidr_subnet needs string, int, int, not dyn, int, double'],
  ["vars.open.substring('0')", 'substring needs string, int, int, not dyn, string'],
  ["vars.open.replace('a', 1)", 'replace needs string, string, string, int, not dyn, string, int'],
  ['[vars.open].charAt(0)', 'charAt needs string, int, not list, int'],
  ["vars.open.matches('[')", 'the pattern lacks a closing bracket'],
  ["matches(vars.open, '(?=x)')", 'the pattern holds a group that RE2 does not know (there is no look-around)'],
  ["vars.secret.matches('[')", 'this cannot be computed from a sensitive value'],
  ['vars.open.matches(1)', 'matches(dyn, int) does not exist'],
  ["vars.open.matches('[a-z]')", 'unknown'],
  ["'a'.matches(vars.open)", 'unknown'],
  ["vars.open.split(',', '2')", 'x.split(string, string) on dyn does not exist'],
  ['vars.open.split(1)', 'x.split(int) on dyn does not exist'],
  ["vars.open.split(',', 2)", 'unknown'],
  ['vars.open.join(1)', 'x.join(int) on dyn does not exist'],
  ["vars.open.join('-')", 'unknown'],
  ["'a'.join(vars.open)", 'x.join(dyn) on string does not exist'],
  ["[vars.open, 'a'].join(',')", 'unknown'],
  ["vars.open ? 'a'.matches('[') ? 1 : 2 : 3", 'unknown'],
  ["vars.open.matches('[') || true", 'true'],
])('%s → %s', (source, expected) => {
  expect(result(source)).toBe(expected)
})
