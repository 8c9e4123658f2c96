// A database whose replica takes over without the last commits: what the next run finds, and what it leaves alone, on a real server whose rows are put back to what they were.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSandbox } from '../../src/sandbox/sandbox.ts'
import { serveSandbox } from '../../src/sandbox/server.ts'
import { addressOf, postgresPrograms, startPostgres } from '../builders/postgres.ts'
import type { PostgresServer } from '../builders/postgres.ts'
import { newFolder, runCli, testsClock } from './run-cli.ts'
import type { Ran } from './run-cli.ts'

const project = `apiVersion: iac/v1
kind: Project
name: shop
state: { backend: postgres }
provider: { compat: { settle_window: 1s, read_grace: 1s } }
variables: { key: { type: string, sensitive: true } }
`
const cluster = 'apiVersion: iac/v1\nkind: K3sCluster\nmetadata: { name: main }\nspec: {}\n'
/** Its name is unique, so that the service takes no second one. */
const secret = '---\napiVersion: iac/v1\nkind: K3sSecret\nmetadata: { name: key }\nspec: { data: { key: "${vars.key}" } }\n'
/** Of which the service takes as many alike as are asked for. */
const vpc = (name: 'main' | 'former', description = ''): string =>
  `---\napiVersion: iac/v1\nkind: Vpc\nmetadata: { name: ${name} }\nspec: { name: ${name}, description: "${description}", range: 10.${name.length}.0.0/24 }\n`
const tables = ['states', 'resources', 'generations', 'journal', 'locks']
const apply = ['apply', '--auto-approve', '--lock-timeout', '30s'] as const

