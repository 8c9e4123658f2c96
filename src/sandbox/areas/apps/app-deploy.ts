// What a deployed app is made of: the rules of its deployment, and its row from template and request (section "App templates and app domains").
import { stringifyJson } from '../../../base/json.ts'
import type { Exchange } from '../../request/exchange.ts'
import { found } from '../../request/refusal.ts'
import { NOT_ALLOWED, NOT_THERE, rule } from '../../request/rules.ts'
import type { AppRow, AppTemplateRow } from '../../store/software-rows.ts'
import type { World } from '../../world.ts'
import { secretOf } from '../../world.ts'
import { ipsOf } from '../machines/instance-view.ts'
import type { PlaceholderProblem, PlaceholderValues } from './app-placeholders.ts'
import { fillPlaceholders, placeholderProblems } from './app-placeholders.ts'
import { allocatePorts } from './app-ports.ts'

type Deployment = Exchange<'deployApp'>

const section = 'App templates and app domains'
const deploy = { routes: ['deployApp'] } as const

const bodyRules = [
  rule({
    ...deploy,
    id: 'apps.name',
    section,
    quote: 'name (required, unique in workspace)',
    assumed: true,
    status: 409,
    open: 'taken',
    field: 'name',
    message: 'an app of the workspace has this name',
    broken: ({ world, workspaceId, body }) => world.tables.apps.first('name', `${workspaceId}/${body.name}`) !== undefined,
  }),
  rule({
    ...deploy,
    id: 'apps.required',
    section: 'App template',
    quote: 'null means the user must supply it at deploy time',
    status: 400,
    field: 'environment',
    message: (exchange) => `the environment lacks ${missingOf(exchange).join(', ')}`,
    broken: (exchange) => missingOf(exchange).length > 0,
  }),
  rule({
    ...deploy,
    id: 'apps.variables',
    section,
    quote: 'string overrides a default, null removes it',
    assumed: true,
    status: 400,
    field: 'environment',
    message: 'the template has no such variable',
    broken({ world, body: { template_id: id, environment = {} } }) {
      const template = world.tables.appTemplates.get(id)
      return world.readings.templateVariables === 'refuse' && Object.keys(environment).some((key) => !template?.environment.some((one) => one.key === key))
    },
  }),
  placeholderRule('apps.placeholder', 'Errors', 'Deploy-from-template fails on unknown placeholders.', 'unknown'),
  placeholderRule('apps.reference', section, 'An unknown placeholder or unresolvable reference fails the request.', 'unresolvable'),
  placeholderRule('apps.random', 'Limits', 'Placeholder random length | 1 to 128 | deploy from template', 'length'),
  rule({
    ...deploy,
    id: 'apps.domain',
    section,
    quote: 'domain (string; only when the template has a port with http true)',
    status: 400,
    field: 'domain',
    message: 'the template has no port with http true',
    broken: ({ world, body }) => body.domain !== undefined && world.tables.appTemplates.get(body.template_id)?.ports.every((port) => !port.http) === true,
  }),
  rule({
    ...deploy,
    id: 'apps.domain-base',
    section: 'App domain',
    quote: '`name` (base domain)',
    assumed: true,
    status: 400,
    field: 'domain',
    message: 'the domain is under no base domain',
    broken: ({ world, body: { domain } }) =>
      world.readings.domainOfApp === 'base' &&
      domain !== undefined &&
      !world.tables.appDomains.all().some(({ name }) => canonicalDomain(domain).endsWith(`.${name}`)),
  }),
  rule({
    ...deploy,
    id: 'apps.domain-used',
    section,
    quote: 'status 200 means already in use, 404 means available',
    assumed: true,
    status: 409,
    field: 'domain',
    message: 'the domain is in use',
    broken: ({ world, body: { domain } }) => domain !== undefined && isDomainUsed(world, domain),
  }),
]

/** Everything that the document demands of a deployment beyond its schema. */
export const deployRules = [
  rule({
    ...deploy,
    id: 'apps.template',
    section: 'Errors',
    quote: NOT_THERE,
    status: 404,
    open: 'reference',
    field: 'template_id',
    message: 'template not found',
    broken: ({ world, body }) => world.tables.appTemplates.get(body.template_id) === undefined,
  }),
  rule({
    ...deploy,
    id: 'apps.instance-state',
    section: 'Errors',
    quote: NOT_ALLOWED,
    status: 409,
    message: 'the instance is not available',
    broken: ({ world, params }) => found(world.tables.instances.get(params.iid), 'instance').state !== 'AVAILABLE',
  }),
  ...bodyRules,
]

