// What --json prints where a command comes to nothing: never an empty standard output, which a program could take for an empty result.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { newFolder, runCli } from './run-cli.ts'

function brokenProject(): string {
  const folder = newFolder()
  writeFileSync(join(folder, 'iac.yaml'), 'apiVersion: iac/v1\nkind: Project\nname: shop\nnope: 1\n')
  writeFileSync(
    join(folder, 'main.yaml'),
    'apiVersion: iac/v1\nkind: Vpc\nmetadata: { name: main }\nspec: { name: main, description: "", range: 10.1.0.0/24 }\n',
  )
  return folder
}

describe('where iac.yaml is wrong', () => {
  test.each([
    'plan',
    'drift',
    'status',
    'cost',
    'output',
    'graph --format json',
    'get Vpc',
    'quota',
    'workflows',
    'export',
    'topology',
    'state list',
    'state show Vpc/main',
    'state history',
    'import Vpc/main 1152921504606846977',
  ])('%s prints the mistakes as validate does, and says them', async (command) => {
    const environment = { IAC_BASE_URL: 'http://127.0.0.1:1', IAC_TOKEN: 'x' }
    const ran = await runCli([...command.split(' '), '--json'], { folder: brokenProject(), environment })
    expect(ran.code).toBe(3)
    expect(JSON.parse(ran.stdout)).toMatchObject({ valid: false, diagnostics: [expect.objectContaining({ code: 'unknown_field' })] })
    expect(ran.stderr).toContain('no field "nope" exists here')
  })

  test.each([['apply'], ['destroy']])('%s prints a stream', async (command) => {
    const ran = await runCli([command, '--auto-approve', '--json'], { folder: brokenProject(), environment: { IAC_TOKEN: 'x' } })
    expect(ran.code).toBe(3)
    const lines = ran.stdout.trim().split('\n')
    expect(lines.map((line) => JSON.parse(line).type)).toEqual(['version', 'diagnostic'])
  })
})

test('a stream that ends before it has begun has its head, and says why', async () => {
  const ran = await runCli(['apply', '--sandbox', '--json'], { folder: newFolder() })
  const lines = ran.stdout.trim().split('\n')
  expect([ran.code, lines.map((line) => JSON.parse(line).type)]).toEqual([3, ['version', 'diagnostic']])
  expect(ran.stderr).toContain('--auto-approve')
})

describe('a mistake on the command line', () => {
  const folder = newFolder()

  test.each([
    ['--json plna', 'no command is called plna'],
    ['plna --json', 'no command is called plna'],
    ['state --json lsit', 'iac state needs another word'],
    ['state lsit --json', 'no command is called state lsit'],
    ['help plna --json', 'no command is called plna'],
    ['--json --nope', "unknown option '--nope'"],
    ['plan --json --nope', "unknown option '--nope'"],
    ['--json plan --nope', "unknown option '--nope'"],
    ['plan -json --parallelism 0', '--parallelism must be an integer from 1 to 1000'],
    ['get --json', "missing required argument 'KIND'"],
  ])('%s is told as validate does', async (words, says) => {
    const ran = await runCli(words.split(' '), { folder })
    expect(ran).toMatchObject({ code: 3, stderr: expect.stringContaining(`error: ${says}\n`) })
    const told = { severity: 'error', code: 'usage', summary: says, hint: expect.stringMatching(/./) }
    expect(JSON.parse(ran.stdout)).toMatchObject({ valid: false, error_count: 1, diagnostics: [told] })
  })

  test.each([['apply --json --nope'], ['--json destroy --nope']])('%s is told in a stream', async (words) => {
    const { code, stdout } = await runCli(words.split(' '), { folder })
    const lines = stdout.trim().split('\n')
    expect([code, lines.map((line) => JSON.parse(line))]).toEqual([
      3,
      [expect.objectContaining({ type: 'version' }), expect.objectContaining({ type: 'diagnostic', '@message': "Error: unknown option '--nope'" })],
    ])
  })

  test.each([['plan --nope'], ['plan --nope -- --json'], ['state unlock --nope --json']])('%s prints no result', async (words) => {
    expect(await runCli(words.split(' '), { folder })).toMatchObject({ code: 3, stdout: '' })
  })
})
