// The manifests that the documents show for instances: one by plan, one by its parts.
import type { Example } from './definition/kind.ts'

const main = { kind: 'Vpc', name: 'main', spec: { name: 'main', description: 'between the servers', range: '10.20.0.0/24' } }
const data = { kind: 'Vpc', name: 'data', spec: { name: 'data', description: 'to the databases', range: '10.21.0.0/24' } }

const byPlan: Example = {
  title: 'A server by plan, in a private network',
  spec: {
    name: 'web',
    type: 'PLAN',
    plan: 'ryzen-4',
    region: 'fra-1',
    image: { id: '100' },
    vpcs: ['main'],
    boot: 'DISK',
    uefi: true,
    secure_boot: false,
    attach_virtio_cd: false,
    sync_hostname: true,
    firewall_enabled: true,
    os_name: 'Debian 13',
    cloud_init: '#cloud-config\npackages: [nginx]\n',
    disable_cloud_init: false,
    start: true,
    power: 'ON',
  },
  beside: [main, data],
  changes: {
    name: 'web-2',
    plan: 'ryzen-8',
    region: 'ams-1',
    image: { id: '101' },
    vpcs: ['main', 'data'],
    boot: 'ISO',
    uefi: false,
    secure_boot: true,
    attach_virtio_cd: true,
    sync_hostname: false,
    firewall_enabled: false,
    os_name: 'Debian 12',
    cloud_init: '#cloud-config\npackages: [caddy]\n',
    disable_cloud_init: true,
    power: 'OFF',
  },
}

const byParts: Example = {
  title: 'A server by its parts',
  spec: {
    name: 'build',
    type: 'CUSTOM',
    region: 'fra-1',
    group: 'RYZEN',
    cpu: 4,
    memory_bytes: '8GiB',
    storage: [{ size_bytes: '80GiB', boot: true, backing: 'LOCAL' }],
    bandwidth: { upload_bytes_sec: '100MB', download_bytes_sec: '100MB' },
    ips: [{ family: 'IPv4', ddos: true }],
    start: false,
  },
  changes: {
    group: 'DEDICATED',
    cpu: 8,
    memory_bytes: '16GiB',
    storage: [{ size_bytes: '160GiB', boot: true, backing: 'LOCAL' }],
    bandwidth: { upload_bytes_sec: '200MB', download_bytes_sec: '200MB' },
    ips: [{ family: 'IPv6', ddos: false }],
    start: true,
  },
}

const onNode: Example = {
  title: "A server on a node of the workspace's own",
  spec: { name: 'private', type: 'PLAN', plan: 'ryzen-4', node: 'rack-1' },
  changes: { node: 'rack-2' },
}

/** All fields between them; `type` alone has no other value that goes with the same fields. */
export const instanceExamples: readonly Example[] = Object.freeze([byPlan, byParts, onNode])
