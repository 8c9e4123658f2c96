// The forges' own readers of pipelines: GitHub's parsers of workflows and actions, and the schema that GitLab publishes.
import type * as Workflows from '@actions/workflow-parser'
import type * as Actions from '@actions/workflow-parser/actions/action-parser'
import { Ajv } from 'ajv'
import { schema } from 'gitlab-ci-local/src/schema/schema.js'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bundleProgram } from './bundled-program.ts'

type GithubParser = typeof Workflows & typeof Actions

/** What GitHub's runner would say of a workflow and of an action: nothing where they are right. */
export interface GithubReaders {
  workflowProblems(text: string): Promise<readonly string[]>
  actionProblems(text: string): readonly string[]
}

/** It imports JSON as no node takes it, and is bundled first. */
export async function githubReaders(): Promise<GithubReaders> {
  const file = join(mkdtempSync(join(tmpdir(), 'iac-parser-')), 'parser.mjs')
  const contents = `export * from '@actions/workflow-parser'\nexport * from '@actions/workflow-parser/actions/action-parser'\n`
  await bundleProgram(contents, resolve('test/builders'), file)
  const parser: GithubParser = await import(pathToFileURL(file).href)
  return {
    async workflowProblems(text) {
      const { context, value } = parser.parseWorkflow({ name: 'iac.yaml', content: text }, new parser.NoOperationTraceWriter())
      const read = context.errors.getErrors().map((one) => one.message)
      if (!value || read.length > 0) return read.length > 0 ? read : ['it is empty']
      const template = await parser.convertWorkflowTemplate(context, value)
      return (template.errors ?? []).map((one) => one.Message)
    },
    actionProblems(text) {
      const { context, value } = parser.parseAction({ name: 'action.yml', content: text }, new parser.NoOperationTraceWriter())
      return value ? context.errors.getErrors().map((one) => one.message) : ['it is empty']
    },
  }
}

/** What GitLab's editor would say of a document of `.gitlab-ci.yml`: nothing where it is right. */
export function gitlabProblems(document: unknown): readonly string[] {
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true })
  const validate = ajv.compile(schema)
  return validate(document) ? [] : (validate.errors ?? []).map((one) => `${one.instancePath} ${one.message ?? ''}`)
}
