// `iac import --all` and `--generate` beside manifests that describe what is live and were never recorded: no second manifest is made of it.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { manifest } from '../builders/project.ts'
import { newFolder, runCli } from './run-cli.ts'
import type { Ran } from './run-cli.ts'

interface Forgetful {
  readonly folder: string
  readonly run: (...words: string[]) => Promise<Ran>
  /** The id of an object that was made under an address. */
  readonly idOf: (address: string) => string
}

/** A project that was applied and whose state forgot these addresses. */
async function forgetful(text: string, addresses: readonly string[]): Promise<Forgetful> {
  const folder = newFolder()
  writeFileSync(join(folder, 'main.yaml'), text)
  const run = (...words: string[]): Promise<Ran> => runCli([...words, '--sandbox'], { folder })
  const made = await run('apply', '--auto-approve')
  expect(made.code, made.stderr).toBe(0)
  const recorded: { readonly address: string; readonly id: string }[] = JSON.parse((await run('state', 'list', '--json')).stdout)
  for (const address of addresses) expect((await run('state', 'rm', address)).code).toBe(0)
  return { folder, run, idOf: (address) => recorded.find((one) => one.address === address)?.id ?? '' }
}

const net = (name: string, metadata = ''): string => manifest('Vpc', name, `name: ${name}-2\ndescription: d\nrange: 10.1.0.0/24`, metadata)
const server = (name: string, more = '', metadata = ''): string => manifest('Instance', name, `type: PLAN\nplan: ryzen-4\nregion: fra-1\n${more}`, metadata)
const takenOver = 'Nothing to import: what is not managed here is left out.\n'

test.each([
  ['Instance', 'Instance/webserver', server('webserver')],
  ['Vpc', 'Vpc/plain', net('plain')],
])('%s: what a manifest describes is left to it, with the command that takes it over', async (kind, address, text) => {
  const { folder, run, idOf } = await forgetful(text, [address])
  const id = idOf(address)
  const all = await run('import', '--all', '--kind', kind)
  expect(all).toMatchObject({ code: 0, stdout: takenOver })
  expect(all.stderr.split('\n')).toEqual([`${kind} left out: ${address} describes it: ${id}`, `take it over with: iac import --sandbox '${address}' ${id}`, ''])
  expect(JSON.parse((await run('import', '--all', '--kind', kind, '--json')).stdout)).toEqual([
    { left_out: { kind, id, why: `${address} describes it`, hint: `take it over with: iac import --sandbox '${address}' ${id}` } },
  ])
  expect(existsSync(join(folder, `${kind.toLowerCase()}s.yaml`))).toBe(false)
  const generated = await run('import', '--generate', `${kind}/other`, id)
  expect(generated).toMatchObject({ code: 3, stderr: expect.stringContaining(`error: ${kind}/other: ${address} describes it`) })
  expect(generated.stderr).toContain(`iac import --sandbox '${address}' ${id}`)
  expect((await run('plan')).stdout).toContain('Plan: 1 to add')
  expect(await run('import', address, id)).toMatchObject({ code: 0 })
  expect((await run('plan')).stdout).toContain('No changes.')
})

test('what hangs on such an object is known by it, and what no manifest describes is imported', async () => {
  const texts = [net('main'), server('web'), manifest('VpcAttachment', 'pair', 'instance: web\nvpc: main'), server('other')]
  const { folder, run, idOf } = await forgetful(texts.join(''), ['VpcAttachment/pair', 'Instance/web', 'Vpc/main', 'Instance/other'])
  writeFileSync(join(folder, 'main.yaml'), texts.slice(0, 3).join(''))
  const all = await run('import', '--all', '--kind', 'Instance', '--kind', 'Vpc', '--kind', 'VpcAttachment')
  expect(all).toMatchObject({ code: 0, stdout: 'Import successful! 1 object now managed.\n' })
  for (const address of ['Vpc/main', 'Instance/web']) expect(all.stderr).toContain(`iac import --sandbox '${address}' ${idOf(address)}\n`)
  expect(existsSync(join(folder, 'vpcattachments.yaml'))).toBe(false)
  for (const address of ['Vpc/main', 'Instance/web', 'VpcAttachment/pair']) expect((await run('import', address, idOf(address))).code).toBe(0)
  expect((await run('plan')).stdout).toContain('No changes.')
})

test('where several fit, none is chosen', async () => {
  const { folder, run, idOf } = await forgetful(server('web') + server('twin', 'name: web'), ['Instance/web', 'Instance/twin'])
  const ids = [idOf('Instance/twin'), idOf('Instance/web')].toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1))
  const all = await run('import', '--all', '--kind', 'Instance')
  expect(all).toMatchObject({ code: 0, stdout: takenOver })
  expect(all.stderr).toContain(`Instance left out: each of Instance/twin, Instance/web describes it: ${ids.join(', ')}\n`)
  expect(all.stderr).toContain('take it over under one of them with: iac import --sandbox ADDRESS ID\n')
  // One manifest, and two objects that are as it says.
  writeFileSync(join(folder, 'main.yaml'), server('web'))
  const one = await run('import', '--all', '--kind', 'Instance')
  expect(one).toMatchObject({ code: 0, stdout: takenOver })
  expect(one.stderr).toContain(`Instance left out: Instance/web describes each of several: ${ids.join(', ')}\n`)
  for (const id of ids) expect(one.stderr).toContain(`iac import --sandbox 'Instance/web' ${id}\n`)
})

test('what is described by a for_each is left to it, and what is folded has a name that no manifest has', async () => {
  const texts = (...keys: readonly string[]): string =>
    manifest(
      'Vpc',
      'app',
      `name: "app-\${each.key}"\ndescription: '\${each.key in ["a", "bb"] ? "one" : "two"}'\nrange: "10.\${size(each.key)}.0.0/24"`,
      `for_each: [${keys.join(', ')}]`,
    )
  const { folder, run, idOf } = await forgetful(texts('a', 'bb', 'ccc', 'dddd'), ['Vpc/app["a"]', 'Vpc/app["ccc"]', 'Vpc/app["dddd"]'])
  writeFileSync(join(folder, 'main.yaml'), texts('a', 'bb'))
  const all = await run('import', '--all', '--kind', 'Vpc')
  expect(all.stderr).toContain(`iac import --sandbox 'Vpc/app["a"]' ${idOf('Vpc/app["a"]')}\n`)
  expect(all).toMatchObject({ code: 0, stdout: 'Import successful! 2 objects now managed.\n' })
  expect(readFileSync(join(folder, 'vpcs.yaml'), 'utf8')).not.toContain('  name: app\n')
  expect((await run('import', 'Vpc/app["a"]', idOf('Vpc/app["a"]'))).code).toBe(0)
  expect((await run('plan')).stdout).toContain('No changes.')
})
