// What may be asked of resources with a value that is told once, where that value itself may not stand.
import { describe, expect, test } from 'vitest'
import { load, loaded, manifest, resource, scopeOf } from '../../../test/builders/project.ts'
import type { Attribute } from './declared.ts'
import { createEvaluator } from './evaluate-source.ts'

const token = (name: string, more = '') => manifest('ApiToken', name, 'name: "bot-${vars.n}"\ngrants: { INSTANCE: READ }\nlifetime: 90d', more)
const files = (text: string, where: 'output' | 'field') => ({
  'iac.yaml': `apiVersion: iac/v1\nkind: Project\nvariables: { n: { default: bots }, member: { default: code } }\n${where === 'output' ? `outputs: { out: { value: ${text} } }\n` : ''}`,
  'a.yaml':
    manifest('ApiToken', 'bots', 'name: "bot-${each.key}"\ngrants: { INSTANCE: READ }\nlifetime: 90d', 'for_each: [a, b]') +
    token('one') +
    manifest('Vpc', 'main', `range: 10.0.0.0/24\ndescription: ${where === 'field' ? text : 'd'}`),
})
const once = (key: string): Attribute => ({ is: 'once', token: '\u0001once\u0002', value: `canary-${key}` })
const attributes = { 'ApiToken/bots["a"].code': once('a'), 'ApiToken/bots["b"].code': once('b'), 'ApiToken/one.code': once('one') }
const ids = { 'ApiToken/bots["a"].id': '7', 'ApiToken/bots["b"].id': '8' }

describe('the keys and other attributes of a whole for_each', () => {
  test.each<[string, unknown]>([
    ["${string(size(ApiToken['bots']))} bots", '2 bots'],
    ["${string(ApiToken['bots'].size())}", '2'],
    ["${string('a' in ApiToken['bots'] && !('c' in ApiToken['bots']))}", 'true'],
    ["${ApiToken['bots'].map(k, ApiToken['bots'][k].id).join()}", '78'],
    ["${ApiToken['bots'].map(k, k != 'a', k + ApiToken['bots'][k].name)[0]}", 'bbot-b'],
    ["${ApiToken['bots'].filter(k, k > 'a').join()}", 'b'],
    ["${string(ApiToken['bots'].exists(k, k == 'a') && ApiToken['bots'].all(k, k != ''))}", 'true'],
    ['${string(size(ApiToken[vars.n]))}', '2'],
  ])('%s', (text, expected) => {
    const scope = scopeOf({ ...ids, 'ApiToken/bots["b"].name': 'bot-b' }, {}, attributes)
    const project = loaded(files(JSON.stringify(text), 'field'), {})
    const vpc = resource(project, 'Vpc/main')
    expect(vpc.resolve(scope)).toMatchObject({ spec: { description: expected }, problems: [] })
    expect(loaded(files(JSON.stringify(text), 'output')).outputs[0]?.resolve(scope)).toEqual({ value: expected, sensitive: false })
    const surroundings = { kinds: project.resources.map((one) => one.kind), addresses: project.resources.map((one) => one.address), variables: {} }
    const late = createEvaluator(surroundings)(text.replace('vars.n', "'bots'"), scope, { address: 'Vpc/main', kind: vpc.kind, pointer: '/description' })
    expect(late).toEqual({ value: expected, sensitive: false })
  })

  test('a list of ids that are not known yet', () => {
    const [output] = loaded(files("\"${ApiToken['bots'].map(k, ApiToken['bots'][k].id)}\"", 'output')).outputs
    expect(output?.resolve(scopeOf({}, {}, attributes))).toEqual({ unknown: true, sensitive: false })
    expect(output?.resolve(scopeOf(ids, {}, attributes))).toEqual({ value: ['7', '8'], sensitive: false })
  })
})

describe('whatever may give the value itself is refused', () => {
  test.each([
    "${ApiToken['bots']}",
    "${ApiToken['bots'].map(k, ApiToken['bots'][k].code)}",
    "${ApiToken['bots'].map(k, ApiToken['bots'][k])}",
    "${ApiToken['bots'].map(k, ApiToken['bots'])[0]}",
    "${ApiToken['bots'].map(k, k in ApiToken['bots'], ApiToken['bots'][k].code)}",
    "${[ApiToken['bots']].map(all, all.a.code)}",
    "${cel.bind(all, ApiToken['bots'], all.map(k, all[k].code))}",
    "${[ApiToken['bots']['a']]}",
    "${[ApiToken['bots']['a'][vars.member]]}",
    "${size(ApiToken['bots']) == 2 ? ApiToken['bots'] : {}}",
    "${[ApiToken['bots'] == {}]}",
    "${[json(ApiToken['bots'])]}",
    "${ApiToken['one'].map(k, ApiToken['one'])}",
    "${ApiToken['one'].map(k, k)}",
    "${[size(ApiToken['one'])]}",
  ])('%s', (text) => {
    for (const where of ['field', 'output'] as const) {
      const { diagnostics } = load(files(JSON.stringify(text), where))
      expect(diagnostics.map((one) => one.summary).join()).toMatch(/^a value that is (?:told|known) once stands in /)
    }
  })

  test('with a word on what to write', () => {
    const hint = (text: string) => load(files(JSON.stringify(text), 'output')).diagnostics.map((one) => one.hint)
    expect(hint("${[json(ApiToken['bots'])]}")).toEqual(['a whole ApiToken brings its code along: write behind it the attribute that is meant, such as .id'])
    expect(hint("${[ApiToken['one'].code]}")).toEqual(['write the expression in the member itself'])
  })
})
