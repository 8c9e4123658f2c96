// The action and the component of examples/ci: valid to the forges' own readers, and their steps carried out in a shell against the embedded service.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import * as z from 'zod'
import type { ForgeDouble } from '../builders/forge-double.ts'
import { forgeDouble } from '../builders/forge-double.ts'
import type { ForgeRunner, Variables } from '../builders/forge-runner.ts'
import { forgeRunner, mainGoesOn, onMain, variablesIn } from '../builders/forge-runner.ts'
import type { GithubReaders } from '../builders/forge-schemas.ts'
import { githubReaders, gitlabProblems } from '../builders/forge-schemas.ts'
import { newFolder, runCli } from './run-cli.ts'

const root = join(import.meta.dirname, '../../examples/ci')
const textOf = (name: string): string => readFileSync(join(root, name), 'utf8')
const blocksOf = (name: string): string[] => [...textOf(name).matchAll(/```yaml\n([^]*?)```/g)].map(([, block = '']) => block)

let readers: GithubReaders
let forge: ForgeDouble
beforeAll(async () => {
  readers = await githubReaders()
  forge = await forgeDouble()
})
afterAll(() => forge.close())

async function project(): Promise<ForgeRunner & { readonly folder: string }> {
  const folder = newFolder()
  expect((await runCli(['init'], { folder })).code).toBe(0)
  return { folder, ...forgeRunner(folder) }
}

const variables = z.record(z.string(), z.coerce.string())

describe('the action', () => {
  const action = z.object({
    inputs: z.record(z.string(), z.looseObject({ required: z.boolean().optional(), default: z.string().optional() })),
    outputs: z.record(z.string(), z.looseObject({ value: z.string() })),
    runs: z.object({ using: z.literal('composite'), steps: z.array(z.looseObject({ env: variables, run: z.string() })) }),
  })
  const { inputs, outputs, runs } = action.parse(parse(textOf('github/action.yml')))

  /** Uses it as a step of a workflow would. */
  async function use({ shell, release }: ForgeRunner, given: Variables, more: Variables = {}): Promise<string> {
    const defaults = Object.entries(inputs).map(([name, one]) => [name, one.default ?? ''] as const)
    const known: Variables = { ...Object.fromEntries(defaults), url: release.IAC_RELEASE_URL, sha256: release.IAC_RELEASE_SHA256, ...given }
    let printed = ''
    for (const { env, run } of runs.steps) {
      const filled = Object.entries(env).map(([name, value]) => [
        name,
        value.replaceAll(/\$\{\{ inputs\.([\w-]+) \}\}/g, (_, input: string) => known[input] ?? ''),
      ])
      printed += await shell(run, { GITHUB_ACTIONS: 'true', ...more, ...Object.fromEntries(filled) })
    }
    return printed
  }

  test("is one to GitHub's own parser, its README shows workflows, and no input stands in a script", () => {
    expect(readers.actionProblems(textOf('github/action.yml'))).toEqual([])
    expect(readers.actionProblems(textOf('github/action.yml').replace('composite', 'composed'))).not.toEqual([])
    for (const { run } of runs.steps) expect(run).not.toContain('${{')
    const required = Object.entries(inputs).flatMap(([name, one]) => (one.required === true ? [name] : []))
    expect(required).toEqual(['command', 'url', 'sha256'])
  })

  test('its README shows a workflow, with inputs that there are', async () => {
    const [shown = '', ...others] = blocksOf('github/README.md')
    expect(others).toEqual([])
    expect(await readers.workflowProblems(shown)).toEqual([])
    const given = [...shown.matchAll(/^ {10}([\w-]+): /gm)].map(([, name = '']) => name).filter((name) => !/^[A-Z]/.test(name))
    expect(given.length).toBeGreaterThan(4)
    expect(Object.keys(inputs)).toEqual(expect.arrayContaining(given))
    for (const name of Object.keys(outputs)) expect(textOf('github/README.md')).toContain(`\`${name}\``)
  })

  test('plans, with the outputs of the step as its own, and applies what was reviewed', async () => {
    const runner = await project()
    await use(runner, { command: 'plan', args: '' })
    const left = variablesIn(runner.files.GITHUB_OUTPUT)
    expect(left).toMatchObject({ changes: 'true', to_add: '1', exitcode: '0' })
    for (const [name, { value }] of Object.entries(outputs)) expect(value).toBe(`\${{ steps.run.outputs.${name} }}`)
    expect(Object.keys(outputs)).toEqual(expect.arrayContaining(Object.keys(left)))
    expect(await use(runner, { command: 'apply', args: `--expect-review ${left['review'] ?? ''}` })).toContain('Apply complete!')
  })

  test('takes its arguments in words as in a shell, and carries nothing in them out', async () => {
    const runner = await project()
    await use(runner, { command: 'plan', args: `--out "a b.plan"\n--format 'json=c $(touch gone) d.json'` })
    expect(readdirSync(runner.folder)).toEqual(expect.arrayContaining(['a b.plan', 'c $(touch gone) d.json']))
    await expect(use(runner, { command: 'plan', args: '; touch gone' })).rejects.toThrow('argument')
    await expect(use(runner, { command: 'plan', args: '--out "open' })).rejects.toThrow('quote')
    expect(readdirSync(runner.folder)).not.toContain('gone')
  })

  test('fetches a release once in a job, by its version, and runs none whose checksum differs', async () => {
    const runner = await project()
    await expect(use(runner, { command: 'version', sha256: '0'.repeat(64) })).rejects.toThrow('sha256sum')
    await expect(use(runner, { command: 'version', sha256: '' })).rejects.toThrow('sha256sum')
    const url = runner.release.IAC_RELEASE_URL.replace('0.0.0', 'VERSION')
    expect(await use(runner, { command: 'version', url, version: '0.0.0' })).toContain('iac')
    // Nothing lies there.
    expect(await use(runner, { command: 'version', url: 'https://elsewhere.example/' })).toContain('iac')
  })
})

