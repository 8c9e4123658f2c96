// Pipelines that `iac init --ci` writes: valid to the forges' own readers, and their steps carried out in a shell against the embedded service.
import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import * as z from 'zod'
import { secretNames } from '../../src/cli/documents/pipelines/pipeline.ts'
import { pipelines } from '../../src/cli/documents/pipelines/pipelines.ts'
import type { ForgeDouble } from '../builders/forge-double.ts'
import { forgeDouble } from '../builders/forge-double.ts'
import { forgeRunner, mainGoesOn, onMain, variablesIn } from '../builders/forge-runner.ts'
import type { GithubReaders } from '../builders/forge-schemas.ts'
import { githubReaders, gitlabProblems } from '../builders/forge-schemas.ts'
import { drawn } from '../builders/long-form.ts'
import { newFolder, runCli } from './run-cli.ts'

let readers: GithubReaders
let forge: ForgeDouble
beforeAll(async () => {
  readers = await githubReaders()
  forge = await forgeDouble()
})
afterAll(() => forge.close())

/** Ends what hangs: a whole pipeline starts dozens of programs one after the other, each of which takes seconds on a busy machine. */
const manyStartsMs = 600_000

type Forge = keyof typeof pipelines
type Variables = Readonly<Record<string, string>>

async function project(name: Forge, state: 'postgres' | 's3' | 'http' | 'local') {
  const folder = newFolder()
  const done = await runCli(['init', '--ci', name, '--state', state], { folder })
  expect(done.code, done.stderr).toBe(0)
  const { files, needs } = pipelines[name]
  const setting = { version: '0.0.0-test', backend: state }
  const [path = ''] = Object.keys(files(setting))
  expect(done.stdout).toContain(path)
  expect(done.stderr).toContain(needs(setting).split('\n')[0])
  forge.clear()
  const file = join(folder, 'iac.yaml')
  writeFileSync(file, readFileSync(file, 'utf8').replace('NAME-OF-THE-BUCKET', 'of-tests'))
  return { folder, ...forgeRunner(folder), text: readFileSync(join(folder, path), 'utf8') }
}

const settings = z.record(z.string(), z.coerce.string())
const step = z.looseObject({
  name: z.string().optional(),
  if: z.string().optional(),
  env: settings.optional(),
  run: z.string().optional(),
  uses: z.string().optional(),
})
const job = z.looseObject({ permissions: settings, steps: z.array(step) })
const workflow = z.looseObject({ permissions: settings, env: settings, jobs: z.record(z.string(), job) })

/** The project as a repository whose last commit changes the range of its network; `main` of the forge is where it was before. */
const inRepository = `git init -q . && git config user.name tester && git config user.email tester@example.test
git add iac.yaml infra && git commit -qm before && git update-ref refs/remotes/origin/main HEAD
sed -i 's/^  description: .*/  description: changed/' infra/network.yaml && git commit -qam after`

/** A commit that changes nothing that a plan shows. */
const lifecycleAdded = `sed -i 's/^  name: main$/&\\n  lifecycle: { prevent_destroy: true, on_remove: retain }/' infra/network.yaml && git commit -qam protected`

/** With what the forge knows in the place of `${{ a.b }}`. */
const filled = (text: string, known: Variables): string => text.replaceAll(/\$\{\{ ([\w.]+) \}\}/g, (_, path: string) => known[path] ?? '')

/** The program, where no step has installed it. */
const withProgram = 'PATH="$PWD/.runner/iac-0.0.0-linux-x64/bin:$PATH"\n'
/** What the state says. */
const recorded = `${withProgram}iac state show Vpc/main`

const alike = [
  ['github', 'postgres'],
  ['gitea', 's3'],
] as const

