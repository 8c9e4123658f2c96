// `iac graph`: the edges that a plan has, those that kinds imply included.
import { cpSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { boxes, crossings, followed } from '../builders/drawn-graph.ts'
import { manifest } from '../builders/project.ts'
import { all, cluster, instance, service } from '../scenarios/stage.ts'
import { newFolder, runCli } from './run-cli.ts'

test('shows what each change of a plan requires', async () => {
  const folder = newFolder()
  writeFileSync(join(folder, 'main.yaml'), all(cluster('A: b'), service('shop')))
  const { edges } = JSON.parse((await runCli(['graph', '--json'], { folder })).stdout)
  const { changes } = JSON.parse((await runCli(['plan', '--json', '--sandbox'], { folder })).stdout)
  const shown = edges.map((one: { readonly from: string; readonly to: string }) => `${one.from} ${one.to}`)
  const planned = changes.flatMap((one: { readonly address: string; readonly requires: readonly string[] }) =>
    one.requires.map((need) => `${one.address} ${need}`),
  )
  expect(shown).toContain('K3sNode/worker K3sCluster/main')
  expect(shown.toSorted()).toEqual(planned.toSorted())
})

test('shows no edge that a plan leaves out: a server waits for a key unless that waits for it', async () => {
  const folder = newFolder()
  const key = (name: string, bytes: string, metadata = ''): string => manifest('SshKey', name, `public_key: ssh-ed25519 ${bytes}`, metadata)
  const waiting = key('deploy', 'AAAAC3NzaC1lZDI1NTE5AAAAILe9VcEbeBsMzEOqblf52t8GYOnR1OJ+CXnuQ6QH1FSu', 'depends_on: [Instance/web]')
  const other = key('laptop', 'AAAAC3NzaC1lZDI1NTE5AAAAIF7sDcQZqoM3v3JfAm/anHjByxxkLur/nW4REvN3g+lC')
  writeFileSync(join(folder, 'main.yaml'), all(instance('web'), waiting, other))
  const { edges } = JSON.parse((await runCli(['graph', '--json'], { folder })).stdout)
  expect(edges).toMatchObject([
    { from: 'Instance/web', to: 'SshKey/laptop' },
    { from: 'SshKey/deploy', to: 'Instance/web' },
  ])
})

const examples = join(import.meta.dirname, '../../examples')
test.each(readdirSync(examples))('draws the example %s without a line through a box, with every edge', async (name) => {
  const options = {
    folder: newFolder(),
    environment: { IAC_VAR_db_password: 'correct horse battery', IAC_VAR_session_password: 'correct horse staple' },
  }
  cpSync(join(examples, name), options.folder, { recursive: true })
  const { edges } = JSON.parse((await runCli(['graph', '--json'], options)).stdout)
  const { stdout } = await runCli(['graph', '--format', 'svg'], options)
  expect(crossings(stdout)).toEqual([])
  const drawn = followed(stdout).map((line) => line.replaceAll('&#34;', '"'))
  const titles = boxes(stdout).map((one) => one.title.replaceAll('&#34;', '"'))
  const boxOf = (address: string): string | undefined => titles.find((title) => title.split(', ').includes(address))
  const wanted = new Set(edges.map((one: { readonly from: string; readonly to: string }) => `${boxOf(one.from)} ${boxOf(one.to)}`))
  expect(drawn.toSorted()).toEqual([...wanted].toSorted())
})
