// What users and attackers write by mistake or on purpose: each ends in one clear diagnostic, nothing crashes, hangs or leaks.
import { describe, expect, test } from 'vitest'
import { cpuTime } from '../../test/builders/cpu-time.ts'
import { load, manifest } from '../../test/builders/project.ts'
import type { Code } from '../base/catalogue.ts'

const vpc = (name: string, more = '') => manifest('Vpc', name, `name: ${name}-net\ndescription: d\nrange: 10.0.0.0/24\n${more}`)
const web = (more = '') => manifest('Instance', 'web', `type: PLAN\nplan: ryzen-4\nregion: fra-1\n${more}`)
const head = 'apiVersion: iac/v1\n'
const utf16 = new Uint8Array(Buffer.from(`\uFEFF${vpc('main')}`, 'utf16le'))
const bytes = (...parts: (string | number)[]) =>
  new Uint8Array(Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from([part])))))

type Files = Readonly<Record<string, string | Uint8Array>>
type Row = readonly [name: string, input: string | Files, code: Code, words: RegExp]

const rows: readonly Row[] = [
  ['B1 nothing but comments', '# nothing\n', 'no_resources', /no manifest/],
  ['B3 declared twice, in two files', { 'a.yaml': vpc('main'), 'b.yaml': vpc('main') }, 'duplicate_resource', /declared twice .*a\.yaml:5:9/],
  ['B3 declared twice, in one file', vpc('main') + vpc('main'), 'duplicate_resource', /declared twice/],
  [
    'B3 a singleton twice',
    manifest('K3sCluster', 'a', '{}') + manifest('K3sCluster', 'b', '{}'),
    'duplicate_resource',
    /same object: there is one K3sCluster only/,
  ],
  [
    'B3 a unique name twice',
    manifest('K3sSecret', 'a', 'name: x\ndata: {}') + manifest('K3sSecret', 'b', 'name: x\ndata: {}'),
    'duplicate_resource',
    /K3sSecret\/b and K3sSecret\/a are the same object: the same name/,
  ],
  ['B4 a key twice', vpc('main', 'range: 10.1.0.0/24'), 'yaml_duplicate_key', /range.*line 9 and in line 10/],
  ['B5 a tab', `${head}kind: Vpc\nmetadata:\n\tname: x\n`, 'yaml_syntax', /[Tt]ab/],
  ['B5 UTF-16', { 'a.yaml': utf16 }, 'file_unreadable', /UTF-16/],
  ['B6 not UTF-8', { 'a.yaml': bytes(head, 'kind: V', 0xff) }, 'file_unreadable', /byte 27 /],
  ['B6 NUL', `${head}kind: "a\\0b"\n`, 'yaml_unsupported', /U\+0000/],
  ['B6 C1', `${head}kind: a\u009bb\n`, 'yaml_unsupported', /U\+009B/],
  ['B6 half a surrogate', `${head}kind: "\\ud800"\n`, 'yaml_unsupported', /U\+D800/],
  ['B6 a mark of tokens, by an expression', vpc('main').replace('description: d', `description: "\${'\\\\x01hidden\\\\x02'}"`), 'expression', /U\+0001/],
  [
    'B6 a mark of tokens, in a file',
    { 'a.yaml': vpc('main').replace('description: d', "description: ${file('x.txt')}"), 'x.txt': 'a\u0001hidden\u0002' },
    'expression',
    /file "x\.txt" cannot be read: it holds the control character U\+0001/,
  ],
  ['B7 bidi in a name', vpc('ma\u202ein'), 'invalid_name', /U\+202E/],
  ['B7 zero-width in a key', vpc('main', 'des\u200bcription: x'), 'yaml_unsupported', /U\+200B/],
  ['B7 homoglyph', vpc('m\u0430in'), 'invalid_name', /no name/],
  ['B8 alias of itself', `${head}a: &a [*a]\n`, 'yaml_unsupported', /recursive|own anchor/],
  ['B8 no anchor', `${head}a: *nothing\n`, 'yaml_syntax', /anchor/],
  ['B9 101 levels', `${head}a: ${'['.repeat(101)}${']'.repeat(101)}\n`, 'yaml_unsupported', /deeper than 100/],
  ['B9 10,000 levels, twice', `${head}a: ${'['.repeat(10_000)}\n---\n${head}a: ${'['.repeat(10_000)}\n`, 'yaml_unsupported', /deeper than 100/],
  ['B9 a million levels', `${head}a: ${'['.repeat(1_000_000)}\n`, 'yaml_unsupported', /deeper than 100/],
  ['B10 a large text', vpc('main').replace('description: d', `description: ${'x'.repeat(1_000_000)}`), 'invalid_value', /at most 240 characters/],
  ['B10 a large file', { 'a.yaml': `${head}a: ${'x'.repeat(17 * 1024 * 1024)}` }, 'file_unreadable', /limit is 16777216/],
  ['B10 a device', { 'a.yaml': 'fault:it is not a regular file' }, 'file_unreadable', /regular file/],
  ['B11 a merge key', vpc('main', '<<: {a: 1}'), 'yaml_unsupported', /merge keys/],
  ['B11 a tag', vpc('main', 'x: !!js/function "1"'), 'yaml_unsupported', /tag/i],
  ['B11 binary', vpc('main', 'x: !!binary aGk='), 'yaml_unsupported', /tag/i],
  ['B11 a timestamp', vpc('main', 'x: !!timestamp 2024-01-01'), 'yaml_unsupported', /tag/i],
  ['B12 __proto__', vpc('main', '__proto__: {polluted: 1}'), 'yaml_unsupported', /__proto__/],
  ['B12 constructor', vpc('main', 'constructor: {prototype: {polluted: 1}}'), 'yaml_unsupported', /constructor/],
  ['B12 toString as a field', vpc('main', 'toString: x'), 'unknown_field', /toString/],
  ['B12 hasOwnProperty as a kind', manifest('hasOwnProperty', 'x', ''), 'unknown_kind', /hasOwnProperty/],
  ['B13 what is no kind', manifest('Server', 'x', ''), 'unknown_kind', /did you mean Instance/],
  ['B13 a kind with a typo', manifest('Vpcc', 'x', ''), 'unknown_kind', /did you mean Vpc\?/],
  ['B13 a kind in other letters', manifest('VPC', 'x', ''), 'unknown_kind', /did you mean Vpc\?/],
  ['B13 a kind that is looked up', manifest('Plan', 'x', ''), 'unknown_kind', /looked up/],
  ['B14 a field with a typo', vpc('main', 'rnge: x'), 'unknown_field', /did you mean ["']range["']\?/],
  ['B14 a field in another case', vpc('main', 'Range: x'), 'unknown_field', /did you mean ["']range["']\?/],
  ['B14 a field of another kind', vpc('main', 'cloud_init: x'), 'unknown_field', /known here: name, description, range/],
  ['B14 a field beside spec', `${vpc('main')}sepc: {}\n`, 'unknown_field', /did you mean "spec"\?/],
  ['B15 a text for a number', web('cpu: "8"'), 'invalid_value', /cpu must be an? (?:number|integer), got the text "8".*without quotes/],
  ['B15 yes for true', web('uefi: yes'), 'invalid_value', /uefi must be true or false, got the text "yes"/],
  ['B15 a list for a map', web('bandwidth: [1]'), 'invalid_value', /bandwidth must be a map, got a list/],
  ['B15 a spec that is a list', `${head}kind: Vpc\nmetadata: {name: x}\nspec: [1]\n`, 'invalid_value', /spec must be a map/],
  ['B16 out of range', web('cpu: 0'), 'invalid_value', /more than 0/],
  ['B16 a fraction', web('cpu: 1.5'), 'invalid_value', /integer/],
  ['B16 a whole double', web('cpu: 2.0'), 'invalid_value', /integer.*fraction/],
  ['B16 beyond 2^53', web('cpu: 9007199254740993'), 'invalid_value', /cpu must be/],
  ['B16 beyond 64 bits', web('cpu: 99999999999999999999'), 'yaml_unsupported', /64 bits/],
  ['B16 1e400', web('cpu: 1e400'), 'yaml_unsupported', /infinite/],
  ['B16 .nan', web('cpu: .nan'), 'yaml_unsupported', /\.nan/],
  ['B17 too short for the service', manifest('Vpc', 'a', 'description: d\nrange: 10.0.0.0/24'), 'invalid_value', /name must have at least 4 characters/],
  ['B17 a leading dash', vpc('-x'), 'invalid_name', /no name/],
  ['B17 an empty name', manifest('Vpc', '""', ''), 'invalid_name', /no name/],
  ['B17 64 characters', vpc('a'.repeat(64)), 'invalid_name', /no name/],
  ['B18 nothing there', web('vpcs: [mian]') + vpc('main'), 'unknown_reference', /did you mean "main"\?/],
  ['B18 of another kind', web('vpcs: [web]'), 'unknown_reference', /Instance\/web is of another kind/],
  ['B18 itself', manifest('Vpc', 'main', "name: ${Vpc['main'].id}\ndescription: d\nrange: 10.0.0.0/24"), 'cycle', /refers to itself/],
  ['B18 no such attribute', web("os_name: ${Vpc['main'].rnge}") + vpc('main'), 'unknown_field', /did you mean ["']range["']\?/],
  ['B20 a secret in a name', manifest('Vpc', 'main', "name: ${sensitive('topsecret')}\ndescription: d\nrange: 10.0.0.0/24"), 'sensitive_name', /sensitive/],
  ['B21 nested', web('os_name: "${${a}}"'), 'expression', /./],
  ['B21 never closed', web('os_name: "${vars.x"'), 'expression', /never closed/],
  ['B21 a megabyte', web(`os_name: "\${'${'x'.repeat(1_000_000)}'}"`), 'expression', /16 KiB/],
  ['B21 the environment', web('os_name: ${env:HOME}'), 'expression', /./],
  ['B21 a scheme', web('os_name: "${file:/etc/passwd}"'), 'expression', /./],
  ['B21 a prototype', web("os_name: ${Vpc['main'].__proto__.x}") + vpc('main'), 'unknown_field', /__proto__/],
  ['B21 var', web('os_name: ${var.x}'), 'expression', /vars\.NAME/],
  ['B22 upwards', web("cloud_init: ${file('../../../etc/passwd')}"), 'expression', /outside of the project/],
  ['B22 absolute', web("cloud_init: ${file('/etc/passwd')}"), 'expression', /relative to the project/],
  ['B22 a URL', web("cloud_init: ${file('file:///etc/passwd')}"), 'expression', /relative to the project/],
  ['B22 a share', web(String.raw`cloud_init: ${'${'}file('\\\\server\\share')}`), 'expression', /relative to the project/],
  ['B22 a drive', web("cloud_init: ${file('C:/x')}"), 'expression', /relative to the project/],
  ['B24 an address in a project', { 'iac.yaml': `${head}kind: Project\nprovider: {base_url: "https://evil"}\n` }, 'unknown_field', /IAC_BASE_URL/],
  ['B24 a token in a project', { 'iac.yaml': `${head}kind: Project\ntoken: CANARY\n` }, 'unknown_field', /IAC_TOKEN/],
  ['B24 an endpoint in a manifest', `${vpc('main')}endpoint: https://evil\n`, 'unknown_field', /IAC_BASE_URL/],
  ['B27 a private key', web('os_name: "-----BEGIN OPENSSH PRIVATE KEY----- CANARY"'), 'secret_literal', /looks like a secret/],
  [
    'B27 a secret field',
    manifest('K3sSecret', 'db', 'name: db\ndata: {PASSWORD: CANARY}') + manifest('K3sCluster', 'main', ''),
    'secret_literal',
    /a secret stands/,
  ],
  ['B27 a wrong secret', manifest('K3sSecret', 'db', 'name: db\ndata: {PASSWORD: [CANARY]}'), 'invalid_value', /not shown/],
  ['B32 a billion', manifest('Vpc', 'main', 'description: d', 'for_each: 1000000000'), 'invalid_value', /list of texts or a map/],
  [
    'B32 too many keys',
    manifest('Vpc', 'main', 'description: d', `for_each: [${Array.from({ length: 10_001 }, (_, at) => `k${at}`).join(',')}]`),
    'invalid_value',
    /limit is 10000/,
  ],
]

describe('refused or warned of', () => {
  test.each(rows)('%s', { timeout: 60_000 }, (_, input, code, words) => {
    const { result, spentMs } = cpuTime(() => load(input))
    const { project, diagnostics } = result
    expect(spentMs).toBeLessThan(4000)
    const found = diagnostics.find((one) => one.code === code)
    expect(`${found?.summary} ${found?.detail} ${found?.hint}`, JSON.stringify(diagnostics)).toMatch(words)
    if (code !== 'no_resources') expect(found?.position?.line).toBeGreaterThan(0)
    expect(project === undefined).toBe(diagnostics.some((one) => one.severity === 'error'))
    const text = JSON.stringify(diagnostics)
    expect(text).not.toMatch(/CANARY|topsecret/)
    expect(
      JSON.parse(text)
        .flatMap((one: object) => Object.values(one))
        .join(''),
    ).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u200b\u202e]/)
    expect(text.length).toBeLessThan(4000)
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  })

  test('B2 a list at the root belongs to nobody, and is an error where it was named', () => {
    expect(load('- 1\n').foreign).toHaveLength(1)
    const named = { paths: [{ path: '/p/a.yaml', shown: 'a.yaml' }], stdin: undefined }
    expect(load('- 1\n', { named }).diagnostics.map((one) => one.code)).toEqual(['usage'])
    expect(load('', { named }).diagnostics.map((one) => one.code)).toEqual(['usage'])
    expect(load('', { named: { paths: [], stdin: vpc('main') } }).project?.resources).toHaveLength(1)
  })

  test('B8 an alias bomb', () => {
    const levels = Array.from({ length: 12 }, (_, at) => `k${at}: &k${at} [${Array.from({ length: 9 }, () => (at === 0 ? 'x' : `*k${at - 1}`)).join(',')}]`)
    expect(load(`${head}${levels.join('\n')}\n`).diagnostics[0]).toMatchObject({ code: 'yaml_unsupported' })
  })

  test.each([2, 3, 1000])('B19 a circle of %i', (count) => {
    const all = Array.from({ length: count }, (_, at) =>
      manifest('Vpc', `v${at}`, `name: net-${at}\ndescription: \${Vpc['v${(at + 1) % count}'].id}\nrange: 10.0.0.0/24`),
    )
    const { diagnostics } = load(all.join(''))
    expect(diagnostics.map((one) => one.code)).toEqual(['cycle'])
    expect(diagnostics[0]?.detail).toMatch(/^Vpc\/v0 → Vpc\/v1 → .*Vpc\/v0$/)
    expect(diagnostics[0]?.detail?.length).toBeLessThan(400)
  })
})

describe('accepted', () => {
  test.each([
    ['B5 CRLF', vpc('main').replaceAll('\n', '\r\n')],
    ['B5 BOM', `\uFEFF${vpc('main')}`],
    ['B12 toString as a name', vpc('toString')],
    ['B12 hasOwnProperty as a name', vpc('hasOwnProperty')],
    ['B12 constructor as a name', vpc('constructor') + web('vpcs: [constructor]')],
    ['B16 minus zero', web('cloud_init: x').replace('type: PLAN', 'type: PLAN\nuefi: false'.replace('\n', '\n  '))],
    ['B20 a reference in a name', `${vpc('main')}${manifest('Vpc', 'other', 'name: "x-${Vpc[\'main\'].vlan}"\ndescription: d\nrange: 10.0.0.0/24')}`],
    ['B20 a range that is not known yet', `${vpc('main')}${manifest('Vpc', 'other', 'name: other\ndescription: d\nrange: "10.${Vpc[\'main\'].vlan}.0.0/16"')}`],
  ])('%s', (_, text) => {
    expect(load(text).diagnostics.filter((one) => one.severity === 'error')).toEqual([])
  })

  test('documents of other tools', () => {
    const foreign = {
      'k8s.yaml': 'apiVersion: v1\nkind: Pod\n',
      'helm.yaml': '{{- if x }}\na: [\n',
      'cf.yml': 'a: !Ref b\n',
      'latin.yaml': bytes('a: ', 0xe4),
      'deep.yaml': '['.repeat(100_000),
    }
    const loaded = load({ ...foreign, 'a.yaml': vpc('main') })
    expect(loaded).toMatchObject({ diagnostics: [], project: { manifests: 1 } })
    expect(loaded.foreign.map(({ file, line }) => `${file}:${line}`).toSorted()).toEqual([
      'cf.yml:1',
      'deep.yaml:1',
      'helm.yaml:1',
      'k8s.yaml:1',
      'latin.yaml:1',
    ])
  })

  test('another version is not', () => {
    expect(load('apiVersion: iac/v2\nkind: Vpc\n').diagnostics.map((one) => one.code)).toEqual(['unsupported_version'])
  })
})

describe('many', () => {
  test('B31 10,000 documents that refer to each other', () => {
    const files = Object.fromEntries(
      Array.from({ length: 100 }, (_, file) => [
        `${file}.yaml`,
        Array.from({ length: 100 }, (_unused, at) => {
          const before = file * 100 + at - 1
          return manifest(
            'Vpc',
            `v${before + 1}`,
            `name: net-${before + 1}\ndescription: ${before < 0 ? 'first' : `"after \${Vpc['v${before}'].id}"`}\nrange: 10.0.0.0/24`,
          )
        }).join(''),
      ]),
    )
    const { result, spentMs } = cpuTime(() => load(files))
    expect(result.diagnostics).toEqual([])
    expect(result.project?.resources).toHaveLength(10_000)
    expect(spentMs).toBeLessThan(20_000)
  }, 60_000)

  test('one resource with 10,000 entries', () => {
    const { project } = load(web(`cloud_init: x\nvpcs: [${Array.from({ length: 10_000 }, (_, at) => `"${at + 1}"`).join(',')}]`))
    expect(project?.resources).toHaveLength(1)
  })
})