describe.each(drawn(alike, 1, 'forges with workflows'))('%s', { tags: ['longer'] }, (name, state) => {
  test('is a workflow to the parser of GitHub, with least rights, and actions pinned by commit', async () => {
    const { text } = await project(name, state)
    expect(await readers.workflowProblems(text)).toEqual([])
    const { permissions, jobs } = workflow.parse(parse(text))
    expect(permissions).toEqual({})
    expect(Object.entries(jobs).map(([job, one]) => [job, one.permissions])).toEqual([
      ['plan', { contents: 'read', 'pull-requests': 'write' }],
      ['apply', { contents: 'read' }],
      ['record', { contents: 'read' }],
      ['drift', { contents: 'read', issues: 'write' }],
    ])
    const used = [...text.matchAll(/uses: (.*)/g)].map(([, one]) => one)
    expect(used.length).toBe(5)
    for (const one of used) expect(one).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
    // Secrets are in the steps that call the service, no others.
    const withSecrets = Object.values(jobs).flatMap(({ steps }) => steps.filter((one) => one.env?.['IAC_TOKEN']).map((one) => one.name))
    expect(withSecrets).toEqual(['Plan', 'Apply what was reviewed', 'Record what only the state holds', 'Look for drift'])
    // Two projects of one repository wait for no run of the other, and take no place of it.
    const file = name === 'github' ? 'github.workflow_ref' : 'github.workflow'
    for (const one of ['apply', 'record'])
      expect(jobs[one]).toMatchObject({ concurrency: { group: `iac-${one}-\${{ ${file} }}`, 'cancel-in-progress': false } })
    // What is secret, a pull request can take back in iac.yaml, and not here.
    for (const { env } of Object.values(jobs).flatMap(({ steps }) => steps))
      expect(env?.['IAC_SENSITIVE_VARS']).toBe(env?.['IAC_TOKEN'] && '${{ vars.IAC_SENSITIVE_VARS }}')
    for (const secret of secretNames(state)) expect(text).toContain(`${secret}: \${{ secrets.${secret} }}`)
  })

  test('its steps plan and comment, apply what was reviewed and look for drift', { timeout: manyStartsMs }, async () => {
    const runner = await project(name, state)
    const { folder, shell, text, release, files } = runner
    const { jobs } = workflow.parse(parse(text))
    const known: Variables = { 'secrets.IAC_TOKEN': 'a-token-of-the-forge', 'github.token': 'canary', 'secrets.FORGE_TOKEN': 'canary' }
    const surroundings = { GITHUB_ACTIONS: 'true', ...release, ...forge.places[name] }
    const run = async (job: string, left: readonly string[], more: Variables = {}): Promise<string> => {
      let told = ''
      for (const { name: title = '', env = {}, run: lines } of jobs[job]?.steps ?? []) {
        const given = Object.entries(env).map(([key, value]) => [key, filled(value, { ...known, ...more })])
        if (lines !== undefined && !left.includes(title)) told += await shell(lines, { ...surroundings, ...Object.fromEntries(given), ...more })
      }
      return told
    }
    await run('plan', ['Plan without secrets', 'What to apply it with'])
    const planned = variablesIn(files.GITHUB_OUTPUT)
    expect(planned).toMatchObject({ changes: 'true', to_add: '1' })
    expect(forge.comments).toMatchObject([{ body: expect.stringContaining('1 to add') }])
    const review = planned['review'] ?? ''
    const approved = { 'needs.plan.outputs.review': review, 'inputs.review': review, GITHUB_REF: 'refs/heads/main', GITHUB_SHA: await onMain(runner) }
    await shell(mainGoesOn)
    await expect(run('apply', [], approved)).rejects.toThrow(`Nothing is applied: this run is of ${approved.GITHUB_SHA}, which is not the head`)
    await shell('git reset -q --hard HEAD^ && git branch refs/heads/main')
    expect(await run('apply', [], approved)).toContain('Apply complete! Resources: 1 added')
    // What the plan shows as no change is recorded, and nobody is waited for.
    await shell(lifecycleAdded)
    await run('plan', ['Plan without secrets', 'Comment', 'What to apply it with'])
    const unchanged = variablesIn(files.GITHUB_OUTPUT)
    expect(unchanged).toMatchObject({ changes: 'false' })
    expect(jobs['record']).toMatchObject({ needs: 'plan', if: "github.event_name == 'push' && needs.plan.outputs.changes != 'true'" })
    expect(jobs['record']).not.toHaveProperty('environment')
    const pushed = { 'needs.plan.outputs.review': unchanged['review'] ?? '', GITHUB_REF: 'refs/heads/main' }
    const commit = (await shell('git rev-parse HEAD')).trim()
    await expect(run('record', [], { ...pushed, GITHUB_SHA: approved.GITHUB_SHA })).rejects.toThrow('which is not the head')
    expect(await shell(recorded)).toMatch(/on_remove += "delete"[^]*protected += false/)
    await run('record', [], { ...pushed, GITHUB_SHA: commit })
    expect(await shell(recorded)).toMatch(/on_remove += "retain"[^]*protected += true/)
    await run('drift', [])
    expect(forge.issues).toEqual([])
    expect(readFileSync(join(folder, 'drift.prom'), 'utf8').trimEnd().endsWith('# EOF')).toBe(true)
  })

  test('without secrets it says that its plan is one of the embedded service, and nothing is told to the forge', async () => {
    const { shell, text, release } = await project(name, state)
    const steps = workflow.parse(parse(text)).jobs['plan']?.steps ?? []
    let told = ''
    for (const { name: title = '', run = '' } of steps)
      if (['Install iac', 'Validate', 'Plan without secrets'].includes(title)) told += await shell(run, release)
    expect(told).toContain('No secrets here: this plan is made against the embedded service')
    expect(told).toContain('Plan: 1 to add')
    expect(steps.find((one) => one.name === 'Comment')?.if).toContain("env.HAS_SECRETS == 'true'")
    expect(forge.seen).toEqual([])
  })

  test('without secrets it shows what the change does to what was there before, where that is at hand', async () => {
    const { shell, text } = await project(name, state)
    const run = workflow.parse(parse(text)).jobs['plan']?.steps.find((one) => one.name === 'Plan without secrets')?.run ?? ''
    await shell(inRepository)
    expect(await shell(withProgram + run, { GITHUB_BASE_REF: 'main' })).toContain('Plan: 0 to add, 1 to change, 0 to destroy.')
    expect(text).toContain(name === 'github' ? 'fetch-depth: 2' : 'fetch-depth: 0')
  })

  test('nothing is unpacked whose checksum differs, or that has none', async () => {
    const { folder, shell, text, release } = await project(name, state)
    const install = workflow.parse(parse(text)).jobs['plan']?.steps.find((one) => one.name === 'Install iac')?.run ?? ''
    for (const sum of ['0'.repeat(64), '']) await expect(shell(install, { ...release, IAC_RELEASE_SHA256: sum })).rejects.toThrow('sha256sum')
    await expect(shell(install, { ...release, IAC_RELEASE_URL: 'http://releases.example/iac-0.0.0-linux-x64.tar.gz' })).rejects.toThrow(/failed/i)
    expect(readdirSync(join(folder, '.runner/temp'), { recursive: true }).filter((path) => path.toString().endsWith('bin/iac'))).toEqual([])
  })
})

