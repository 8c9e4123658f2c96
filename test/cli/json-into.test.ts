// The machine format in a file beside what is shown: of an apply and a destroy the stream, line by line.
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Diagnostic } from '../../src/base/diagnostic.ts'
import { isObject, parseJson } from '../../src/base/json.ts'
import { keepStreamIn } from '../../src/cli/apply/stream-file.ts'
import { allSchemas } from '../../src/cli/documents/json-schema.ts'
import { kinds } from '../../src/kinds/registry.ts'
import { manifest } from '../builders/project.ts'
import { schemaProblems } from '../builders/schema-problems.ts'
import { operatingBench } from './operating-bench.ts'
import { newFolder, runCli, surroundingsFor } from './run-cli.ts'

const network = 'description: d\nrange: 10.20.0.0/24'
const schema = allSchemas(kinds)['stream.schema.json'] ?? {}

async function shop() {
  const folder = newFolder()
  await runCli(['init'], { folder })
  const file = join(folder, 'run.jsonl')
  const run = (words: string, stdin?: string) => runCli([...words.split(' '), '--sandbox'], { folder, ...(stdin === undefined ? {} : { stdin }) })
  const lines = () =>
    readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((text) => parseJson(text))
  const types = () => [...new Set(lines().map((line) => (isObject(line) ? line['type'] : undefined)))]
  return { folder, file, run, lines, types }
}

describe('--json', () => {
  test.each(['validate', 'plan', 'drift'])('is refused where %s is to print another form, too: one of them would be missing in silence', async (command) => {
    const { run } = await shop()
    const both = await run(`${command} --json --format markdown`)
    expect(both).toMatchObject({ code: 3, stderr: expect.stringContaining('error: --json and --format markdown both go to standard output') })
    expect(both.stdout).not.toContain('"format"')
    // The same twice, and another form in a file, lose nothing.
    expect(await run(`${command} --json --format json --format markdown=shown.md`)).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\{/) })
  })
})

describe('--json-into', () => {
  test('keeps the stream of an apply and of a destroy beside the text, as --json has it', async () => {
    const { run, lines, types, file } = await shop()
    const done = await run('apply --auto-approve --json-into run.jsonl')
    expect([done.code, done.stdout]).toEqual([0, expect.stringContaining('Apply complete!')])
    expect(done.stderr).toContain(': Creating...')
    expect(types()).toEqual(expect.arrayContaining(['version', 'planned_change', 'change_summary', 'apply_start', 'apply_complete', 'outputs']))
    expect(lines().flatMap((line) => schemaProblems(schema, line))).toEqual([])
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const gone = await run('destroy --auto-approve --json --json-into run.jsonl')
    expect(gone.code).toBe(0)
    expect(readFileSync(file, 'utf8')).toBe(gone.stdout)
  })
  test.each([
    ['apply', 'createVpc', 'Apply incomplete. Resources: 0 added, 0 changed, 0 destroyed.'],
    ['destroy', 'deleteVpc', 'Destroy incomplete. Resources: 0 destroyed.'],
  ])('calls an %s complete only where all of it was done', async (command, refused, sentence) => {
    const bench = await operatingBench(command === 'apply' ? '' : manifest('Vpc', 'main', network))
    writeFileSync(join(bench.folder, 'main.yaml'), manifest('Vpc', 'main', network))
    bench.sandbox.faults.hook = ({ operation }) => (operation === refused ? { status: 403 } : undefined)
    const { code, stdout } = await bench.run([command, '--auto-approve', '--json'])
    const said: { readonly '@message': string; readonly changes?: { readonly operation: string } }[] = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect([code, said.find((one) => one.changes?.operation === command)?.['@message']]).toEqual([4, sentence])
    expect((await bench.run([command, '--auto-approve'])).stdout).toContain(sentence)
  })
  test('holds what was planned when the question is answered with no, and what a saved plan did', async () => {
    const { run, types } = await shop()
    expect((await run('apply --json-into run.jsonl', 'no\n')).code).toBe(1)
    expect(types()).toEqual(['version', 'planned_change', 'change_summary'])
    await run('plan --out a.plan')
    expect((await run('apply a.plan --json-into run.jsonl')).code).toBe(0)
    expect(types()).toContain('apply_complete')
  })
  test('holds what was wrong, and is never a file that the run reads', async () => {
    const { run, lines, folder } = await shop()
    await run('plan --out a.plan')
    expect(await run('apply a.plan --json-into a.plan')).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining('read by this run') })
    writeFileSync(join(folder, 'infra/bad.yaml'), 'apiVersion: iac/v1\nkind: Vpcc\n')
    expect((await run('apply --auto-approve --json-into run.jsonl')).code).toBe(3)
    expect(lines()).toContainEqual(expect.objectContaining({ type: 'diagnostic', '@level': 'error' }))
  })
  test.each(['plan', 'drift'])('tells of a %s that fails before there is one, as --format json does, and nothing of an earlier run', async (command) => {
    const { run, folder } = await shop()
    const file = join(folder, 'told.json')
    expect((await run('apply --auto-approve')).code).toBe(0)
    expect((await run(`${command} --json-into told.json`)).code).toBe(0)
    writeFileSync(join(folder, 'infra/bad.yaml'), 'apiVersion: iac/v1\nkind: Vpcc\n')
    expect((await run(`${command} --json-into told.json --format json=other.json`)).code).toBe(3)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
      valid: false,
      diagnostics: expect.arrayContaining([expect.objectContaining({ code: 'unknown_kind' })]),
    })
    expect(readFileSync(file, 'utf8')).toBe(readFileSync(join(folder, 'other.json'), 'utf8'))
  })
  test('has each line as soon as it is said, and an apply goes on when no more can be written', () => {
    const folder = newFolder()
    const said: Diagnostic[] = []
    const context = {
      surroundings: surroundingsFor({ folder }, { stdout: '', stderr: '' }),
      print: { diagnostics: (all: readonly Diagnostic[]) => void said.push(...all) },
    }
    const keep = keepStreamIn(context, 'a.jsonl')
    keep('{"a":1}\n')
    expect(readFileSync(join(folder, 'a.jsonl'), 'utf8')).toBe('{"a":1}\n')
    rmSync(folder, { recursive: true })
    keep('{"a":2}\n')
    keep('{"a":3}\n')
    expect(said.map((one) => one.summary)).toEqual(['a.jsonl does not hold the rest of this run'])
  })
})
