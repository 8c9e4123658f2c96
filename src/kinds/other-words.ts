// What people ask for by another word than kinds have: what it is called here, or where the API has it.

const hints: Readonly<Record<string, string>> = {
  image: 'the API lists no images: Instance.spec.image is an id',
  region: 'the API lists no regions: `iac get instances` and `iac get disks` show where something stands; a region that there is not is found when planning',
  quota: 'limits are no objects: `iac quota` shows them, and every plan is held against them',
  limit: 'limits are no objects: `iac quota` shows them, and every plan is held against them',
  topology: 'it is drawn of what is live: see `iac topology`',
  workflow: 'see `iac workflows`',
  usage: 'see `iac usage`',
  wallet: 'see `iac wallet`',
  invoice: 'see `iac wallet` and `iac usage`',
  log: 'see `iac logs`',
  metric: 'see `iac metrics`',
  server: 'did you mean Instance?',
  vm: 'did you mean Instance?',
  machine: 'did you mean Instance?',
  volume: 'did you mean Disk?',
  network: 'did you mean Vpc?',
  net: 'did you mean Vpc?',
  address: 'did you mean FloatingIp?',
  dns: 'a name of reverse DNS is FloatingIp.spec.dns',
  dhcp: 'did you mean DhcpSettings?',
  member: 'did you mean WorkspaceInvite?',
  bgp: 'did you mean BgpConfiguration or BgpPrefix?',
  k3s: 'did you mean K3sCluster, K3sNode, K3sSecret or K3sService?',
  kubernetes: 'did you mean K3sCluster?',
}

/** What to say of a word that means no kind, singular or plural, in any case; undefined for one of which nothing is known. */
export function hintForWord(word: string): string | undefined {
  const lower = word.toLowerCase()
  const singular = Object.hasOwn(hints, lower) ? lower : lower.replace(/s$/, '')
  return Object.hasOwn(hints, singular) ? hints[singular] : undefined
}
