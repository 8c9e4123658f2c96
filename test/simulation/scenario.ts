// The projects that the simulation applies: manifests of every kind in four phases, and what must hold at the service after each.

/** Values that must never be seen outside of the service and the manifests. */
export const canaries = ['Canary-bgp-1-x7f3', 'Canary-bgp-2-k2m9', 'Canary-env-1-q8w4', 'Canary-env-2-z5t6'] as const
const [bgpOne, bgpTwo, dataOne, dataTwo] = canaries

/** Parts of a project; each stands for itself, so that a variant is any set of them. */
export const blocks = ['network', 'workspace', 'routing', 'cluster', 'attached', 'platform'] as const
export type Block = (typeof blocks)[number]

/** One resource of a phase, as its manifest says. */
interface Manifest {
  readonly kind: string
  readonly name: string
  readonly workspace?: string | { readonly name: string } | null
  readonly lifecycle?: Readonly<Record<string, unknown>>
  readonly spec: Readonly<Record<string, unknown>>
}

/** What no read shows, and the service must hold all the same; undefined where it does not matter. */
export interface Facts {
  readonly password?: string
  readonly secret?: Readonly<Record<string, string>>
  /** Whether a secret holds the code of a token. */
  readonly delivered?: boolean
  readonly environment?: Readonly<Record<string, string>>
}

/** One state of the manifests; `doomed` are the addresses whose object of the phase before must be gone in the end. */
export interface Phase {
  readonly name: 'create' | 'change' | 'replace' | 'destroy'
  readonly yaml: string
  readonly addresses: readonly string[]
  readonly facts: Facts
  readonly doomed: ReadonlySet<string>
  /** The manifests of the phase before cannot come back: a disk has grown. */
  readonly oneWay: boolean
}

const home = { name: 'default' } as const
const machine = { type: 'PLAN', region: 'fra-1' } as const

/** A block in phase 1, 2 or 3. */
type Part = (phase: number) => readonly Manifest[]

const network: Part = (phase) => [
  {
    kind: 'Vpc',
    name: 'side',
    workspace: home,
    spec: { name: phase === 1 ? 'side-net' : 'side-net-2', description: 'beside', range: phase < 3 ? '10.2.0.0/24' : '10.3.0.0/24' },
  },
  { kind: 'Instance', name: 'db', workspace: home, spec: { ...machine, name: 'db', plan: phase === 1 ? 'ryzen-2' : 'ryzen-4', firewall_enabled: true } },
  { kind: 'VpcAttachment', name: 'db', workspace: home, spec: { instance: 'db', vpc: 'side' } },
  // Nothing of it changes: it is made anew after each change of another.
  {
    kind: 'Vpc',
    name: 'after',
    workspace: home,
    lifecycle: { replace_triggered_by: ['Vpc/side'] },
    spec: { name: 'after-net', description: 'after', range: '10.4.0.0/24' },
  },
]

const workspace: Part = (phase) => [
  { kind: 'Workspace', name: 'shop', spec: { name: phase === 1 ? 'shop-prod' : 'shop-live', disable_ssh_password: phase !== 2 } },
  {
    kind: 'Vpc',
    name: 'inner',
    workspace: 'shop',
    spec: { name: phase === 1 ? 'inner-net' : 'inner-net-2', description: 'inside', range: phase < 3 ? '10.8.0.0/24' : '10.9.0.0/24' },
  },
]

const rule = { instance: 'web', type: 'IPv4', protocol: 'TCP', action: 'ACCEPT' } as const

const routing: Part = (phase) => [
  { kind: 'Vpc', name: 'front', workspace: home, spec: { name: 'front-net', description: phase === 1 ? 'first' : 'second', range: '10.1.0.0/24' } },
  {
    kind: 'Instance',
    name: 'web',
    workspace: home,
    spec: { ...machine, name: 'web', plan: phase === 1 ? 'ryzen-2' : 'ryzen-4', vpcs: phase < 3 ? ['front'] : [], power: phase < 3 ? 'ON' : 'OFF' },
  },
  { kind: 'FirewallRule', name: 'ssh', workspace: home, spec: { ...rule, port_start: 22, priority: 10 } },
  ...(phase < 3 ? [{ kind: 'FirewallRule', name: 'telnet', workspace: home, spec: { ...rule, action: 'DROP', port_start: 23, priority: 5 } }] : []),
  {
    kind: 'BgpConfiguration',
    name: 'session',
    workspace: home,
    spec: { asn: 64512, password: phase === 1 ? bgpOne : bgpTwo, instance: 'web', max_prefixes: phase === 1 ? 8 : 9 },
  },
  ...(phase < 3
    ? [
        {
          kind: 'BgpPrefix',
          name: 'net',
          workspace: home,
          spec: { prefix: '203.0.113.0/24', enabled: phase === 1, community: phase === 1 ? 'DEFAULT' : 'PROTECTED' },
        },
      ]
    : []),
]

