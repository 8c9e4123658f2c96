// Every command that the README and the examples show is run here, word for word, on the embedded service.
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { drawn } from '../builders/long-form.ts'

const root = resolve(import.meta.dirname, '../..')
/** Those that need a database are run beside one: shared-example.test.ts. */
const examples = readdirSync(join(root, 'examples')).filter((name) => !name.startsWith('team') && existsSync(join(root, 'examples', name, 'iac.yaml')))
let folder = ''

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'iac-shown-'))
  writeFileSync(join(folder, 'iac'), `#!/bin/sh\nexec '${process.execPath}' '${join(root, 'dist/main.js')}' "$@"\n`)
  chmodSync(join(folder, 'iac'), 0o755)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The `sh` blocks of a page. */
function blocksOf(path: string): string[] {
  return [...readFileSync(join(root, path), 'utf8').matchAll(/```sh\n([^]*?)```/g)].map(([, block = '']) => block)
}

/** Runs a block in one shell that stops at the first command that fails. */
function shell(script: string, at: string, input = '', more: Readonly<Record<string, string>> = {}): { status: number | null; text: string } {
  const env = { ...process.env, PATH: `${folder}:${process.env['PATH'] ?? ''}`, HOME: folder, NO_COLOR: '1', ...more }
  const { status, stdout, stderr } = spawnSync('bash', ['--norc', '-euo', 'pipefail', '-c', script], {
    cwd: at,
    env,
    input,
    encoding: 'utf8',
    timeout: 110_000,
  })
  return { status, text: `${stdout}\n${stderr}` }
}

describe('the examples', () => {
  test.each(drawn(examples, 1, 'examples'))('%s does what its page shows', { timeout: 120_000, tags: ['longer'] }, (name) => {
    const at = join(folder, name)
    cpSync(join(root, 'examples', name), at, { recursive: true })
    const blocks = blocksOf(`examples/${name}/README.md`)
    expect(blocks.length).toBeGreaterThan(0)
    for (const block of blocks) {
      const { status, text } = shell(block, at)
      expect(status, text).toBe(0)
    }
    // All of it is gone, and a second destroy has nothing to do.
    expect(shell('iac state list --sandbox', at).text.trim()).toBe('')
  })
})

describe('the README', () => {
  const [commands = '', first = '', account = ''] = blocksOf('README.md')

  test('names the two commands that everything hangs on', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    expect(commands).toContain('npm ci && npm run demo')
    expect(commands).toContain('npm ci && npm test')
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(['demo', 'test']))
  })

  test('shows a plan as it is printed', () => {
    const picture = /```text\n\$ (iac .*)\n([^]*?)```/.exec(readFileSync(join(root, 'README.md'), 'utf8'))
    const at = join(folder, 'picture')
    cpSync(join(root, 'examples/first-instance'), at, { recursive: true })
    expect(shell(picture?.[1] ?? '', at)).toEqual({ status: 0, text: `${picture?.[2]}\n` })
  }, 60_000)

  test('leads through a first project', () => {
    expect(first).toMatch(/^npm run build && npm link /)
    // Built it is already, and linked to a place of this test.
    const linked = shell('npm link', root, '', { npm_config_prefix: join(folder, 'prefix') })
    expect(linked.status, linked.text).toBe(0)
    expect(shell(`'${join(folder, 'prefix/bin/iac')}' version`, folder).text).toMatch(/^iac \d/)
    const script = first.replace(/^npm run build && npm link.*$/m, '')
    // The questions of apply and destroy are answered as a person would.
    const { status, text } = shell(script.replaceAll(/^(iac (?:apply|destroy) [^#\n]*)/gm, 'echo yes | $1'), folder)
    expect(status, text).toBe(0)
    expect(text).toContain('Apply complete! Resources: 1 added, 0 changed, 0 destroyed.')
    expect(text).toContain('No changes. Your infrastructure matches the manifests.')
    expect(text).toContain('Destroy complete! Resources: 1 destroyed.')
  }, 120_000)

  test('shows how a saved plan is made and carried out', () => {
    const at = join(folder, 'saved')
    cpSync(join(root, 'examples/first-instance'), at, { recursive: true })
    const [login, ...rest] = account.split('\n').filter((line) => line.startsWith('iac '))
    // The embedded service knows its caller; how people sign in, sign-in-terminal.test.ts shows.
    expect(login).toMatch(/^iac login --url \S+ +#/)
    const script = rest.map((line) => `${line.replace(/ +#.*/, '')} --sandbox`).join('\n')
    expect(script).toContain('iac plan --out tonight.plan')
    const { status, text } = shell(script, at)
    expect(status, text).toBe(0)
    expect(text).toContain('✓ role')
    expect(text).toContain('Apply complete! Resources: 1 added')
  }, 60_000)
})

test('the demo ends well', () => {
  const started = performance.now()
  const { status, text } = shell(`'${process.execPath}' test/demo/demo.mjs`, root)
  expect(status, text).toBe(0)
  expect(text).toContain('No changes. Your infrastructure matches the manifests.')
  expect(text).toContain('Destroy complete!')
  // Half a minute where nothing else runs.
  expect(performance.now() - started).toBeLessThan(120_000)
}, 240_000)
