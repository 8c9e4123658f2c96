// for_each and lists that become several resources: keys, names, limits.
import { describe, expect, test } from 'vitest'
import { load, loaded, manifest, mistakes, resource, scopeOf } from '../../../test/builders/project.ts'

const project = (variables: string) => `apiVersion: iac/v1\nkind: Project\nvariables: ${variables}\n`
const nets = (forEach: string, spec = 'description: d') => manifest('Vpc', 'net', `${spec}\nrange: 10.0.0.0/24`, `for_each: ${forEach}`)
const addresses = (...args: Parameters<typeof loaded>) => loaded(...args).resources.map((one) => one.address)
const rule = (instance: string, metadata = '') => manifest('FirewallRule', 'ssh', `instance: ${instance}\ntype: IPv4\nprotocol: TCP\naction: ACCEPT`, metadata)
const web = manifest('Instance', 'web', 'type: PLAN\nplan: p\nregion: r') + manifest('Instance', 'api', 'type: PLAN\nplan: p\nregion: r', 'for_each: [a, b]')

describe('for_each', () => {
  test('over a list, in byte order, with names of their own', () => {
    const all = loaded(nets('[b, a, "c d"]', 'description: "${each.key} ${each.value}"'))
    expect(all.resources.map((one) => one.address)).toEqual(['Vpc/net["a"]', 'Vpc/net["b"]', 'Vpc/net["c d"]'])
    expect(resource(all, 'Vpc/net["c d"]').resolve(scopeOf()).spec).toEqual({ name: 'net-c d', description: 'c d c d', range: '10.0.0.0/24' })
  })

  test('over a map, with values', () => {
    const all = loaded(nets('{x: {text: one}, y: {text: two}}', 'description: ${each.value.text}'))
    expect(all.resources.map((one) => one.resolve(scopeOf()).spec.description)).toEqual(['one', 'two'])
  })

  test('over variables and files', () => {
    expect(addresses({ 'iac.yaml': project('{zones: {default: [a]}}'), 'a.yaml': nets('${vars.zones}') })).toEqual(['Vpc/net["a"]'])
    expect(addresses({ 'k.txt': 'a,b', 'a.yaml': nets("${file('k.txt').split(',')}") })).toEqual(['Vpc/net["a"]', 'Vpc/net["b"]'])
  })

  test('over nothing is a manifest without resources', () => {
    expect(loaded(nets('[]'))).toMatchObject({ manifests: 1, resources: [] })
  })

  test('a map in expressions, and all of it a dependency', () => {
    const text = nets('[a, b]') + manifest('Vpc', 'other', "name: other\ndescription: ${json(Vpc['net'].map(k, Vpc['net'][k].id))}\nrange: 10.0.0.0/24")
    expect(resource(loaded(text), 'Vpc/other').references).toEqual(['Vpc/net["a"]', 'Vpc/net["b"]'])
    const one = nets('[a, b]') + manifest('Vpc', 'other', "name: other\ndescription: ${Vpc['net']['b'].id}\nrange: 10.0.0.0/24")
    expect(resource(loaded(one), 'Vpc/other').references).toEqual(['Vpc/net["b"]'])
  })

  test.each([
    ['[a, a]', /invalid_value .*"a" stands twice/],
    ['[""]', /invalid_value .*is no key/],
    ['"${1}"', /invalid_value .*a list of texts or a map, got 1/],
    ['[1, 2]', /invalid_value .*a list of texts/],
    [`["${'x'.repeat(257)}"]`, /invalid_value .*256 characters/],
    ['["a\u200bb"]', /U\+200B/],
    ['"${each.key}"', /expression .*each\.key/],
    ['"${Vpc[\'net\'].id}"', /must be known when loading/],
    ['"${sensitive([\'a\'])}"', /sensitive_name/],
    ['["${sensitive(\'a\')}"]', /sensitive_name/],
  ])('%s is wrong', (forEach, words) => {
    expect(mistakes(nets(forEach)).join('\n')).toMatch(words)
  })

  test('what every key gets wrong is said once', () => {
    expect(mistakes(nets('[a, b, c]', 'descripton: d'))).toHaveLength(2)
  })
})

describe('a list in an expanding field', () => {
  test('makes one resource for each entry, named as written', () => {
    const all = loaded(web + rule(`[web, 'api["a"]', {id: "5"}, 6, {name: other}]`))
    const rules = all.resources.filter((one) => one.kind.name === 'FirewallRule')
    expect(rules.map((one) => one.address)).toEqual(['5', '6', 'api["a"]', 'other', 'web'].map((key) => `FirewallRule/ssh[${JSON.stringify(key)}]`))
    expect(rules.map((one) => one.references)).toEqual([[], [], ['Instance/api["a"]'], [], ['Instance/web']])
    expect(rules[0]?.positionOf('/instance')).toMatchObject({ text: '  instance: [web, \'api["a"]\', {id: "5"}, 6, {name: other}]' })
  })

  test('one reference makes one, without a key', () => {
    expect(addresses(web + rule('web'))).toContain('FirewallRule/ssh')
  })

  test('from variables', () => {
    expect(addresses({ 'iac.yaml': project('{on: {default: [web]}}'), 'a.yaml': web + rule('${vars.on}') })).toContain('FirewallRule/ssh["web"]')
  })

  test('and for_each exclude each other', () => {
    expect(mistakes(web + rule('[web]', 'for_each: [a]')).join()).toMatch(/conflict .*exclude each other/)
    expect(addresses(web + rule('${each.value}', 'for_each: [web]'))).toContain('FirewallRule/ssh["web"]')
  })

  test('mistakes are said at the entry', () => {
    const { diagnostics } = load(web + rule('[web, wep, web]'))
    expect(diagnostics.map((one) => [one.code, one.position?.column])).toEqual([
      ['unknown_reference', 19],
      ['invalid_value', 24],
    ])
  })
})
