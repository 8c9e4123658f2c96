// App templates of the platform: section "App templates and app domains".
import * as z from 'zod'
import { lazy } from '../../../base/lazy.ts'
import { filled, image, open, port, record, secret, transport } from '../fields.ts'
import { paged } from '../pagination.ts'
import { route } from '../route.ts'

const section = 'App templates and app domains'

/** A volume mount of an app: its members are not shown. */
export const appVolumeMount = lazy(() => z.looseObject({}))

const templateEnv = lazy(() => z.strictObject({ key: filled, value: z.string().nullable(), description: z.string().optional() }))
const templatePort = lazy(() =>
  z.strictObject({
    name: z.string().regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'a slug'),
    description: z.string().optional(),
    container_port: port,
    protocol: transport,
    http: z.boolean().optional(),
  }),
)
const ports = lazy(() =>
  z
    .array(templatePort())
    .refine((list) => new Set(list.map((entry) => entry.name)).size === list.length, 'names of ports are unique in a template')
    .refine((list) => list.filter((entry) => entry.http).length <= 1, 'at most one port has http true'),
)

const fields = lazy(() => ({
  name: filled,
  description: z.string(),
  image,
  environment: secret(z.array(templateEnv())),
  mounts: z.array(appVolumeMount()),
  ports: ports(),
}))

const listed = lazy(() => ({ name: z.string(), description: z.string().nullable(), image: z.string(), category: z.string().nullable() }))
const template = lazy(() =>
  record({
    ...listed(),
    environment: secret(z.array(open({ key: z.string(), value: z.string().nullable(), description: z.string().nullable() }))),
    mounts: z.array(z.looseObject({})),
    ports: z.array(z.looseObject({ name: z.string() })),
  }),
)
const answer = { shape: 'object', item: template } as const

export const appTemplates = {
  listAppTemplates: route(section, 'GET', '/v1/app-templates', {
    ...paged(
      lazy(() => record(listed())),
      () => ({ q: z.string(), name: z.string(), image: z.string(), category: z.string() }),
    ),
    access: 'any',
  }),
  createAppTemplate: route(section, 'POST', '/v1/app-templates', {
    body: lazy(() => z.strictObject(fields()).partial({ environment: true, mounts: true, ports: true })),
    answer,
    statuses: [201],
    access: 'staff',
  }),
  getAppTemplate: route(section, 'GET', '/v1/app-templates/{id}', { answer, access: 'any' }),
  updateAppTemplate: route(section, 'PATCH', '/v1/app-templates/{id}', {
    body: lazy(() => z.strictObject({ ...fields(), category: z.string().nullable() }).partial()),
    answer,
    access: 'staff',
  }),
  deleteAppTemplate: route(section, 'DELETE', '/v1/app-templates/{id}', { answer: { shape: 'empty' }, statuses: [204], access: 'staff' }),
}
