// Nothing sensitive decides that a value is not there; what is null by itself stays so.
import { describe, expect, test } from 'vitest'
import { load, loaded, manifest, resource, scopeOf } from '../../../test/builders/project.ts'
import { createEvaluator } from './evaluate-source.ts'

const project = [
  'apiVersion: iac/v1',
  'kind: Project',
  'variables:',
  '  pw: { type: string, sensitive: true }',
  '  none: { type: any, sensitive: true, default: null }',
  '  set: { type: any, sensitive: true, default: { there: x, none: null } }',
  '  stage: { type: string, default: test }',
  '',
].join('\n')
const options = { variables: { flags: [{ name: 'pw', text: 'hunter2' }], files: [], environment: {} } }
const refusal = 'sensitive_name a sensitive value cannot decide whether something is there'
const filesOf = (name: string, metadata = '') => ({
  'iac.yaml': project,
  'a.yaml':
    manifest('Instance', 'web', `type: PLAN\nplan: { id: "7" }\nregion: fra-1\nos_name: ${JSON.stringify(name)}`, metadata) +
    manifest('Vpc', 'main', 'description: d\nrange: 10.1.0.0/24'),
})
const said = (...files: Parameters<typeof filesOf>) => load(filesOf(...files), options).diagnostics.map((one) => `${one.code} ${one.summary}`)

describe('a field is not left out for what is sensitive', () => {
  test.each([
    "${vars.pw.startsWith('h') ? null : 'x'}",
    "${vars.pw.startsWith('X') ? 'x' : null}",
    "${[null, 'x'][vars.pw == '' ? 1 : 0]}",
    "${cel.bind(p, vars.pw, p == '' ? 'x' : null)}",
    "${{'hunter2': null}[vars.pw]}",
    "${sensitive(vars.pw == '' ? 'x' : null)}",
    "${vars.stage == 'test' ? (vars.pw == '' ? 'x' : null) : 'y'}",
  ])('%s', (name) => {
    expect(said(name)).toEqual([refusal])
  })

  test('where each brings it', () => {
    const metadata = `for_each: { one: "\${vars.pw == '' ? 'x' : null}" }`
    expect(said('${each.value}', metadata)).toEqual([refusal])
  })

  test('as late as it is known', () => {
    const project = loaded(filesOf('x'), options)
    const { kind } = resource(project, 'Instance/web')
    const evaluate = createEvaluator({ kinds: project.resources.map((one) => one.kind), addresses: ['Vpc/main'], variables: {} })
    const source = "${Vpc['main'].id + sensitive('hunter2') == '7' ? 'x' : null}"
    const late = evaluate(source, scopeOf({ 'Vpc/main.id': '7' }), { address: 'Instance/web', kind, pointer: '/os_name' })
    expect(late).toMatchObject({ problem: { code: 'sensitive_name' } })
  })
})

test.each([
  '${vars.none}',
  '${vars.set.none}',
  "${vars.set['none']}",
  '${sensitive(vars.none)}',
  "${vars.stage == 'test' ? vars.none : vars.pw}",
  "${[vars.pw, vars.none][vars.stage == 'test' ? 1 : 0]}",
])('%s is null by itself', (name) => {
  const found = resource(loaded(filesOf(name), options), 'Instance/web').resolve(scopeOf())
  expect(found.problems).toEqual([])
  expect(found.spec.os_name).toBeUndefined()
})

test('an output says nothing of it', () => {
  const outputs = `outputs:\n  a: { value: "\${vars.pw.startsWith('h') ? null : 'x'}" }\n`
  const { outputs: found } = loaded({ 'iac.yaml': project + outputs }, options)
  expect(found[0]?.resolve(scopeOf())).toEqual({ value: null, sensitive: true })
})
