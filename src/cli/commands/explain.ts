// `iac explain WORD`: a kind, a field of it, a topic of the language, a function, a variable of the environment, or a diagnostic code.
import type { Code } from '../../base/catalogue.ts'
import { catalogue } from '../../base/catalogue.ts'
import { failure } from '../../base/diagnostic.ts'
import { nearest } from '../../base/words/nearest.ts'
import type { FunctionText } from '../../expressions/function-texts.ts'
import { functionGroups, functionText } from '../../expressions/function-texts.ts'
import type { AnyKind } from '../../kinds/definition/kind.ts'
import { kinds } from '../../kinds/registry.ts'
import { findKind } from '../arguments/find-kind.ts'
import { idleFlags } from '../arguments/flags.ts'
import { defineCommand } from '../context/command.ts'
import type { EnvironmentVariable } from '../documents/environment-variables.ts'
import { environmentVariable, environmentVariables, variableTellingOf } from '../documents/environment-variables.ts'
import type { FieldText } from '../documents/kind-text.ts'
import { exampleText, fieldTexts } from '../documents/kind-text.ts'
import { environmentVariableText, fieldsText, functionTextOf, topicText } from '../documents/topic-text.ts'
import { findTopic, heldWords, topicNames, topicsHolding, topicWords } from '../documents/topics/all-topics.ts'
import type { Topic } from '../documents/topics/topic.ts'
import type { MachineDocument } from '../render/machine-shapes.ts'
import { wrapped } from '../render/text/wrapped.ts'

export const explainCommand = defineCommand({
  summary: 'what a kind, a field, a word of the language or a code is',
  about:
    'Explains a kind (Instance), a field (Instance.vpcs), a topic of the language (for_each, lifecycle, functions), a function (cidr_subnet), a variable of the environment (IAC_TOKEN) or the code of a diagnostic (unknown_field). Without a word it lists the kinds and the topics.',
  arguments: [{ name: 'WORD', about: 'KIND, KIND.field, TOPIC, FUNCTION, CODE or a variable of the environment', optional: true }],
  flags: {},
  idle: ['dir', ...idleFlags.withoutProject],
  examples: [
    { text: 'explain Instance', about: 'its fields, outputs and an example' },
    { text: 'explain Instance.storage', about: 'one field with what is below it' },
    { text: 'explain for_each', about: 'a topic of the language, with an example' },
    { text: 'explain functions', about: 'every function that expressions may call' },
    { text: 'explain guard_protected', about: 'what a diagnostic means' },
  ],
  async run({ print, globals, surroundings }, given) {
    const [word] = given.arguments
    const columns = Math.min(MOST_COLUMNS, Math.max(LEAST_COLUMNS, surroundings.stdout.size?.columns ?? USUAL_COLUMNS))
    const found = word === undefined ? undefined : explained(word)
    if (globals.switch('json')) print.json(found ? documentOf(found) : (kinds.map(({ name, about }) => ({ kind: name, about })) satisfies Document))
    else print.result(found ? textOf(found, columns) : listText(columns))
    return 0
  },
})

const LEAST_COLUMNS = 40
const USUAL_COLUMNS = 80
const MOST_COLUMNS = 100

type Document = MachineDocument<'explain'>

/** What a word means. */
type Explained =
  | { readonly is: 'code'; readonly code: Code }
  | { readonly is: 'topic'; readonly topic: Topic }
  | { readonly is: 'function'; readonly text: FunctionText }
  | { readonly is: 'variable'; readonly variable: EnvironmentVariable }
  | { readonly is: 'kind'; readonly kind: AnyKind }
  | { readonly is: 'fields'; readonly kind: AnyKind; readonly fields: readonly FieldText[] }
  | { readonly is: 'output'; readonly kind: AnyKind; readonly output: FieldText }

