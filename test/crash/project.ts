// The project that is killed: kinds that hang together, in versions whose plans create, update, replace in both orders, and destroy.
import type { Tables } from '../../src/sandbox/store/tables.ts'
import type { Subject } from '../conformance/subject.ts'

/** Values that may stand in no file of ours and in no output. */
export const canaries = ['Canary-session-1-x7f3', 'Canary-session-2-k2m9', 'Canary-data-1-q8w4', 'Canary-data-2-z5t6'] as const
const [sessionOne, sessionTwo, dataOne, dataTwo] = canaries

export type PhaseName = 'create' | 'update' | 'replace' | 'destroy'

/** One run of the program over the project of a version; `holds` are the addresses that the state has afterwards. */
export interface Phase {
  readonly name: PhaseName
  readonly command: 'apply' | 'destroy'
  readonly files: Readonly<Record<string, string>>
  readonly variables: Readonly<Record<string, string>>
  readonly holds: readonly string[]
  /** What somebody else has done at the service before the run. */
  meanwhile?(tables: Tables): void
  /** Whether operators alone can run it. */
  readonly staff?: boolean
  /** Whether an address stays that no manifest declares any more. */
  readonly retains?: boolean
}

interface Manifest {
  readonly kind: string
  readonly name: string
  readonly lifecycle?: Readonly<Record<string, unknown>>
  readonly spec: Readonly<Record<string, unknown>>
}

/** Short windows, so that a run takes a second and not a minute. */
const projectFile = `apiVersion: iac/v1
kind: Project
name: killed
provider:
  workspace: shop
  compat: { settle_window: 1s, read_grace: 1s }
variables:
  session: { type: string, sensitive: true }
  data:    { type: string, sensitive: true }
outputs:
  web: { value: "\${Instance['web'].ip4}" }
`

/** The four phases, in the order in which they are gone through. */
export function phases(): readonly Phase[] {
  const last = { ...version('replace', 3), meanwhile: attachToWorker, retains: true }
  return [
    version('create', 1),
    { ...version('update', 2), meanwhile: joinOld },
    last,
    { ...version('destroy', 3), command: 'destroy', holds: [], retains: true },
  ]
}

/** A disk that no manifest attaches, on the instance that is replaced. */
function attachToWorker({ instances, disks }: Tables): void {
  const worker = instances.all().find((one) => one.name === 'worker')
  if (!worker) throw new Error('there is no worker')
  for (const one of disks.all()) if (one.name === 'cache') disks.update(one.id, { instanceId: worker.id })
}

/** An instance that no manifest lets join the network which goes. */
function joinOld({ instances, vpcs, memberships }: Tables): void {
  const [worker, old] = [instances.all().find((one) => one.name === 'worker'), vpcs.all().find((one) => one.name === 'old-net')]
  if (!worker || !old) throw new Error('there is no worker, or no old network')
  memberships.insert({ vpcId: old.id, instanceId: worker.id, address: '10.7.0.9' })
}

/** An example of a kind on its way: made, changed in all that can be, replaced, destroyed. */
export function phasesOfExample(subject: Subject): readonly Phase[] {
  const { kind, example, address, variables } = subject
  // What nothing reads is never changed.
  const changes = Object.entries(example.changes ?? {}).filter(([field]) => kind.readable && kind.fields[field]?.createOnly !== true)
  const holds = [...(example.beside ?? []).map((one) => `${one.kind}/${one.name}`), address]
  const phase = (name: PhaseName, spec: Readonly<Record<string, unknown>>): Phase => {
    const texts = subject.texts({ spec })
    const project = `${texts['iac.yaml']}`.replace(/\}$/, ', "provider": { "compat": { "settle_window": "1s", "read_grace": "1s" } } }')
    return { name, command: 'apply', files: { ...texts, 'iac.yaml': project }, variables, holds, staff: subject.staff }
  }
  const mutable = changes.filter(([field]) => kind.fields[field]?.immutable !== true)
  const last = phase('replace', Object.fromEntries(changes))
  const all = [
    phase('create', {}),
    ...(mutable.length > 0 ? [phase('update', Object.fromEntries(mutable))] : []),
    ...(mutable.length < changes.length ? [last] : []),
  ]
  return [...all, { ...last, files: all.at(-1)?.files ?? last.files, name: 'destroy', command: 'destroy', holds: [] }]
}

function version(name: PhaseName, number: 1 | 2 | 3): Phase {
  const manifests = manifestsOf(number)
  const variables = number === 1 ? { session: sessionOne, data: dataOne } : { session: sessionTwo, data: dataTwo }
  const holds = manifests.map((one) => `${one.kind}/${one.name}`)
  return { name, command: 'apply', files: { 'iac.yaml': projectFile, 'main.yaml': yamlOf(manifests) }, variables, holds }
}

/** Version 2 drops the network `old`, which somebody let `worker` join. Version 3 replaces web, its rule, and the network `side` create-first, and all that hangs on `worker` destroy-first; a disk that somebody attached to it, and an address that is retained, are taken off. */
function manifestsOf(version: 1 | 2 | 3): readonly Manifest[] {
  const first = version === 1
  return [
    ...networkOf(version),
    ...clusterOf(version),
    ...attachedOf(version),
    { kind: 'Workspace', name: 'shop', spec: { name: first ? 'shop-prod' : 'shop-live', disable_ssh_password: first } },
  ]
}

