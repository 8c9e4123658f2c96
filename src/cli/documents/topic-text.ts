// A topic of the language, a function or a variable of the environment as a terminal shows it.
import type { FunctionGroup, FunctionText } from '../../expressions/function-texts.ts'
import { wrapped } from '../render/text/wrapped.ts'
import type { EnvironmentVariable } from './environment-variables.ts'
import type { FieldText } from './kind-text.ts'
import type { Scene, Topic } from './topics/topic.ts'

/** A topic with its fields and examples; `groups` are listed under it. */
export function topicText({ title, about, fields = [], evaluated = [], scenes = [] }: Topic, groups: readonly FunctionGroup[], columns: number): string {
  const sections = [
    `${title}\n\n${about.map((text, at) => paragraphAfter(about[at - 1], text, columns)).join('')}`,
    ...(fields.length === 0 ? [] : [`Fields:\n${fieldsText(fields, columns)}`]),
    ...(evaluated.length === 0 ? [] : [`Examples:\n${evaluated.map(({ source, gives }) => evaluatedText(source, gives, columns)).join('')}`]),
    ...groups.map((group) => `${group.title}:\n${group.functions.map((one) => signaturesText(one, columns)).join('')}`),
    ...scenes.map(sceneText),
  ]
  return sections.join('\n')
}

/** One function with its examples. */
export function functionTextOf({ signatures, about, examples }: FunctionText, columns: number): string {
  const shown = examples.map(({ source, gives }) => evaluatedText(source, gives, columns)).join('')
  return `${signatures.join('\n')}\n\n${wrapped('  ', about, columns, 2)}\n\n${examples.length === 1 ? 'Example' : 'Examples'}:\n${shown}`
}

/** One variable of the environment. */
export function environmentVariableText({ name, about }: EnvironmentVariable, columns: number): string {
  return `${name} (variable of the environment)\n\n${wrapped('  ', `${about.charAt(0).toUpperCase()}${about.slice(1)}`, columns, 2)}\n`
}

/** Fields with their types, notes and what they are. */
export function fieldsText(fields: readonly FieldText[], columns: number): string {
  return fields
    .map(
      ({ path, type, about, notes }) =>
        `${wrapped(`  ${path}`, [`<${type}>`, ...(notes.length > 0 ? [notes.join(', ')] : [])].join(' '), columns, 4)}\n${wrapped('      ', about, columns, 6)}\n`,
    )
    .join('')
}

/** Entries of a list stand together, paragraphs apart. */
function paragraphAfter(before: string | undefined, text: string, columns: number): string {
  const isEntry = text.startsWith('- ')
  const gap = before === undefined || (isEntry && before.startsWith('- ')) ? '' : '\n'
  return isEntry ? `${gap}${wrapped('  -', text.slice(2), columns, 4)}\n` : `${gap}${wrapped('  ', text, columns, 2)}\n`
}

/** An expression and its value, in one line where they fit. */
function evaluatedText(source: string, gives: string, columns: number): string {
  const line = `  ${source}  →  ${gives}`
  return line.length <= columns ? `${line}\n` : `  ${source}\n    →  ${gives}\n`
}

function signaturesText({ signatures, about }: FunctionText, columns: number): string {
  return `${signatures.map((one) => `  ${one}\n`).join('')}${wrapped('      ', about, columns, 6)}\n`
}

function sceneText({ title, stages }: Scene): string {
  const parts = stages.flatMap(({ files, command, prints }) => [
    ...Object.entries(files).map(([name, text]) => `  ${name}:\n\n${indented(text)}\n`),
    indented([`$ iac ${command}`, ...prints].join('\n')),
  ])
  return `Example: ${title}\n\n${parts.join('\n')}`
}

function indented(text: string): string {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => (line === '' ? '\n' : `    ${line}\n`))
    .join('')
}
