// What a plan makes whose making alone answers a value that others in it wait for.
import type { AnyKind } from '../../kinds/definition/kind.ts'
import type { Plan } from '../model/plan-data.ts'

/** Addresses of which another change needs an output that is told once. A text that is hidden may name any output of what its resource requires. */
export function awaitedOnce(plan: Plan, kindOf: (name: string) => AnyKind): ReadonlySet<string> {
  const kinds = new Map(plan.changes.map((one) => [one.address, one.kind]))
  const out = new Set<string>()
  for (const { action, requires, unresolved } of plan.changes) {
    const texts = Object.values(unresolved)
    if (action === 'no-op' || texts.length === 0) continue
    for (const address of requires) {
      const outputs = Object.entries(kindOf(kinds.get(address) ?? '').outputs).flatMap(([name, { once }]) => (once ? [name] : []))
      if (outputs.some((name) => texts.some((text) => !text.includes('${') || text.includes(name)))) out.add(address)
    }
  }
  return out
}
