// `plan --sandbox --seed`: what a change does to the manifests that were there before, on a service in memory.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { newFolder, runCli } from './run-cli.ts'

const project =
  'apiVersion: iac/v1\nkind: Project\nname: shop\nenvironments: { staging: }\nvariables:\n  password: { type: string, sensitive: true, default: hunter2-hunter2 }\n'
const vpc = (name: string, more = '', metadata = '') =>
  `apiVersion: iac/v1\nkind: Vpc\nmetadata: { name: ${name}${metadata} }\nspec: { name: ${name}, description: of ${name}, range: 10.20.0.0/24${more} }\n---\n`
const token =
  'apiVersion: iac/v1\nkind: ApiToken\nmetadata: { name: ci }\nspec: { name: ci-token, grants: { DISK: READ }, lifetime: 90d, write_code_to: { file: ci.token } }\n---\n'

/** Folders beside each other: `base` with what was there, `head` with what is to be. */
function written(base: Readonly<Record<string, string>>, head: Readonly<Record<string, string>>): string {
  const folder = newFolder()
  for (const [name, files] of Object.entries({ base, head }))
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name, path)), { recursive: true })
      writeFileSync(join(folder, name, path), text)
    }
  return folder
}

const plan = (folder: string, words = '') =>
  runCli(['plan', '--sandbox', '--seed', '../base', ...words.split(' ').filter(Boolean)], { folder: join(folder, 'head') })
/** All that lies there, but for what iac remembers of texts that it has read. */
const everything = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => !/(^|\/)home(\/|$)/.test(name))
    .toSorted()

describe('a seed', () => {
  test('is what the plan is held against: same names, secrets and identities, and nothing is written', async () => {
    const base = { 'iac.yaml': project, 'main.yaml': vpc('main') + vpc('former') + token }
    const folder = written(base, { 'iac.yaml': project, 'main.yaml': vpc('main').replace('of main', 'of the shop') + vpc('fresh') + token })
    const before = everything(folder)
    const { code, stdout, stderr } = await plan(folder)
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('error')])
    expect(stdout).toContain('which held what the manifests of --seed declare')
    expect(stdout).toMatch(/~ description += "of main" -> "of the shop"/)
    expect(stdout).toContain('Plan: 1 to add, 1 to change, 1 to destroy.')
    expect(everything(folder)).toEqual(before)
    cpSync(join(folder, 'base'), join(folder, 'head'), { recursive: true })
    expect((await plan(folder)).stdout).toContain('No changes. Your infrastructure matches the manifests.')
  })

  test("leaves the user's own sandbox and its state alone", async () => {
    const folder = written({ 'main.yaml': vpc('main') }, { 'iac.yaml': project, 'main.yaml': vpc('owned') })
    const at = { folder: join(folder, 'head') }
    expect((await runCli(['apply', '--sandbox', '--auto-approve'], at)).code).toBe(0)
    const kept = (): string[] =>
      everything(join(folder, 'head')).map((name) =>
        existsSync(join(folder, 'head', name)) && /\.(json|jsonl|log)$/.test(name) ? readFileSync(join(folder, 'head', name), 'utf8') : name,
      )
    const before = kept()
    expect((await plan(folder)).stdout).toContain('Plan: 1 to add, 0 to change, 1 to destroy.')
    expect(kept()).toEqual(before)
    expect((await runCli(['plan', '--sandbox'], at)).stdout).toContain('No changes.')
  })

  test('is read with the environment and the variables of the plan, and may lack some of them', async () => {
    const declared = `${project}  range: { type: string }\n`
    const named = vpc('main').replace('10.20.0.0/24', "'${vars.range}'")
    const folder = written({ 'iac.yaml': declared, 'main.yaml': named }, { 'iac.yaml': `${declared}  more: { type: string }\n`, 'main.yaml': named })
    const { code, stdout, stderr } = await plan(folder, '-e staging --var range=10.9.0.0/24 --var more=x')
    expect([code, stderr, stdout]).toEqual([0, expect.not.stringContaining('error'), expect.stringContaining('No changes.')])
  })

  test('lacks what a file of variables gives beside what it declares', async () => {
    const later = `${project}  more: { type: string }\n`
    const files = { 'iac.yaml': later, 'main.yaml': vpc('main').replace('of main', '"${vars.more}"'), 'values.yaml': 'more: told\npassword: hunter3-hunter3\n' }
    const folder = written({ 'iac.yaml': project, 'main.yaml': vpc('main') }, files)
    const { code, stdout, stderr } = await plan(folder, '--var-file values.yaml')
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('error')])
    expect(stdout).toMatch(/~ description += "of main" -> "told"/)
  })

  test('makes what its manifests take over, since nothing is there', async () => {
    const text = vpc('main', '', ", import: { id: '12345' }")
    const folder = written({ 'iac.yaml': project, 'main.yaml': text }, { 'iac.yaml': project, 'main.yaml': text })
    expect((await plan(folder)).stdout).toContain('No changes.')
  })

  test('may be nothing, and a single file', async () => {
    const folder = written({ 'iac.yaml': project }, { 'iac.yaml': project, 'main.yaml': vpc('main') })
    expect((await plan(folder)).stdout).toContain('Plan: 1 to add, 0 to change, 0 to destroy.')
    const { stdout } = await runCli(['plan', '--sandbox', '--seed', 'main.yaml'], { folder: join(folder, 'head') })
    expect(stdout).toContain('No changes.')
  })

  test('is told of in every rendering, in the saved plan and in its JSON', async () => {
    const folder = written({ 'iac.yaml': project }, { 'iac.yaml': project, 'main.yaml': vpc('main') })
    expect((await plan(folder, '--out p.plan --format html=p.html --format markdown=p.md --format json=p.json')).code).toBe(0)
    const textOf = (name: string): string => readFileSync(join(folder, 'head', name), 'utf8')
    for (const name of ['p.html', 'p.md']) expect(textOf(name).replaceAll(/<.?span[^>]*>/g, '')).toContain('which held what the manifests of --seed declare')
    expect(JSON.parse(textOf('p.json'))).toMatchObject({ sandbox: true, seeded: true })
    expect((await runCli(['show', 'p.plan'], { folder: join(folder, 'head') })).stdout).toContain('which held what the manifests of --seed declare')
    // It is one of a service that is gone, and told so wherever the state of the project's own stands.
    const refused = { code: 6, stderr: expect.stringContaining('made against a service of its own (--seed), which is gone') }
    expect(await runCli(['apply', 'p.plan', '--sandbox'], { folder: join(folder, 'head') })).toMatchObject(refused)
    expect((await runCli(['apply', '--sandbox', '--auto-approve'], { folder: join(folder, 'head') })).code).toBe(0)
    expect(await runCli(['apply', 'p.plan', '--sandbox'], { folder: join(folder, 'head') })).toMatchObject(refused)
  })
})

