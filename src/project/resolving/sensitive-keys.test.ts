// Keys of maps that are made of something sensitive: no spec takes them, whichever way they come, and nothing quotes them.
import { describe, expect, test } from 'vitest'
import { load, loaded, manifest, resource, scopeOf } from '../../../test/builders/project.ts'
import { createEvaluator } from './evaluate-source.ts'

const project = (more = '') =>
  `apiVersion: iac/v1\nkind: Project\nvariables:\n  pw: {type: string, sensitive: true}\n  codes: {type: map, sensitive: true}\n  plain: {default: web}\n${more}`
const flags = [
  { name: 'pw', text: 'canary-pw' },
  { name: 'codes', text: '{canary-code: canary-value}' },
]
const options = { variables: { flags, files: [], environment: {} } }
const cluster = manifest('K3sCluster', 'main', '') + manifest('K3sNode', 'one', 'instance: { id: "7" }')
const secret = (data: string, metadata = '') => ({ 'iac.yaml': project(), 'a.yaml': cluster + manifest('K3sSecret', 'app', `data: ${data}`, metadata) })
const service = (environment: string) => ({
  'iac.yaml': project(),
  'a.yaml': cluster + manifest('K3sService', 'app', `image: a:1\nmode: PINNED\ntarget_instances: [{ id: "7" }]\nenvironment: ${environment}`),
})
const said = (files: Parameters<typeof load>[0]) => load(files, options).diagnostics

describe('a map with a key that is sensitive is refused', () => {
  test.each([
    "${{vars.pw: 'x'}}",
    "${{'a' + vars.pw: 'x', 'b': 'y'}}",
    "${cel.bind(k, vars.pw, {k: 'x'})}",
    "${{sensitive('canary'): 'x'}}",
    "${vars.plain == 'web' ? {vars.pw: 'x'} : {}}",
    "${[{vars.pw: 'x'}].filter(one, true)[0]}",
    '${vars.codes.map(key, {key: vars.codes[key]})[0]}',
    "${{vars.plain + vars.pw: K3sCluster['main'].id}}",
    "${{K3sCluster['main'].id + vars.pw: 'x'}}",
    "${K3sCluster['main'].id == '' ? {'a': 'x'} : {vars.pw: 'x'}}",
  ])('%s', (expression) => {
    for (const files of [secret, service]) {
      const diagnostics = said(files(JSON.stringify(expression)))
      expect(diagnostics.map((one) => `${one.code} ${one.summary}`)).toEqual(['sensitive_name a sensitive value cannot be a key of a map'])
      expect(JSON.stringify(diagnostics)).not.toContain('canary')
    }
  })

  test('where each brings it', () => {
    const diagnostics = said(secret('${each.value.data}', 'for_each: { one: { data: "${{vars.pw: \'x\'}}" } }'))
    expect(diagnostics.map((one) => one.summary)).toContain('a sensitive value cannot be a key of a map')
    const keys = said(secret('{a: b}', 'for_each: "${{vars.pw: \'x\'}}"'))
    expect(keys.map((one) => one.summary)).toContain('for_each gives keys to addresses, so it cannot be sensitive')
    expect(JSON.stringify([diagnostics, keys])).not.toContain('canary')
  })
})

test('a map that is sensitive as a whole shows its keys, and texts of any map are hidden', () => {
  const at = (data: string) => resource(loaded(secret(data), options), 'K3sSecret/app').resolve(scopeOf())
  expect(Object.keys(Object(at('${vars.codes}').spec.data))).toEqual(['canary-code'])
  const text = at('{users: "${json({vars.pw: 1})}"}')
  expect([text.problems, [...text.secrets.values()]]).toEqual([[], ['{"canary-pw":1}']])
  expect(JSON.stringify(text.spec)).toContain('hmac-sha256')
})

test('an output is hidden as a whole, keys and all', () => {
  const { outputs } = loaded({ 'iac.yaml': project('outputs: { users: { value: "${{vars.pw: 1}}" } }\n') }, options)
  expect(outputs[0]?.resolve(scopeOf())).toEqual({ value: { 'canary-pw': 1 }, sensitive: true })
})

test('what a plan left unresolved is refused as late as it is known', () => {
  const each = 'for_each: { one: { data: "${{vars.pw: \'x\'}}" } }'
  const files = secret("${[K3sCluster['main'].id].filter(id, id != '').map(id, each.value.data)[0]}", each)
  const found = resource(loaded(files, options), 'K3sSecret/app["one"]').resolve(scopeOf())
  const source = [...found.secrets.values()].find((one) => typeof one === 'string')
  const { kind } = resource(loaded(files, options), 'K3sSecret/app["one"]')
  const evaluate = createEvaluator({ kinds: [kind, resource(loaded(files, options), 'K3sCluster/main').kind], addresses: ['K3sCluster/main'], variables: {} })
  const late = evaluate(String(source), scopeOf({ 'K3sCluster/main.id': '7' }), { address: 'K3sSecret/app["one"]', kind, pointer: '/data' })
  expect(late).toMatchObject({ problem: { summary: 'a sensitive value cannot be a key of a map' } })
  expect(JSON.stringify(late)).not.toContain('canary')
})
