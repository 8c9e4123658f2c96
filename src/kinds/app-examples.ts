// The manifests that the documents show for apps.
import type { Example } from './definition/kind.ts'

const beside = ['web', 'api'].map((name) => ({ kind: 'Instance', name, spec: { type: 'PLAN', name, plan: 'ryzen-4', region: 'fra-1' } }))

/** One below a domain, one with variables. */
export const appExamples: readonly Example[] = Object.freeze([
  {
    title: 'A web server below a domain of the platform',
    spec: {
      instance: 'web',
      template_id: { name: 'nginx' },
      name: 'site',
      mounts: [{ host_path: '/srv/site', container_path: '/usr/share/nginx/html' }],
      domain: 'site.apps.sandbox.test',
    },
    beside,
    changes: {
      instance: 'api',
      template_id: { name: 'postgres' },
      name: 'shop',
      mounts: [{ host_path: '/srv/shop', container_path: '/usr/share/nginx/html' }],
      domain: 'shop.apps.sandbox.test',
    },
  },
  {
    title: 'A database with a password of its own, and without a variable of the template',
    spec: {
      instance: 'web',
      template_id: { name: 'postgres' },
      name: 'orders',
      environment: { POSTGRES_DB: 'orders', POSTGRES_PASSWORD: '${vars.password}', ADVERTISED: null },
    },
    beside,
    changes: { environment: { POSTGRES_DB: 'sales', ADVERTISED: '{{instance.ip4}}:{{host_port.sql}}' } },
  },
])
