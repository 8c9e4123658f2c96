// `iac explain WORD`: a kind, a field of it, or a diagnostic code.
import { catalogue } from '../../catalogue.ts'
import { failure } from '../../diagnostic.ts'
import type { AnyKind } from '../../kinds/kind.ts'
import { kinds } from '../../kinds/registry.ts'
import { nearest } from '../../nearest.ts'
import { defineCommand } from '../command.ts'
import type { FieldText } from '../documents/kind-text.ts'
import { exampleText, fieldTexts } from '../documents/kind-text.ts'
import { tableText } from '../render/tables.ts'

export const explainCommand = defineCommand({
  summary: 'what a kind, a field or a code means',
  about: 'Explains a kind (Instance), a field (Instance.vpcs) or the code of a diagnostic (unknown_field). Without a word it lists the kinds.',
  arguments: [{ name: 'WORD', about: 'KIND, KIND.field or CODE', optional: true }],
  flags: {},
  examples: [
    { text: 'explain Instance', about: 'its fields, outputs and an example' },
    { text: 'explain Instance.storage', about: 'one field with what is below it' },
    { text: 'explain guard_protected', about: 'what a diagnostic means' },
  ],
  async run({ print }, given) {
    const [word] = given.arguments
    print.result(word === undefined ? listText() : explanationOf(word))
    return 0
  },
})

function listText(): string {
  return tableText(
    ['kind', 'about'],
    kinds.map((kind) => [kind.name, kind.about]),
  )
}

function explanationOf(word: string): string {
  const code = Object.entries(catalogue).find(([name]) => name === word)
  if (code) return `${code[0]} (${code[1].severity}, exit code ${code[1].exit})\n\n  ${code[1].explanation}\n`
  const [name = '', ...path] = word.split('.')
  const kind = findKind(name)
  if (!kind) throw failure('unknown_kind', `${word} is neither a kind nor a code`, { hint: hintFor(name) })
  if (path.length === 0) return kindText(kind)
  const wanted = path.join('.').replaceAll('[]', '')
  const all = fieldTexts(kind)
  const fields = all.filter((one) => plain(one) === wanted || plain(one).startsWith(`${wanted}.`))
  if (fields.length > 0) return fieldsText(fields)
  const output = Object.entries(kind.outputs).find(([one]) => one === wanted)
  if (output) return `${kind.name}.${output[0]}: output, ${output[1].type}\n\n  ${output[1].about}\n`
  const near = nearest(wanted, [...all.map(plain), ...Object.keys(kind.outputs)])
  throw failure('unknown_field', `${kind.name} has no field ${wanted}`, {
    hint: near === undefined ? `see \`iac explain ${kind.name}\`` : `did you mean ${kind.name}.${near}?`,
  })
}

function findKind(name: string): AnyKind | undefined {
  const lower = name.toLowerCase()
  return kinds.find((kind) => kind.name.toLowerCase() === lower || kind.plural.toLowerCase() === lower)
}

function hintFor(name: string): string {
  const near = nearest(name, [...kinds.map((kind) => kind.name), ...Object.keys(catalogue)])
  return near === undefined ? '`iac explain` lists the kinds' : `did you mean ${near}?`
}

function kindText(kind: AnyKind): string {
  const outputs = Object.entries(kind.outputs).map(([name, one]) => [name, one.type, one.about, one.once ? 'known once' : one.sensitive ? 'sensitive' : ''])
  const examples = kind.examples.map((one) => `\nExample: ${one.title}\n\n${exampleText(kind, one)}`)
  return `${kind.name}\n\n  ${kind.about}\n\n${fieldsText(fieldTexts(kind))}\n${tableText(['output', 'type', 'about', ''], outputs)}${examples.join('')}`
}

function fieldsText(fields: readonly FieldText[]): string {
  return tableText(
    ['field', 'type', 'about', 'notes'],
    fields.map((one) => [one.path, one.type, one.about, one.notes.join(', ')]),
  )
}

function plain(field: FieldText): string {
  return field.path.replaceAll('[]', '')
}
