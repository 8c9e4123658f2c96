// Words that are explained mean one thing each, and none that the program reads is left out.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { catalogue } from '../../../base/catalogue.ts'
import { kinds } from '../../../kinds/registry.ts'
import { manifestSchema, metadataSchema } from '../../../project/configuration/manifest-schema.ts'
import { projectSchema } from '../../../project/configuration/project-schema.ts'
import { environmentVariable, environmentVariables } from '../environment-variables.ts'
import { expressionPageTopics, findTopic, manifestPageTopics, pipelinePageTopics, topicWords } from './all-topics.ts'

const source = join(import.meta.dirname, '../../..')
const texts = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .map((name) => readFileSync(join(source, name), 'utf8'))

test('a word is a kind, a topic, a function or a code, and never two of them; a method that is a code too is found as x.NAME', () => {
  const others = [...kinds.flatMap((kind) => [kind.name, kind.plural]), ...Object.keys(catalogue)].map((word) => word.toLowerCase())
  expect(topicWords.filter((word) => others.includes(word.toLowerCase()))).toEqual(['exists'])
  expect(findTopic('x.exists')).toMatchObject({ text: { name: 'exists' } })
})

test('every block of iac.yaml and of metadata is a topic', () => {
  const named = Object.keys(metadataSchema.shape).filter((word) => word !== 'name' && word !== 'workspace')
  const blocks = Object.keys(projectSchema.shape).filter((word) => word !== 'name' && !Object.hasOwn(manifestSchema.shape, word))
  expect([...named, ...blocks].filter((word) => findTopic(word) === undefined)).toEqual([])
})

test('every variable of the environment that is read is described, and no other', () => {
  const read = new Set(texts.flatMap((text) => Array.from(text.matchAll(/\bIAC_[A-Z_]+/g), ([word]) => word)))
  // A dotenv report writes two of these for later jobs; pipelines and the action hold where their iac comes from and what it is to do.
  const pipelines = ['IAC_RELEASE_URL', 'IAC_RELEASE_SHA', 'IAC_RELEASE_VERSION', 'IAC_INSTALLED_SHA', 'IAC_COMMAND', 'IAC_ARGS']
  const others = ['IAC_VAR_', 'IAC_REVIEW', 'IAC_CHANGES', ...pipelines]
  expect([...read].filter((word) => environmentVariable(word) === undefined && !others.includes(word))).toEqual([])
  const described = environmentVariables.map((one) => one.name.replace(/[a-z]+$/, '')).filter((word) => word.startsWith('IAC_'))
  expect(described.filter((word) => texts.filter((text) => text.includes(word)).length < 2)).toEqual([])
})

test('every field that a topic lists is found by its path, with any name in the place of NAME', () => {
  const paths = [...manifestPageTopics, ...expressionPageTopics, ...pipelinePageTopics].flatMap(({ fields = [] }) => fields.map((one) => one.path))
  expect(paths).toEqual(expect.arrayContaining(['variables.NAME.type', 'environments.NAME.variables', 'outputs.NAME.value', 'metadata.import']))
  expect(paths.flatMap((path) => [path, path.replaceAll('NAME', 'shop')]).filter((word) => findTopic(word) === undefined)).toEqual([])
  for (const word of ['each', 'each.key', 'each.value']) expect(findTopic(word)).toMatchObject({ topic: { title: 'Scope' } })
})