describe.runIf(postgresPrograms !== undefined)('a replica that takes over without the last commits', () => {
  let server: PostgresServer
  beforeAll(async () => void (server = await startPostgres()), 60_000)
  afterAll(() => server.stop())

  /** What the replica has: the rows as they are at this moment. */
  function replicate(): void {
    const copies = tables.map((table) => `CREATE TABLE replica.${table} AS TABLE iac.${table}`)
    server.sql(`BEGIN ISOLATION LEVEL REPEATABLE READ; DROP SCHEMA IF EXISTS replica CASCADE; CREATE SCHEMA replica; ${copies.join('; ')}; COMMIT`, 'tests')
  }
  /** It takes over: what was committed since is lost. Who held the lock then has a short lease, so that no test waits for it. */
  function failOver(): void {
    const put = tables.map((table) => `DELETE FROM iac.${table}; INSERT INTO iac.${table} TABLE replica.${table}`)
    server.sql(`BEGIN; ${put.join('; ')}; UPDATE iac.locks SET record = jsonb_set(record::jsonb, '{lease_ms}', '500')::text; COMMIT`, 'tests')
  }
  /** A project with a cluster, on a service and a database of its own; `sent` is what changed something since it was emptied. */
  async function shop() {
    server.sql('DROP SCHEMA IF EXISTS iac CASCADE', 'tests')
    const sandbox = createSandbox({ clock: testsClock, profile: 'instant' })
    const api = await serveSandbox({ sandbox })
    const folder = newFolder()
    const environment = { IAC_BASE_URL: api.url, IAC_STATE_URL: addressOf(server), IAC_VAR_key: 'a secret of the shop' }
    const sent: string[] = []
    let meet: ((request: string) => void) | undefined
    sandbox.faults.hook = ({ method, path }) => {
      if (method !== 'GET') sent.push(`${method} ${path}`)
      meet?.(`${method} ${path}`)
      return undefined
    }
    writeFileSync(join(folder, 'iac.yaml'), project)
    const declare = (...manifests: string[]): void => writeFileSync(join(folder, 'main.yaml'), [cluster, ...manifests].join(''))
    const iac = (...words: string[]): Promise<Ran> => runCli(words, { folder, environment, token: sandbox.token })
    /** An apply in the course of which something befalls the database once, with the first request that has these words. */
    async function meanwhile(words: string, what: () => void): Promise<void> {
      meet = (request) => {
        if (!request.includes(words)) return
        meet = undefined
        what()
      }
      expect(await iac(...apply)).toMatchObject({ code: 0 })
      expect(meet).toBeUndefined()
      sent.length = 0
    }
    declare()
    expect(await iac(...apply)).toMatchObject({ code: 0 })
    const names = (): readonly string[] => sandbox.world.tables.vpcs.all().map((one) => one.name)
    return { iac, declare, meanwhile, sent, names, close: () => api.close() }
  }

  test('but with the intents: the next run finds what they made, and makes nothing twice', async () => {
    const { iac, declare, meanwhile, sent, names, close } = await shop()
    declare(vpc('main'))
    await meanwhile('POST', replicate)
    failOver()
    expect((await iac('status')).stdout).toMatch(/Unfinished[^]*Vpc\/main +create/)
    expect(await iac(...apply)).toMatchObject({ code: 0 })
    expect(await iac('plan', '--detailed-exitcode')).toMatchObject({ code: 0 })
    expect([sent, names()]).toEqual([[], ['main']])
    expect((await iac('drift', '--unmanaged')).stdout).not.toContain('Vpc')
    await close()
  })

  test('and without the intents: what is unique is refused, of all else the plan warns, and nothing is destroyed', async () => {
    const { iac, declare, meanwhile, sent, names, close } = await shop()
    declare(vpc('main'), secret)
    await meanwhile('GET', replicate)
    failOver()
    const unmanaged = (await iac('drift', '--unmanaged')).stdout
    const [vpcId = '', secretId = ''] = [/Vpc +(\d+) +main/, /K3sSecret +(\d+) +key/].map((row) => row.exec(unmanaged)?.[1])
    const told = await iac('plan')
    expect(told.stderr).toMatch(new RegExp(`warning: Vpc/main: a Vpc like it exists already .* another one will be made[^]*iac import 'Vpc/main' ${vpcId}\n`))
    expect(told.stderr).toMatch(new RegExp(`error: K3sSecret/key: such a K3sSecret exists already[^]*iac import 'K3sSecret/key' ${secretId}\n`))
    expect([told.code, (await iac(...apply)).code, sent]).toEqual([3, 3, []])
    expect(await iac('import', 'Vpc/main', vpcId, '--lock-timeout', '30s')).toMatchObject({ code: 0 })
    expect(await iac('import', 'K3sSecret/key', secretId)).toMatchObject({ code: 0 })
    expect(await iac(...apply)).toMatchObject({ code: 0 })
    expect(await iac('plan', '--detailed-exitcode')).toMatchObject({ code: 0 })
    expect(sent.filter((one) => !one.startsWith('PUT'))).toEqual([])
    expect(names()).toEqual(['main'])
    await close()
  })

  test('of a change and a deletion: they are found done, and nothing is sent', async () => {
    const { iac, declare, meanwhile, sent, names, close } = await shop()
    declare(vpc('main'), vpc('former'))
    expect(await iac(...apply)).toMatchObject({ code: 0 })
    declare(vpc('main', 'changed'))
    await meanwhile('GET', replicate)
    failOver()
    expect(await iac(...apply)).toMatchObject({ code: 0 })
    expect(await iac('plan', '--detailed-exitcode')).toMatchObject({ code: 0 })
    expect([sent, names()]).toEqual([[], ['main']])
    await close()
  })

  test('in the middle of a run that goes on: its last write says all', async () => {
    const { iac, declare, meanwhile, sent, names, close } = await shop()
    declare(vpc('main'), secret)
    await meanwhile('POST', () => server.sql('DELETE FROM iac.journal WHERE line = (SELECT max(line) FROM iac.journal)', 'tests'))
    expect(await iac('plan', '--detailed-exitcode')).toMatchObject({ code: 0 })
    expect(await iac(...apply)).toMatchObject({ code: 0 })
    expect([sent, names()]).toEqual([[], ['main']])
    await close()
  })
})
