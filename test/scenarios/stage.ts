// Short builders for scenarios: manifests as text, plans as lines, and what left for the service in order.
import { stringifyJson } from '../../src/base/json.ts'
import type { Plan } from '../../src/engine/model/plan-data.ts'
import { planDocument } from '../../src/engine/plan/plan.ts'
import { readPlan } from '../../src/engine/saved/saved-plan.ts'
import type { Applied } from '../../src/engine/session.ts'
import { manifest } from '../builders/project.ts'
import type { World } from '../builders/world.ts'

/** Several manifests as one file. */
export const all = (...texts: readonly string[]): string => texts.join('\n')

export const vpc = (name: string, range = '10.20.0.0/24', metadata = ''): string =>
  manifest('Vpc', name, `name: ${name}-net\ndescription: of ${name}\nrange: ${range}`, metadata)

export const instance = (name: string, spec = '', metadata = ''): string =>
  manifest('Instance', name, `type: PLAN\nplan: ryzen-4\nregion: fra-1\n${spec}`, metadata)

export const rule = (name: string, spec: string, metadata = ''): string =>
  manifest('FirewallRule', name, `instance: web\ntype: IPv4\nprotocol: TCP\n${spec}`, metadata)

export const attachment = (name: string, on: string, to: string): string => manifest('VpcAttachment', name, `instance: ${on}\nvpc: ${to}`)

/** A cluster with one node and a secret. */
export const cluster = (data: string): string =>
  all(
    manifest('K3sCluster', 'main', ''),
    instance('worker'),
    manifest('K3sNode', 'worker', 'instance: worker'),
    manifest('K3sSecret', 'db', `name: db\ndata:\n  ${data}`),
  )

export const service = (name: string, spec = '', metadata = ''): string =>
  manifest('K3sService', name, `image: shop:1\nmode: SPREAD\ntarget_instances: [worker]\nsecret_refs: [db]\n${spec}`, metadata)

/** iac.yaml with these lines. */
export const project = (lines = ''): string => `apiVersion: iac/v1\nkind: Project\nname: shop\n${lines}`

/** A project of iac.yaml and main.yaml. */
export const files = (lines: string, ...texts: readonly string[]) => ({ 'iac.yaml': project(lines), 'main.yaml': all(...texts) })

/** A plan as the file of `--out` gives it back. */
export const saved = (plan: Plan): Plan => readPlan(stringifyJson(planDocument(plan), 2), 'plan.json', '0.0.0')

/** `create Vpc/main (new): create` for each change that is one, in order; `+/-` marks a create-first replacement. */
export function brief(plan: Plan): string[] {
  return plan.changes
    .filter((one) => one.action !== 'no-op')
    .map((one) => `${one.create_before_destroy ? '+/- ' : ''}${one.action} ${one.address} (${one.reason}): ${one.steps.join(', ')}`)
}

/** The diagnostics of a plan as `code summary`, those of loading included. */
export function said(found: Pick<Plan, 'diagnostics'> | Pick<Applied, 'diagnostics'>): string[] {
  return found.diagnostics.map((one) => `${one.code} ${one.summary}`)
}

/** The operations with an effect that arrived at the service since this call, with a part of their body where `show` picks one. */
export function effects(
  world: Pick<World, 'sandbox'>,
  show: (body: Readonly<Record<string, string | number>>) => string | number | undefined = () => undefined,
): string[] {
  const out: string[] = []
  world.sandbox.faults.hook = ({ operation, method, body }) => {
    // An estimate asks for a price, and changes nothing.
    if (method === 'GET' || operation === 'estimatePrice') return undefined
    const part = show(body === undefined || body === '' ? {} : JSON.parse(body))
    out.push(part === undefined ? `${operation}` : `${operation} ${part}`)
    return undefined
  }
  return out
}
