// One mistake hides no other: everything that can be judged is, and nothing is said that only follows from what was said.
import { describe, expect, test } from 'vitest'
import { load, manifest, mistakes } from '../../test/builders/project.ts'

const vpc = (name: string, more = '', metadata = '') => manifest('Vpc', name, `name: ${name}-net\ndescription: d\nrange: 10.0.0.0/24\n${more}`, metadata)
const web = (more = '') => manifest('Instance', 'web', `type: PLAN\nplan: p\nregion: r\n${more}`)
const iac = (text: string) => ({ 'iac.yaml': `apiVersion: iac/v1\nkind: Project\n${text}` })
const codes = (...args: Parameters<typeof mistakes>) => mistakes(...args).map((one) => one.replace(/ \d+:\d+ /, ' '))

describe('a manifest', () => {
  test.each([
    ['a wrong field', 'labels: {a: b}', 'unknown_field no field "labels" exists here'],
    ['a wrong timeout', 'timeouts: {create: 5}', /^invalid_value create must be/],
    ['a wrong entry', 'depends_on: [Vpc/ok, 7]', 'invalid_value entry 2 of depends_on must be a text, got 7'],
    ['keys that cannot be had', 'for_each: 5', /^invalid_value for_each takes a list/],
    ['keys that are not known', 'for_each: "${vars.nope}"', /^unknown_variable/],
    ['a name of its own', 'for_each: [a, 5]', /^invalid_value for_each takes a list/],
  ])('%s in the head does not hide the spec', (_, metadata, words) => {
    const found = codes(vpc('main', 'rnge: x', metadata))
    expect(found).toHaveLength(2)
    expect(found[0]).toMatch(words)
    expect(found[1]).toBe('unknown_field no field "rnge" exists here')
  })

  test.each([
    ['no name', vpc('main', 'rnge: x').replace('  name: main\n', '  workspace: {id: "1"}\n'), 'missing_field'],
    ['a name that is none', vpc('-x', 'rnge: x'), 'invalid_name'],
  ])('%s: the spec is judged, and no address is made up', (_, text, code) => {
    const found = load(text + text).diagnostics.map((one) => `${one.code} ${one.address}`)
    expect(found).toEqual([`${code} undefined`, 'unknown_field undefined', `${code} undefined`, 'unknown_field undefined'])
  })

  test.each([
    ['nothing', manifest('Vpc', 'main', '').replace('  {}\n', ''), 'null', 'below it: `iac explain Vpc` lists them'],
    ['a null', manifest('Instance', 'main', '').replace('\n  {}', ' ~'), 'null', 'below it: `iac explain Instance`'],
    ['a null where {} will do', manifest('K3sCluster', 'main', '').replace('\n  {}', ' null'), 'null', 'below it, or {} for none: '],
    ['a text', manifest('Vpc', 'main', '').replace('\n  {}', ' x'), 'the text "x"', 'below it: '],
  ])('%s behind spec is one mistake, with what belongs there', (_, text, got, hint) => {
    const found = load(text).diagnostics
    expect(found.map((one) => [one.summary, one.hint, one.position?.line])).toEqual([[`spec must be a map, got ${got}`, expect.stringContaining(hint), 6]])
  })

  test.each([
    ['nothing', 'metadata:', 'metadata must be a map, got null'],
    ['a text', 'metadata: main', 'metadata must be a map, got the text "main"'],
    ['a list', 'metadata: [main]', 'metadata must be a map, got a list'],
    ['no line at all', '# none', 'the field metadata is missing'],
  ])('%s behind metadata is told with what belongs there', (_, line, summary) => {
    const [found, ...others] = load(vpc('main').replace(/metadata:\n {2}name: main/, line)).diagnostics
    expect([found?.summary, found?.hint, others]).toEqual([summary, expect.stringContaining('write metadata: { name: NAME }'), []])
  })

  test('a spec that is none does not hide the head', () => {
    const text = 'apiVersion: iac/v1\nkind: Vpc\nmetadata: {name: main, depends_on: [Vpc/nope]}\nspec: [1]\n'
    expect(codes(text)).toEqual(['unknown_reference nothing that is declared fits Vpc/nope', 'invalid_value spec must be a map, got a list'])
  })

  test.each([
    ['Instance', 'type: PLAN\nregion: r\nplan: "${1 +}"', 'expression'],
    ['Instance', 'type: PLAN\nregion: r\nplan: { id: [1] }', 'invalid_value'],
    ['Instance', 'type: PLAN\nplan: p\nregion: "${vars.nope}"', 'unknown_variable'],
    ['Instance', 'type: CUSTOM\ngroup: RYZEN\nregion: r\ncpu: 1\nmemory_bytes: 1GiB\nstorage: "${1 +}"', 'expression'],
    ['FirewallRule', 'instance: {id: "1"}\ntype: IPv4\nprotocol: TCP\naction: ACCEPT\nport_start: "${1 +}"\nport_end: 5', 'expression'],
    ['FirewallRule', 'instance: {id: "1"}\ntype: IPv4\nprotocol: "${1 +}"\naction: ACCEPT\nport_start: 5', 'expression'],
    ['FirewallRule', 'instance: {id: "1"}\ntype: IPv4\nprotocol: TCP\naction: ACCEPT\nremote: "${1 +}"', 'expression'],
    ['K3sService', 'image: i:1\nmode: "${1 +}"\nreplicas: 2\ntarget_instances: [{id: "1"}]', 'expression'],
    ['K3sService', 'image: i:1\nmode: PINNED\ntarget_instances: [nope]\nports: "${1 +}"', 'unknown_reference expression'],
    ['BgpPrefix', 'prefix: "${1 +}"\nenabled: true\ncommunity: DEFAULT', 'expression'],
    ['Vpc', 'description: d\nrange: "${1 +}"', 'expression'],
    ['K3sSecret', 'data: "${1 +}"', 'expression'],
  ])('%s %j: what was said of a field is not judged again', (kind, spec, said) => {
    expect(load(manifest(kind, 'main', spec)).diagnostics.map((one) => one.code)).toEqual(said.split(' '))
  })

  const rule = (name: string, more: string) => manifest('FirewallRule', name, `instance: {id: "1"}\naction: ACCEPT\n${more}`)
  const service = (name: string, more: string) =>
    manifest(
      'K3sService',
      name,
      `image: i:1\nmode: SPREAD\ntarget_instances: [{id: "1"}]\nports: [{host_port: 80, container_port: 80, protocol: TCP}]\n${more}`,
    )
  test.each([
    [
      'of its own',
      rule('a', 'type: IPv6\nprotocol: ICMP\nport_start: 0\nremote: 10.0.0.0/8\nbps_limit: 1\npps_limit: 1'),
      ['port_start', 'remote', 'pps_limit'],
    ],
    ['that the field broke as well', rule('a', 'type: IPv4\nprotocol: udpp\nport_start: 5\nport_end: 4'), ['protocol', 'port_end']],
    ['of a missing field', rule('a', 'protocol: TCP\nport_end: 5'), ['instance', 'port_end']],
    ['beside an unknown one', rule('a', 'type: IPv4\nprotocol: TCP\nlabels: {}\nport_end: 5'), ['labels', 'port_end']],
    ['across resources', service('a', '') + service('b', 'replicas: -1'), ['ports', 'replicas']],
  ])('a field that does not fit its schema hides no rule %s', (_, text, at) => {
    const words = load(text).diagnostics.map((one) => /\w+(?=:)/.exec(one.position?.text ?? '')?.[0])
    expect(words.toSorted()).toEqual(at.toSorted())
  })
  test.each([
    ['region', manifest('Instance', 'web', 'type: PLAN\nplan: p\nregoin: r')],
    ['plan', manifest('Instance', 'web', 'type: PLAN\nplan: [1]\nregion: r')],
    [
      'cpu',
      manifest(
        'Instance',
        'web',
        'type: CUSTOM\ngroup: RYZEN\nregion: r\ncpu: x\nmemory_bytes: 1GiB\nstorage: [{size_bytes: 80GiB, backing: LOCAL, boot: true}]',
      ),
    ],
    ['port_end', rule('a', 'type: IPv4\nprotocol: TCP\nport_strat: 1\nport_end: 5')],
  ])('no rule is said to miss %s, which is there and wrong', (_, text) => {
    expect(load(text).diagnostics).toHaveLength(1)
  })
  test('rules that do not fit their schema are not the same', () => {
    const found = codes(
      ['a', 'b'].map((name, index) => rule(name, `type: IPv4\nprotocol: udpp\nport_start: ${index}`)).join('') +
        ['c', 'd'].map((name, index) => rule(name, `type: IPv4\nprotocol: TCP\nlabels: ${index}`)).join(''),
    )
    expect(found.filter((one) => one.includes('the same'))).toEqual([])
  })

  test('a text with several expressions: each is judged', () => {
    expect(mistakes(vpc('main').replace('description: d', 'description: "${1 +}-${vars.nope}-${var.x}"'))).toEqual([
      'expression 8:22 unexpected token: the end',
      "unknown_variable 8:31 no variable 'nope' is declared",
      'expression 8:39 CEL reserves `var`; write vars.NAME',
    ])
  })

  test('a text with several expressions: each is evaluated', () => {
    expect(mistakes(vpc('main').replace('description: d', 'description: "${1 / 0} ${[1]} ${\'a\'}"'))).toEqual([
      'expression 8:19 division by zero',
      'expression 8:28 a list cannot stand in text; write json(…)',
    ])
  })

  test.each(['${Vpc[vars.miss].id}', "${lookup('Plan', vars.miss).id}", '${file(vars.miss)}', 'x ${vars.miss}'])(
    'a variable without a value is all that is said of %s',
    (text) => {
      const texts = { ...iac('variables: { miss: { type: string } }\n'), 'a.yaml': vpc('main').replace('description: d', `description: "${text}"`) }
      expect(codes(texts)).toEqual(['missing_variable the variable miss has no value'])
    },
  )

  test('one wrong pointer does not hide the others', () => {
    expect(mistakes(vpc('main', '', 'lifecycle: {ignore_changes: [/descriptin, range, 5], replace_on: [/rang, /name]}'))).toEqual([
      'unknown_field 6:32 Vpc has no field "descriptin"',
      expect.stringMatching(/^invalid_value 6:45 entry 2 of ignore_changes must be: a JSON pointer/),
      'invalid_value 6:52 entry 3 of ignore_changes must be a text, got 5',
      'unknown_field 6:69 Vpc has no field "rang"',
      'invalid_value 6:76 replace_on is for fields of a Vpc that matter at create alone, which /name is not',
    ])
  })

  test('replace_on takes what would otherwise be a note, and names it', () => {
    const of = (pointers: string) =>
      load(manifest('Instance', 'web', 'type: PLAN\nplan: p\nregion: r', `lifecycle: {replace_on: [${pointers}]}`)).diagnostics.filter(
        ({ severity }) => severity === 'error',
      )
    expect(of('/cloud_init, /region')).toEqual([])
    expect(of('/name, /cloud_init/0')).toMatchObject([
      { summary: expect.stringContaining('which /name is not'), hint: expect.stringContaining('/cloud_init, ') },
      { summary: expect.stringContaining('which /cloud_init/0 is not') },
    ])
  })

  test('a name that is wrong is said beside other mistakes of the head', () => {
    expect(codes(vpc('-x', '', 'labels: {}'))).toEqual(['invalid_name "-x" is no name for a resource', 'unknown_field no field "labels" exists here'])
  })
})

