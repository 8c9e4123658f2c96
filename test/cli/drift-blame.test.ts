// `iac drift --blame`: which workflow changed what drifted, and that nobody is blamed where none tells.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { allSchemas } from '../../src/cli/documents/json-schema.ts'
import { kinds } from '../../src/kinds/registry.ts'
import { schemaProblems } from '../builders/schema-problems.ts'
import type { Ran } from './run-cli.ts'
import { newFolder, runCli, testsClock } from './run-cli.ts'

const manifests = `apiVersion: iac/v1
kind: Instance
metadata: { name: web }
spec: { type: PLAN, plan: ryzen-4, region: fra-1, power: "ON" }
---
apiVersion: iac/v1
kind: Instance
metadata: { name: other }
spec: { type: PLAN, plan: ryzen-2, region: fra-1, power: "ON" }
---
apiVersion: iac/v1
kind: Disk
metadata: { name: data }
spec: { name: data, size: 10GiB, backend: LOCAL, region: fra-1, instance: other }
---
apiVersion: iac/v1
kind: Vpc
metadata: { name: main }
spec: { name: main-net, description: net, range: 10.0.0.0/24 }
---
apiVersion: iac/v1
kind: DhcpSettings
metadata: { name: web }
spec: { instance: web, enabled: true }
`

interface Applied {
  readonly run: (...words: string[]) => Promise<Ran>
  readonly idOf: (address: string) => string
}

const listed = z.array(z.object({ address: z.string(), id: z.string() }))

/** The manifests applied, and so much time gone that clocks that are known to the second tell what came later. */
async function applied(): Promise<Applied> {
  const folder = newFolder()
  writeFileSync(join(folder, 'main.yaml'), manifests)
  const run = (...words: string[]): Promise<Ran> => runCli([...words, '--sandbox'], { folder })
  expect((await run('apply', '--auto-approve')).code).toBe(0)
  const ids = new Map(listed.parse(JSON.parse((await run('state', 'list', '--json')).stdout)).map((one) => [one.address, one.id]))
  await testsClock.sleep(2100)
  return { run, idOf: (address) => ids.get(address) ?? '' }
}

const blamed = z.object({
  blame: z.object({
    since: z.string(),
    objects: z.array(
      z.object({ address: z.string(), workflows: z.array(z.looseObject({ name: z.string(), state: z.string(), certain: z.boolean(), id: z.string() })) }),
    ),
  }),
})

test('names the workflow on what drifted, and says where none tells', async () => {
  const { run, idOf } = await applied()
  expect(await run('drift', '--blame')).toMatchObject({ code: 0, stdout: 'No drift. What is live matches what was last applied.\n' })
  const power = JSON.parse((await run('api', 'POST', `/v1/instances/${idOf('Instance/web')}/power`, '-f', 'action=POWER_OFF', '--wait')).stdout)
  await run('api', 'POST', `/v1/disks/${idOf('Disk/data')}/detach`, '--wait')
  await run('api', 'PATCH', `/v1/vpcs/${idOf('Vpc/main')}`, '-f', 'description=mine')
  await run('api', 'DELETE', `/v1/instances/${idOf('Instance/other')}`, '--wait', '--auto-approve')

  const told = await run('drift', '--blame')
  expect(told.code).toBe(2)
  expect(told.stdout).toMatch(/^Workflows on what drifted \(since iac last applied or imported, \d{4}-\d\d-\d\d [\d:]{8} UTC\):$/m)
  expect(told.stdout).toMatch(new RegExp(`^ {2}Instance/web\\n {4}instance\\.power +COMPLETED +[-\\d]{10} [\\d:]{8} +${power.id}$`, 'm'))
  expect(told.stdout).toMatch(/^ {2}Disk\/data\n {4}disk\.detach +COMPLETED .* perhaps: it names no object$/m)
  expect(told.stdout).toMatch(/^ {2}Vpc\/main\n {4}no workflow tells$/m)
  expect(told.stdout).toMatch(/^ {2}Instance\/other\n {4}instance\.delete +COMPLETED /m)

  const { stdout } = await run('drift', '--blame', '--json')
  expect(schemaProblems(allSchemas(kinds)['drift.schema.json'] ?? {}, JSON.parse(stdout))).toEqual([])
  const { objects } = blamed.parse(JSON.parse(stdout)).blame
  expect(objects.find((one) => one.address === 'Instance/web')?.workflows).toMatchObject([
    { id: power.id, name: 'instance.power', state: 'COMPLETED', certain: true },
  ])
  expect(JSON.parse((await run('drift', '--json')).stdout)).toMatchObject({ blame: null })

  // What only moves records about is no apply: the same workflows are told of still.
  await run('state', 'mv', 'Vpc/main', 'Vpc/moved')
  expect((await run('drift', '--blame')).stdout).toMatch(/^ {2}Instance\/web\n {4}instance\.power /m)
  // Nor is what somebody does by hand with iac, which is recorded: it is no drift, and what else was done is told still.
  await run('power', 'Instance/web', 'on')
  const after = (await run('drift', '--blame')).stdout
  expect(after).toMatch(/^ {2}Disk\/data\n {4}disk\.detach /m)
  expect(after).not.toMatch(/^ {2}Instance\/web$/m)
  await run('power', 'Instance/web', 'off', '--auto-approve')
  expect((await run('drift', '--blame')).stdout).not.toMatch(/^ {2}Instance\/web$/m)
  // After the next apply nothing of it is told again.
  await run('state', 'mv', 'Vpc/moved', 'Vpc/main')
  expect((await run('apply', '--auto-approve')).code).toBe(0)
  await testsClock.sleep(2100)
  await run('api', 'PATCH', `/v1/vpcs/${idOf('Vpc/main')}`, '-f', 'description=again')
  expect((await run('drift', '--blame')).stdout).toMatch(/^ {2}Vpc\/main\n {4}no workflow tells\n\nWhat is changed at once/m)
})

test('what has the id of its instance is not blamed on what was done with that', async () => {
  const { run, idOf } = await applied()
  await run('api', 'POST', `/v1/instances/${idOf('Instance/web')}/power`, '-f', 'action=POWER_CYCLE', '--wait')
  await run('api', 'DELETE', `/v1/instances/${idOf('Instance/web')}/dhcp`, '--wait', '--auto-approve')
  const { stdout } = await run('drift', '--blame')
  expect(stdout).toMatch(/^ {2}DhcpSettings\/web\n {4}dhcp\.reset .* perhaps: it names no object\n\n/m)
  expect(stdout).not.toContain('instance.power')
})
