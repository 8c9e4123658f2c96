// A project of any size for benchmarks: instances, networks, memberships, firewall rules, a cluster and announced prefixes.

/** How many resources of each kind; they add up to the size that was asked for. */
interface Shares {
  readonly instances: number
  readonly vpcs: number
  readonly attachments: number
  readonly guarded: number // instances with ten firewall rules each
  readonly nodes: number
  readonly secrets: number
  readonly services: number
  readonly prefixes: number
}

// With SSH and return traffic let in, so that no plan has anything to warn of.
const rules = [
  'protocol: TCP, port_start: 22, priority: 100',
  'protocol: TCP, port_start: 1024, port_end: 65535, priority: 99',
  'protocol: UDP, port_start: 1024, port_end: 65535, priority: 98',
  ...[80, 110, 143, 389, 443, 636, 993].map((port, at) => `protocol: TCP, port_start: ${port}, priority: ${90 - at}`),
]
const RULES_PER_INSTANCE = rules.length
const DOCUMENTS_PER_FILE = 50
const SINGLETONS = 2

/** The manifests of `size` resources (at least 100), as texts by file name, many documents to a file. */
export function fleet(size: number): Readonly<Record<string, string>> {
  const documents = documentsOf(sharesOf(size))
  const files: Record<string, string> = {}
  for (let at = 0; at < documents.length; at += DOCUMENTS_PER_FILE) {
    files[`part-${String(at / DOCUMENTS_PER_FILE).padStart(4, '0')}.yaml`] = documents.slice(at, at + DOCUMENTS_PER_FILE).join('---\n')
  }
  return { ...files, 'iac.yaml': projectFile }
}

/** Limits of a workspace that holds any fleet. */
export const roomyQuota = Object.freeze({
  max_instances: null,
  max_vpcs: null,
  max_floating_ipv4: null,
  max_floating_ipv6: null,
  max_floating_ips: null,
  max_storage_bytes: null,
  firewall_rules_per_ip: null,
  max_ssh_keys: null,
})

/** Values of the variables that a fleet declares. */
export const fleetVariables = Object.freeze({ password: 'correct horse battery staple' })

const projectFile = `apiVersion: iac/v1
kind: Project
name: fleet
variables:
  password: { type: string, sensitive: true }
`

function sharesOf(size: number): Shares {
  const part = (share: number): number => Math.max(1, Math.round(size * share))
  const shares = {
    instances: part(0.4),
    vpcs: part(0.01),
    attachments: part(0.2),
    guarded: part(0.01),
    nodes: part(0.02),
    secrets: part(0.1),
    services: part(0.1),
  }
  const sum = shares.instances + shares.vpcs + shares.attachments + shares.guarded * RULES_PER_INSTANCE + shares.nodes + shares.secrets + shares.services
  return { ...shares, prefixes: size - sum - SINGLETONS }
}

function documentsOf(shares: Shares): string[] {
  const documents: string[] = []
  const add = (kind: string, name: string, spec: string): void =>
    void documents.push(`apiVersion: iac/v1\nkind: ${kind}\nmetadata: { name: ${name} }\nspec: ${spec}\n`)
  for (let at = 0; at < shares.vpcs; at += 1) add('Vpc', `net-${at}`, `{ name: net-${at}, description: network ${at}, range: 10.${at >> 8}.${at & 255}.0/24 }`)
  for (let at = 0; at < shares.instances; at += 1) {
    add('Instance', `web-${at}`, `{ type: PLAN, name: web-${at}, plan: ryzen-2, region: fra-1, firewall_enabled: ${at < shares.guarded} }`)
  }
  for (let at = 0; at < shares.attachments; at += 1) add('VpcAttachment', `join-${at}`, `{ instance: web-${at}, vpc: net-${at % shares.vpcs} }`)
  for (let at = 0; at < shares.guarded * RULES_PER_INSTANCE; at += 1) {
    const instance = Math.floor(at / RULES_PER_INSTANCE)
    const spec = `instance: web-${instance}, type: IPv4, action: ACCEPT, ${rules[at % RULES_PER_INSTANCE] ?? ''}`
    add('FirewallRule', `rule-${at}`, `{ ${spec} }`)
  }
  add('K3sCluster', 'main', '{}')
  for (let at = 0; at < shares.nodes; at += 1) add('K3sNode', `node-${at}`, `{ instance: web-${at} }`)
  for (let at = 0; at < shares.secrets; at += 1) add('K3sSecret', `secret-${at}`, `{ name: secret-${at}, data: { PASSWORD: '\${vars.password}' } }`)
  for (let at = 0; at < shares.services; at += 1) {
    const spec = `{ name: app-${at}, image: 'registry.test/app:${at}', mode: PINNED, target_instances: [web-${at % shares.nodes}], secret_refs: [secret-${at % shares.secrets}] }`
    add('K3sService', `app-${at}`, spec)
  }
  add('BgpConfiguration', 'main', `{ asn: 64512, max_prefixes: ${shares.prefixes} }`)
  for (let at = 0; at < shares.prefixes; at += 1) {
    add('BgpPrefix', `prefix-${at}`, `{ prefix: 198.${18 + (at >> 16)}.${(at >> 8) & 255}.${at & 255}/32, source: MANUAL, enabled: true, community: DEFAULT }`)
  }
  return documents
}
