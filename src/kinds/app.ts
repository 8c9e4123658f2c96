// Apps from a template: deployed onto an instance, never read or changed afterwards, ended by the end of their instance.
import * as z from 'zod'
import { ApiError, call } from '../api/calls/call.ts'
import { hostname } from '../api/routes/fields.ts'
import { routes } from '../api/routes/routes.ts'
import { checkApp, checkAppTemplates, unmetBy } from './app-checks.ts'
import { appExamples } from './app-examples.ts'
import { AppTemplate } from './app-template.ts'
import { mark, ref } from './definition/fields.ts'
import { defineKind, pick } from './definition/kind.ts'
import type { Id, Problem, Reader } from './definition/kind.ts'
import { maybe, present } from './definition/live-fields.ts'
import { defineShape, idOf } from './definition/shape.ts'

const fixed = { immutable: true, clearable: true } as const

const spec = z.strictObject({
  instance: mark(ref('Instance'), { immutable: true, endsWith: true }).describe('the instance that it runs on, and ends with'),
  template_id: mark(ref('AppTemplate'), { immutable: true }).describe('the template that it is deployed from'),
  name: mark(z.string().min(1), { immutable: true }).describe('name, unique in the workspace'),
  environment: mark(z.record(z.string().min(1), mark(z.string(), { literal: true }).nullable()), { ...fixed, secret: true })
    .optional()
    .describe('environment variables: a text in place of the default of the template, or null to leave the variable out'),
  mounts: mark(z.array(z.record(z.string(), z.unknown())), fixed)
    .optional()
    .describe('volume mounts in place of those of the template; the API does not say what they hold'),
  domain: mark(z.string().min(1), { ...fixed, form: 'hostname' })
    .optional()
    .describe('full domain that leads to it, below a base domain; only where the template has a port with http true'),
})

const live = defineShape('App', () => z.object({ id: idOf, name: maybe(z.string()) }))

const posted = ['template_id', 'name', 'environment', 'mounts', 'domain'] as const

export const App = defineKind({
  name: 'App',
  plural: 'apps',
  about:
    'A container app that is deployed from a template onto an instance. The service neither shows, changes nor deletes it: it is as recorded, and ends with its instance.',
  section: 'App templates and app domains',
  scope: 'parent',
  parentField: 'instance',
  readable: false,
  singleRead: false,
  calls: { making: [routes.deployApp], removing: [] },
  unique: ['name'],
  billed: true,
  word: 'app',
  spec,
  live,
  outputs: {
    id: { type: 'string', about: 'id of the app; `<instance>/<name>` where the answer that told it was lost' },
  },
  examples: appExamples,
  list: async () => [],
  read: async () => undefined,
  idForm: /^[1-9]\d{0,18}(?:\/[\w.-]+)?$/,
  id: (one) => one.id,
  toSpec: (one) => pick(one, ['name']),
  outputsOf: (one) => present({ id: one.id }),
  status: () => 'ready',
  naturalKey: (one) => `${one.name}`,
  untoldId: (one): Id => `${one.instance}/${one.name}`,
  check: checkApp,
  checkAll: checkAppTemplates,
  async preflight(api, one) {
    const { data: domain } = hostname.safeParse(one.domain)
    const template = one.template_id ? await readTemplate(api, one.template_id) : undefined
    return [...(domain !== undefined && (await isInUse(api, domain)) ? [inUse(domain)] : []), ...(template ? unmetBy(one, template) : [])]
  },
  steps({ desired, live: there }) {
    if (there) return []
    return [{ name: 'create', creates: true, call: call(routes.deployApp, { iid: desired.instance }, pick(desired, posted)), sets: desired }]
  },
  removal: () => [],
})

/** Whoever may not look at a template is told nothing of it. */
async function readTemplate(api: Reader, id: Id) {
  try {
    return await api.one(call(routes.getAppTemplate, { id }), AppTemplate.live)
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

/** 404 says that a domain is free; whoever may not ask is told nothing. */
async function isInUse(api: Reader, domain: string): Promise<boolean> {
  try {
    await api.text(call(routes.checkAppDomain, {}, { domain }))
    return true
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}

function inUse(domain: string): Problem {
  return { path: ['domain'], message: `the domain ${domain} is in use already`, hint: '`iac get appdomains` lists what a domain can be below' }
}