describe('what is wrong with a seed', () => {
  test.each(['.', '../head', '../linked'])('that is the project itself is said: %s', async (seed) => {
    const folder = written({}, { 'iac.yaml': project, 'main.yaml': vpc('main') })
    symlinkSync('head', join(folder, 'linked'))
    const { code, stderr } = await runCli(['plan', '--sandbox', '--seed', seed], { folder: join(folder, 'head') })
    expect([code, stderr]).toEqual([3, expect.stringContaining(`error: --seed ${seed}: this is the project itself`)])
  })

  test.each([
    ['without --sandbox', ['plan', '--seed', '../base'], 'error: --seed fills the embedded service: it needs --sandbox'],
    ['that is not there', ['plan', '--sandbox', '--seed', '../none'], 'error: --seed ../none: there is no such file or folder'],
    ['with a mistake', ['plan', '--sandbox', '--seed', '../base'], 'error: --seed ../base: Vpc/main: "10.20.0.0/99" is not'],
  ])('%s is said, and is 3', async (_, words, text) => {
    const folder = written({ 'iac.yaml': project, 'main.yaml': vpc('main').replace('/24', '/99') }, { 'iac.yaml': project, 'main.yaml': vpc('main') })
    const { code, stdout, stderr } = await runCli(words, { folder: join(folder, 'head') })
    expect([code, stdout]).toEqual([3, ''])
    expect(stderr).toContain(text)
    if (text.includes('Vpc')) expect(stderr).toContain('../base/main.yaml:4:')
  })

  test('that the service does not take is 3 as well: nothing was changed anywhere', async () => {
    const strange = 'apiVersion: iac/v1\nkind: Instance\nmetadata: { name: web }\nspec: { type: PLAN, plan: nonsense, region: fra-1 }\n'
    const folder = written({ 'iac.yaml': project, 'main.yaml': strange }, { 'iac.yaml': project, 'main.yaml': vpc('main') })
    const { code, stderr } = await plan(folder)
    expect([code, stderr]).toEqual([3, expect.stringMatching(/^error: --seed \.\.\/base: /m)])
  })
})
