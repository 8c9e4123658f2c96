// What a new sandbox has of what no ordinary call can make: dediboxes, platform-wide recipes, app templates, base domains.
import { found } from '../request/refusal.ts'
import type { Tables } from '../store/tables.ts'

const dediboxes = [
  { name: 'metal-1', region: 'fra-1', online: true, iso: null },
  { name: 'metal-2', region: 'ams-1', online: false, iso: 'rescue-iso' },
  { name: 'metal-3', region: 'nyc-1', online: true, iso: null },
] as const

const DEDIBOX_PLAN = 'dedicated-8'
const FIRST_VNC_PORT = 5901

const recipes = [
  {
    name: 'docker',
    category: 'DEVOPS',
    description: 'A container engine, ready for use.',
    commands: [{ path: '/opt/recipes/docker.sh', args: [] }],
    fields: [],
  },
  {
    name: 'postgresql',
    category: 'DATABASES',
    description: 'A database server with one *superuser*.',
    commands: [{ path: '/opt/recipes/postgresql.sh', args: ['--password', '$SVC_FIELDS_PASSWORD'] }],
    fields: [{ id: 'password', label: 'Password', description: 'Of the superuser.', type: 'PASSWORD', required: true }],
  },
  {
    name: 'wireguard',
    category: 'NETWORK',
    description: 'A VPN with one peer.',
    commands: [{ path: '/opt/recipes/wireguard.sh', args: ['$SVC_FIELDS_PORT'] }],
    fields: [{ id: 'port', label: 'Port', description: null, type: 'NUMBER', required: false }],
  },
]

const appTemplates = [
  {
    name: 'nginx',
    description: 'A web server.',
    image: 'nginx:1.29',
    category: 'DEVOPS',
    environment: [],
    ports: [{ name: 'web', description: null, containerPort: 80, protocol: 'TCP', http: true }],
  },
  {
    name: 'postgres',
    description: 'A database server.',
    image: 'postgres:18',
    category: null,
    environment: [
      { key: 'POSTGRES_DB', value: null, description: 'The first database.' },
      { key: 'POSTGRES_PASSWORD', value: '{{random:32}}', description: null },
      { key: 'ADVERTISED', value: '{{instance.ip4}}:{{host_port.sql}}', description: null },
    ],
    ports: [{ name: 'sql', description: null, containerPort: 5432, protocol: 'TCP', http: false }],
  },
] as const

const domains = [
  { name: 'apps.sandbox.test', proxyMode: 'proxied' },
  { name: 'direct.sandbox.test', proxyMode: 'direct' },
] as const

/** Fills the tables; the catalogue must be there, since dediboxes have a plan and perhaps an ISO of it. */
export function seedPlatform(tables: Tables, workspaceId: string): void {
  const planId = idOf(tables.plans, DEDIBOX_PLAN)
  for (const [index, { iso, ...rest }] of dediboxes.entries()) {
    const vnc = { host: `10.255.0.${index + 1}`, port: FIRST_VNC_PORT + index, proxied: true, resets: 0 }
    tables.dediboxes.insert({ ...rest, workspaceId, planId, isoId: iso === null ? null : idOf(tables.images, iso), vnc })
  }
  for (const recipe of recipes) tables.recipes.insert({ ...recipe, ownerId: null, icon: null })
  for (const { environment, ports, ...rest } of appTemplates) {
    tables.appTemplates.insert({ ...rest, environment: [...environment], mountsJson: '[]', ports: [...ports] })
  }
  for (const domain of domains) tables.appDomains.insert(domain)
}

interface Named {
  all(): readonly { readonly id: string; readonly name: string }[]
}

function idOf(table: Named, name: string): string {
  const row = table.all().find((one) => one.name === name)
  return found(row, name).id
}