describe('gitlab', () => {
  const scripted = z.looseObject({ stage: z.string(), script: z.array(z.string()), artifacts: z.looseObject({ access: z.literal('developer') }).optional() })
  const read = z.looseObject({
    stages: z.array(z.string()),
    variables: settings,
    default: z.looseObject({ before_script: z.array(z.string()) }),
    validate: scripted,
    plan: scripted,
    apply: scripted,
    record: scripted.extend({ rules: z.array(z.strictObject({ if: z.string() })), environment: z.undefined().optional() }),
    drift: scripted,
  })

  test('is right by the schema that GitLab publishes', async () => {
    const { text } = await project('gitlab', 'http')
    expect(gitlabProblems(parse(text))).toEqual([])
    // The schema itself says something.
    expect(gitlabProblems({ plan: { script: ['x'], artifacts: { public: false, nonsense: 1 } } })).not.toEqual([])
  })

  test('its scripts validate, plan with a note, apply what was reviewed while it is the head, and look for drift', { timeout: manyStartsMs }, async () => {
    const { folder, shell, text, release } = await project('gitlab', 'http')
    const file = read.parse(parse(text))
    const surroundings = { GITLAB_CI: 'true', CI_PIPELINE_SOURCE: 'merge_request_event', ...release, ...forge.places.gitlab }
    const run = (name: 'validate' | 'plan' | 'apply' | 'record' | 'drift', more: Variables = {}): Promise<string> =>
      shell([...file.default.before_script, ...file[name].script].join('\n'), { ...surroundings, ...more })
    for (const name of ['validate', 'plan', 'apply', 'record', 'drift'] as const) expect(file.stages).toContain(file[name].stage)
    await run('validate')
    expect(JSON.parse(readFileSync(join(folder, 'gl-code-quality-report.json'), 'utf8'))).toEqual([])
    expect(await run('plan')).toContain('Plan: 1 to add')
    await shell(`${inRepository}\ngit tag before HEAD^1`)
    expect(await run('plan', { CI_MERGE_REQUEST_DIFF_BASE_SHA: 'before' })).toContain('Plan: 0 to add, 1 to change, 0 to destroy.')
    expect(forge.seen).toEqual([])
    await run('plan', { IAC_TOKEN: 'a-token-of-the-forge' })
    expect(forge.comments).toMatchObject([{ body: expect.stringContaining('1 to add') }])
    expect(JSON.parse(readFileSync(join(folder, 'plan.json'), 'utf8'))).toMatchObject({ create: 1, update: 0, delete: 0 })
    const commit = (await shell('git branch -M main && git rev-parse HEAD')).trim()
    const approved = { ...variablesIn(join(folder, 'plan.env')), CI_REPOSITORY_URL: folder, CI_COMMIT_BRANCH: 'main', CI_COMMIT_SHA: commit }
    await shell(mainGoesOn)
    await expect(run('apply', approved)).rejects.toThrow(`Nothing is applied: this run is of ${commit}`)
    await shell('git reset -q --hard HEAD^')
    expect(await run('record', approved)).toContain('waits for the apply')
    expect(await run('apply', approved)).toContain('Apply complete!')
    await shell(lifecycleAdded)
    await run('plan', { IAC_TOKEN: 'a-token-of-the-forge' })
    const unchanged = { ...approved, ...variablesIn(join(folder, 'plan.env')) }
    expect(unchanged).toMatchObject({ IAC_CHANGES: 'false' })
    await expect(run('record', unchanged)).rejects.toThrow('Nothing is applied')
    await run('record', { ...unchanged, CI_COMMIT_SHA: (await shell('git rev-parse HEAD')).trim() })
    expect(await shell(recorded)).toMatch(/on_remove += "retain"[^]*protected += true/)
    await run('drift')
    expect(readFileSync(join(folder, 'metrics.txt'), 'utf8')).toContain('# EOF')
  })
})

