// Blocks of iac.yaml that are meant for one environment: what the commands make of them in the others.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { newFolder, runCli } from './run-cli.ts'
import type { Ran } from './run-cli.ts'

const head = 'apiVersion: iac/v1\nkind: Project\nname: envs\n'
const variants = 'variables: { nets: { type: list, default: [main] } }\nenvironments: { staging: { variables: { nets: [one] } }, prod: {} }\n'
const network =
  'apiVersion: iac/v1\nkind: Vpc\nmetadata: { name: net, for_each: "${vars.nets}" }\nspec: { name: "env-${each.key}", description: x, range: 10.0.0.0/24 }\n'
/** Networks that may stand beside each other. */
const several = network.replace('10.0.0.0/24', '"10.${size(each.key)}.0.0/24"')
const renamed = `moved: [{ from: 'Vpc/net["main"]', to: 'Vpc/net["one"]' }]\n`
const forgotten = `removed: [{ address: 'Vpc/net["main"]', destroy: false }]\n`

interface Shell {
  (...words: string[]): Promise<Ran>
  write(lines: string, manifest?: string): void
}

function shell(lines: string, manifest = network): Shell {
  const folder = newFolder()
  const write = (now: string, own = manifest): void => {
    writeFileSync(join(folder, 'iac.yaml'), head + now)
    writeFileSync(join(folder, 'main.yaml'), own)
  }
  write(lines)
  return Object.assign((...words: string[]) => runCli([...words, '--sandbox'], { folder }), { write })
}

const apply = ['apply', '--auto-approve']
const quiet = { code: 0, stdout: expect.stringContaining('No changes.'), stderr: '' }
const refused = { code: 3, stderr: expect.stringContaining('Vpc/net["main"] is still declared') }

describe.each([
  ['moved', renamed],
  ['removed', forgotten],
])('a %s block for another environment', (_, block) => {
  test.each([
    ['-e', variants, ['-e', 'prod']],
    ['default_environment', `default_environment: prod\n${variants}`, []],
    ['no environment chosen', variants, []],
  ])('is nothing where its source is declared, by %s', async (_how, lines, flags) => {
    const run = shell(lines + block)
    expect(await run('validate', ...flags)).toMatchObject({ code: 0, stderr: '' })
    expect((await run(...apply, ...flags)).code).toBe(0)
    expect(await run('validate', ...flags)).toMatchObject({ code: 0, stderr: '' })
    expect(await run('plan', ...flags)).toMatchObject(quiet)
    expect(await run('destroy', '--auto-approve', ...flags)).toMatchObject({ code: 0, stdout: expect.stringContaining('Resources: 1 destroyed.') })
    expect((await run('state', 'list', ...flags)).stdout).toBe('')
  })

  test('is nothing in a saved plan there', async () => {
    const run = shell(variants + block)
    await run(...apply, '-e', 'prod')
    run.write(variants + block, network.replace('description: x', 'description: y'))
    expect((await run('plan', '-e', 'prod', '--out', 'today.plan')).code).toBe(0)
    expect(await run('apply', 'today.plan', '-e', 'prod')).toMatchObject({ code: 0, stdout: expect.stringContaining('1 changed, 0 destroyed') })
    expect((await run('state', 'list', '-e', 'prod')).stdout).toBe('Vpc/net["main"]\n')
    expect((await run('plan', '-e', 'prod', '--destroy', '--out', 'last.plan')).code).toBe(0)
    expect(await run('apply', 'last.plan', '-e', 'prod')).toMatchObject({ code: 0, stdout: expect.stringContaining('1 destroyed') })
  })

  test('is refused without environments, by validate and by plan', async () => {
    const run = shell(block, network.replace('"${vars.nets}"', '[main]'))
    expect(await run('validate')).toMatchObject(refused)
    expect(await run('plan')).toMatchObject(refused)
  })
})

test('a move in its own environment keeps the object, also as a saved plan', async () => {
  const run = shell(variants.replace('[one]', '[main]'))
  await run(...apply, '-e', 'staging')
  run.write(variants + renamed, network.replace('env-${each.key}', 'env-main'))
  expect((await run('plan', '-e', 'staging', '--out', 'today.plan')).stdout).toContain('Plan: 0 to add, 0 to change, 0 to destroy.')
  expect((await run('apply', 'today.plan', '-e', 'staging')).code).toBe(0)
  expect((await run('state', 'list', '-e', 'staging')).stdout).toBe('Vpc/net["one"]\n')
  expect(await run('plan', '-e', 'staging')).toMatchObject(quiet)
})

test('what is removed in its own environment is forgotten there', async () => {
  const run = shell(variants.replace('[one]', '[main, one]'), several)
  expect((await run(...apply, '-e', 'staging')).code).toBe(0)
  run.write(variants + forgotten)
  expect((await run(...apply, '-e', 'staging')).stdout).toContain('1 forgotten')
  expect((await run('state', 'list', '-e', 'staging')).stdout).toBe('Vpc/net["one"]\n')
})

test('a move between two that are both declared is refused by all commands, before anything is made', async () => {
  const run = shell(variants.replace('[main]', '[main, one]') + renamed, several)
  for (const words of [['validate'], ['plan'], apply]) expect(await run(...words, '-e', 'prod')).toMatchObject(refused)
})