/** Throws a Failure with the nearest right word where it means nothing. */
function explained(word: string): Explained {
  if (isCode(word)) return { is: 'code', code: word }
  const [name = '', ...path] = word.split('.')
  const kind = findKind(name)
  if (!kind) return ofLanguage(word)
  if (path.length === 0) return { is: 'kind', kind }
  const wanted = path.join('.').replaceAll('[]', '')
  const all = fieldTexts(kind)
  const fields = all.filter((one) => plain(one) === wanted || plain(one).startsWith(`${wanted}.`))
  if (fields.length > 0) return { is: 'fields', kind, fields }
  const output = outputTexts(kind).find((one) => one.path === wanted)
  if (output) return { is: 'output', kind, output }
  throw failure('unknown_field', `${kind.name} has no field ${wanted}`, { hint: ofEveryKind(path) ?? nearField(kind, wanted) })
}

/** Where a word is explained that stands in the metadata of any kind. */
function ofEveryKind(path: readonly string[]): string | undefined {
  const [first, ...rest] = path[0] === 'metadata' ? path : ['metadata', ...path]
  const words = rest.join('.')
  for (const place of [`${first}.${words}`, `${first}.lifecycle.${words}`, `${first}.${rest[0]}`, ...(words === '' ? ['metadata'] : [])]) {
    const found = findTopic(place)
    if (found && 'topic' in found) return `it is no field of one kind alone: see \`iac explain ${found.topic.names[0]}\``
  }
  return undefined
}

function nearField(kind: AnyKind, wanted: string): string {
  const near = nearest(wanted, [...fieldTexts(kind).map(plain), ...Object.keys(kind.outputs)])
  return near === undefined ? `see \`iac explain ${kind.name}\`` : `did you mean ${kind.name}.${near}?`
}

/** Throws a Failure with the nearest right word where it means nothing. */
function ofLanguage(word: string): Explained {
  // Topics are found in any letter case, and one has a word like `CI`.
  const exact = environmentVariables.find((one) => one.name === word)
  if (exact) return { is: 'variable', variable: exact }
  const found = findTopic(word)
  if (found) return 'topic' in found ? { is: 'topic', topic: found.topic } : { is: 'function', text: found.text }
  const variable = environmentVariable(word)
  if (variable) return { is: 'variable', variable }
  return withinSection(word)
}

