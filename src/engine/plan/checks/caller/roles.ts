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
  const role = roles.get(one.workspaceId ?? '') ?? (one.kind.contains ? roles.get(one.objectId ?? '') : undefined)
  const has = ladder.findIndex((level) => level === role?.toLowerCase())
  if (role === undefined || has < 0) return []
  const needed = steps.flatMap((step) => ('route' in step.call ? [{ name: step.name, level: ladder.indexOf(step.access ?? step.call.route.access) }] : []))
  const [highest] = needed.filter(({ level }) => level > has).toSorted((a, b) => b.level - a.level)
  if (!highest) return []
  const text = `${one.address}: ${readable(highest.name)} needs the role ${ladder[highest.level]?.toUpperCase()}, and the caller is ${role}`
  return [diagnostic('advice', text, { address: one.address, position: one.declared?.position, hint: 'the service will refuse it with 403' })]
}
