// A mistyped apiVersion must never make a manifest somebody else's: the next apply would destroy what it declares.
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { newFolder, runCli } from './run-cli.ts'

const folder = newFolder()
const manifest = (head: string): string => `${head}\nkind: Vpc\nmetadata: {name: main}\nspec: {description: one, range: 10.0.0.0/24}\n`
const write = (head: string): void => writeFileSync(join(folder, 'vpc.yaml'), manifest(head))
const run = (...words: string[]) => runCli([...words, '--sandbox'], { folder })

beforeAll(async () => {
  write('apiVersion: iac/v1')
  const { code, stderr } = await run('apply', '--auto-approve')
  if (code !== 0) throw new Error(stderr)
})

test.each([
  ['apiversion: iac/v1', 1],
  ['apiVersion: iacv1', 1],
  ['apiVersion: iac.v1', 1],
  ['apiVersion: v1', 1],
  ['apiVersion: apps/v1', 1],
  ['apiVersion:', 1],
  ['apiVersion: 1', 1],
  ['apiVersion: [iac/v1]', 1],
  ['# no line at all', 2],
])('%s is an error with the line to write', async (head, line) => {
  write(head)
  for (const words of [['plan'], ['apply', '--auto-approve'], ['plan', '-f', 'vpc.yaml']]) {
    const { code, stderr } = await run(...words)
    expect([code, stderr]).toEqual([3, expect.stringMatching(new RegExp(`vpc\\.yaml:${line}:\\d+[^]*write apiVersion: iac/v1`))])
  }
})

test('a document of another group, of no kind of ours, or without metadata and spec is left alone', async () => {
  write('apiVersion: iac/v1')
  const others = [
    'apiVersion: example.com/v1\nkind: Vpc\nmetadata: {}',
    'apiVersion: v1\nkind: Node\nmetadata: {}',
    'kind: Vpc\nname: main',
    'kind: Service\nspec: {}',
  ]
  writeFileSync(join(folder, 'others.yaml'), others.join('\n---\n'))
  const { code, stdout } = await run('plan')
  expect([code, stdout]).toEqual([0, expect.stringContaining('No changes')])
})

test('JSON that lacks a brace is an error, and nothing it declares is destroyed', async () => {
  const text = '{ "apiVersion": "iac/v1", "kind": "Vpc", "metadata": { "name": "main" }, "spec": { "description": "one", "range": "10.0.0.0/24" } }'
  writeFileSync(join(folder, 'second.yaml'), manifest('apiVersion: iac/v1').replace('main', 'second').replace('10.0.0.0', '10.9.0.0'))
  for (const broken of [text.replace(/ \}$/, ''), JSON.stringify(JSON.parse(text), null, 2).replace('"Vpc",', '"Vpc"')]) {
    writeFileSync(join(folder, 'vpc.yaml'), broken)
    expect((await runCli(['validate'], { folder })).code).toBe(3)
    for (const words of [['plan'], ['apply', '--auto-approve']])
      expect(await run(...words)).toMatchObject({ code: 3, stderr: expect.stringMatching(/vpc\.yaml:\d+:\d+[^]*yaml_syntax/) })
  }
  rmSync(join(folder, 'second.yaml'))
})

describe('documents of other tools are named under a plan that deletes', () => {
  const counted = "4 documents without apiVersion: iac/v1 were left alone as another tool's"
  const places = 'They begin at others.yaml:1, others.yaml:5, others.yaml:9, others.yaml:12.'
  beforeAll(() => write('apiVersion: iac/v1'))

  test('where it is made, by file and line', async () => {
    const text = (await run('plan', '--destroy')).stderr
    expect(text).toContain(`${counted}\n  ${places}`)
    expect((await run('plan')).stderr).not.toContain('left alone')
    expect((await run('plan', '--verbose')).stderr).toContain('4 documents of other tools were left alone:\n  others.yaml:1\n  others.yaml:5\n')
    expect((await runCli(['validate', '--verbose'], { folder })).stderr).toContain('left alone:\n  others.yaml:1\n')
  })

  test('however many they are: in the text the first, with --verbose and in JSON all', async () => {
    writeFileSync(join(folder, 'more.yaml'), 'a: b\n---\n'.repeat(30))
    expect((await run('plan', '--destroy')).stderr).toMatch(/more\.yaml:1, more\.yaml:3, .* and 14 more\.\n/)
    expect((await run('plan', '--destroy', '--verbose')).stderr).toContain('\n  more.yaml:59\n  others.yaml:1\n')
    const { other_documents: others } = JSON.parse((await run('plan', '--destroy', '--json')).stdout)
    expect([others.length, others[29]]).toEqual([34, { file: 'more.yaml', line: 59 }])
    rmSync(join(folder, 'more.yaml'))
  })

  test('where a saved one is shown and carried out', async () => {
    const made = await run('plan', '--destroy', '--out', 'all.plan', '--json')
    rmSync(join(folder, 'others.yaml'))
    const reviewIn = (text: string): string => JSON.parse(text).review
    expect(reviewIn((await run('plan', '--destroy', '--json')).stdout)).toBe(reviewIn(made.stdout))
    expect((await runCli(['show', 'all.plan'], { folder })).stderr).toContain(`${counted}\n  ${places}`)
    expect((await runCli(['show', 'all.plan', '--json'], { folder })).stderr).toBe('')
    expect(await run('apply', 'all.plan')).toMatchObject({ code: 0, stderr: expect.stringContaining(`${counted}\n  ${places}`) })
  })
})
