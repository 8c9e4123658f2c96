// A state that machines share: runs that are killed, on a machine whose disk goes with them, and the next one from another folder.
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { startHttpStates, statesFolder, testUser } from '../builders/http-state-server.ts'
import { longForm, sample, seedFor } from '../builders/long-form.ts'
import { addressOf, postgresPrograms, startPostgres } from '../builders/postgres.ts'
import { randomOf } from '../builders/random-of.ts'
import { bucketName, startS3, testKeys } from '../builders/s3-server.ts'
import type { Ended } from './program.ts'
import { createWorld } from './world.ts'
import type { Moment, World } from './world.ts'

const manifests = `apiVersion: iac/v1
kind: Vpc
metadata: { name: main }
spec: { name: main, description: "", range: 10.1.0.0/24 }
---
apiVersion: iac/v1
kind: Instance
metadata: { name: node, for_each: [a, b, c] }
spec: { type: PLAN, plan: lightning-1, region: fra-1, firewall_enabled: true, vpcs: [main] }
---
apiVersion: iac/v1
kind: Disk
metadata: { name: data }
spec: { size: 20GiB, backend: LOCAL, region: fra-1, instance: 'node["a"]' }
`
const moments: readonly Moment[] = ['before', 'after', 'answered']
const apply = ['apply', '--auto-approve']
const stateSchema = z.object({ resources: z.array(z.object({ address: z.string(), status: z.string() })) })

/** Where states lie that are shared: what a run is told of it, and all that is kept there as text. */
interface Shared {
  readonly settings: string
  readonly environment: Readonly<Record<string, string>>
  dump(): string
  close(): Promise<void>
}

async function database(): Promise<Shared> {
  const server = await startPostgres()
  const texts = (column: string): string =>
    server.sql(`SELECT string_agg(${column}, chr(10)) FROM iac.${column === 'record' ? 'resources' : 'journal'}`, 'tests')
  return {
    settings: '{ backend: postgres }',
    environment: { IAC_STATE_URL: addressOf(server) },
    dump: () => texts('record') + texts('entries'),
    close: () => server.stop(),
  }
}

async function bucket(): Promise<Shared> {
  const server = await startS3()
  return {
    settings: `{ backend: s3, bucket: ${bucketName}, endpoint: '${server.origin}' }`,
    environment: { AWS_ACCESS_KEY_ID: testKeys.accessKeyId, AWS_SECRET_ACCESS_KEY: testKeys.secretAccessKey },
    dump: () => [...server.objects.values()].join('\n'),
    close: () => server.close(),
  }
}

async function server(): Promise<Shared> {
  const states = await startHttpStates('gitlab')
  const { username, password } = testUser
  return {
    // Each project has a state of its own there.
    settings: `{ backend: http, address: '${states.origin}${statesFolder}/NAME', lock_address: '${states.origin}${statesFolder}/NAME/lock', unlock_address: '${states.origin}${statesFolder}/NAME/lock', lock_method: POST, unlock_method: DELETE }`,
    environment: { TF_HTTP_USERNAME: username, TF_HTTP_PASSWORD: password, IAC_STATE_HOST: new URL(states.origin).host },
    dump: () => [...states.states.values()].flatMap(({ versions }) => [...versions.values()]).join('\n'),
    close: () => states.close(),
  }
}

const places = [['a bucket', bucket] as const, ['a server', server] as const, ...(postgresPrograms === undefined ? [] : [['a database', database] as const])]

