// Whose a document is: one slip in a manifest must never make it another tool's, and what only mentions one must not be taken for it.
import { describe, expect, test } from 'vitest'
import { cpuTime } from '../../../test/builders/cpu-time.ts'
import { createSource } from '../findings/source.ts'
import { readYaml } from './documents.ts'

const kinds = new Set(['Vpc', 'Instance'])
const read = (text: string) => readYaml(createSource('a.yaml', text), { kinds })
const codes = (text: string) => [...new Set(read(text).problems.map((one) => one.code))]

const json = '{ "apiVersion": "iac/v1", "kind": "Vpc", "metadata": { "name": "a" }, "spec": { "description": "d" } }'
const pretty = JSON.stringify(JSON.parse(json), null, 2)
const block = 'apiVersion: iac/v1\nkind: Vpc\nmetadata:\n  name: a\nspec:\n  description: d\n'
const lost = block.slice(block.indexOf('\n') + 1)
const conflict = (text: string) => text.replace(/( *)(description.*)/, '<<<<<<< HEAD\n$1$2\n=======\n$1$2\n>>>>>>> theirs')

describe('no YAML, and ours', () => {
  test.each([
    ['JSON on one line', json.replace(/ \}$/, '')],
    ['JSON behind a marker', `--- ${json.replace(/ \}$/, '')}`],
    ['JSON without a comma', json.replace('"Vpc",', '"Vpc"')],
    ['JSON with apiVersion last', `{ "kind": "Vpc, "metadata": {}, "apiVersion": "iac/v1" }`],
    ['JSON with a slash escaped', json.replace('iac/v1', String.raw`iac\/v1`).replace(/ \}$/, '')],
    ['JSON over several lines', pretty.replace(/\}\n\}$/, '}')],
    ['JSON with a conflict', conflict(pretty)],
    ['a quoted key', `"apiVersion": iac/v1\n${lost}\ta: b\n`],
    ['a key in single quotes', `'apiVersion': 'iac/v1'\n${lost}\ta: b\n`],
    ['a quote that is missing', `"apiVersion: iac/v1\n${lost}`],
    ['a space before the colon', `apiVersion : iac/v1\n${lost}\ta: b\n`],
    ['a map in brackets', '{apiVersion: iac/v1, kind: Vpc, metadata: {name: a}, spec: {a: b}'],
    ['an indented document', `${block.replace(/^/gm, ' ')}\ta: b\n`],
    ['another letter case', `apiversion: IAC/v1\nkind: Other\n\ta: b\n`],
    ['no apiVersion at all', `${lost}\ta: b\n`],
    ['no apiVersion, and a conflict', conflict(lost)],
    ['a version that is none', `apiVersion: iacv1\n${lost}\ta: b\n`],
    ['a colon that is missing', block.replace('apiVersion:', 'apiVersion')],
    ['the kind in another letter case', `${lost.replace('Vpc', 'vpc')}\ta: b\n`],
    ['nothing but a spec', 'kind: Vpc\nspec:\n\ta: b\n'],
    ['what another tool is given in it', `${lost}  data:\n    apiVersion: example.com/v1\n\ta: b\n`],
    ['lines that end with CR', `${block}\ta: b\n`.replaceAll('\n', '\r\n').replace('apiVersion', '"apiVersion"')],
  ])('%s', (_, text) => {
    expect(codes(text)).toEqual(['yaml_syntax'])
    expect(read(text)).toMatchObject({ documents: [], broken: [expect.anything()] })
  })

  test('what it seems to declare is known in JSON, too', () => {
    expect([json, pretty].map((text) => read(text.slice(0, -1)).broken)).toEqual([[{ kind: 'Vpc', name: 'a' }], [{ kind: 'Vpc', name: 'a' }]])
  })
})