/** What holds a word that has no section of its own. */
function withinSection(word: string): Explained {
  const [topic, ...others] = topicsHolding(word)
  if (topic && others.length === 0) return { is: 'topic', topic }
  const variable = topic ? undefined : variableTellingOf(word)
  if (variable) return { is: 'variable', variable }
  const hint = topic ? `see ${[topic, ...others].map(({ names }) => `\`iac explain ${names[0]}\``).join(' or ')}` : hintFor(word)
  throw failure('unknown_kind', `${word === '' ? '""' : word} is neither a kind, nor a word of the language, nor a code`, { hint })
}

/** Every word that is explained, fields left out. */
export const explainedWords: readonly string[] = [
  ...kinds.map((kind) => kind.name),
  ...topicWords,
  ...environmentVariables.map((one) => one.name),
  ...Object.keys(catalogue),
]

function isCode(word: string): word is Code {
  return Object.hasOwn(catalogue, word)
}

/** Of shorter words too many others are near. */
const SHORTEST = 3

function hintFor(word: string): string {
  const [first = ''] = word.split('.')
  const near = nearOf(word, [...explainedWords, ...heldWords]) ?? nearOf(first, explainedWords)
  return near === undefined ? '`iac explain` lists kinds and topics' : `did you mean ${near}?`
}

function nearOf(word: string, words: readonly string[]): string | undefined {
  return word.length < SHORTEST ? undefined : nearest(word, words)
}

/** A part of a kind has its shape, the rest left out. */
function documentOf(found: Explained): Document {
  if (found.is === 'code') return { code: found.code, ...catalogue[found.code] }
  if (found.is === 'topic') return topicDocument(found.topic)
  if (found.is === 'function') return functionDocument(found.text)
  if (found.is === 'variable') return { variable: found.variable.name, about: found.variable.about }
  const { kind } = found
  const empty = { kind: kind.name, about: kind.about, fields: [], outputs: [], examples: [] }
  if (found.is === 'fields') return { ...empty, fields: found.fields.map(jsonOf) }
  if (found.is === 'output') return { ...empty, outputs: [jsonOf(found.output)] }
  const examples = kind.examples.map((one) => ({ title: one.title, manifests: exampleText(kinds, kind, one) }))
  return { ...empty, fields: fieldTexts(kind).map(jsonOf), outputs: outputTexts(kind).map(jsonOf), examples }
}

function topicDocument({ names, about, fields = [], evaluated = [], scenes = [] }: Topic) {
  const examples = scenes.map(({ title, stages }) => ({
    title,
    steps: stages.map(({ files, command, prints }) => ({ files: { ...files }, command: `iac ${command}`, prints: [...prints] })),
  }))
  const isList = names[0] === 'functions'
  const functions = isList ? functionGroups.flatMap((group) => group.functions.map(functionDocument)) : []
  return { topic: names[0], about: [...about], fields: fields.map(jsonOf), expressions: evaluated.map((one) => ({ ...one })), functions, examples }
}

function functionDocument({ name, signatures, about, examples }: FunctionText) {
  return { function: name, signatures: [...signatures], about, expressions: examples.map((one) => ({ ...one })) }
}

function jsonOf(field: FieldText) {
  return { ...field, notes: [...field.notes] }
}

function listText(columns: number): string {
  const width = kinds.reduce((most, kind) => Math.max(most, kind.name.length), 0) + 1
  const lines = kinds.map((kind) => `${wrapped(kind.name.padEnd(width), kind.about, columns, width + 1)}\n`)
  return `${lines.join('')}\n${wrapped('Topics:', topicNames.join(', '), columns, 2)}\n`
}

function textOf(found: Explained, columns: number): string {
  if (found.is === 'kind') return kindText(found.kind, columns)
  if (found.is === 'fields') return fieldsText(found.fields, columns)
  if (found.is === 'output') {
    const { path, type, about } = found.output
    return `${found.kind.name}.${path}: output, ${type}\n\n${paragraph(about, columns)}`
  }
  if (found.is === 'topic') return topicText(found.topic, found.topic.names[0] === 'functions' ? functionGroups : [], columns)
  if (found.is === 'function') return functionTextOf(found.text, columns)
  if (found.is === 'variable') return environmentVariableText(found.variable, columns)
  const { severity, exit, explanation } = catalogue[found.code]
  const also = functionText(found.code) ? `\n  For the function of this name: iac explain x.${found.code}\n` : ''
  return `${found.code} (${severity}, exit code ${exit})\n\n${paragraph(explanation, columns)}${also}`
}

function kindText(kind: AnyKind, columns: number): string {
  const [fields, outputs] = [fieldTexts(kind), outputTexts(kind)]
  const sections = [
    `${kind.name}\n\n${paragraph(kind.about, columns)}`,
    ...(fields.length === 0 ? [] : [`Fields:\n${fieldsText(fields, columns)}`]),
    ...(outputs.length === 0 ? [] : [`Outputs:\n${fieldsText(outputs, columns)}`]),
    ...kind.examples.map((one) => `Example: ${one.title}\n\n${exampleText(kinds, kind, one)}`),
  ]
  return sections.join('\n')
}

function outputTexts(kind: AnyKind): readonly FieldText[] {
  return Object.entries(kind.outputs).map(([path, one]): FieldText => {
    const notes = one.once ? ['known once'] : one.sensitive ? ['sensitive'] : []
    return { path, type: one.type, about: one.about, notes }
  })
}

function paragraph(text: string, columns: number): string {
  return `${wrapped('  ', text, columns, 2)}\n`
}

function plain(field: FieldText): string {
  return field.path.replaceAll('[]', '')
}
