// All topics of the language, and the one that a word means.
import type { FunctionText } from '../../../expressions/function-texts.ts'
import { functionGroups, functionText } from '../../../expressions/function-texts.ts'
import type { FieldText } from '../kind-text.ts'
import { expressionTopics } from './expression-topics.ts'
import { lifecycleTopics } from './lifecycle-topics.ts'
import { pipelineTopics } from './pipeline-topics.ts'
import { projectTopics } from './project-topics.ts'
import { resourceTopics } from './resource-topics.ts'
import type { Topic } from './topic.ts'

const { documents, references, forEach, dependsOn, importing, takingOver, timeouts } = resourceTopics
const { variables, outputs, environments, provider, state } = projectTopics
const { lifecycle, moved, guards, policies } = lifecycleTopics
const { expressions, types, scope, unknown, sensitive } = expressionTopics

/** The sections of the page on manifests. */
export const manifestPageTopics: readonly Topic[] = [
  documents,
  references,
  forEach,
  variables,
  environments,
  outputs,
  dependsOn,
  lifecycle,
  moved,
  guards,
  policies,
  timeouts,
  importing,
  takingOver,
  provider,
  state,
]
/** The sections of the page on pipelines. */
export const pipelinePageTopics: readonly Topic[] = [
  pipelineTopics.formats,
  pipelineTopics.look,
  pipelineTopics.reviewed,
  pipelineTopics.comments,
  pipelineTopics.paste,
  pipelineTopics.permissions,
  pipelineTopics.compat,
]
/** The sections of the page on expressions, before its functions. */
export const expressionPageTopics: readonly Topic[] = [expressions, types, scope, unknown, sensitive]

const functions: Topic = {
  names: ['functions'],
  title: 'Functions',
  about: [
    'Signatures give the names and types of arguments, `?` behind those that may be left out, and the type of the result. `x.name(…)` is called on a value. `iac explain NAME` tells about one of them.',
  ],
}

const topics: readonly Topic[] = [...manifestPageTopics, ...expressionPageTopics, functions, ...pipelinePageTopics]

/** The topic or the function that a word means, in any case; undefined for none. A topic goes before a function of its name, a function before a field. */
export function findTopic(word: string): { readonly topic: Topic } | { readonly text: FunctionText } | undefined {
  const lower = word.toLowerCase()
  const topic = topics.find((one) => one.names.includes(lower))
  if (topic) return { topic }
  const text = functionText(word.replace(/\(.*$/, '').replace(/^x\./, ''))
  if (text) return { text }
  const listing = topicListing(lower)
  return listing && { topic: listing }
}

/** The topic that lists a field such as `metadata.import`, one that begins with it before others; a NAME in the field's path is any name. */
function topicListing(path: string): Topic | undefined {
  const wanted = path.replaceAll('[]', '').split('.')
  const isIt = (field: FieldText | undefined): boolean => {
    const parts = field?.path.replaceAll('[]', '').split('.') ?? []
    return parts.length === wanted.length && parts.every((part, at) => part === 'NAME' || part.toLowerCase() === wanted[at])
  }
  return topics.find(({ fields }) => isIt(fields?.[0])) ?? topics.find(({ fields = [] }) => fields.some(isIt))
}

/** The topics that list a field whose path ends with these words, such as `prevent_destroy` or `lifecycle.on_remove`. */
export function topicsHolding(word: string): readonly Topic[] {
  const wanted = word.toLowerCase().split('.')
  const endsSo = ({ path }: FieldText): boolean => {
    const parts = path.replaceAll('[]', '').split('.').slice(-wanted.length)
    return parts.length === wanted.length && parts.every((part, at) => (part === 'NAME' ? at > 0 : part.toLowerCase() === wanted[at]))
  }
  return topics.filter(({ fields = [] }) => fields.some(endsSo))
}

/** Every word that `topicsHolding` finds a topic by: the fields, and the ends of their paths. */
export const heldWords: readonly string[] = [
  ...new Set(
    topics.flatMap(({ fields = [] }) =>
      fields.flatMap(({ path }) => {
        const parts = path.replaceAll('[]', '').split('.')
        return parts.flatMap((part, at) => (part === 'NAME' ? [] : [parts.slice(at).join('.')]))
      }),
    ),
  ),
]

/** The first word of each topic, in the order of the pages. */
export const topicNames: readonly string[] = topics.map((one) => one.names[0])

/** Every word that `findTopic` knows. */
export const topicWords: readonly string[] = [
  ...new Set([...topics.flatMap((one) => one.names), ...functionGroups.flatMap((group) => group.functions.map((one) => one.name))]),
]

/** The section that stands before the functions on their page. */
export const functionsTopic = functions