describe('no YAML, and of another tool', () => {
  test.each([
    ['a comment', '# apiVersion: iac/v1\n#{apiVersion: iac/v1, kind: Vpc}\na: [\n'],
    ['a text over several lines', `data:\n  a.yaml: |\n${block.replace(/^/gm, '    ')}\n  b: [\n`],
    ['a text over several lines in a list', `- |\n${block.replace(/^/gm, '  ')}\n- a: >-\n${block.replace(/^/gm, '    ')}\n  b: [\n`],
    ['a text', 'run: echo "apiVersion: iac/v1" and kind: Vpc, spec: none\nb: [\n'],
    ['another group', 'apiVersion: example.com/v1\nkind: Vpc\nmetadata: {\n'],
    ['another group in JSON', '{"apiVersion": "example.com/v1", "kind": "Vpc", "metadata": {'],
    ['what another group holds', 'apiVersion: example.com/v1\nspec:\n  base:\n    kind: Instance\n\ta: b\n'],
    ['another kind', 'apiVersion: v1\nkind: Pod\nmetadata: {\n'],
    ['no metadata and no spec', 'kind: Vpc\nname: [\n'],
    ['a template', '{{- if x }}\nkind: {{ .kind }}\nmetadata: [\n'],
  ])('%s', (_, text) => {
    expect(read(text)).toMatchObject({ documents: [], problems: [] })
    expect(read(text).foreign).toHaveLength(1)
  })
})

describe('YAML with a head that is mistyped', () => {
  test.each([
    ['apiVersion: iacv1\nkind: vpc', 'write apiVersion: iac/v1 and kind: Vpc;', 1],
    ['apiVersion: iacv1\nKind: Vpc', 'write apiVersion: iac/v1 and kind: Vpc;', 1],
    ['kind: VPC', 'write apiVersion: iac/v1 and kind: Vpc;', 1],
    ['ApiVersion: iac/v1\nkind: Vpcs', 'write apiVersion: iac/v1;', 1],
    ['apiVersion: IAC/v1\nkind: other', 'write apiVersion: iac/v1;', 1],
    ['kind: Vpc\napiVersion: iac.v1', 'write apiVersion: iac/v1;', 2],
  ])('%j', (head, hint, line) => {
    for (const body of ['metadata: {name: a}', 'Spec: {}']) {
      const [problem, ...others] = read(`${head}\n${body}\n`).problems
      expect([problem, others]).toMatchObject([{ code: 'wrong_api_version', position: { line } }, []])
      expect(problem?.hint).toContain(hint)
    }
  })

  test.each([
    'apiVersion: maniac/v1\nkind: x\nspec: {}',
    'apiVersion: iaculous/v1\nkind: x\nspec: {}',
    'apiVersion: example.com/v1\nkind: vpc\nspec: {}',
    '"": vpc\nspec: {}',
  ])('%j is of another tool', (text) => expect(read(text)).toMatchObject({ documents: [], problems: [] }))
})

test('long lines of signs and many heads cost no more than they are long', () => {
  const texts = [
    `iac/ ${' '.repeat(4_000_000)}"apiVersion`,
    `apiVersion: iac${'{'.repeat(2_000_000)}`,
    `# iac/\n{${'"kind": "Vpc", '.repeat(200_000)}`,
    `iac/ ${'| #'.repeat(1_000_000)}\u2028x`,
    `iac/ ${'- '.repeat(1_000_000)}\u2028"`,
  ]
  for (const text of texts) expect(cpuTime(() => read(`\u0001${text}`)).spentMs).toBeLessThan(2000)
}, 60_000)

describe('manifests in a list', () => {
  test.each([
    ['JSON', `[${json}]`],
    ['YAML', `- ${block.trimEnd().replaceAll('\n', '\n  ')}\n`],
    ['beside others', `- a: b\n- ${json}\n`],
  ])('are a mistake: they declare nothing (%s)', (_, text) => {
    expect(codes(text)).toEqual(['invalid_value'])
    expect(read(text)).toMatchObject({ documents: [], foreign: [], broken: [expect.anything()] })
  })
  test('are left alone where they are of another tool', () => {
    expect(read(`[{ "apiVersion": "example.com/v1", "kind": "Vpc", "metadata": {} }, "apiVersion: iac/v1"]`)).toMatchObject({
      problems: [],
      foreign: [expect.anything()],
    })
  })
})