/** Makes the row of a new app, PENDING, with ports and placeholders settled; throws a Refusal before it where something is missing. */
export function insertApp(world: World, { params, body }: Deployment): AppRow {
  const { tables } = world
  const template = found(tables.appTemplates.get(body.template_id), 'template')
  const instance = found(tables.instances.get(params.iid), 'instance')
  const ports = allocatePorts(world, instance.id, body.name, template)
  const { id } = tables.apps.insert({
    workspaceId: instance.workspaceId,
    instanceId: instance.id,
    templateId: template.id,
    templateName: template.name,
    name: body.name,
    image: template.image,
    state: 'PENDING',
    environment: {},
    mountsJson: body.mounts === undefined ? template.mountsJson : stringifyJson(body.mounts),
    ports,
    domain: body.domain === undefined ? null : canonicalDomain(body.domain),
  })
  let count = 0
  const random = (length: number): string => randomText(world, `app/${id}/${(count += 1)}`, length)
  const values = valuesOf(world, instance.id, ports, random)
  const environment = environmentOf(template, body.environment).map(([key, value]) => [key, fillPlaceholders(value, values)] as const)
  return tables.apps.update(id, { environment: Object.fromEntries(environment) })
}

/** Whether some app has the domain. */
export function isDomainUsed({ tables }: World, domain: string): boolean {
  return tables.apps.first('domain', canonicalDomain(domain)) !== undefined
}

function canonicalDomain(domain: string): string {
  return domain.toLowerCase().replace(/\.$/, '')
}

function placeholderRule(id: string, from: string, quote: string, problem: PlaceholderProblem) {
  const at = (exchange: Deployment): readonly string[] => problemsOf(exchange, problem)
  return rule({
    ...deploy,
    id,
    section: from,
    quote,
    status: 400,
    field: 'environment',
    message: (exchange) => `no value for ${at(exchange).join(', ')}`,
    broken: (exchange) => at(exchange).length > 0,
  })
}

function problemsOf({ world, params, body }: Deployment, problem: PlaceholderProblem): readonly string[] {
  const template = world.tables.appTemplates.get(body.template_id)
  if (!template) return []
  const ports = template.ports.map((port) => ({ ...port, hostPort: port.containerPort }))
  const values = valuesOf(world, params.iid, ports, (length) => 'x'.repeat(length))
  const problems = environmentOf(template, body.environment).flatMap(([, text]) => placeholderProblems(text, values))
  return problems.filter((one) => one.problem === problem).map((one) => one.placeholder)
}

/** Variables without a default that the request does not set; null sets nothing. */
function missingOf({ world, body: { template_id: id, environment = {} } }: Deployment): readonly string[] {
  const needed = world.tables.appTemplates.get(id)?.environment.filter((one) => one.value === null) ?? []
  return needed.map((one) => one.key).filter((key) => typeof environment[key] !== 'string')
}

/** "string overrides a default, null removes it". */
function environmentOf(template: AppTemplateRow, given: Deployment['body']['environment'] = {}): readonly (readonly [string, string])[] {
  const merged = { ...Object.fromEntries(template.environment.map(({ key, value }) => [key, value])), ...given }
  return Object.entries(merged).flatMap(([key, value]) => (value === null ? [] : [[key, value] as const]))
}

function valuesOf(world: World, instanceId: string, ports: AppRow['ports'], random: PlaceholderValues['random']): PlaceholderValues {
  const instance = found(world.tables.instances.get(instanceId), 'instance')
  const portOf = (name: string): AppRow['ports'][number] | undefined => ports.find((port) => port.name === name)
  return {
    hostPort: (name) => portOf(name)?.hostPort,
    containerPort: (name) => portOf(name)?.containerPort,
    address: (family) => ipsOf(world, instance).find((ip) => ip.family === family)?.address,
    random,
  }
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Letters and digits, two hexadecimal digits of a secret for each. */
function randomText(world: World, label: string, length: number): string {
  const parts = Array.from({ length: Math.ceil(length / 20) }, (_, index) => secretOf(world, `${label}/${index}`))
  const digits = parts.join('')
  return Array.from({ length }, (_, index) => LETTERS.charAt(Number.parseInt(digits.slice(2 * index, 2 * index + 2), 16) % LETTERS.length)).join('')
}
