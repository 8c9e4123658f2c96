// A mistyped apiVersion must never make a manifest somebody else's: the next apply would destroy what it declares.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
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
    expect([code, stderr]).toEqual([
      3,
      expect.stringMatching(new RegExp(`vpc\\.yaml:${head.startsWith('apiversion') ? 2 : line}:\\d+[^]*write apiVersion: iac/v1`)),
    ])
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

test('documents of other tools are counted under a plan that deletes', async () => {
  write('apiVersion: iac/v1')
  const text = (await run('plan', '--destroy')).stderr
  expect(text).toContain("4 documents without apiVersion: iac/v1 were left alone as another tool's")
  expect((await run('plan')).stderr).not.toContain('left alone')
})
