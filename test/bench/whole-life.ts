// A project from nothing and back, as whole processes against the service over loopback, 20 ms a call: requests, wall time, CPU, memory.
import { cp, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stringifyJson } from '../../src/base/json.ts'
import { createWorld } from '../builders/world.ts'
import { roomyQuota } from './fleet.ts'
import type { Took } from './measured-process.ts'
import type { Plans } from './noop-plan.ts'
import type { Row } from './rows.ts'
import { median } from './rows.ts'
import { routesOf, startService } from './service.ts'
import type { Service } from './service.ts'

const LATENCY_MS = 20
const PARTS = { instances: 20, vpcs: 100, keys: 200, rules: 680 }
/** What a thousand resources may take. */
const AIMS = { apply: { requests: 1150, wallMs: 3000, cpuMs: 3000 }, destroy: { requests: 900, wallMs: 2500 } }

type Command = keyof typeof AIMS
interface Measured {
  readonly took: Took
  readonly counts: ReadonlyMap<string, number>
}

/** Applies and destroys a thousand resources, each time on a service with nothing in it. */
export async function wholeLifeRows(plans: Plans): Promise<Row[]> {
  const snapshotFile = join(plans.scratch, 'nothing.json')
  const world = createWorld({ sandbox: { quota: { ...roomyQuota, max_ssh_keys: null } } })
  await writeFile(snapshotFile, stringifyJson(world.sandbox.snapshot()))
  const origin = join(plans.scratch, 'life')
  await mkdir(origin, { mode: 0o700 })
  for (const [name, text] of Object.entries(manifests())) await writeFile(join(origin, name), text)
  const runs: Record<Command, Measured>[] = []
  for (let turn = 0; turn < Math.max(2, plans.repeats >> 1); turn += 1) {
    const folder = join(plans.scratch, `life-${turn}`)
    await cp(origin, folder, { recursive: true })
    const service = await startService(plans.bench, { snapshotFile, latencyMs: LATENCY_MS, lists: 'full' })
    try {
      runs.push({
        apply: await measured(plans, service, folder, ['apply', '--auto-approve']),
        destroy: await measured(plans, service, folder, ['destroy', '--auto-approve']),
      })
    } finally {
      service.close()
      await rm(folder, { recursive: true, force: true })
    }
  }
  return (['apply', 'destroy'] as const).flatMap((command) => rowsOf(command, runs))
}

function rowsOf(command: Command, runs: readonly Record<Command, Measured>[]): Row[] {
  const aims: { readonly requests: number; readonly wallMs: number; readonly cpuMs?: number } = AIMS[command]
  const of = (value: (one: Measured) => number): number => median(runs.map((one) => value(one[command])))
  const counts = runs[0]?.[command].counts ?? new Map<string, number>()
  const note = [...counts]
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, 8)
    .map(([route, count]) => `${count} ${route.replace('/v1/', '')}`)
    .join(', ')
  const name = `${command} of 1,000`
  return [
    {
      name: `${name}: requests`,
      value: of(({ counts: each }) => [...each.values()].reduce((sum, count) => sum + count, 0)),
      unit: '',
      aim: aims.requests,
      note,
    },
    { name: `${name}: wall`, value: of(({ took }) => took.wallMs), unit: 'ms', aim: aims.wallMs },
    { name: `${name}: CPU`, value: of(({ took }) => took.cpuMs), unit: 'ms', ...(aims.cpuMs === undefined ? {} : { aim: aims.cpuMs }) },
    { name: `${name}: memory`, value: of(({ took }) => took.memoryMib), unit: 'MiB' },
  ]
}

async function measured(plans: Plans, service: Service, folder: string, args: readonly string[]): Promise<Measured> {
  const environment = {
    IAC_BASE_URL: service.url,
    IAC_TOKEN: service.token,
    XDG_CACHE_HOME: join(plans.scratch, 'cache'),
    XDG_CONFIG_HOME: join(plans.scratch, 'config'),
  }
  const took = await plans.run([plans.main, ...args], { folder, environment })
  return { took, counts: new Map(routesOf(await service.asked())) }
}

function manifests(): Readonly<Record<string, string>> {
  const files: Record<string, string> = { 'iac.yaml': 'apiVersion: iac/v1\nkind: Project\nname: life\n' }
  const write = (file: string, kind: string, count: number, specOf: (at: number) => string): void => {
    const documents = Array.from(
      { length: count },
      (_, at) => `apiVersion: iac/v1\nkind: ${kind}\nmetadata: { name: ${file}-${at} }\nspec: { ${specOf(at)} }\n`,
    )
    files[`${file}.yaml`] = documents.join('---\n')
  }
  write('web', 'Instance', PARTS.instances, (at) => `type: PLAN, name: web-${at}, plan: ryzen-2, region: fra-1`)
  write('net', 'Vpc', PARTS.vpcs, (at) => `name: net-${at}, description: network ${at}, range: 10.0.${at}.0/24`)
  write('key', 'SshKey', PARTS.keys, (at) => `name: key-${at}, public_key: '${publicKey(at)}'`)
  write('rule', 'FirewallRule', PARTS.rules, (at) => {
    const own = Math.floor(at / PARTS.instances)
    const ports = ['protocol: TCP, port_start: 22', 'protocol: TCP, port_start: 1024, port_end: 65535', 'protocol: UDP, port_start: 1024, port_end: 65535'][own]
    return `instance: web-${at % PARTS.instances}, type: IPv4, action: ACCEPT, ${ports ?? `protocol: TCP, port_start: ${100 + own}`}, priority: ${100 - own}`
  })
  return files
}

/** A well-formed Ed25519 key (RFC 8709) that nobody has the other half of. */
function publicKey(at: number): string {
  const name = 'ssh-ed25519'
  const bytes = Buffer.alloc(4 + name.length + 4 + 32)
  bytes.writeUInt32BE(name.length, 0)
  bytes.write(name, 4)
  bytes.writeUInt32BE(32, 4 + name.length)
  bytes.writeUInt32BE(at + 1, bytes.length - 4)
  return `${name} ${bytes.toString('base64')}`
}