describe.each(places)('a state in %s', { timeout: 900_000 }, (_, open) => {
  let shared: Shared
  let names = 0
  beforeAll(async () => void (shared = await open()), 60_000)
  afterAll(() => shared.close())

  async function startWorld(): Promise<World> {
    const world = await createWorld({ environment: { ...shared.environment, IAC_LOCK_LEASE: '5s' } })
    names += 1
    writeProject(world, `p${names}`, shared.settings.replaceAll('NAME', `p${names}`))
    return world
  }

  /** What a run on another machine ends with, and what is wrong afterwards. */
  async function problemsElsewhere(world: World): Promise<readonly string[]> {
    rmSync(join(world.folder, '.iac'), { recursive: true, force: true })
    rmSync(join(world.folder, '../home'), { recursive: true, force: true })
    mkdirSync(join(world.folder, '../home'), { mode: 0o700 })
    const rerun = await world.run([...apply, '--lock-timeout', '30s'])
    if (rerun.code !== 0) return [`the rerun ended with ${rerun.code}: ${rerun.stderr.slice(-1500)}`]
    const planned = await world.look('plan', '--detailed-exitcode')
    const { resources } = stateSchema.parse(JSON.parse((await world.look('state', 'pull')).stdout))
    const { instances, disks, vpcs } = world.sandbox.world.tables
    const counts = [instances.all().length, disks.all().filter((one) => !one.boot).length, vpcs.all().length]
    return [
      ...(planned.code === 0 ? [] : [`the plan answers ${planned.code}: ${planned.stdout}${planned.stderr}`]),
      ...(String(counts) === '3,1,1' ? [] : [`there are ${String(counts)}`]),
      ...(resources.length === 5 && resources.every((one) => one.status === 'ready') ? [] : [JSON.stringify(resources)]),
    ]
  }

  test('outlives kill -9 at any effect, with the disk of the machine', async () => {
    const whole = await startWorld()
    let effects = 0
    whole.sandbox.faults.hook = ({ method }) => void (effects += method === 'GET' ? 0 : 1)
    expect((await whole.run(apply)).code).toBe(0)
    await whole.close()
    expect(effects).toBeGreaterThan(5)
    const all = Array.from({ length: effects }, (_, at) => moments.map((moment) => ({ at: at + 1, moment }))).flat()
    const problems: string[] = []
    for (const { at, moment } of sample(all, longForm(10, 3), randomOf(seedFor('shared state')))) {
      const world = await startWorld()
      const ended = await killedAt(world, at, moment)
      const found = [...(ended.signal === 'SIGKILL' ? [] : ['it was not killed']), ...(await problemsElsewhere(world))]
      problems.push(...found.map((one) => `effect ${at}, ${moment}: ${one}`))
      await world.close()
    }
    expect(problems).toEqual([])
  })

  test('is there for everybody, with its lock, its history and nothing in the folder; no secret lies in it', async () => {
    const world = await startWorld()
    expect((await world.look('status')).stdout).toContain('State: none yet')
    expect((await world.run(apply)).code).toBe(0)
    expect((await world.look('state', 'list')).stdout).toContain('Disk/data')
    expect((await world.look('state', 'history')).stdout).toMatch(/^\s*\d+/m)
    expect((await world.run(['destroy', '--auto-approve'])).code).toBe(0)
    expect(world.sandbox.world.tables.instances.all()).toEqual([])
    expect(shared.dump()).not.toMatch(/canary/)
    await world.close()
  })
})

/** Runs an apply until it is killed: before that effect, after it and before its answer, or with the request after it. */
async function killedAt(world: World, at: number, moment: Moment): Promise<Ended> {
  const running = world.start(apply)
  let effects = 0
  world.sandbox.faults.hook = ({ method }) => {
    const isOver = effects >= at
    effects += method === 'GET' ? 0 : 1
    if (!isOver && (effects < at || moment === 'answered')) return undefined
    process.kill(running.pid, 'SIGKILL')
    return { reset: isOver || moment === 'before' ? 'before' : 'after' }
  }
  const ended = await running.ended
  world.sandbox.faults.hook = undefined
  return ended
}

function writeProject(world: World, name: string, state: string): void {
  world.files({
    'iac.yaml': `apiVersion: iac/v1\nkind: Project\nname: ${name}\nstate: ${state}\nprovider:\n  compat: { settle_window: 1s, read_grace: 1s }\n`,
    'main.yaml': manifests,
  })
}