describe('a project file that is no YAML', () => {
  const broken = 'apiVersion: iac/v1\nkind: Project\nname: shop\nvariables:\n  size: { type: int, default: 2\n'
  const wrong = web('cpuu: ${vars.size}') + vpc('main', 'rnge: x')
  test('hides no mistake of the manifests, and nothing is said that depends on it', () => {
    const found = load({ 'iac.yaml': broken, 'a.yaml': wrong, 'b.yaml': 'apiVersion: iac/v1\nkind: Vpc\nspec: [\n' }).diagnostics
    expect(found.map((one) => `${one.code} ${one.position?.file}`)).toEqual([
      'unknown_field a.yaml',
      'unknown_field a.yaml',
      'yaml_syntax b.yaml',
      'yaml_syntax iac.yaml',
    ])
  })
  test.each([
    ['manifests: [infra/*.yaml]\n', ['infra/a.yaml']],
    ['manifests:\n  - infra/*.yaml\n', ['infra/a.yaml']],
    ['manifests: [infra/*.yaml\n', []],
    ['', ['infra/a.yaml', 'other/a.yaml']],
  ])('is asked for its list all the same: %j', (line, files) => {
    const found = load({ 'iac.yaml': `${line}${broken}`, 'infra/a.yaml': vpc('main', 'rnge: x'), 'other/a.yaml': vpc('other', 'rnge: x') }).diagnostics
    expect([...new Set(found.flatMap((one) => one.position?.file ?? []))].toSorted()).toEqual(['iac.yaml', ...files].toSorted())
  })
})