function networkOf(version: 1 | 2 | 3): readonly Manifest[] {
  const first = version === 1
  const web = { name: first ? 'web' : 'web-2', type: 'PLAN', plan: version < 3 ? 'ryzen-2' : 'ryzen-4', region: 'fra-1', firewall_enabled: true, uefi: true }
  const rule = { instance: 'web', type: 'IPv4', protocol: 'TCP', action: 'ACCEPT', port_start: 22, priority: 10 }
  return [
    { kind: 'Vpc', name: 'inner', spec: { name: first ? 'inner-net' : 'inner-net-2', description: 'inside', range: '10.8.0.0/24' } },
    { kind: 'Vpc', name: 'side', spec: { name: 'side-net', description: 'beside', range: version < 3 ? '10.9.0.0/24' : '10.10.0.0/24' } },
    ...(first ? [{ kind: 'Vpc', name: 'old', spec: { name: 'old-net', description: 'of once', range: '10.7.0.0/24' } }] : []),
    { kind: 'Instance', name: 'web', spec: { ...web, vpcs: [first ? 'inner' : 'side'], power: version === 2 ? 'OFF' : 'ON' } },
    { kind: 'FirewallRule', name: 'ssh', spec: rule },
    { kind: 'FirewallRule', name: 'telnet', spec: { ...rule, action: 'DROP', port_start: 23, priority: first ? 5 : 6 } },
    { kind: 'BgpConfiguration', name: 'session', spec: { asn: 64512, password: '${vars.session}', instance: 'web', max_prefixes: first ? 8 : 9 } },
    { kind: 'BgpPrefix', name: 'net', spec: { prefix: '203.0.113.0/24', enabled: first, community: first ? 'DEFAULT' : 'PROTECTED' } },
  ]
}

function clusterOf(version: 1 | 2 | 3): readonly Manifest[] {
  const service = {
    name: 'api',
    image: version === 1 ? 'registry.example/api:1' : 'registry.example/api:2',
    mode: version < 3 ? 'SPREAD' : 'PINNED',
    target_instances: ['worker'],
    ports: [{ host_port: 8080, container_port: 80, protocol: 'TCP' }],
    environment: { STAGE: version === 1 ? 'one' : 'two' },
    secret_refs: ['database'],
  }
  return [
    { kind: 'Instance', name: 'worker', spec: { name: 'worker', type: 'PLAN', plan: version < 3 ? 'ryzen-4' : 'ryzen-8', region: 'fra-1' } },
    { kind: 'VpcAttachment', name: 'worker', spec: { instance: 'worker', vpc: 'inner' } },
    { kind: 'K3sCluster', name: 'main', spec: {} },
    { kind: 'K3sNode', name: 'worker', spec: { instance: 'worker' } },
    { kind: 'K3sSecret', name: 'database', spec: { name: version < 3 ? 'database' : 'database-2', data: { PASSWORD: '${vars.data}' } } },
    { kind: 'ApiToken', name: 'puller', spec: { name: 'puller-token', grants: { INSTANCE: version === 1 ? 'READ' : 'WRITE' }, lifetime: '90d' } },
    {
      kind: 'K3sSecret',
      name: 'registry',
      spec: { name: 'registry', data: { TOKEN: "${ApiToken['puller'].code}", ...(version < 3 ? {} : { MODE: 'quick' }) } },
    },
    { kind: 'K3sService', name: 'api', lifecycle: { redeploy_triggered_by: ['K3sSecret/database'] }, spec: service },
  ]
}

/** Goes from the manifests with the replacement of what it hangs on, and stays at the service: the only one of its family. */
const retained: Manifest = {
  kind: 'FloatingIp',
  name: 'cluster',
  lifecycle: { on_remove: 'retain' },
  spec: { type: 'IPv6', region: 'fra-1', ddos: false, instance: 'worker' },
}

/** The retained address in the service's table, whoever records it. */
export function retainedIn({ ips, workflows }: Tables): readonly string[] {
  const made = new Set(workflows.all().flatMap((one) => (one.operation === 'ip.create' ? [one.subject.id] : [])))
  return ips.all().flatMap((one) => (one.family === 'IPv6' && made.has(one.id) ? [one.id] : []))
}

function attachedOf(version: 1 | 2 | 3): readonly Manifest[] {
  const first = version === 1
  const disk = { name: first ? 'data' : 'data-2', size: (first ? 10 : 20) * 2 ** 30, backend: version < 3 ? 'LOCAL' : 'CEPH', region: 'fra-1' }
  const address = { type: 'IPv4', region: 'fra-1', ddos: version === 3, instance: version === 2 ? 'worker' : 'web' }
  return [
    { kind: 'Disk', name: 'data', spec: { ...disk, instance: 'web' } },
    { kind: 'FloatingIp', name: 'mail', spec: { ...address, ...(first ? { dns: 'mail.example.com' } : {}) } },
    { kind: 'Disk', name: 'cache', spec: { name: 'cache', size: 10 * 2 ** 30, backend: 'LOCAL', region: 'fra-1' } },
    ...(version < 3 ? [retained] : []),
    { kind: 'DhcpSettings', name: 'worker', spec: { instance: 'worker', enabled: first } },
    { kind: 'App', name: 'panel', spec: { instance: 'worker', template_id: { name: 'nginx' }, name: 'panel' } },
  ]
}

/** JSON documents, which are YAML as well. */
function yamlOf(manifests: readonly Manifest[]): string {
  return manifests
    .map(({ kind, name, lifecycle, spec }) => `---\n${JSON.stringify({ apiVersion: 'iac/v1', kind, metadata: { name, lifecycle }, spec })}\n`)
    .join('')
}
