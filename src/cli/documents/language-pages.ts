// The pages made from topics: manifests, expressions with the table of functions, and pipelines.
import { stringifyJson } from '../../base/json.ts'
import type { FunctionGroup } from '../../expressions/function-texts.ts'
import { exampleVariables, functionGroups } from '../../expressions/function-texts.ts'
import type { Evaluated } from '../../expressions/function-texts.ts'
import { block, code, page, table } from './markdown.ts'
import { expressionPageTopics, functionsTopic, manifestPageTopics, pipelinePageTopics } from './topics/all-topics.ts'
import type { Scene, Topic } from './topics/topic.ts'

const FIELD_HEADS = ['field', 'type', 'about', 'notes']

/** How a project is written, with examples that can be run one command after the other in an empty folder. */
export function manifestsPage(): string {
  return page('Manifests', [
    'How a project is written. `iac explain for_each` prints a section of this page, `iac explain Vpc` the fields of a kind ([kinds](kinds.md)), and what stands in `${…}` is told in [expressions](expressions.md). Each example begins in an empty folder; its commands print these lines among others, and change nothing but the embedded service in that folder.',
    contents(manifestPageTopics),
    ...manifestPageTopics.map((one) => section(one)),
  ])
}

/** What may stand in `${…}`. */
export function expressionsPage(): string {
  const variables = Object.entries(exampleVariables).map(([name, value]) => `${code(`vars.${name}`)} is ${code(stringifyJson(value))}`)
  return page('Expressions', [
    `What may stand in \`\${…}\`. \`iac explain functions\` lists the functions, \`iac explain cidr_subnet\` tells about one. In the examples ${variables.join(', ')}, and ${code('vars.password')} is sensitive.`,
    contents([...expressionPageTopics, functionsTopic]),
    ...expressionPageTopics.map((one) => section(one)),
    section(functionsTopic),
    ...functionGroups.map(groupSection),
  ])
}

/** What a pipeline does with what iac finds. */
export function pipelinePage(): string {
  return page('In the pipeline', [
    'How others read what iac finds. `iac explain formats` prints a section of this page. For pipelines of your own there are [an action for GitHub](../../examples/ci/github/README.md), which Gitea and Forgejo take as well, and [a component for GitLab](../../examples/ci/gitlab/README.md); what a pipeline does, step by step, [an example](../../examples/pipeline/README.md) shows.',
    contents(pipelinePageTopics),
    ...pipelinePageTopics.map((one) => section(one, ['format', 'of', 'about'])),
  ])
}

function contents(topics: readonly Topic[]): string {
  return topics.map(({ title }) => `[${title}](#${title.toLowerCase().replaceAll(' ', '-')})`).join(' · ')
}

function section({ title, about, fields = [], evaluated = [], scenes = [] }: Topic, heads: readonly string[] = FIELD_HEADS): string {
  return [
    `## ${title}`,
    ...about.map((text, at) => (text.startsWith('- ') && about[at - 1]?.startsWith('- ') ? `\n${text}` : `\n\n${text}`)),
    rest([fieldTable(heads, fields), evaluatedTable(evaluated), ...scenes.map(sceneText)]),
  ].join('')
}

function rest(parts: readonly string[]): string {
  return parts.map((one) => (one === '' ? '' : `\n\n${one}`)).join('')
}

function fieldTable(heads: readonly string[], fields: NonNullable<Topic['fields']>): string {
  return table(
    heads,
    fields.map((one) => [code(one.path), one.type, one.about, one.notes.join(', ')].slice(0, heads.length)),
  )
}

function evaluatedTable(evaluated: readonly Evaluated[]): string {
  return table(
    ['expression', 'gives'],
    evaluated.map(({ source, gives }) => [code(source), code(gives)]),
  )
}

function sceneText({ title, stages }: Scene): string {
  const parts = stages.flatMap(({ files, command, prints }) => [
    ...Object.entries(files).map(([name, text]) => `${code(name)}:\n\n${block('yaml', text)}`),
    block('console', [`$ iac ${command}`, ...prints].join('\n')),
  ])
  return [`### ${title}`, ...parts].join('\n\n')
}

function groupSection({ title, functions }: FunctionGroup): string {
  const rows = functions.map(({ signatures, about, examples }) => [
    signatures.map(code).join('<br>'),
    about,
    examples.map(({ source, gives }) => `${code(source)} → ${code(gives)}`).join('<br>'),
  ])
  return `### ${title}\n\n${table(['function', 'about', 'example'], rows)}`
}