describe('the component', () => {
  const [header = '', jobs = ''] = textOf('gitlab/templates/iac.yml').split(/^---$/m)
  const input = z.looseObject({ default: z.string().optional(), regex: z.string().optional() })
  const { spec } = z.object({ spec: z.object({ inputs: z.record(z.string(), input) }) }).parse(parse(header))
  const scripted = z.looseObject({ stage: z.string(), before_script: z.array(z.string()), script: z.array(z.string()), variables })
  const given: Variables = { release_url: 'https://releases.example/iac.tar.gz', release_sha256: '0'.repeat(64), folder: 'shop', prefix: 'shop-' }

  /** Its jobs as GitLab makes them of the inputs; throws for one that is missing or does not fit. */
  function includedWith(values: Variables): string {
    return jobs.replaceAll(/\$\[\[ inputs\.(\w+) \]\]/g, (_, name: string) => {
      const { default: usual, regex } = spec.inputs[name] ?? {}
      const value = values[name] ?? usual
      if (value === undefined || (regex !== undefined && !new RegExp(regex).test(value))) throw new Error(`${name} does not fit`)
      return value
    })
  }

  test('is right by the schema that GitLab publishes, header and jobs, with inputs and without', () => {
    expect(gitlabProblems(parse(header))).toEqual([])
    expect(parseAllDocuments(textOf('gitlab/templates/iac.yml'))).toHaveLength(2)
    for (const values of [given, { ...given, validate_stage: 'check', plan_stage: 'look', apply_stage: 'change', environment: 'live' }]) {
      const document: unknown = parse(includedWith(values))
      expect(gitlabProblems(document)).toEqual([])
      expect(Object.keys(z.record(z.string(), scripted).parse(document))).toEqual(
        ['validate', 'plan', 'apply', 'record', 'drift'].map((name) => `shop-${name}`),
      )
    }
    expect(() => includedWith({ ...given, folder: '$(id)' })).toThrow('folder does not fit')
    expect(() => includedWith({ ...given, release_sha256: '' })).toThrow('release_sha256 does not fit')
  })

  test('every input is one that its jobs take and its README tells, which shows how it is included', () => {
    const used = new Set([...jobs.matchAll(/inputs\.(\w+)/g)].map(([, name]) => name))
    expect([...used].toSorted()).toEqual(Object.keys(spec.inputs).toSorted())
    for (const name of used) expect(textOf('gitlab/README.md')).toContain(`\`${name}\``)
    const [shown = ''] = blocksOf('gitlab/README.md')
    const document: unknown = parse(shown)
    expect(gitlabProblems(document)).toEqual([])
    const include = z.looseObject({ include: z.tuple([z.object({ component: z.string(), inputs: variables })]) }).parse(document).include[0]
    expect(() => includedWith(include.inputs)).not.toThrow()
  })

  test('its scripts plan with a note in the folder of the project, and apply what was reviewed while it is the head', async () => {
    const runner = await project()
    const { folder, shell, release } = runner
    forge.clear()
    const text = includedWith({ ...given, release_url: release.IAC_RELEASE_URL, release_sha256: release.IAC_RELEASE_SHA256, folder: '.', prefix: '' })
    const read = z.record(z.string(), scripted).parse(parse(text))
    const run = async (name: string, more: Variables = {}): Promise<string> => {
      const job = scripted.parse(read[name])
      const surroundings = { GITLAB_CI: 'true', CI_PIPELINE_SOURCE: 'merge_request_event', ...job.variables, ...forge.places.gitlab }
      return await shell([...job.before_script, ...job.script].join('\n'), { ...surroundings, ...more })
    }
    await run('validate')
    expect(await run('plan')).toContain('No secrets here')
    expect(forge.seen).toEqual([])
    await run('plan', { IAC_TOKEN: 'a-token-of-the-forge' })
    expect(forge.comments).toMatchObject([{ body: expect.stringContaining('1 to add') }])
    const at = { CI_REPOSITORY_URL: folder, CI_COMMIT_BRANCH: 'main', CI_COMMIT_SHA: await onMain(runner) }
    const approved = { ...variablesIn(join(folder, 'plan.env')), ...at }
    expect(await run('apply', approved)).toContain('Apply complete!')
    await shell(mainGoesOn)
    await expect(run('apply', approved)).rejects.toThrow('Nothing is applied')
    await run('drift')
    expect(readFileSync(join(folder, 'metrics.txt'), 'utf8')).toContain('# EOF')
  })
})