describe('references to a broken document are silent', () => {
  const user = web('vpcs: [main]\nos_name: "${Vpc[\'main\'].vlan}"') + vpc('other', '', 'depends_on: [Vpc/main, "Vpc/m*"]')
  test.each([
    ['its syntax', 'apiVersion: iac/v1\nkind: Vpc\nmetadata: {name: main}\nspec: [\n', 'yaml_syntax'],
    ['a key twice', vpc('main', 'range: 10.1.0.0/24'), 'yaml_duplicate_key'],
    ['its kind', vpc('main').replace('kind: Vpc', 'kind: Vpcc'), 'unknown_kind'],
    ['its version', vpc('main').replace('iac/v1', 'iac/v9'), 'unsupported_version'],
    ['its head', vpc('main', '', 'labels: {}'), 'unknown_field'],
    ['its keys', vpc('main', '', 'for_each: 5'), 'invalid_value'],
  ])('%s', (_, text, code) => {
    expect(load({ 'a.yaml': text, 'b.yaml': user }).diagnostics.map((one) => one.code)).toEqual([code])
  })
  test('those to another name are not', () => {
    expect(codes(vpc('mian', '', 'labels: {}') + web('vpcs: [main]'))).toEqual([
      'unknown_field no field "labels" exists here',
      'unknown_reference no Vpc named "main" is declared',
    ])
  })
})