/** The name of the token whose code the secret `registry` holds. */
export const deliveredToken = 'puller-token'

const cluster: Part = (phase) => [
  { kind: 'Instance', name: 'worker', workspace: home, spec: { ...machine, name: 'worker', plan: phase === 1 ? 'ryzen-4' : 'ryzen-8' } },
  { kind: 'K3sCluster', name: 'main', workspace: home, spec: {} },
  { kind: 'K3sNode', name: 'worker', workspace: home, spec: { instance: 'worker' } },
  { kind: 'K3sSecret', name: 'database', workspace: home, spec: { name: phase < 3 ? 'database' : 'database-2', data: secretOf(phase) } },
  // The second phase makes another token; the third one needs the code of a token that another run has made.
  {
    kind: 'ApiToken',
    name: 'puller',
    workspace: home,
    spec: { name: deliveredToken, grants: { INSTANCE: 'READ', ...(phase === 1 ? {} : { APP: 'READ' }) }, lifetime: '90d' },
  },
  {
    kind: 'K3sSecret',
    name: 'registry',
    workspace: home,
    spec: { name: 'registry', data: { TOKEN: "${ApiToken['puller'].code}", ...(phase < 3 ? {} : { MODE: 'quick' }) } },
  },
  {
    kind: 'K3sService',
    name: 'api',
    workspace: home,
    spec: {
      name: 'api',
      image: 'registry.example/api:1',
      mode: phase < 3 ? 'SPREAD' : 'PINNED',
      target_instances: ['worker'],
      ports: [{ host_port: 8080, container_port: 80, protocol: 'TCP' }],
      environment: environmentOf(phase),
      secret_refs: ['database'],
    },
  },
]

const keys = ['AAAAC3NzaC1lZDI1NTE5AAAAILe9VcEbeBsMzEOqblf52t8GYOnR1OJ+CXnuQ6QH1FSu', 'AAAAC3NzaC1lZDI1NTE5AAAAIF7sDcQZqoM3v3JfAm/anHjByxxkLur/nW4REvN3g+lC']

const attached: Part = (phase) => [
  { kind: 'SshKey', name: 'work', workspace: home, spec: { name: 'work-key', public_key: `ssh-ed25519 ${keys[phase < 3 ? 0 : 1]}` } },
  {
    kind: 'WorkspaceInvite',
    name: 'ada',
    workspace: home,
    spec: { email: phase < 3 ? 'ada@example.com' : 'grace@example.com', access_level: phase === 1 ? 'EDITOR' : 'VIEWER' },
  },
  { kind: 'Instance', name: 'host', workspace: home, spec: { ...machine, name: 'host', plan: phase === 1 ? 'ryzen-2' : 'ryzen-4' } },
  {
    kind: 'Disk',
    name: 'data',
    workspace: home,
    spec: {
      name: 'data-disk',
      size: (phase === 1 ? 10 : 20) * 2 ** 30,
      backend: phase < 3 ? 'LOCAL' : 'CEPH',
      region: 'fra-1',
      ...(phase < 3 ? { instance: 'host' } : {}),
    },
  },
  {
    kind: 'FloatingIp',
    name: 'mail',
    workspace: home,
    spec: {
      type: 'IPv4',
      region: 'fra-1',
      ddos: phase === 3,
      instance: 'host',
      ...(phase < 3 ? { dns: phase === 1 ? 'a.example.com' : 'b.example.com' } : {}),
    },
  },
  { kind: 'DhcpSettings', name: 'host', workspace: home, spec: { instance: 'host', enabled: phase !== 2, ...(phase < 3 ? { v4: 'mail' } : {}) } },
  // Nothing changes an app: what is new of it comes with a new instance.
  {
    kind: 'App',
    name: 'panel',
    workspace: home,
    spec: { instance: 'host', template_id: { name: 'nginx' }, name: 'panel', mounts: [{ host_path: phase === 1 ? '/srv/one' : '/srv/two' }] },
  },
]

