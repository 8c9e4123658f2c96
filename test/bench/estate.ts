// A project whose resources are mostly rules of few machines, written as many documents or as four `for_each`.

/** One document each, or one for each kind. */
export type Layout = 'documents' | 'for_each'

const RULES_PER_INSTANCE = 34
const DOCUMENTS_PER_FILE = 100

/** The service installs every key of a workspace on each instance, and has some 4,000 tags for networks. */
const [MOST_INSTALLED, MOST_VPCS] = [400_000, 3900]

/** Resources of each kind: of a thousand 20 instances, 100 networks, 200 keys and 680 rules; of very many fewer networks and keys. */
function sharesOf(size: number) {
  const vpcs = Math.min(MOST_VPCS, Math.round(size / 10))
  const keys = Math.min(Math.round(MOST_INSTALLED / (size / 50)), Math.round(size / 5))
  const instances = Math.ceil((size - vpcs - keys) / (1 + RULES_PER_INSTANCE))
  return { instances, rules: size - vpcs - keys - instances, vpcs, keys }
}

/** The manifests of `size` resources (a multiple of 50), as texts by file name. */
export function estate(size: number, layout: Layout): Readonly<Record<string, string>> {
  const shares = sharesOf(size)
  if (layout === 'for_each') return { 'all.yaml': forEach(shares), 'iac.yaml': projectFile }
  const documents = documentsOf(shares)
  const files: Record<string, string> = {}
  for (let at = 0; at < documents.length; at += DOCUMENTS_PER_FILE) {
    files[`part-${String(at / DOCUMENTS_PER_FILE).padStart(4, '0')}.yaml`] = documents.slice(at, at + DOCUMENTS_PER_FILE).join('---\n')
  }
  return { ...files, 'iac.yaml': projectFile }
}

const projectFile = 'apiVersion: iac/v1\nkind: Project\nname: estate\n'

function documentsOf({ instances, rules, vpcs, keys }: ReturnType<typeof sharesOf>): string[] {
  return [
    ...numbers(instances).map((at) => single('Instance', `web-${at}`, instanceSpec(`web-${at}`))),
    ...numbers(vpcs).map((at) => single('Vpc', `net-${at}`, vpcSpec(`net-${at}`, rangeOf(at)))),
    ...numbers(keys).map((at) => single('SshKey', `key-${at}`, keySpec(`key-${at}`, keyOf(at)))),
    ...numbers(rules).map((at) => {
      const { instance, ...rule } = ruleOf(at)
      return single('FirewallRule', `rule-${at}`, ruleSpec(`web-${instance}`, rule))
    }),
  ]
}

function forEach({ instances, rules, vpcs, keys }: ReturnType<typeof sharesOf>): string {
  return [
    group(
      'Instance',
      'web',
      numbers(instances).map((at) => `web-${at}: { name: web-${at} }`),
      instanceSpec(each('name')),
    ),
    group(
      'Vpc',
      'net',
      numbers(vpcs).map((at) => `net-${at}: { range: ${rangeOf(at)} }`),
      vpcSpec('"${each.key}"', each('range')),
    ),
    group(
      'SshKey',
      'key',
      numbers(keys).map((at) => `key-${at}: { key: ${keyOf(at)} }`),
      keySpec('"${each.key}"', each('key')),
    ),
    group(
      'FirewallRule',
      'rule',
      numbers(rules).map((at) => {
        const { instance, protocol, from, to, priority } = ruleOf(at)
        return `rule-${at}: { web: web-${instance}, protocol: ${protocol}, from: ${from}, to: ${to}, priority: ${priority} }`
      }),
      ruleSpec(`"\${Instance['web'][each.value.web].id}"`, { protocol: each('protocol'), from: each('from'), to: each('to'), priority: each('priority') }),
    ),
  ].join('---\n')
}

function single(kind: string, name: string, spec: string): string {
  return documentOf(kind, `name: ${name}`, spec)
}

function group(kind: string, name: string, entries: readonly string[], spec: string): string {
  return documentOf(kind, `name: ${name}\n  for_each:\n${entries.map((entry) => `    ${entry}\n`).join('')}`.trimEnd(), spec)
}

function each(name: string): string {
  return `"\${each.value.${name}}"`
}

function documentOf(kind: string, metadata: string, spec: string): string {
  return `apiVersion: iac/v1\nkind: ${kind}\nmetadata:\n  ${metadata}\nspec: ${spec}\n`
}

function instanceSpec(name: string): string {
  return `{ type: PLAN, name: ${name}, plan: ryzen-2, region: fra-1, firewall_enabled: true }`
}

function vpcSpec(name: string, range: string): string {
  return `{ name: ${name}, description: a network, range: ${range} }`
}

function keySpec(name: string, key: string): string {
  return `{ name: ${name}, public_key: ${key} }`
}

function ruleSpec(instance: string, rule: Readonly<Record<'protocol' | 'from' | 'to' | 'priority', number | string>>): string {
  const { protocol, from, to, priority } = rule
  return `{ instance: ${instance}, type: IPv4, action: ACCEPT, protocol: ${protocol}, port_start: ${from}, port_end: ${to}, priority: ${priority} }`
}

/** SSH and return traffic first, so that no plan has anything to warn of. */
function ruleOf(at: number) {
  const number = at % RULES_PER_INSTANCE
  const port = 100 + number * 10
  const [protocol, from, to] = always[number] ?? ['TCP', port, port]
  return { instance: Math.floor(at / RULES_PER_INSTANCE), protocol, from, to, priority: 100 - number }
}

const always = [
  ['TCP', 22, 22],
  ['TCP', 1024, 65_535],
  ['UDP', 1024, 65_535],
] as const

function rangeOf(at: number): string {
  return `10.${at >> 8}.${at & 255}.0/24`
}

/** Well-formed ed25519 keys that nobody has the other half of. */
function keyOf(at: number): string {
  const bytes = Buffer.alloc(51)
  bytes.writeUInt32BE(11, 0)
  bytes.write('ssh-ed25519', 4)
  bytes.writeUInt32BE(32, 15)
  bytes.writeUInt32BE(at, 19)
  bytes.writeUInt32BE(at * 7 + 1, 30)
  return `ssh-ed25519 ${bytes.toString('base64')}`
}

function numbers(count: number): readonly number[] {
  return Array.from({ length: count }, (_, at) => at)
}
