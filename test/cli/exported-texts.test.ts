// Texts of the service that YAML does not take as they stand, such as those that a form in a browser sent: one of them spoils no export.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { operatingBench } from './operating-bench.ts'
import { newFolder } from './run-cli.ts'
import type { Ran } from './run-cli.ts'

/** Runs in a project that holds no manifest, beside these objects that were made by hand. */
async function beside(posts: readonly (readonly [path: string, body: unknown])[]): Promise<(...words: string[]) => Promise<Ran>> {
  const { run } = await operatingBench('')
  const here = (...words: string[]): Promise<Ran> => run(words)
  const [workspace]: readonly { readonly id: string }[] = JSON.parse((await here('get', 'workspaces', '--json')).stdout)
  for (const [path, body] of posts) {
    const file = join(newFolder(), 'body.json')
    writeFileSync(file, JSON.stringify(body))
    const made = await here('api', 'POST', `/v1/workspaces/${workspace?.id ?? ''}/${path}`, '--input', file)
    expect(made.code, made.stderr).toBe(0)
  }
  return here
}

const recipe = {
  name: 'win',
  category: 'TOOLS',
  description: '# Title\r\n\r\ncosts $\r\n',
  commands: [{ path: '/run', args: ['a\r\nb', '${x}\u001B[0m$${\u0085'] }],
}
const net = { name: 'plain', description: 'bell\u0007', range: '10.0.0.0/24' }

test('a text with control characters is taken over as it is', async () => {
  const run = await beside([
    ['recipes', recipe],
    ['vpcs', net],
  ])
  const printed = await run('export', '--kind', 'recipes', '--kind', 'vpcs')
  expect(printed).toMatchObject({ code: 0, stderr: '' })
  expect(printed.stdout).toContain('description: |\n    # Title${"\\r"}\n')
  const all = await run('import', '--all')
  expect(all.code, all.stderr).toBe(0)
  expect((await run('plan')).stdout).toContain('No changes.')
  expect((await run('fmt', '--check')).code).toBe(0)
})

test('what no manifest can say is left out, and all else is taken over', async () => {
  const secrets = [{ 'a\tb': '1' }, { '${x}': '1' }].map((data, at) => ['k3s/secrets', { name: `s${at}`, data }] as const)
  const run = await beside([['k3s', {}], ...secrets, ['vpcs', net]])
  const { code, stdout, stderr } = await run('export', '--kind', 'k3ssecrets', '--kind', 'vpcs')
  expect(code).toBe(0)
  expect(stdout).toContain('kind: Vpc')
  expect(stdout).toContain('$${x}: ${vars.k3ssecret_s1_data__x_}')
  expect(stdout).not.toContain('name: s0')
  expect(stderr).toMatch(/^K3sSecret left out: a key holds the invisible character U\+0009: \d+$/m)
  expect(stderr).not.toContain('not shown to stay as it is')
})