/** What operators keep, and what is there before any manifest names it. */
const platform: Part = (phase) => [
  {
    kind: 'Coupon',
    name: 'welcome',
    spec: { code: phase < 3 ? 'WELCOME' : 'WELCOME-2', amount: phase === 1 ? 1_000_000 : 2_000_000, uses: 10 },
  },
  {
    kind: 'Price',
    name: 'memory',
    spec: {
      type: 'MEMORY',
      region: phase < 3 ? 'fra-1' : 'ams-1',
      unit_rate: phase === 1 ? 1_600 : 1_700,
      effective_from: '2027-01-01T00:00:00Z',
    },
  },
  {
    kind: 'AppTemplate',
    name: 'shop',
    spec: {
      name: phase < 3 ? 'shop' : 'shop-2',
      description: 'sells',
      image: phase === 1 ? 'shop:1' : 'shop:2',
      ...(phase === 2 ? {} : { category: 'AI' }),
      environment: [{ key: 'PASSWORD', value: '{{random:32}}' }],
    },
  },
  { kind: 'Recipe', name: 'own', workspace: home, spec: recipe(phase) },
  { kind: 'Recipe', name: 'wide', workspace: null, spec: recipe(phase) },
  {
    kind: 'UserProfile',
    name: 'me',
    spec: { name: phase === 1 ? 'Ada Lovelace' : 'Grace Hopper', email: phase < 3 ? 'ada@example.com' : 'grace@example.com' },
  },
  { kind: 'Dedibox', name: 'metal', workspace: home, spec: { name: 'metal-1' } },
  { kind: 'Dedibox', name: 'other', workspace: home, spec: { name: 'metal-2' } },
  {
    kind: 'DediboxIp',
    name: 'mail',
    workspace: home,
    spec: { dedibox: phase < 3 ? 'metal' : 'other', address: phase === 1 ? '203.0.113.7' : '203.0.113.8', type: 'IPv4' },
  },
]

function recipe(phase: number): Manifest['spec'] {
  return { name: 'base', category: 'TOOLS', description: phase === 1 ? 'first' : 'second', commands: [{ path: phase < 3 ? '/opt/a.sh' : '/opt/b.sh' }] }
}

const parts: Readonly<Record<Block, Part>> = { network, workspace, routing, cluster, attached, platform }

/** What ends with each step from one phase to the next. */
const ends: Readonly<Record<Block, readonly [change: readonly string[], replace: readonly string[]]>> = {
  network: [
    ['Instance/db', 'VpcAttachment/db', 'Vpc/after'],
    ['Vpc/side', 'VpcAttachment/db', 'Vpc/after'],
  ],
  workspace: [[], ['Vpc/inner']],
  routing: [
    ['Instance/web', 'FirewallRule/ssh', 'FirewallRule/telnet'],
    ['FirewallRule/telnet', 'BgpPrefix/net'],
  ],
  cluster: [
    ['Instance/worker', 'K3sNode/worker', 'ApiToken/puller'],
    ['K3sSecret/database', 'K3sService/api', 'ApiToken/puller'],
  ],
  attached: [
    ['Instance/host', 'DhcpSettings/host', 'App/panel'],
    ['SshKey/work', 'WorkspaceInvite/ada', 'Disk/data', 'FloatingIp/mail', 'DhcpSettings/host'],
  ],
  platform: [['Coupon/welcome'], ['Coupon/welcome', 'Price/memory', 'DediboxIp/mail']],
}

function secretOf(phase: number): Readonly<Record<string, string>> {
  return { DB_PASSWORD: phase === 1 ? dataOne : dataTwo }
}

function environmentOf(phase: number): Readonly<Record<string, string>> {
  return { STAGE: phase === 1 ? 'one' : 'two' }
}

/** The four phases of a variant; the last one is destroy, with the manifests of the one before. */
export function phasesOf(variant: ReadonlySet<Block>): readonly [Phase, Phase, Phase, Phase] {
  const used = blocks.filter((block) => variant.has(block))
  const phase = (name: Phase['name'], number: number, doomed: readonly string[]): Phase => {
    const manifests = used.flatMap((block) => parts[block](number))
    const addresses = manifests.map((one) => `${one.kind}/${one.name}`)
    return {
      name,
      yaml: yamlOf(manifests),
      addresses,
      facts: factsOf(variant, number),
      doomed: new Set(doomed),
      oneWay: name === 'change' && variant.has('attached'),
    }
  }
  const last = phase(
    'replace',
    3,
    used.flatMap((block) => ends[block][1]),
  )
  return [
    phase('create', 1, []),
    phase(
      'change',
      2,
      used.flatMap((block) => ends[block][0]),
    ),
    last,
    { ...last, name: 'destroy', facts: {}, doomed: new Set(last.addresses) },
  ]
}

function factsOf(variant: ReadonlySet<Block>, phase: number): Facts {
  return {
    ...(variant.has('routing') ? { password: phase === 1 ? bgpOne : bgpTwo } : {}),
    ...(variant.has('cluster') ? { secret: secretOf(phase), environment: environmentOf(phase), delivered: true } : {}),
  }
}

/** JSON documents, which are YAML as well. */
function yamlOf(manifests: readonly Manifest[]): string {
  return manifests
    .map(
      ({ kind, name, workspace, lifecycle, spec }) =>
        `---\n${JSON.stringify({ apiVersion: 'iac/v1', kind, metadata: { name, workspace, lifecycle }, spec })}\n`,
    )
    .join('')
}
