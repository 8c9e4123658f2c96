// A right word at a wrong place is answered with its place, not with what else stands there.
import { expect, test } from 'vitest'
import { load, manifest } from '../../../test/builders/project.ts'

const spec = 'name: main-net\ndescription: d\nrange: 10.0.0.0/24\n'
const atTop = (line: string) => `${manifest('Vpc', 'main', spec)}${line}\n`
const inSpec = (line: string) => manifest('Vpc', 'main', `${spec}${line}`)
const inHead = (line: string) => manifest('Vpc', 'main', spec, line)
const inProject = (line: string) => ({ 'iac.yaml': `apiVersion: iac/v1\nkind: Project\n${line}\n`, 'main.yaml': manifest('Vpc', 'main', spec) })

const hintsOf = (texts: Parameters<typeof load>[0]) => load(texts).diagnostics.map((one) => `${one.code}: ${one.hint}`)

test.each([
  ['for_each: [a]', 'metadata.for_each'],
  ['lifecycle: { prevent_destroy: true }', 'metadata.lifecycle'],
  ['depends_on: [Vpc/x]', 'metadata.depends_on'],
  ['import: { id: "1" }', 'metadata.import'],
  ['workspace: prod', 'metadata.workspace'],
  ['timeouts: { create: 5m }', 'metadata.timeouts'],
  ['prevent_destroy: true', 'metadata.lifecycle.prevent_destroy'],
])('%s at the top and below spec belongs below metadata', (line, place) => {
  expect(hintsOf(atTop(line))).toEqual([`unknown_field: it belongs below metadata: ${place}`])
  expect(hintsOf(inSpec(line))).toEqual([`unknown_field: it belongs below metadata, beside spec: ${place}`])
})

test.each([
  ['forEach: [a]', 'for_each', 'metadata.for_each'],
  ['dependsOn: [Vpc/x]', 'depends_on', 'metadata.depends_on'],
  ['depends-on: [Vpc/x]', 'depends_on', 'metadata.depends_on'],
  ['preventDestroy: true', 'prevent_destroy', 'metadata.lifecycle.prevent_destroy'],
])('%s at the top and below spec is told how it is written, too', (line, word, place) => {
  expect(hintsOf(atTop(line))).toEqual([`unknown_field: it is written ${word}, and belongs below metadata: ${place}`])
  expect(hintsOf(inSpec(line))).toEqual([`unknown_field: it is written ${word}, and belongs below metadata, beside spec: ${place}`])
})

test.each([
  ['a word of the metadata', 'dependsOn: [Vpc/x]', 'did you mean "depends_on"?'],
  ['one that is many letters away', 'lifecycle: { createBeforeDestroy: true }', 'did you mean "create_before_destroy"?'],
  ['one of the lifecycle', 'onRemove: retain', 'it is written on_remove, and belongs below metadata: metadata.lifecycle.on_remove'],
])('in metadata another spelling is only told where it is at its place: %s', (_, line, hint) => {
  expect(hintsOf(inHead(line))).toEqual([`unknown_field: ${hint}`])
})

test('a field of the spec in other letter case is told as that', () => {
  expect(hintsOf(manifest('Vpc', 'main', 'Name: main-net\ndescription: d\nrange: 10.0.0.0/24'))).toContain('unknown_field: did you mean "name"?')
})

test.each([
  ['in metadata', inHead('on_remove: retain'), 'it belongs below metadata: metadata.lifecycle.on_remove'],
  ['a head word in metadata', inHead('spec: {}'), 'it belongs at the top of the document, without indentation'],
  ['a block of iac.yaml in a manifest', atTop('variables: {}'), 'it belongs into iac.yaml'],
  ['a workspace at the top of iac.yaml', inProject('workspace: prod'), 'it belongs below provider: provider.workspace'],
  ['a budget at the top of iac.yaml', inProject('max_destroy: 3'), 'it belongs below guards: guards.max_destroy'],
  ['a lifecycle in iac.yaml', inProject('lifecycle: {}'), 'it belongs into a manifest'],
])('%s', (_, texts, hint) => {
  expect(hintsOf(texts)).toEqual([`unknown_field: ${hint}`])
})

test('below a field of the spec the same word is only an unknown one', () => {
  const text = manifest('Instance', 'web', 'type: PLAN\nplan: p\nregion: r\nbandwidth: { workspace: 1 }')
  expect(hintsOf(text)).toContainEqual(expect.stringMatching(/^unknown_field: known here:/))
})
