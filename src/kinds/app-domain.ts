// Base domains of apps: looked up by name, never managed.
import * as z from 'zod'
import { call } from '../api/calls/call.ts'
import { routes } from '../api/routes/routes.ts'
import { defineKind } from './definition/kind.ts'
import type { Reader } from './definition/kind.ts'
import { anyCase, maybe, present } from './definition/live-fields.ts'
import { defineShape } from './definition/shape.ts'

const spec = z.strictObject({
  name: z.string().describe('the base domain'),
})

const live = defineShape('AppDomain', () => z.object({ name: z.string(), proxy_mode: maybe(anyCase(['proxied', 'direct'])) }))

export const AppDomain = defineKind({
  name: 'AppDomain',
  plural: 'appdomains',
  about: 'A base domain below which an app can have its own.',
  section: 'App templates and app domains',
  scope: 'account',
  managed: false,
  singleRead: false,
  spec,
  live,
  outputs: {
    id: { type: 'string', about: 'the base domain' },
    name: { type: 'string', about: 'the base domain' },
    proxy_mode: { type: 'string', about: 'proxied where traffic passes through a proxy, direct where the record points at the instance' },
  },
  examples: [],
  list: listDomains,
  read: async (api, id) => (await listDomains(api)).find((one) => one.name === id),
  id: (one) => one.name,
  toSpec: (one) => ({ name: one.name }),
  outputsOf: (one) => present({ id: one.name, ...one }),
  status: () => 'ready',
  naturalKey: (one) => `${one.name}`,
  steps: () => [],
  removal: () => [],
})

function listDomains(api: Reader) {
  return api.all(call(routes.listAppDomains, {}), live)
}
