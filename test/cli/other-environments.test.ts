// Two environments of one project in one workspace: what the state of one holds is not called nobody's by the other, and not taken over by it.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { keptRuns } from '../builders/kept-runs.ts'
import { manifest } from '../builders/project.ts'
import { operatingBench } from './operating-bench.ts'
import { newFolder, runCli } from './run-cli.ts'
import type { Ran } from './run-cli.ts'

const file = (more = ''): string => `apiVersion: iac/v1\nkind: Project\nname: shop\nenvironments: { staging: {}, production: {} }\n${more}`
const plain = manifest('Vpc', 'plain', 'name: plain-2\ndescription: d\nrange: 10.1.0.0/24')
const session = manifest('BgpConfiguration', 'main', 'asn: 64512')

interface Shop {
  readonly folder: string
  readonly run: (...words: string[]) => Promise<Ran>
  /** The id that an environment records, the project's own state without one. */
  readonly idIn: (environment: string | undefined, address?: string) => Promise<string>
}

/** A project with two environments of which some are applied; an empty name is the project's own state. */
async function shop(applied: readonly string[], text = plain): Promise<Shop> {
  const folder = newFolder()
  writeFileSync(join(folder, 'iac.yaml'), file())
  writeFileSync(join(folder, 'main.yaml'), text)
  const run = (...words: string[]): Promise<Ran> => runCli([...words, '--sandbox'], { folder })
  for (const name of applied) {
    const made = await run('apply', '--auto-approve', ...(name === '' ? [] : ['-e', name]))
    expect(made.code, made.stderr).toBe(0)
  }
  const idIn: Shop['idIn'] = async (environment, address = 'Vpc/plain') => {
    const listed = await run('state', 'list', '--json', ...(environment === undefined ? [] : ['-e', environment]))
    const all: { readonly address: string; readonly id: string }[] = JSON.parse(listed.stdout)
    return all.find((one) => one.address === address)?.id ?? ''
  }
  return { folder, run, idIn }
}

const home = 'give it another name in this environment, or each environment a workspace of its own'

describe('what is operated by hand', () => {
  test('is that of the environment at hand: of another one it is refused, before anything is sent', async () => {
    const server = manifest('Instance', 'web', 'type: PLAN\nplan: ryzen-4\nregion: fra-1\npower: "ON"')
    const { run, idIn } = await shop(['staging'], server)
    const id = await idIn('staging', 'Instance/web')
    for (const words of [['Instance/web', '-e', 'production'], ['Instance/web'], [`Instance/${id}`]]) {
      const { code, stderr } = await run('power', ...words, 'off', '--auto-approve')
      expect([code, stderr]).toEqual([3, expect.stringContaining(`is Instance/web of the environment staging: "power off" belongs under its lock`)])
      expect(stderr).toContain('give the command -e staging')
    }
    expect(JSON.parse((await run('get', 'Instance', 'web', '--json')).stdout).online).toBe(true)
    expect((await run('power', 'Instance/web', 'off', '--auto-approve', '-e', 'staging')).code).toBe(0)
  })
})

