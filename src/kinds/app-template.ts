// Templates of apps, for the whole platform: read by everyone, kept by administrators.
import * as z from 'zod'
import { call } from '../api/calls/call.ts'
import { routes } from '../api/routes/routes.ts'
import { checkTemplate } from './app-template-checks.ts'
import { clearable, mark } from './definition/fields.ts'
import { defineKind, pick } from './definition/kind.ts'
import type { Step } from './definition/kind.ts'
import { anyCase, maybe, present } from './definition/live-fields.ts'
import { defineShape, idOf } from './definition/shape.ts'

/** Hidden in plans with the whole field, and yet usually written in the manifest: it may hold a placeholder. */
const plain = <T extends z.ZodType>(schema: T): T => mark(schema, { literal: true })

const variable = z.strictObject({
  key: plain(z.string().min(1)).describe('name of the variable'),
  value: plain(z.string())
    .nullable()
    .describe('its value, which may hold placeholders such as {{host_port.web}} and {{random:32}}; null where whoever deploys the app must give it'),
  description: plain(z.string()).optional().describe('what it is for'),
})

const port = z.strictObject({
  name: z.string().describe('name, unique in the template: small letters, digits and hyphens'),
  description: z.string().optional().describe('what listens there'),
  container_port: z.int().min(1).max(65535).describe('port in the container'),
  protocol: z.enum(['TCP', 'UDP']).describe('protocol'),
  http: z.boolean().optional().describe('whether a domain can point at it; at most one port of a template'),
})

const spec = z.strictObject({
  name: mark(z.string().min(1), { shown: true }).describe('name, unique on the platform'),
  description: mark(z.string(), { shown: true }).describe('what the app is'),
  image: mark(z.string(), { shown: true }).describe('container image with its tag'),
  category: mark(clearable(z.string().min(1)), { shown: true })
    .optional()
    .describe('category such as AI, AUTOMATION, DEVOPS, GAMES, MEDIA, MONITORING or PRODUCTIVITY'),
  environment: mark(z.array(variable), { shown: true, secret: true, unordered: true, clearable: true, by: 'key' })
    .optional()
    .describe('environment variables, in any order'),
  mounts: mark(z.array(z.record(z.string(), z.unknown())), { shown: true, clearable: true })
    .optional()
    .describe('volume mounts; the API does not say what they hold'),
  ports: mark(z.array(port), { shown: true, unordered: true, clearable: true, by: 'name' }).optional().describe('ports, in any order'),
})
type Spec = z.output<typeof spec>
type Port = z.output<typeof port>

const livePort = z.object({
  name: z.string(),
  description: z.string().nullish(),
  container_port: z.number(),
  protocol: anyCase(['TCP', 'UDP']),
  http: z.boolean().nullish(),
})
const live = defineShape('AppTemplate', () =>
  z.object({
    id: idOf,
    name: maybe(z.string()),
    description: maybe(z.string()),
    image: maybe(z.string()),
    category: maybe(z.string()),
    environment: maybe(z.array(z.object({ key: z.string(), value: z.string().nullish(), description: z.string().nullish() }))),
    mounts: maybe(z.array(z.record(z.string(), z.unknown()))),
    ports: maybe(z.array(livePort)),
  }),
)
type Live = z.output<typeof live.schema>

const created = ['name', 'description', 'image', 'environment', 'mounts', 'ports'] as const
const fields = [...created, 'category'] as const

export const AppTemplate = defineKind({
  name: 'AppTemplate',
  plural: 'apptemplates',
  about: 'A template that apps are deployed from; everyone reads it, administrators make it.',
  section: 'App templates and app domains',
  scope: 'account',
  calls: { making: [routes.createAppTemplate, routes.updateAppTemplate], removing: [routes.deleteAppTemplate] },
  unique: ['name'],
  spec,
  live,
  outputs: {
    id: { type: 'string', about: 'id of the template' },
    name: { type: 'string', about: 'its name' },
    image: { type: 'string', about: 'container image that it runs' },
    category: { type: 'string', about: 'its category, null without one' },
  },
  examples: [
    {
      title: 'A web shop with its database password',
      spec: {
        name: 'web-shop',
        description: 'A shop that is ready to sell.',
        image: 'registry.example/shop:1',
        category: 'PRODUCTIVITY',
        environment: [
          { key: 'SHOP_URL', value: null, description: 'Where customers find it.' },
          { key: 'ADMIN_PASSWORD', value: '{{random:32}}', description: 'Of the first user.' },
          { key: 'LISTEN', value: '{{instance.ip4}}:{{host_port.web}}' },
        ],
        mounts: [{ host_path: '/srv/shop', container_path: '/data' }],
        ports: [
          { name: 'web', description: 'the shop', container_port: 8080, protocol: 'TCP', http: true },
          { name: 'metrics', container_port: 9090, protocol: 'TCP' },
        ],
      },
      changes: {
        name: 'web-shop-2',
        description: 'A shop that sells.',
        image: 'registry.example/shop:2',
        category: 'AI',
        environment: [{ key: 'LISTEN', value: '{{instance.ip6}}:{{container_port.web}}' }],
        mounts: [{ host_path: '/srv/shop-2', container_path: '/data' }],
        ports: [{ name: 'web', description: 'the shop', container_port: 8081, protocol: 'TCP', http: false }],
      },
    },
  ],
  list: (api) => api.all(call(routes.listAppTemplates, {}), live),
  read: (api, id) => api.one(call(routes.getAppTemplate, { id }), live),
  id: (one) => one.id,
  toSpec,
  outputsOf: ({ id, name, image, category }) => present({ id, name, image, category }),
  status: () => 'ready',
  naturalKey: (one) => `${one.name}`,
  check: checkTemplate,
  steps({ id, desired, live: there, changed }) {
    const steps: Step<Spec>[] = []
    const first = pick(desired, created)
    if (!there) steps.push({ name: 'create', creates: true, call: call(routes.createAppTemplate, {}, first), sets: first })
    // The call that makes it takes no category.
    const names = (there ? fields : (['category'] as const)).filter((name) => changed(name))
    const sets = pick(desired, names)
    const clears = names.filter((name) => desired[name] === undefined)
    const body = { ...sets, ...Object.fromEntries(clears.map((name) => [name, name === 'category' ? null : []])) }
    if (names.length > 0) steps.push({ name: 'update', call: call(routes.updateAppTemplate, { id }, body), sets, clears })
    return steps
  },
  removal: ({ id }) => [{ name: 'delete', removes: true, call: call(routes.deleteAppTemplate, { id }), sets: {} }],
})

/** What a service leaves out or writes as empty says the same as a manifest that leaves it out. */
function toSpec({ environment, mounts, ports, ...one }: Live) {
  return {
    ...pick(one, ['name', 'description', 'image', 'category']),
    environment: environment?.map(({ key, value, description }) => ({ key, value: value ?? null, description: description ?? '' })),
    mounts,
    ports: ports?.map((each): Port => ({ ...each, description: each.description ?? '', http: each.http ?? false })),
  }
}