describe('iac.yaml', () => {
  test('one mistake hides neither the others nor the manifests', () => {
    const text =
      'nmae: shop\nvariables:\n  a: { type: int, default: "5" }\n  b: { type: strng }\nmoved: [ { from: Vpc/main, to: Vpc/x }, { from: Vpc/y } ]\nguards: { max_destroy: x }\n'
    const found = codes({ ...iac(text), 'a.yaml': vpc('main', 'rnge: ${vars.b}') }, { environment: 'prod' })
    expect(found).toEqual([
      expect.stringMatching(/^unknown_environment/),
      'unknown_field no field "rnge" exists here',
      'unknown_field no field "nmae" exists here',
      'invalid_value the variable a must be of type int, got the text "5" (from the default)',
      expect.stringMatching(/^invalid_value type must be one of/),
      'moved_conflict Vpc/main is still declared',
      'missing_field the field to is missing',
      expect.stringMatching(/^invalid_value max_destroy/),
    ])
  })
  const policies = `policies:
  - { nmae: a, each: chnge, assert: it.action == vars.zoen }
  - { name: b, assert: 1 + }
  - { name: c, asert: plan }
  - { file: more.yaml }
`
  const more = 'policies:\n  - { name: d, assert: vars.zoen, levl: warn }\n  - { name: e, assert: "${x}" }\n'
  test.each([
    [
      'a policy',
      '',
      ['unknown_field', 'invalid_value', 'unknown_variable', 'expression', 'unknown_field'],
      ['unknown_variable', 'unknown_field', 'expression'],
    ],
    ['variables', 'variables: [a]\n', ['invalid_value', 'unknown_field', 'invalid_value', 'expression', 'unknown_field'], ['unknown_field', 'expression']],
  ])('a mistake in %s hides no other one of policies, in their files too', (_, text, own, theirs) => {
    const found = load({ ...iac(text + policies), 'a.yaml': vpc('main'), 'more.yaml': more }).diagnostics
    const at = (file: string) => found.flatMap((one) => (one.position?.file === file ? [one.code] : []))
    expect([at('iac.yaml'), at('more.yaml')]).toEqual([own, theirs])
  })
  test('a variable that has no value, or a wrong declaration, is declared for policies', () => {
    const text = 'variables:\n  a: { type: strng }\n  b: { type: string }\npolicies: [{ name: x, assert: vars.a == vars.b }]\n'
    expect(codes({ ...iac(text), 'a.yaml': vpc('main') })).toEqual([
      expect.stringMatching(/^invalid_value type must be one of/),
      'missing_variable the variable b has no value',
    ])
  })
  test('an environment with a mistake is declared', () => {
    expect(codes({ ...iac('environments: { staging: { variabels: {} } }\n'), 'a.yaml': vpc('main') }, { environment: 'staging' })).toEqual([
      'unknown_field no field "variabels" exists here',
    ])
  })
  test('where it does not say which manifests are meant, none is asked for', () => {
    const text = 'manifests: [5]\noutputs: { a: { value: "${Vpc[\'main\'].id}" } }\n'
    expect(codes({ ...iac(text), 'a.yaml': vpc('main', 'rnge: x') })).toEqual(['invalid_value entry 1 of manifests must be a text, got 5'])
  })
  test('of a variable whose declaration is wrong nothing is known, and nothing shown', () => {
    const text = 'variables:\n  a: { sensitive: "yes", default: CANARY }\n'
    const { diagnostics } = load({ ...iac(text), 'a.yaml': vpc('main').replace('description: d', 'description: ${vars.a}') })
    expect(diagnostics.filter((one) => one.severity === 'error')).toHaveLength(1)
    expect(JSON.stringify(diagnostics)).not.toContain('CANARY')
  })
})