test.each(Object.entries(pipelines))('%s: whoever sets it up is told how no change of iac.yaml tells a secret', (name, { needs }) => {
  const told = needs({ version: '0.0.0-test', backend: 's3' })
  expect(told).toMatch(/IAC_SENSITIVE_VARS \(.*\) holds the names of those variables/)
  expect(told.includes('IAC_POLICIES')).toBe(name === 'atlantis')
})

test('atlantis: its steps plan into the file that they apply, and stand where no pull request can change them', async () => {
  const { folder, shell, text, release } = await project('atlantis', 'postgres')
  const run = z.array(z.strictObject({ run: z.string() }))
  // The fields that its documentation has for both files; a wrong name would be refused by the server, as would one that is restricted to its own file.
  const requirements = z.array(z.enum(['approved', 'mergeable', 'undiverged']))
  const own = z.strictObject({ name: z.string(), dir: z.literal('.'), autoplan: z.strictObject({ when_modified: z.array(z.string()) }) })
  z.strictObject({ version: z.literal(3), projects: z.array(own) }).parse(parse(text))
  const { repos, workflows } = z
    .strictObject({
      repos: z.array(
        z.strictObject({
          id: z.string(),
          workflow: z.string(),
          plan_requirements: requirements,
          apply_requirements: requirements,
          allowed_overrides: z.array(z.string()).max(0),
          allow_custom_workflows: z.literal(false),
        }),
      ),
      workflows: z.object({ iac: z.strictObject({ plan: z.strictObject({ steps: run }), apply: z.strictObject({ steps: run }) }) }),
    })
    .parse(parse(readFileSync(join(folder, 'atlantis-repos.yaml'), 'utf8')))
  expect(repos.map((one) => one.workflow)).toEqual(Object.keys(workflows))
  const environment = { PLANFILE: join(folder, 'default.tfplan') }
  await shell(installed, release)
  const carriedOut = async (name: 'plan' | 'apply'): Promise<string> => await shell(workflows.iac[name].steps.map((one) => one.run).join('\n'), environment)
  const planned = await carriedOut('plan')
  // What Atlantis looks for in what a plan prints.
  expect(planned).toMatch(/Plan: (?:(\d+) to import, )?(\d+) to add, (\d+) to change, (\d+) to destroy(?:, (\d+) to forget)?\./)
  expect(await carriedOut('apply')).toContain('Apply complete!')
  expect(readdirSync(folder)).toContain('iac-drift.sh')
})

