// `iac explain WORD`: a kind, a field of it, or a diagnostic code.
import { catalogue } from '../../catalogue.ts'
import { failure } from '../../diagnostic.ts'
import type { AnyKind } from '../../kinds/kind.ts'
import { kinds } from '../../kinds/registry.ts'
import { nearest } from '../../nearest.ts'
import { defineCommand } from '../command.ts'
import { idleFlags } from '../flags.ts'
import type { FieldText } from '../documents/kind-text.ts'
import { exampleText, fieldTexts } from '../documents/kind-text.ts'
import { findKind } from '../find-kind.ts'
import { wrapped } from '../render/wrapped.ts'

export const explainCommand = defineCommand({
  summary: 'what a kind, a field or a code means',
  about: 'Explains a kind (Instance), a field (Instance.vpcs) or the code of a diagnostic (unknown_field). Without a word it lists the kinds.',
  arguments: [{ name: 'WORD', about: 'KIND, KIND.field or CODE', optional: true }],
  flags: {},
  idle: ['dir', ...idleFlags.withoutProject],
  examples: [
    { text: 'explain Instance', about: 'its fields, outputs and an example' },
    { text: 'explain Instance.storage', about: 'one field with what is below it' },
    { text: 'explain guard_protected', about: 'what a diagnostic means' },
  ],
  async run({ print, surroundings }, given) {
    const [word] = given.arguments
    const columns = Math.min(MOST_COLUMNS, Math.max(LEAST_COLUMNS, surroundings.stdout.size?.columns ?? USUAL_COLUMNS))
    print.result(word === undefined ? listText(columns) : explanationOf(word, columns))
    return 0
  },
})

const LEAST_COLUMNS = 40
const USUAL_COLUMNS = 80
const MOST_COLUMNS = 100

function listText(columns: number): string {
  const width = kinds.reduce((most, kind) => Math.max(most, kind.name.length), 0) + 1
  return kinds.map((kind) => `${wrapped(kind.name.padEnd(width), kind.about, columns, width + 1)}\n`).join('')
}

function explanationOf(word: string, columns: number): string {
  const code = Object.entries(catalogue).find(([name]) => name === word)
  if (code) return `${code[0]} (${code[1].severity}, exit code ${code[1].exit})\n\n${paragraph(code[1].explanation, columns)}`
  const [name = '', ...path] = word.split('.')
  const kind = findKind(name)
  if (!kind) throw failure('unknown_kind', `${word} is neither a kind nor a code`, { hint: hintFor(name) })
  if (path.length === 0) return kindText(kind, columns)
  const wanted = path.join('.').replaceAll('[]', '')
  const all = fieldTexts(kind)
  const fields = all.filter((one) => plain(one) === wanted || plain(one).startsWith(`${wanted}.`))
  if (fields.length > 0) return fieldsText(fields, columns)
  const output = Object.entries(kind.outputs).find(([one]) => one === wanted)
  if (output) return `${kind.name}.${output[0]}: output, ${output[1].type}\n\n${paragraph(output[1].about, columns)}`
  const near = nearest(wanted, [...all.map(plain), ...Object.keys(kind.outputs)])
  throw failure('unknown_field', `${kind.name} has no field ${wanted}`, {
    hint: near === undefined ? `see \`iac explain ${kind.name}\`` : `did you mean ${kind.name}.${near}?`,
  })
}

function hintFor(name: string): string {
  const near = nearest(name, [...kinds.map((kind) => kind.name), ...Object.keys(catalogue)])
  return near === undefined ? '`iac explain` lists the kinds' : `did you mean ${near}?`
}

function kindText(kind: AnyKind, columns: number): string {
  const outputs = Object.entries(kind.outputs).map(([path, one]): FieldText => {
    const notes = one.once ? ['known once'] : one.sensitive ? ['sensitive'] : []
    return { path, type: one.type, about: one.about, notes }
  })
  const fields = fieldTexts(kind)
  const sections = [
    `${kind.name}\n\n${paragraph(kind.about, columns)}`,
    ...(fields.length === 0 ? [] : [`Fields:\n${fieldsText(fields, columns)}`]),
    ...(outputs.length === 0 ? [] : [`Outputs:\n${fieldsText(outputs, columns)}`]),
    ...kind.examples.map((one) => `Example: ${one.title}\n\n${exampleText(kind, one)}`),
  ]
  return sections.join('\n')
}

function fieldsText(fields: readonly FieldText[], columns: number): string {
  return fields
    .map(({ path, type, about, notes }) => `${wrapped(`  ${path} <${type}>`, notes.join(', '), columns, 4)}\n${wrapped('      ', about, columns, 6)}\n`)
    .join('')
}

function paragraph(text: string, columns: number): string {
  return `${wrapped('  ', text, columns, 2)}\n`
}

function plain(field: FieldText): string {
  return field.path.replaceAll('[]', '')
}
