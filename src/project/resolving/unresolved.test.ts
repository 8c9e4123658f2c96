// What stands for a value that is not known yet, and what is said of secrets that are written around it.
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { load, loaded, manifest, resource, scopeOf } from '../../../test/builders/project.ts'
import type { JsonValue } from '../../base/json.ts'
import { sourceOf } from './unresolved.ts'

const iac = 'apiVersion: iac/v1\nkind: Project\nvariables:\n  pw: {type: string, sensitive: true, default: ""}\n  n: {default: 5}\n  text: {default: hi}\n'
const vpc = (name: string, description: string) => manifest('Vpc', name, `name: ${name}-net\ndescription: ${JSON.stringify(description)}\nrange: 10.0.0.0/24`)
const later = "${Vpc['main'].vlan}"
const plain = (text: string) => vpc('one', text)
const secret = (text: string) => manifest('K3sSecret', 'one', `data: ${text}`)
const files = (text: string) => ({ 'iac.yaml': iac, 'a.yaml': vpc('main', 'd') + text })
const options = { variables: { flags: [{ name: 'pw', text: 'hunter2-CANARY' }], files: [], environment: {} } }
const scope = { ...scopeOf(), digest: (value: JsonValue) => `hmac-sha256:${createHash('sha256').update(JSON.stringify(value)).digest('hex')}` }
const one = (text: string) => {
  const declared = loaded(files(text), options).resources.find((found) => found.address.endsWith('/one'))
  return resource(loaded(files(text), options), declared?.address ?? '').resolve(scope)
}

test.each([
  ['a variable', plain('${vars.pw} ${vars.n}' + later), '${sensitive("hunter2-CANARY")} ${5}' + later],
  ['a call', plain(`\${sensitive('CANARY')} ${later}`), `\${sensitive('CANARY')} ${later}`],
  ['a secret field', secret(`{A: "CANARY ${later}"}`), `CANARY ${later}`],
  ['an expression in a secret field', secret(`{A: "\${'CANARY' + string(Vpc['main'].vlan)}"}`), "${'CANARY' + string(Vpc['main'].vlan)}"],
])('%s is in a text by its digest alone', (_, text, hidden) => {
  const { unresolved, secrets } = one(text)
  const [source = ''] = Object.values(unresolved)
  expect(unresolved).toEqual({ [Object.keys(unresolved)[0] ?? '']: scope.digest(hidden) })
  expect([sourceOf(source, secrets), sourceOf(source, new Map())]).toEqual([hidden, undefined])
})

test('the way to a member stands behind the digest', () => {
  const { unresolved, secrets } = one(secret(`"\${{'a': sensitive('CANARY'), '$\${': string(Vpc['main'].vlan)}}"`))
  const [source = ''] = Object.values(unresolved)
  expect(source).toMatch(/^hmac-sha256:[0-9a-f]{64}\["\\u0024\\u0024\{"\]$/)
  expect(sourceOf(source, secrets)).toMatch(/^\$\{\(\{'a': sensitive\('CANARY'\), .*\}\)\["\\u0024\\u0024\{"\]\}$/)
})

test('what names alone give is shown in a secret field', () => {
  expect(one(secret(`{A: "\${Vpc['main'].id}"}`)).unresolved).toEqual({ '/data/A': "${Vpc['main'].id}" })
})

test.each([
  [secret(`{A: "x ${later}"}`), true],
  [secret('{A: "${\'literal\'}"}'), true],
  [secret('{A: "literal ${vars.text}"}'), true],
  [secret('{A: "literal ${vars.pw}"}'), false],
  [secret('{A: "literal ${sensitive(vars.text)}"}'), false],
  [secret('{A: "-${vars.text}-"}'), false],
  [manifest('Instance', 'one', `type: PLAN\nplan: p\nregion: r\ncloud_init: "#cloud-config ${later}"`), false],
  [plain('https://me:hunter2@${vars.text}'), true],
  [plain('https://me:${vars.pw}@x'), false],
])('what is written around expressions is warned of: %j %s', (text, isWarned) => {
  expect(load(files(text), options).diagnostics.map((found) => found.code)).toEqual(isWarned ? ['secret_literal'] : [])
})
