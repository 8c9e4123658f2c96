// An afternoon with plans and nodes: which there are, what one of them costs, and the one that the workspace owns.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { manifest } from '../builders/project.ts'
import { newFolder } from '../cli/run-cli.ts'
import type { Desk } from './afternoon.ts'
import { afternoon } from './afternoon.ts'

const web = manifest('Instance', 'web', "name: web\ntype: PLAN\nplan: \"${lookup('Plan', 'ryzen-2').name}\"\nregion: fra-1")

test('Plans and nodes', async () => {
  const catalogue = join(newFolder(), 'catalogue.yaml')
  writeFileSync(catalogue, 'nodes: [{ name: own-1, group: RYZEN, region: PRIVATE_CLOUD, owner: default }]\n')
  const tell = async ({ user, staff, write, find }: Desk): Promise<void> => {
    expect(await user('get plans')).toMatch(/ryzen-2/)
    expect(await user('get nodes')).toMatch(/^own-1 /m)
    expect(await staff('api GET /v1/nodes')).toContain('"fra-1-ryzen-1"')
    write(web)
    await user('plan')
    expect(await user(`api GET /v1/plans/${(await find('plans', 'ryzen-2')).id}`)).toContain('"io_limits"')
    expect(await user(`api GET /v1/nodes/${(await find('nodes')).id}`)).toContain('"own-1"')
  }
  await afternoon('Plans and nodes', tell, ['--catalogue', catalogue])
})
