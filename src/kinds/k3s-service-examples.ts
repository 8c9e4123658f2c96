// The manifests that the documents show for services of the managed cluster.
import type { Example } from './definition/kind.ts'

const beside = [
  { kind: 'K3sCluster', name: 'main', spec: {} },
  ...['worker', 'spare'].flatMap((name) => [
    { kind: 'Instance', name, spec: { type: 'PLAN', name, plan: 'ryzen-4', region: 'fra-1' } },
    { kind: 'K3sNode', name, spec: { instance: name } },
  ]),
  ...['database', 'mail'].map((name) => ({ kind: 'K3sSecret', name, spec: { name, data: { PASSWORD: '${vars.password}' } } })),
]

/** One that is spread and has every field, one that is pinned. */
export const k3sServiceExamples: readonly Example[] = Object.freeze([
  {
    title: 'A web service on two nodes',
    spec: {
      name: 'shop',
      image: 'registry.example.com/shop:1.4.0',
      mode: 'SPREAD',
      target_instances: ['worker'],
      replicas: 2,
      ports: [{ host_port: 8080, container_port: 80, protocol: 'TCP', http: true }],
      volumes: [{ host_path: '/srv/shop', container_path: '/data' }],
      environment: { LOG_LEVEL: 'info' },
      secret_refs: ['database'],
      update_strategy: 'ROLLING',
    },
    beside,
    changes: {
      name: 'shop-2',
      image: 'registry.example.com/shop:1.5.0',
      target_instances: ['worker', 'spare'],
      replicas: 3,
      ports: [{ host_port: 8081, container_port: 80, protocol: 'TCP' }],
      volumes: [{ host_path: '/srv/shop-2', container_path: '/data' }],
      environment: { LOG_LEVEL: 'debug' },
      secret_refs: ['database', 'mail'],
      update_strategy: 'START_FIRST',
    },
  },
  {
    title: 'One container pinned to a node',
    spec: { name: 'agent', image: 'registry.example.com/agent:2.0.0', mode: 'PINNED', target_instances: ['worker'] },
    beside,
    changes: { mode: 'SPREAD' },
  },
])
