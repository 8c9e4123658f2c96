// The project that the simulation applies: its manifests in four phases, and what must hold at the service after each.

/** Values that must never be seen outside of the service and the manifests. */
export const canaries = ['Canary-bgp-1-x7f3', 'Canary-bgp-2-k2m9', 'Canary-env-1-q8w4', 'Canary-env-2-z5t6'] as const
const [bgpOne, bgpTwo, envOne, envTwo] = canaries

/** Parts of the project that a variant has or lacks; the network is always there. */
export const blocks = ['workspace', 'routing', 'cluster'] as const
export type Block = (typeof blocks)[number]

/** One resource of a phase, as its manifest says. */
export interface Manifest {
  readonly kind: string
  readonly name: string
  readonly workspace?: string | { readonly name: string } | undefined
  readonly spec: Readonly<Record<string, unknown>>
}

/** What no read shows, and the service must hold all the same. */
export interface Facts {
  readonly password?: string | undefined
  readonly secret?: Readonly<Record<string, string>> | undefined
  readonly environment?: Readonly<Record<string, string>> | undefined
}

export interface Phase {
  readonly name: 'create' | 'change' | 'replace' | 'destroy'
  readonly manifests: readonly Manifest[]
  readonly yaml: string
  readonly facts: Facts
  /** Addresses whose object of the phase before must be gone in the end. */
  readonly doomed: ReadonlySet<string>
}

const home = { name: 'default' } as const

function network(phase: number): Manifest[] {
  return [
    { kind: 'Vpc', name: 'main', workspace: home, spec: { name: 'main-net', description: phase === 1 ? 'first' : 'second', range: '10.1.0.0/24' } },
    { kind: 'Vpc', name: 'side', workspace: home, spec: { name: 'side-net', description: 'beside', range: phase < 3 ? '10.2.0.0/24' : '10.3.0.0/24' } },
    {
      kind: 'Instance',
      name: 'web',
      workspace: home,
      spec: {
        name: 'web',
        type: 'PLAN',
        plan: phase === 1 ? 'ryzen-2' : 'ryzen-4',
        region: 'fra-1',
        vpcs: ['main'],
        ...(phase < 3 ? {} : { uefi: true }),
        power: phase < 3 ? 'ON' : 'OFF',
      },
    },
    { kind: 'Instance', name: 'db', workspace: home, spec: { name: 'db', type: 'PLAN', plan: 'ryzen-4', region: 'fra-1', firewall_enabled: true } },
    { kind: 'VpcAttachment', name: 'db', workspace: home, spec: { instance: 'db', vpc: 'side' } },
  ]
}

function workspace(phase: number): Manifest[] {
  return [
    { kind: 'Workspace', name: 'shop', spec: { name: 'shop-prod', disable_ssh_password: phase !== 2 } },
    {
      kind: 'Vpc',
      name: 'inner',
      workspace: 'shop',
      spec: { name: phase === 1 ? 'inner-net' : 'inner-net-2', description: 'inside', range: phase < 3 ? '10.8.0.0/24' : '10.9.0.0/24' },
    },
  ]
}

function routing(phase: number): Manifest[] {
  const rule = { instance: 'web', type: 'IPv4', protocol: 'TCP', action: 'ACCEPT' }
  return [
    { kind: 'FirewallRule', name: 'ssh', workspace: home, spec: { ...rule, port_start: 22, priority: 10 } },
    ...(phase < 3 ? [{ kind: 'FirewallRule', name: 'telnet', workspace: home, spec: { ...rule, action: 'DROP', port_start: 23, priority: 5 } }] : []),
    {
      kind: 'BgpConfiguration',
      name: 'session',
      workspace: home,
      spec: { asn: 64512, password: phase < 3 ? bgpOne : bgpTwo, instance: 'web', max_prefixes: phase === 1 ? 8 : 9 },
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
}

function cluster(phase: number): Manifest[] {
  const secret = phase < 3 ? 'database' : 'database-2'
  return [
    { kind: 'Instance', name: 'worker', workspace: home, spec: { name: 'worker', type: 'PLAN', plan: phase === 1 ? 'ryzen-4' : 'ryzen-8', region: 'fra-1' } },
    { kind: 'K3sCluster', name: 'main', workspace: home, spec: {} },
    { kind: 'K3sNode', name: 'worker', workspace: home, spec: { instance: 'worker' } },
    { kind: 'K3sSecret', name: 'database', workspace: home, spec: { name: secret, data: secretOf(phase) } },
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
}

function secretOf(phase: number): Record<string, string> {
  return { DB_PASSWORD: phase === 1 ? envOne : envTwo }
}

function environmentOf(phase: number): Record<string, string> {
  return { STAGE: phase === 1 ? 'one' : 'two' }
}

/** The four phases of a variant; the last one is destroy, with the manifests of the one before. */
export function phasesOf(variant: ReadonlySet<Block>): readonly Phase[] {
  const manifestsOf = (phase: number): Manifest[] => [
    ...network(phase),
    ...(variant.has('workspace') ? workspace(phase) : []),
    ...(variant.has('routing') ? routing(phase) : []),
    ...(variant.has('cluster') ? cluster(phase) : []),
  ]
  const all = [1, 2, 3].map(manifestsOf)
  const phase = (name: Phase['name'], number: number, doomed: readonly string[]): Phase => {
    const manifests = all[number - 1] ?? []
    return { name, manifests, yaml: yamlOf(manifests), facts: factsOf(variant, number), doomed: new Set(doomed) }
  }
  const last = (all[2] ?? []).map(addressOf)
  return [
    phase('create', 1, []),
    phase('change', 2, ['Instance/web', 'FirewallRule/ssh', 'FirewallRule/telnet', 'Instance/worker', 'K3sNode/worker']),
    phase('replace', 3, [
      'Vpc/side',
      'VpcAttachment/db',
      'Vpc/inner',
      'FirewallRule/telnet',
      'BgpPrefix/net',
      'K3sSecret/database',
      'K3sService/api',
    ]),
    { ...phase('destroy', 3, last), facts: {} },
  ]
}

function factsOf(variant: ReadonlySet<Block>, phase: number): Facts {
  return {
    ...(variant.has('routing') ? { password: phase < 3 ? bgpOne : bgpTwo } : {}),
    ...(variant.has('cluster') ? { secret: secretOf(phase), environment: environmentOf(phase) } : {}),
  }
}

export function addressOf(one: Manifest): string {
  return `${one.kind}/${one.name}`
}

/** JSON documents: YAML, too. */
function yamlOf(manifests: readonly Manifest[]): string {
  return manifests.map(({ kind, name, workspace, spec }) => `---\n${JSON.stringify({ apiVersion: 'iac/v1', kind, metadata: { name, workspace }, spec })}\n`).join('')
}
