// The forms of references: what each means in a field, and what is said of the wrong ones.
import { describe, expect, test } from 'vitest'
import { load, loaded, manifest, mistakes, resource, scopeOf } from '../../../test/builders/project.ts'
import type { JsonValue } from '../../base/json.ts'
import { kinds } from '../../kinds/registry.ts'
import { createNames } from './names.ts'
import { readReference } from './references.ts'

const names = createNames(
  new Map(kinds.map((kind) => [kind.name, kind])),
  new Map([
    [
      'Vpc',
      new Map([
        ['main', undefined],
        ['zone', new Set(['a', 'b "c"'])],
      ]),
    ],
    ['Instance', new Map([['web', undefined]])],
  ]),
  [],
)
const read = (value: JsonValue, pointing: readonly string[] = ['Vpc'], output = 'id') => readReference(value, { kinds: pointing, output }, names)

describe('a reference', () => {
  test.each<[JsonValue, object]>([
    ['main', { is: 'resource', address: 'Vpc/main', output: 'id' }],
    ['Vpc/main', { is: 'resource', address: 'Vpc/main' }],
    ['zone["a"]', { is: 'resource', address: 'Vpc/zone["a"]' }],
    [String.raw`zone["b \"c\""]`, { is: 'resource', address: String.raw`Vpc/zone["b \"c\""]` }],
    ['9007199254740993', { is: 'id', id: '9007199254740993' }],
    [9007199254740993n, { is: 'id', id: '9007199254740993' }],
    [{ id: '12' }, { is: 'id', id: '12' }],
    [{ id: 12n }, { is: 'id', id: '12' }],
    [{ name: 'other' }, { is: 'lookup', kind: 'Vpc', name: 'other', output: 'id' }],
  ])('%o', (value, target) => {
    expect(read(value)).toMatchObject(target)
  })

  test('to what is never declared is a name that is looked up', () => {
    expect(read('ryzen-4', ['Plan'])).toEqual({ is: 'lookup', kind: 'Plan', name: 'ryzen-4', output: 'id' })
    expect(read('7', ['Plan'])).toEqual({ is: 'id', id: '7' })
  })

  test('to no kind at all is an id', () => {
    expect(read('190', [])).toEqual({ is: 'id', id: '190' })
    // No request could carry it.
    expect(read('0190-ab', [])).toMatchObject({ is: 'wrong', code: 'invalid_value' })
  })

  test.each(['../users/@me', '..', '%2e%2e', '5/../6', '007', '-1', '0', '1e3', '12345678901234567890', '5/6/7', ' 5', 'x'])('%j is no id', (id) => {
    expect(read({ id }, ['Vpc'])).toMatchObject({ is: 'wrong', code: 'invalid_value' })
  })

  test('to one of several kinds names it', () => {
    expect(read('Vpc/main', ['Vpc', 'Instance'])).toMatchObject({ is: 'resource', address: 'Vpc/main' })
    expect(read('main', ['Vpc', 'Instance'])).toMatchObject({ is: 'wrong', code: 'ambiguous_reference', hint: 'write Vpc/main' })
    expect(read({ name: 'main' }, ['Vpc', 'Instance'])).toMatchObject({ is: 'wrong', code: 'ambiguous_reference' })
  })

  test.each<[JsonValue, string, RegExp]>([
    ['mian', 'unknown_reference', /did you mean "main"\?/],
    ['web', 'unknown_reference', /Instance\/web is of another kind/],
    ['Instance/web', 'unknown_reference', /points at a Vpc/],
    ['zone', 'ambiguous_reference', /zone\["a"\], zone\["b/],
    ['zone["x"]', 'unknown_reference', /did you mean zone\["a"\]\?/],
    ['main["a"]', 'unknown_reference', /write main/],
    ['zone.a', 'unknown_reference', /no name of a resource keys: zone\["a"\], zone/],
    ["zone['a']", 'unknown_reference', /keys: zone\["a"\], zone/],
    ['a b', 'unknown_reference', /\{ id: "…" \}/],
    [{ id: '1', name: 'x' }, 'unknown_field', /exactly one/],
    [{ nmae: 'x' }, 'unknown_field', /exactly one/],
    [{ id: '' }, 'invalid_value', /digits/],
    [true, 'invalid_value', /a name, \{ id \} or \{ name \}, got true/],
    [1.5, 'invalid_value', /got 1.5/],
  ])('%o is wrong', (value, code, words) => {
    const found = read(value)
    expect(found).toMatchObject({ is: 'wrong', code })
    expect(found.is === 'wrong' ? `${found.message} ${found.hint}` : '').toMatch(words)
  })

  test('a name where nothing is looked up', () => {
    expect(read({ name: 'debian-12' }, [])).toMatchObject({ is: 'wrong', code: 'invalid_value', message: expect.stringContaining('takes an id, not a name') })
  })

  test('by id cannot stand where another output is asked for', () => {
    expect(read('12', ['Vpc'], 'name')).toMatchObject({ is: 'wrong', code: 'invalid_value' })
    expect(read('main', ['Vpc'], 'name')).toEqual({ is: 'resource', address: 'Vpc/main', output: 'name' })
  })
})

const main = manifest('Vpc', 'main', 'name: main\ndescription: d\nrange: 10.0.0.0/24')
const web = (vpcs: string) => manifest('Instance', 'web', `type: PLAN\nplan: ryzen-4\nregion: fra-1\nvpcs: ${vpcs}`)

describe('in a manifest', () => {
  const lookups = { 'Plan/ryzen-4': '7', 'Vpc/other': '8' }
  test('equal references are equal tokens, and become ids, one of each', () => {
    const project = loaded(main + web(`[main, "\${Vpc['main'].id}", {id: 5}, {name: other}, 9007199254740993]`))
    const declared = resource(project, 'Instance/web')
    expect(declared.references).toEqual(['Vpc/main'])
    const before = declared.resolve(scopeOf({}, lookups))
    const token = '\u0001unknown\u0001Vpc/main\u0002'
    expect(before.spec).toMatchObject({ plan: '7', vpcs: [token, token, '5', '8', '9007199254740993'], start: true })
    expect(before.unresolved).toEqual({ '/vpcs/0': "${Vpc['main'].id}", '/vpcs/1': "${Vpc['main'].id}" })
    expect(declared.resolve(scopeOf({ 'Vpc/main.id': '42' }, lookups)).spec.vpcs).toEqual(['42', '5', '8', '9007199254740993'])
  })

  test('what variables give is a name, even where it looks like an expression', () => {
    const file = (value: string) => ({
      'iac.yaml': `apiVersion: iac/v1\nkind: Project\nvariables: {nets: {type: list, default: ${value}}}\n`,
      'a.yaml': main + web('${vars.nets}'),
    })
    expect(resource(loaded(file('[main]')), 'Instance/web').references).toEqual(['Vpc/main'])
    expect(mistakes(file(`["$\${Vpc['main'].id}"]`))[0]).toMatch(/unknown_reference/)
    expect(mistakes(file('[mian]'))).toEqual(['unknown_reference 19:9 no Vpc named "mian" is declared'])
  })

  test('an expression may give the name of a lookup, from what is known when loading', () => {
    const file = (name: string) => ({
      'iac.yaml': 'apiVersion: iac/v1\nkind: Project\nvariables: {net: {default: oth}, secret: {default: canary, sensitive: true}}\n',
      'a.yaml': main + web(`[{name: "${name}"}]`),
    })
    const { spec, problems } = resource(loaded(file('${vars.net}er')), 'Instance/web').resolve(scopeOf({}, lookups))
    expect([spec.vpcs, problems]).toEqual([['8'], []])
    expect(mistakes(file('${vars.gone}'))[0]).toMatch(/^unknown_variable 19:\d+ no variable 'gone' is declared/)
    expect(mistakes(file("${Vpc['main'].id}"))[0]).toMatch(/^expression 19:\d+ this must be known when loading/)
    expect(mistakes(file('${vars.secret}'))).toContainEqual(expect.stringMatching(/^sensitive_name 19:/))
  })

  test.each(['${Vpc[vars.secret].id}', "${Vpc['main'][vars.secret].id}", '${file(vars.secret)}', '${sensitive(1)}', '${Vpc[sensitive("canary")].id}'])(
    'a sensitive name in %s is refused, and not told',
    (text) => {
      const variables = { flags: [{ name: 'secret', text: 'canary' }], files: [], environment: {} }
      const iac = 'apiVersion: iac/v1\nkind: Project\nvariables: {secret: {sensitive: true}}\n'
      const { diagnostics } = load({ 'iac.yaml': iac, 'a.yaml': main + web(`['${text.replaceAll("'", "''")}']`) }, { variables })
      expect(diagnostics.map((one) => one.code)).toContainEqual(expect.stringMatching(/^(?:expression|sensitive_name|unknown_reference)$/))
      expect(JSON.stringify(diagnostics.map(({ summary, detail, hint }) => [summary, detail, hint]))).not.toContain('canary')
    },
  )

  test.each([
    ['size', '777777.0', /777777/],
    ['backend', 'LOCA', /did you mean/],
    ['size', '"7"', /without quotes/],
  ])('no hint tells of a sensitive %s %s', (field, value, told) => {
    const iac = `apiVersion: iac/v1\nkind: Project\nvariables: {secret: {default: ${value}, sensitive: true}}\n`
    const spec = { size: '1GiB', region: 'fra-1', backend: 'LOCAL', [field]: '"${vars.secret}"' }
    const text = Object.entries(spec).map(([name, one]) => `${name}: ${one}`)
    const { diagnostics } = load({ 'iac.yaml': iac, 'a.yaml': manifest('Disk', 'data', text.join('\n')) })
    const errors = diagnostics.filter((one) => one.severity === 'error')
    expect(errors.length).toBeGreaterThan(0)
    expect(JSON.stringify(errors.map(({ summary, detail, hint }) => [summary, detail, hint]))).not.toMatch(told)
  })

  test('an expression over resources gives an id, not a name', () => {
    const project = loaded(main + web('["${Vpc[\'main\'].description}"]'))
    const { problems } = resource(project, 'Instance/web').resolve(scopeOf({ 'Vpc/main.description': 'main' }, lookups))
    expect(problems.map((one) => [one.code, one.hint])).toEqual([['invalid_value', "write Vpc['name'].id"]])
  })

  test('a lookup that finds nothing is said at its place', () => {
    const { problems } = resource(loaded(web('[]')), 'Instance/web').resolve(scopeOf())
    expect(problems).toMatchObject([
      { code: 'lookup_failed', summary: 'no Plan named ryzen-4', position: { file: 'a.yaml', line: 8 }, address: 'Instance/web' },
    ])
  })

  test('to another workspace is an error', () => {
    const other = manifest('Vpc', 'main', 'name: main\ndescription: d\nrange: 10.0.0.0/24', 'workspace: {id: "1"}')
    const own = manifest('Instance', 'web', 'type: PLAN\nplan: ryzen-4\nregion: fra-1\nvpcs: [main]', 'workspace: {id: "2"}')
    expect(mistakes(other + own)).toEqual(['conflict 21:10 Instance/web refers to Vpc/main, which is in another workspace'])
  })
})