describe('a plan', () => {
  test('says whose an object like a new one is, and not how to take it over', async () => {
    const { run, idIn } = await shop(['staging'])
    const { stderr, code } = await run('plan', '-e', 'production')
    expect(code).toBe(0)
    expect(stderr).toContain(
      `Vpc/plain: a Vpc like it exists already (id ${await idIn('staging')}) and is managed by the environment staging; another one will be made`,
    )
    expect(stderr).toContain(home)
    expect(stderr).not.toMatch(/iac import|in no state|delete/)
  })
  test('says it of a managed one, and does not ask to delete the other', async () => {
    const { run, idIn } = await shop(['staging', 'production'])
    const { stderr } = await run('plan', '-e', 'staging')
    const [theirs, ours] = [await idIn('production'), await idIn('staging')]
    expect(stderr).toContain(`Vpc/plain: a Vpc like it (id ${theirs}) is managed by the environment production; the one that is managed here has id ${ours}`)
    expect(stderr).toContain(home)
    expect(stderr).not.toMatch(/in no state|delete/)
  })
  test("says it of the project's own state, and of what is unique", async () => {
    const { run } = await shop([''], plain + session)
    const { stderr, code } = await run('plan', '-e', 'staging')
    expect(code).toBe(3)
    expect(stderr).toMatch(/BgpConfiguration\/main: such a BgpConfiguration exists already \(id \d+\) and is managed by the project's own state\n/)
    expect(stderr).toContain('give each environment a workspace of its own')
    expect(stderr).toContain("and is managed by the project's own state; another one will be made")
    expect(stderr).not.toMatch(/iac import|in no state/)
  })
  test('says which state could not be read, and does not ask to delete anything', async () => {
    const { folder, run } = await shop(['staging', 'production'])
    const path = join(folder, '.iac/sandbox/state-production.json')
    writeFileSync(path, `${readFileSync(path, 'utf8')} damaged`)
    const both = await run('plan', '-e', 'staging')
    expect(both.stderr).toContain(
      'is in no state of this environment (the state of the environment production could not be read); the one that is managed has id',
    )
    expect(both.stderr).not.toContain('delete')
    expect((await run('state', 'rm', 'Vpc/plain', '-e', 'staging')).code).toBe(0)
    const none = await run('plan', '-e', 'staging')
    expect(none.stderr).toContain('is in no state of this environment (the state of the environment production could not be read); another one will be made')
    expect(none.stderr).toContain("if nothing there manages it, take it over with: iac import -e staging --sandbox 'Vpc/plain'")
  })
  test('is told again only as long as no other state has a part in it', async () => {
    const bench = await operatingBench('')
    const options = { build: 'one' }
    writeFileSync(join(bench.folder, 'iac.yaml'), file())
    writeFileSync(join(bench.folder, 'main.yaml'), plain)
    const kept = () => keptRuns(join(bench.folder, 'home'))
    expect((await bench.run(['apply', '--auto-approve', '-e', 'staging'], options)).code).toBe(0)
    expect((await bench.run(['plan', '-e', 'staging'], options)).code).toBe(0)
    expect(kept()).toHaveLength(1)
    expect((await bench.run(['apply', '--auto-approve', '-e', 'production'], options)).code).toBe(0)
    const warned = (await bench.run(['plan', '-e', 'production'], options)).stderr
    expect(warned).toContain('managed by the environment staging')
    expect(kept()).toHaveLength(1)
    expect((await bench.run(['state', 'rm', 'Vpc/plain', '-e', 'staging'], options)).code).toBe(0)
    expect((await bench.run(['plan', '-e', 'production'], options)).stderr).toContain('is in no state')
  })
  test('without anything to say of others reads none of their states', async () => {
    const { folder, run } = await shop(['staging'])
    mkdirSync(join(folder, '.iac/sandbox/state-production.json'))
    expect(await run('plan', '-e', 'staging')).toMatchObject({ code: 0, stderr: '' })
  })
})

describe('an import', () => {
  test('of what another environment manages is refused, by manifests too', async () => {
    const { folder, run, idIn } = await shop(['staging'])
    const id = await idIn('staging')
    const says = `Vpc/plain: the environment staging manages the Vpc with id ${id}`
    const refused = await run('import', 'Vpc/plain', id, '-e', 'production')
    expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining(says) })
    expect(refused.stderr).toContain("iac state rm -e staging --sandbox 'Vpc/plain'")
    writeFileSync(join(folder, 'main.yaml'), plain.replace('name: plain', `name: plain\n  import: { id: "${id}" }`))
    expect(await run('plan', '-e', 'production')).toMatchObject({ code: 3, stderr: expect.stringContaining(says) })
    expect((await run('state', 'rm', 'Vpc/plain', '-e', 'staging')).code).toBe(0)
    expect((await run('import', 'Vpc/plain', id, '-e', 'production')).code).toBe(0)
  })
  test('that was planned before another environment took the object is refused', async () => {
    const { folder, run, idIn } = await shop(['staging'])
    const id = await idIn('staging')
    expect((await run('state', 'rm', 'Vpc/plain', '-e', 'staging')).code).toBe(0)
    writeFileSync(join(folder, 'main.yaml'), plain.replace('name: plain', `name: plain\n  import: { id: "${id}" }`))
    expect((await run('plan', '-e', 'production', '--out', 'saved')).code).toBe(0)
    expect((await run('import', 'Vpc/plain', id, '-e', 'staging')).code).toBe(0)
    expect(await run('apply', 'saved', '-e', 'production')).toMatchObject({
      code: 6,
      stderr: expect.stringContaining(`the environment staging manages the Vpc with id ${id} by now`),
    })
  })
  test('is made with a warning where another state could not be read', async () => {
    const { folder, run, idIn } = await shop(['staging'])
    const id = await idIn('staging')
    writeFileSync(join(folder, '.iac/sandbox/state-staging.json'), '{')
    const made = await run('import', 'Vpc/plain', id, '-e', 'production')
    const says = `the state of the environment staging could not be read: it may manage the Vpc with id ${id}`
    expect(made).toMatchObject({ code: 0, stderr: expect.stringContaining(says) })
    expect((await run('state', 'rm', 'Vpc/plain', '-e', 'production')).code).toBe(0)
    writeFileSync(join(folder, 'main.yaml'), manifest('Vpc', 'other', 'name: other\ndescription: d\nrange: 10.3.0.0/24'))
    const mine = await run('import', '--generate', 'Vpc/mine', id, '-e', 'production')
    expect(mine).toMatchObject({ code: 0, stderr: expect.stringContaining(says) })
  })
  test('of all takes nothing of another environment, and nothing where its state could not be read', async () => {
    const { folder, run, idIn } = await shop(['staging'])
    writeFileSync(join(folder, 'main.yaml'), manifest('Vpc', 'other', 'name: other\ndescription: d\nrange: 10.3.0.0/24'))
    const all = await run('import', '--all', '--kind', 'Vpc', '--json', '-e', 'production')
    const left = { kind: 'Vpc', id: await idIn('staging'), why: 'it is managed by the environment staging', hint: null }
    expect(JSON.parse(all.stdout)).toEqual([{ left_out: left }])
    expect((await run('import', '--all', '--kind', 'Vpc', '-e', 'production')).stdout).toBe('Nothing to import: what is not managed here is left out.\n')
    const one = await run('import', '--generate', 'Vpc/mine', left.id, '-e', 'production')
    expect(one).toMatchObject({ code: 3, stderr: expect.stringContaining('Vpc/mine: it is managed by the environment staging') })
    writeFileSync(join(folder, '.iac/sandbox/state-staging.json'), '{')
    expect(await run('import', '--all', '-e', 'production')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('the state of the environment staging could not be read'),
    })
  })
})

test('drift --unmanaged does not list what another environment manages', async () => {
  const { folder, run, idIn } = await shop(['staging', 'production'])
  const text = (await run('drift', '--unmanaged', '-e', 'production')).stdout
  expect(text).not.toContain(await idIn('staging'))
  expect(text).toContain('1 object is managed by the environment staging.\n')
  const document = JSON.parse((await run('drift', '--unmanaged', '--json', '-e', 'production')).stdout)
  expect(document.managed_elsewhere).toEqual([{ kind: 'Vpc', id: await idIn('staging'), name: 'plain-2', environment: 'staging' }])
  expect(document.unmanaged.map((one: { readonly kind: string }) => one.kind)).not.toContain('Vpc')
  writeFileSync(join(folder, '.iac/sandbox/state-staging.json'), '{')
  const unread = (await run('drift', '--unmanaged', '-e', 'production')).stdout
  expect(unread).toContain('In no state of this environment (the state of the environment staging could not be read):')
})
