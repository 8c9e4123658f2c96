// `iac graph`: the edges that a plan has, those that kinds imply included.
import { cpSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { boxes, crossings, followed } from '../builders/drawn-graph.ts'
import { all, cluster, service } from '../scenarios/stage.ts'
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
