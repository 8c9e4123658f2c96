// The bodies of services and secrets of the cluster: what they take, and what they refuse.
import { describeBodies } from '../../../../test/builders/route-bodies.ts'
import { clusterServices } from './cluster-services.ts'

const service = { name: 's', image: 'nginx:1', mode: 'SPREAD', target_instances: ['1', '2'] }

describeBodies(clusterServices, {
  createK3sService: {
    takes: [
      { ...service, replicas: 2, ports: [{ host_port: 80, container_port: 8080, protocol: 'TCP', http: true }], update_strategy: 'START_FIRST' },
      { ...service, mode: 'PINNED', volumes: [{ host_path: '/a', container_path: '/b' }], environment: { A: 'x' }, secret_refs: ['db'] },
    ],
    refuses: [
      { ...service, mode: 'PINNED', replicas: 2 },
      { ...service, image: 'nginx' },
      { ...service, target_instances: undefined },
      { ...service, ports: [{ host_port: 0, container_port: 8080, protocol: 'TCP' }] },
      { ...service, environment: { A: 1 } },
    ],
  },
  updateK3sService: {
    takes: [{ image: 'nginx:2', target_instances: [], replicas: 3 }],
    refuses: [{ image: 'nginx:2' }, { name: 's', image: 'nginx:2', target_instances: ['1'] }, { image: 'nginx:2', target_instances: ['1'], mode: 'SPREAD' }],
  },
  createK3sSecret: {
    takes: [{ name: 'db', data: { PASSWORD: 'p' } }],
    refuses: [{ name: 'db' }, { name: 'db', data: { A: 1 } }],
  },
  updateK3sSecret: {
    takes: [{ data: {} }],
    refuses: [{}, { name: 'db', data: {} }],
  },
})
