// Whether an instance runs once a plan is carried out, as others ask that stand on it.
import type { Target } from './definition/kind.ts'

/** ON or OFF, as its steps leave it or as it is; undefined where that is not known. */
export function powerAfter({ now, sets }: Target): 'ON' | 'OFF' | undefined {
  const power = Object.hasOwn(sets, 'power') ? sets['power'] : (started(sets['start']) ?? now?.['power'])
  return power === 'ON' || power === 'OFF' ? power : undefined
}

/** What its create, or the first start that is still due, leaves. */
function started(start: unknown): 'ON' | 'OFF' | undefined {
  if (start === true) return 'ON'
  return start === false ? 'OFF' : undefined
}
