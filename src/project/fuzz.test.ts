// Whatever a file holds, loading ends, with diagnostics or a project, and never with an exception.
import { expect, test } from 'vitest'
import { longForm } from '../../test/builders/long-form.ts'
import { load, manifest } from '../../test/builders/project.ts'
import { fc } from '../../test/builders/properties.ts'

const good =
  manifest('Vpc', 'main', 'name: main-net\ndescription: "${\'x\' + each.key}"\nrange: 10.0.0.0/24', 'for_each: [a, b]') +
  manifest(
    'Instance',
    'web',
    'type: PLAN\nplan: ryzen-4\nregion: fra-1\nvpcs: [\'main["a"]\', {id: 5}]\nips: [{family: IPv4, ddos: true}]',
    'depends_on: [Vpc/main]\nlifecycle: {ignore_changes: [/plan]}\ntimeouts: {create: 5m}',
  ) +
  manifest('FirewallRule', 'ssh', 'instance: [web]\ntype: IPv4\nprotocol: TCP\naction: ACCEPT\nport_start: 22') +
  manifest('K3sSecret', 'db', 'data: {A: "${sensitive(\'b\')}"}')
const project =
  'apiVersion: iac/v1\nkind: Project\nname: p\nprovider: {workspace: {id: "1"}}\nvariables: {x: {type: list, default: [a]}}\noutputs: {a: {value: "${Vpc[\'main\'][\'a\'].id}"}}\nmoved: [{from: Vpc/a, to: Vpc/b}]\nenvironments: {e: {variables: {x: [b]}}}\n'
const pieces = [
  '${',
  '}',
  '[',
  ']',
  '{',
  '}',
  ': ',
  '- ',
  '\n',
  '"',
  "'",
  '&a ',
  '*a',
  '!x ',
  '|\n',
  '---\n',
  'null',
  'true',
  '1.5',
  '99999999999999999999',
  '${each.key}',
  "${Vpc['main']}",
  '\u0000',
  '\u202e',
  '__proto__: 1\n',
  '#',
  '\t',
  '%',
]

/** A text with a few places cut out or overwritten. */
function mutated(text: string): fc.Arbitrary<string> {
  const edit = fc.tuple(fc.nat(text.length), fc.nat(12), fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 4, unit: 'binary' })))
  return fc
    .array(edit, { minLength: 1, maxLength: 4 })
    .map((edits) => edits.reduce((rest, [at, cut, piece]) => rest.slice(0, at) + piece + rest.slice(at + cut), text))
}

test('the unharmed files load', () => {
  expect(load({ 'a.yaml': good, 'iac.yaml': project }).diagnostics).toEqual([])
})

test('harmed files do not crash it', { timeout: 60_000, tags: ['longer'] }, () => {
  fc.assert(
    fc.property(mutated(good), mutated(project), fc.boolean(), (manifests, file, both) => {
      const { project: found, diagnostics } = load({ 'a.yaml': manifests, ...(both ? { 'iac.yaml': file } : {}) }, { environment: both ? 'e' : null })
      expect(found === undefined).toBe(diagnostics.some((one) => one.severity === 'error'))
      expect(diagnostics.flatMap((one) => [one.summary, one.hint ?? '', one.position?.text ?? '']).join('')).not.toMatch(
        /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u202e]/,
      )
    }),
    { numRuns: longForm(300, 60) },
  )
})
