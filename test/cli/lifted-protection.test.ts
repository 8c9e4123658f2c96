// A plan that does nothing but lift protection changes no object, and says so all the same: it lets a later run destroy one.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { vpc } from '../scenarios/stage.ts'
import { newFolder, runCli } from './run-cli.ts'

const both = 'lifecycle: { prevent_destroy: true, on_remove: retain }'
const lifted = { 'Vpc/main': ['prevent_destroy', 'on_remove'] }

async function protectedProject(metadata = both) {
  const folder = newFolder()
  const run = (...words: string[]) => runCli([...words, '--sandbox'], { folder })
  const declare = (lines: string): void => writeFileSync(join(folder, 'main.yaml'), vpc('main', '10.20.0.0/24', lines))
  const reviewOf = async (): Promise<string> => JSON.parse((await run('plan', '--json')).stdout).review
  const recorded = async () => JSON.parse((await run('state', 'show', 'Vpc/main', '--json')).stdout)
  writeFileSync(join(folder, 'iac.yaml'), 'apiVersion: iac/v1\nkind: Project\nname: shop\n')
  declare(metadata)
  expect((await run('apply', '--auto-approve')).code).toBe(0)
  return { folder, run, declare, reviewOf, recorded }
}

test('every form of it tells what is lifted', async () => {
  const { folder, run, declare } = await protectedProject()
  declare('')
  const shown = await run('plan', '--detailed-exitcode', '--out', 'a.plan', '--format', 'text', '--format', 'html=page.html', '--format', 'dotenv=plan.env')
  expect(shown.code).toBe(0)
  expect(shown.stdout).toBe('You can apply this plan to lift protection that the state remembers, without changing any real infrastructure.\n')
  expect(shown.stderr).toContain('note: Vpc/main: prevent_destroy is lifted')
  expect(shown.stderr).toContain('note: Vpc/main: on_remove: retain is lifted')
  expect(readFileSync(join(folder, 'plan.env'), 'utf8')).toContain('IAC_CHANGES=false\n')
  expect(JSON.parse((await run('plan', '--json')).stdout)).toMatchObject({ lifted, summary: { update: 0, no_op: 1 } })
  const page = readFileSync(join(folder, 'page.html'), 'utf8')
  const comment = (await runCli(['show', 'a.plan', '--format', 'markdown'], { folder })).stdout
  for (const text of [page, comment]) {
    expect(text).toContain('to lift protection that the state remembers')
    expect(text).toMatch(/prevent(?:_|&#95;)destroy is lifted/)
    expect(text).not.toContain('No changes.')
  }
  expect(comment).toContain('Review: ')
})

test('it is asked for, is another review than the one with protection, and is over once it is applied', async () => {
  const { run, declare, reviewOf, recorded } = await protectedProject()
  const review = await reviewOf()
  declare('')
  expect(await reviewOf()).not.toBe(review)
  expect((await run('apply', '--expect-review', review)).code).toBe(6)
  expect((await run('apply')).code).toBe(1)
  expect(await recorded()).toMatchObject({ protected: true, on_remove: 'retain' })
  expect((await run('apply', '--expect-review', await reviewOf())).code).toBe(0)
  expect(await recorded()).toMatchObject({ protected: false, on_remove: 'delete' })
  expect(await run('plan', '--detailed-exitcode')).toMatchObject({ code: 0, stdout: 'No changes. Your infrastructure matches the manifests.\n', stderr: '' })
})

test('protection that is added changes nothing that anybody has to approve', async () => {
  const { run, declare, reviewOf, recorded } = await protectedProject('')
  const review = await reviewOf()
  declare(both)
  expect(await run('plan', '--detailed-exitcode')).toMatchObject({ code: 0, stderr: '' })
  expect((await run('apply', '--expect-review', review)).code).toBe(0)
  expect(await recorded()).toMatchObject({ protected: true, on_remove: 'retain' })
})

test('a saved plan that does not tell of it is refused with 6, and one that records what is live lifts nothing', async () => {
  const { folder, run, declare } = await protectedProject()
  declare('')
  expect((await run('plan', '--out', 'a.plan')).code).toBe(0)
  const { rehashed } = await import('../builders/rehashed.ts')
  const { lifted: _, ...rest } = JSON.parse(readFileSync(join(folder, 'a.plan'), 'utf8'))
  writeFileSync(join(folder, 'b.plan'), JSON.stringify(rehashed(rest)))
  expect(await run('apply', 'b.plan')).toMatchObject({ code: 6, stderr: expect.stringContaining('what the plan says of protection that it lifts') })
  expect(JSON.parse((await run('plan', '--refresh-only', '--json')).stdout)).not.toHaveProperty('lifted')
  expect((await run('apply', 'a.plan')).code).toBe(0)
})

test.each([
  ['--exclude', 'Vpc/main'],
  ['--target', 'Vpc/other'],
])('what %s leaves out keeps the protection that is recorded, by a saved plan, too', async (...selection) => {
  const { folder, run, declare, recorded } = await protectedProject()
  declare('')
  writeFileSync(join(folder, 'other.yaml'), vpc('other', '10.30.0.0/24'))
  const shown = await run('plan', ...selection, '--out', 'a.plan')
  expect([shown.code, shown.stderr]).toEqual([0, expect.not.stringContaining('lifted')])
  expect((await run('apply', 'a.plan')).code).toBe(0)
  expect(await recorded()).toMatchObject({ protected: true, on_remove: 'retain' })
  writeFileSync(join(folder, 'other.yaml'), vpc('other', '10.30.0.0/24').replace('of other', 'of another'))
  expect((await run('apply', '--auto-approve', ...selection)).code).toBe(0)
  expect(await recorded()).toMatchObject({ protected: true, on_remove: 'retain' })
  expect((await run('plan')).stderr).toContain('prevent_destroy is lifted')
})

test('what is left out may be protected more, and in the same plan no less', async () => {
  const { run, declare, recorded } = await protectedProject('lifecycle: { prevent_destroy: true }')
  declare('lifecycle: { on_remove: retain }')
  expect((await run('plan', '--exclude', 'Vpc/main', '--out', 'a.plan')).code).toBe(0)
  expect((await run('apply', 'a.plan')).code).toBe(0)
  expect(await recorded()).toMatchObject({ protected: true, on_remove: 'retain' })
})
