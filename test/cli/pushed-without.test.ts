// A state that is put in place by hand and holds less than the one before: what it lets go is named.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder, runCli } from './run-cli.ts'

const vpc = (name: string): string =>
  `apiVersion: iac/v1\nkind: Vpc\nmetadata: { name: ${name} }\nspec: { name: ${name}, description: "", range: 10.1.0.0/24 }\n---\n`

test('what an older pull with a raised serial lets go is named with its ids; a new address alone lets nothing go', async () => {
  const folder = newFolder()
  const iac = (...words: string[]) => runCli([...words, '--sandbox'], { folder })
  const manifests = (...names: string[]): void => writeFileSync(join(folder, 'main.yaml'), names.map(vpc).join(''))
  const pulled = async () => JSON.parse((await iac('state', 'pull')).stdout)
  const push = async (state: unknown) => {
    writeFileSync(join(folder, 'edited.json'), JSON.stringify(state))
    return await iac('state', 'push', 'edited.json')
  }
  manifests('net-one')
  expect(await iac('apply', '--auto-approve')).toMatchObject({ code: 0 })
  const older = await pulled()
  manifests('net-one', 'net-two')
  expect(await iac('apply', '--auto-approve')).toMatchObject({ code: 0 })
  const newer = await pulled()
  const two = newer.resources.find((one: { readonly address: string }) => one.address === 'Vpc/net-two')

  const silent = await push({ ...newer, resources: newer.resources.map((one: unknown) => (one === two ? { ...two, address: 'Vpc/net-zwei' } : one)) })
  expect(silent).toMatchObject({ code: 0, stderr: 'the state was replaced\n' })
  const told = await push({ ...older, serial: newer.serial + 1 })
  expect(told).toMatchObject({ code: 0, stderr: expect.stringContaining(`edited.json does not hold what the state held until now: Vpc/net-zwei (${two.id})`) })
  expect(told.stderr).toContain('the next apply makes it once more')
  // As the message says.
  expect(await iac('state', 'restore', '--auto-approve')).toMatchObject({ code: 0 })
  expect((await pulled()).resources.map((one: { readonly id: string }) => one.id)).toContain(two.id)
})
