// The plan as machines read it, plans without a refresh, and the graph as a picture, by the command line.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { changeSchema, planSchema } from '../../src/engine/model/plan-schema.ts'
import { newFolder, runCli } from './run-cli.ts'

async function applied() {
  const folder = newFolder()
  const run = (...words: string[]): ReturnType<typeof runCli> => runCli([...words, '--sandbox'], { folder })
  await runCli(['init'], { folder })
  expect((await run('apply', '--auto-approve')).code).toBe(0)
  return { folder, run }
}

describe('plan --json', () => {
  test('has diagnostics in the shape of validate --json, as the plan file has', async () => {
    const { folder, run } = await applied()
    const file = join(folder, 'infra/network.yaml')
    writeFileSync(file, readFileSync(file, 'utf8').replace('  name: main\nspec', '  name: main\n  lifecycle: { prevent_destroy: true }\nspec'))
    const planned = await run('plan', '--json', '--replace', 'Vpc/main')
    const printed = JSON.parse(planned.stdout)
    writeFileSync(join(folder, 'saved.plan'), planned.stdout)
    expect(planned.code).toBe(5)
    expect(printed.diagnostics).toEqual([
      {
        severity: 'error',
        code: 'guard_protected',
        summary: 'Vpc/main would be replaced, and prevent_destroy protects it',
        detail: '',
        address: 'Vpc/main',
        range: { filename: 'infra/network.yaml', start: { line: expect.any(Number), column: expect.any(Number) } },
        hint: 'set prevent_destroy: false in its manifest and apply that first',
      },
    ])
    const shown = await run('show', 'saved.plan', '--json')
    expect(JSON.parse(shown.stdout)).toMatchObject({ hash: printed.hash, diagnostics: printed.diagnostics })
    expect((await run('apply', 'saved.plan')).code).toBe(5)
  })
  test('fits its schema, whose every member says what it is', async () => {
    const { run } = await applied()
    planSchema.parse(JSON.parse((await run('plan', '--json')).stdout))
    const silent = [planSchema, changeSchema].flatMap(({ shape }) => Object.entries(shape).flatMap(([name, one]) => (one.description ? [] : [name])))
    expect(silent).toEqual([])
  })
})

describe('plan --refresh=false', () => {
  test('does not see what was changed by hand, and says what it does not know', async () => {
    const { run } = await applied()
    const id = (await run('output', '--raw', 'network_id')).stdout
    await run('api', 'PATCH', `/v1/vpcs/${id}`, '-f', 'description=by hand')
    const plan = await run('plan', '--refresh=false', '--detailed-exitcode')
    expect(plan).toMatchObject({ code: 0, stdout: expect.stringContaining('No changes.'), stderr: expect.stringContaining('live state was not read') })
    expect((await run('plan', '--refresh=true', '--detailed-exitcode')).code).toBe(2)
    expect(JSON.parse((await run('plan', '--refresh=false', '--json')).stdout)).toMatchObject({ refreshed: false, drift: null, quota: null })
  })
  test('is refused by apply with 6 where an object that it touches was changed', async () => {
    const { folder, run } = await applied()
    const file = join(folder, 'infra/network.yaml')
    writeFileSync(file, readFileSync(file, 'utf8').replace('the first network', 'renamed'))
    expect((await run('plan', '--refresh=false', '--out', 'unread.plan')).code).toBe(0)
    const id = (await run('output', '--raw', 'network_id')).stdout
    await run('api', 'PATCH', `/v1/vpcs/${id}`, '-f', 'description=by hand')
    expect((await run('apply', 'unread.plan')).code).toBe(6)
    await run('api', 'PATCH', `/v1/vpcs/${id}`, '-f', 'description=the first network')
    expect((await run('apply', 'unread.plan')).code).toBe(0)
  })
  test('excludes --refresh-only', async () => {
    const { run } = await applied()
    expect(await run('plan', '--refresh=false', '--refresh-only')).toMatchObject({ code: 3, stderr: expect.stringContaining('--refresh-only') })
    expect((await runCli(['plan', '--help'], { folder: newFolder() })).stdout).toContain('--refresh')
  })
})

test.each([
  ['svg', /^<svg [^]*Vpc\/main[^]*<\/svg>\n$/],
  ['mermaid', /^flowchart LR\n/],
  ['dot', /^digraph iac \{/],
  ['json', /^\{\n {2}"nodes"/],
])('graph --format %s', async (format, shape) => {
  const { run } = await applied()
  expect(await run('graph', '--format', format)).toMatchObject({ code: 0, stdout: expect.stringMatching(shape) })
})
