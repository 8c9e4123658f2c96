// Pipelines that `iac init --ci` writes: valid to the forges' own readers, and their steps carried out in a shell against the embedded service.
import type * as Parser from '@actions/workflow-parser'
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'rolldown'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import * as z from 'zod'
import { pipelines } from '../../src/cli/documents/pipelines.ts'
import { newFolder, runCli } from './run-cli.ts'

const program = resolve('dist/main.js')
let parser: typeof Parser

// It imports JSON as no node takes it, and is bundled first.
beforeAll(async () => {
  const file = join(newFolder(), 'parser.mjs')
  await build({ input: '@actions/workflow-parser', platform: 'node', logLevel: 'silent', output: { file, format: 'esm', codeSplitting: false } })
  parser = await import(pathToFileURL(file).href)
})
const steps = z.array(z.looseObject({ id: z.string().optional(), run: z.string().optional(), uses: z.string().optional() }))
const workflow = z.looseObject({ jobs: z.record(z.string(), z.looseObject({ steps, permissions: z.unknown().optional() })), permissions: z.unknown() })

async function project(forge: keyof typeof pipelines) {
  const folder = newFolder()
  const done = await runCli(['init', '--ci', forge], { folder })
  expect(done.code, done.stderr).toBe(0)
  const { path, needs } = pipelines[forge]
  expect(done.stdout).toContain(path)
  expect(done.stderr).toContain(needs.split('\n')[0])
  // In the place of an installed program: this one, against the embedded service.
  const bin = join(folder, '.bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'iac'), `#!/bin/sh\ncase " $* " in *" validate "*) exec node ${program} "$@";; esac\nexec node ${program} "$@" --sandbox\n`)
  writeFileSync(join(bin, 'npm'), '#!/bin/sh\necho "npm $*"\n')
  for (const name of ['iac', 'npm']) chmodSync(join(bin, name), 0o755)
  const shell = (script: string, environment: Readonly<Record<string, string>> = {}) =>
    execFileSync('bash', ['-e', '-o', 'pipefail', '-c', script], {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: `${bin}:${process.env['PATH'] ?? ''}`, HOME: folder, CI: 'true', ...environment },
    })
  return { folder, shell, text: readFileSync(join(folder, path), 'utf8') }
}

const variablesIn = (file: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)] as const),
  )

describe.each(['github', 'gitea'] as const)('%s', (forge) => {
  test('is a workflow to the parser of GitHub, with least rights', async () => {
    const { text } = await project(forge)
    const { context, value } = parser.parseWorkflow({ name: 'iac.yaml', content: text }, new parser.NoOperationTraceWriter())
    expect(context.errors.getErrors().map((one) => one.message)).toEqual([])
    expect(value).toBeDefined()
    if (!value) return
    const template = await parser.convertWorkflowTemplate(context, value)
    expect(template.errors ?? []).toEqual([])
    expect(workflow.parse(parse(text)).permissions).toEqual({ contents: 'read' })
  })
  test('its steps plan, apply what was reviewed and look for drift', async () => {
    const { folder, shell, text } = await project(forge)
    const { jobs } = workflow.parse(parse(text))
    const runs = (job: string): readonly string[] => jobs[job]?.steps.flatMap((one) => one.run ?? []) ?? []
    const output = join(folder, 'output')
    const environment = { GITHUB_ACTIONS: 'true', GITHUB_OUTPUT: output, GITHUB_STEP_SUMMARY: join(folder, 'summary') }
    const told = runs('plan')
      .map((run) => shell(run, environment))
      .join('')
    expect(told).toContain('No IAC_TOKEN: this plan is made against the embedded service')
    expect(told).toMatch(/npm install --global --ignore-scripts iac@\d+\.\d+\.\d+/)
    const planned = variablesIn(output)
    expect(planned).toMatchObject({ changes: 'true', to_add: '1' })
    expect(readFileSync(join(folder, 'plan.md'), 'utf8')).toContain('1 to add')
    const applied = runs('apply')
      .map((run) => shell(run, { ...environment, IAC_TOKEN: 'a-token-of-the-forge', REVIEW: planned['review'] ?? '' }))
      .join('')
    expect(applied).toContain('Apply complete! Resources: 1 added')
    runs('drift').map((run) => shell(run, environment))
    expect(readFileSync(join(folder, 'drift.prom'), 'utf8').trimEnd().endsWith('# EOF')).toBe(true)
  })
})

test('gitlab: its scripts validate, plan, apply what was reviewed and look for drift', async () => {
  const { folder, shell, text } = await project('gitlab')
  const job = z.looseObject({ stage: z.string(), script: z.array(z.string()) })
  const file = z.looseObject({ stages: z.array(z.string()), validate: job, plan: job, apply: job, drift: job }).parse(parse(text))
  const run = (name: 'validate' | 'plan' | 'apply' | 'drift', environment: Readonly<Record<string, string>> = {}): string =>
    file[name].script.map((line) => shell(line, { GITLAB_CI: 'true', ...environment })).join('')
  for (const name of ['validate', 'plan', 'apply', 'drift'] as const) expect(file.stages).toContain(file[name].stage)
  run('validate')
  expect(JSON.parse(readFileSync(join(folder, 'gl-code-quality-report.json'), 'utf8'))).toEqual([])
  run('plan')
  expect(JSON.parse(readFileSync(join(folder, 'plan.json'), 'utf8'))).toMatchObject({ create: 1, update: 0, delete: 0 })
  expect(run('apply', variablesIn(join(folder, 'plan.env')))).toContain('Apply complete!')
  run('drift')
  expect(readFileSync(join(folder, 'metrics.txt'), 'utf8')).toContain('# EOF')
})

test('atlantis: its steps plan into the file that they apply', async () => {
  const { folder, shell, text } = await project('atlantis')
  const run = z.array(z.object({ run: z.string() }))
  const { workflows } = z
    .looseObject({ workflows: z.object({ iac: z.object({ plan: z.object({ steps: run }), apply: z.object({ steps: run }) }) }) })
    .parse(parse(text))
  const environment = { PLANFILE: join(folder, 'default.tfplan') }
  const planned = workflows.iac.plan.steps.map((one) => shell(one.run, environment)).join('')
  // What Atlantis looks for in what a plan prints.
  expect(planned).toMatch(/Plan: (?:(\d+) to import, )?(\d+) to add, (\d+) to change, (\d+) to destroy(?:, (\d+) to forget)?\./)
  expect(workflows.iac.apply.steps.map((one) => shell(one.run, environment)).join('')).toContain('Apply complete!')
})

test('cron: quiet where nothing drifted, and it leaves its gauges', async () => {
  const { folder, shell } = await project('cron')
  shell('iac apply --auto-approve')
  expect(shell('sh ./iac-drift.sh', { DRIFT_METRICS: join(folder, 'iac.prom') })).toBe('')
  expect(readFileSync(join(folder, 'iac.prom'), 'utf8')).toContain('# EOF')
})