test('a file of -f that cannot be read is all that is said', () => {
  const named = { paths: [{ path: '/p/nope.yaml', shown: 'nope.yaml' }], stdin: undefined }
  const found = codes({ ...iac('variables: { a: { type: int } }\n'), 'a.yaml': vpc('main', 'rnge: x') }, { named })
  expect(found).toEqual(['file_unreadable nope.yaml cannot be read: it does not exist'])
})

test('an alias bomb is said once', () => {
  const levels = Array.from({ length: 12 }, (_, at) => `k${at}: &k${at} [${Array.from({ length: 9 }, () => (at === 0 ? 'x' : `*k${at - 1}`)).join(',')}]`)
  expect(codes(`apiVersion: iac/v1\n${levels.join('\n')}\n`)).toEqual(['yaml_unsupported aliases are limited to 10000 nodes in a document'])
})

describe('the place of a circle', () => {
  const at = (text: string) => load(text).diagnostics.map((one) => `${one.code} ${one.position?.text?.trim()}`)
  test('is the reference that closes it', () => {
    expect(
      at(vpc('a').replace('description: d', "description: ${Vpc['b'].vlan}") + vpc('b').replace('description: d', "description: ${Vpc['a'].vlan}")),
    ).toEqual(["cycle description: ${Vpc['a'].vlan}"])
  })
  test('is the depends_on that closes it', () => {
    expect(at(vpc('a', '', 'depends_on: [Vpc/b]') + vpc('b', '', 'depends_on:\n  - Vpc/c\n  - Vpc/a') + vpc('c'))).toEqual(['cycle - Vpc/a'])
  })
})

test.each([
  ['in a spec', manifest('K3sSecret', 'a', 'data: {"${lookup(\'nope\')}": x, "$${b}": y}'), '7:10'],
  ['of a spec', vpc('main', '"${vars.x}": x'), '10:3'],
  ['in for_each', vpc('main', '', 'for_each: {"${1}": x}'), '6:22'],
  ['that is not closed', manifest('K3sSecret', 'a', 'data: {"${": x}'), '7:10'],
])('an expression in a key %s is said, and not evaluated', (_, text, place) => {
  const { diagnostics } = load(text)
  expect(mistakes(text).filter((one) => !one.startsWith('secret_literal'))).toEqual([`expression ${place} an expression cannot stand in a key`])
  expect(diagnostics.find((one) => one.code === 'expression')?.hint).toContain('$${ is a literal ${')
})

test.each([
  ['w', '', '5:9', 'got the text "w"'],
  ['w', 'name: null\n', '5:9', 'got the text "w"'],
  ['w', 'name: x\n', '7:9', 'got the text "x"'],
])('a name that is too short is wrong where it stands: %s %j', (name, own, place, got) => {
  expect(mistakes(manifest('Vpc', name, `${own}description: d\nrange: 10.0.0.0/24`))).toEqual([
    `invalid_value ${place} name must have at least 4 characters, ${got}`,
  ])
})

describe('words', () => {
  test.each([
    ['a: "x', /the text is never closed/],
    ['a: [1', /must be closed with \]/],
    ['{a: 1', /must be closed with \}/],
    ['a: b: c', /a second key stands/],
    ['a:\n\tb: 1', /a tab stands in the indentation/],
    ['kind: !foo x', /the tag !foo is not supported/],
  ])('for %s', (text, words) => {
    expect(mistakes(`apiVersion: iac/v1\n${text}\n`)[0]).toMatch(words)
  })
  test.each([
    ["description: ${vars.x ? 'a' : 'b'}", true],
    ['list: [${vars.x}, 1', false],
    ['flow: { name: "n", for_each: ${vars.x} }', true],
    ['description: "${vars.x}": b', false],
    ['a: b: c', false],
  ])('for an expression without quotes, in %s', (text, isTold) => {
    const hints = load(`apiVersion: iac/v1\nkind: Vpc\n${text}\n`).diagnostics.filter(({ code }) => code === 'yaml_syntax')
    expect(hints.length).toBeGreaterThan(0)
    expect(hints.every(({ hint }) => hint === 'put the text with the expression in quotes: "${…}"')).toBe(isTold)
  })
  test('kinds have their article', () => {
    const rule = manifest('FirewallRule', 'x', 'instance: Vpc/main\ntype: IPv4\nprotocol: TCP\naction: ACCEPT')
    expect(codes(rule + vpc('main'))).toEqual(['unknown_reference this field points at an Instance, not at "Vpc"'])
  })
})
