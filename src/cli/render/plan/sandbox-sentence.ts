// How a plan that was made against the embedded service says so.
import type { Plan } from '../../../engine/model/plan-data.ts'

/** A reader would take it for the real one otherwise; undefined for one that is. */
export function sandboxSentence({ sandbox, seeded }: Pick<Plan, 'sandbox' | 'seeded'>): string | undefined {
  if (!sandbox) return undefined
  const seed = seeded ? ', which held what the manifests of --seed declare' : ''
  return `Planned against the embedded service (--sandbox)${seed}: nothing of what is live is in it.`
}
