// Where lists show little more than names, whose an object is is told by single reads.
import { expect, test } from 'vitest'
import { manifest } from '../builders/project.ts'
import { operatingBench } from './operating-bench.ts'

test('boot disks are neither exported nor told as unmanaged, and other disks are', async () => {
  const web = manifest('Instance', 'web', 'type: PLAN\nplan: ryzen-4\nregion: fra-1')
  const { run, sandbox, url } = await operatingBench(web, { readings: { lists: 'slim' } })
  const unmanaged = async () => {
    const told: readonly { readonly kind: string; readonly name: string }[] = JSON.parse((await run(['drift', '--unmanaged', '--json'])).stdout).unmanaged
    return told.flatMap(({ kind, name }) => (kind === 'Disk' ? [name] : []))
  }
  const { disks } = sandbox.world.tables
  expect([disks.all().map((one) => one.boot), await unmanaged(), (await run(['export', '--kind', 'Disk'])).stdout]).toEqual([
    [true],
    [],
    expect.not.stringContaining('kind: Disk'),
  ])
  const headers = { authorization: `Bearer ${sandbox.token}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ name: 'data', size: 20 * 2 ** 30, backend: 'LOCAL', region: 'fra-1' })
  await fetch(`${url}/v1/workspaces/${sandbox.workspaceId}/disks`, { method: 'POST', headers, body })
  expect([await unmanaged(), (await run(['export', '--kind', 'Disk'])).stdout.match(/^kind: .*/gm)]).toEqual([['data'], ['kind: Disk']])
})
