// What the caller's role in a workspace does not allow: said under the plan, refused by the service alone.
import type { Access } from '../../../../api/routes/route.ts'
import type { Diagnostic } from '../../../../base/diagnostic.ts'
import { diagnostic } from '../../../../base/diagnostic.ts'
import { readable } from '../../../../base/token.ts'
import type { Planned } from '../../../model/planned-resource.ts'
import type { AnyStep } from '../../../model/view.ts'

const ladder: readonly Access[] = ['viewer', 'editor', 'administrator', 'owner']

/** A warning for a resource whose steps need a higher role than the caller has ("Scope"); unknown roles are not judged. */
export function roleAdvice(one: Planned, steps: readonly AnyStep[], roles: ReadonlyMap<string, string>): Diagnostic[] {
  const { role, has } = roleOf(one, roles)
  if (role === undefined) return []
  const needed = steps.map((step) => ({ name: step.name, level: levelOf(step) }))
  const [highest] = needed.filter(({ level }) => level > has).toSorted((a, b) => b.level - a.level)
  if (!highest) return []
  const text = `${one.address}: ${readable(highest.name)} needs the role ${ladder[highest.level]?.toUpperCase()}, and the caller is ${role}`
  return [diagnostic('advice', text, { address: one.address, position: one.declared?.position(), hint: 'the service will refuse it with 403' })]
}

/** An error where the caller, who carries this out right away, could delete an object first and not make the one in its place. */
export function roleLoss(one: Planned, steps: readonly AnyStep[], roles: ReadonlyMap<string, string>): Diagnostic[] {
  const { role, has } = roleOf(one, roles)
  const firstMade = steps.findIndex((step) => step.creates === true)
  const losing = steps.slice(0, Math.max(firstMade, 0))
  const isLost = losing.some((step) => step.removes === true) && losing.every((step) => levelOf(step) <= has) && levelOf(steps[firstMade]) > has
  if (role === undefined || !isLost) return []
  const text = `${one.address} would be deleted, and making it anew needs the role ${ladder[levelOf(steps[firstMade])]?.toUpperCase()}: the caller is ${role}`
  return [diagnostic('plan_impossible', text, { address: one.address, position: one.declared?.position() })]
}

/** The caller's role where the resource is, and its rung; undefined where it is unknown. */
function roleOf(one: Planned, roles: ReadonlyMap<string, string>): { readonly role: string | undefined; readonly has: number } {
  const role = roles.get(one.workspaceId ?? '') ?? (one.kind.contains ? roles.get(one.objectId ?? '') : undefined)
  const has = ladder.findIndex((level) => level === role?.toLowerCase())
  return { role: has < 0 ? undefined : role, has }
}

/** The rung of the role that a step needs; below all where it needs none. */
function levelOf(step: AnyStep | undefined): number {
  return step && 'route' in step.call ? ladder.indexOf(step.access ?? step.call.route.access) : -1
}