test('cron: quiet where nothing drifted; it leaves its gauges, and tells of drift in an issue', async () => {
  const { folder, shell, release } = await project('cron', 'local')
  await shell(installed, release)
  await shell('iac apply --auto-approve')
  const environment = { ...forge.places.gitea, DRIFT_METRICS: join(folder, 'iac.prom'), DRIFT_ISSUE: 'gitea' }
  expect(await shell('sh ./iac-drift.sh', environment)).toBe('')
  expect(readFileSync(join(folder, 'iac.prom'), 'utf8')).toContain('# EOF')
  expect(statSync(join(folder, 'iac.prom')).mode & 0o777).toBe(0o644)
  expect(forge.seen.length).toBeGreaterThan(0)
})

/** What an administrator of the machine did before. */
const installed =
  'mkdir -p tool; curl --proto =https --output tool/iac.tar.gz "$IAC_RELEASE_URL"; tar -xzf tool/iac.tar.gz -C tool --strip-components=1; echo "$PWD/tool/bin" >> "$GITHUB_PATH"'

describe('a state that goes with its runner', () => {
  test.each(['github', 'gitlab', 'gitea', 'atlantis'] as const)('is refused before anything is written: %s', async (name) => {
    const folder = newFolder()
    const ran = await runCli(['init', '--ci', name], { folder })
    expect(ran).toMatchObject({ code: 3, stderr: expect.stringContaining('a pipeline needs a shared state') })
    expect(readdirSync(folder)).toEqual([])
  })
  test('is warned of where it was asked for, and none where the project names a shared one', async () => {
    const folder = newFolder()
    expect((await runCli(['init', '--ci', 'github', '--state', 'local'], { folder })).stderr).toContain('it is gone after each run')
    const other = newFolder()
    await runCli(['init', '--state', 's3'], { folder: other })
    const ran = await runCli(['init', '--ci', 'github'], { folder: other })
    expect([ran.code, ran.stderr]).toEqual([0, expect.not.stringContaining('gone')])
    expect(readFileSync(join(other, '.github/workflows/iac.yaml'), 'utf8')).toContain('AWS_SECRET_ACCESS_KEY: ${{ secrets.AWS_SECRET_ACCESS_KEY }}')
  })

  const head = 'apiVersion: iac/v1\nkind: Project\nname: shop\n'
  const shared = 'environments: { prod: { state: { backend: s3, bucket: shop-states, region: us-east-1 } } }\n'
  test.each([
    ['where an environment alone shares one', head + shared],
    ['where a comment names a shared one', `${head}state: { path: state.json } # backend: s3\n`],
    [
      'where the environment that is meant keeps a file',
      `${head}${shared.replace('prod:', 'dev: { state: { path: dev.json } }, prod:')}default_environment: dev\n`,
    ],
  ])('is refused %s, whatever --state says', async (_, text) => {
    const folder = newFolder()
    writeFileSync(join(folder, 'iac.yaml'), text)
    for (const more of [[], ['--state', 's3']]) {
      const ran = await runCli(['init', '--ci', 'github', ...more], { folder })
      expect(ran).toMatchObject({ code: 3, stderr: expect.stringMatching(/a pipeline needs a shared state[^]*a run without -e/) })
    }
    expect(readdirSync(folder)).toEqual(['iac.yaml'])
  })
  test.each([
    ['the environment that is meant shares one', `${head}${shared}default_environment: prod\n`],
    ['its name stands in quotes, with a key in quotes', `${head}"state": { "backend": "s3", bucket: shop-states, region: us-east-1 }\n`],
  ])('is not in the way where %s', async (_, text) => {
    const folder = newFolder()
    writeFileSync(join(folder, 'iac.yaml'), text)
    expect(await runCli(['init', '--ci', 'github'], { folder })).toMatchObject({ code: 0, stderr: expect.stringContaining('AWS_SECRET_ACCESS_KEY') })
  })
  test('is not judged by a project file that cannot be read', async () => {
    const folder = newFolder()
    writeFileSync(join(folder, 'iac.yaml'), `${head}state: { backend: s3\n`)
    expect((await runCli(['init', '--ci', 'github'], { folder })).code).toBe(3)
    expect(readdirSync(folder)).toEqual(['iac.yaml'])
  })
  test('a pipeline that stands there already is left, and that is said', async () => {
    const folder = newFolder()
    mkdirSync(join(folder, '.github/workflows'), { recursive: true })
    writeFileSync(join(folder, '.github/workflows/iac.yaml'), 'on: push\n')
    expect((await runCli(['init', '--ci', 'github', '--state', 's3'], { folder })).stderr).toContain('.github/workflows/iac.yaml was left as it is')
  })
})

describe('where a forge would not look', () => {
  test.each([
    ['main', '.', []],
    ['master', '.', ['on the branch main, and this repository is on master']],
    ['main', 'infra', ['.github/workflows/iac.yaml is read at the root of the repository alone']],
  ] as const)('on %s in %s', async (branch, place, notes) => {
    const root = newFolder()
    mkdirSync(join(root, '.git'))
    writeFileSync(join(root, '.git/HEAD'), `ref: refs/heads/${branch}\n`)
    const { code, stderr } = await runCli(['init', place, '--state', 's3', '--ci', 'github'], { folder: root })
    expect(code).toBe(0)
    for (const note of notes) expect(stderr).toContain(note)
    if (notes.length === 0) expect(stderr).not.toMatch(/read at the root|on the branch/)
  })
  test('with the folder below the root for Atlantis, whose other file is the server’s', async () => {
    const root = newFolder()
    mkdirSync(join(root, '.git'))
    const { stderr } = await runCli(['init', 'infra', '--state', 's3', '--ci', 'atlantis'], { folder: root })
    expect(stderr).toMatch(/\natlantis\.yaml is read at the root of the repository alone: move it to \S+, and write dir: infra\./)
  })
})
