// References to objects that are in no state and that no list has shown: each is read once, and judged as those of the plan are.
import type { Diagnostic } from '../base/diagnostic.ts'
import type { Planned, PlanInput } from './model/planned-resource.ts'
import type { Run } from './model/run.ts'
import { outsideOf, seenOf, unfitOutside } from './plan/decide/unfit-targets.ts'
import type { Outside } from './plan/decide/unfit-targets.ts'
import { refusable } from './refresh/existence.ts'
import { readAgain } from './refresh/observe.ts'
import type { Refreshed } from './refresh/refresh.ts'

/** An error for each reference to such an object that is not as the service asks; what cannot be read is left open. */
export async function unfitOutsiders(run: Run, input: PlanInput, { looking }: Refreshed, planned: readonly Planned[]): Promise<readonly Diagnostic[]> {
  const unseen = outsideOf(run.kinds, planned).filter((each) => seenOf(input, each) === undefined)
  const reads = new Map<string, ReturnType<typeof read>>()
  const read = ({ one, kind, id }: Outside) => refusable(readAgain(looking, { kind, workspaceId: one.workspaceId ?? '', id, fields: [], parents: [] }))
  const found = await Promise.all(
    unseen.map(async (each) => {
      const key = `${each.kind.name} ${each.one.workspaceId} ${each.id}`
      const reading = reads.get(key) ?? read(each)
      reads.set(key, reading)
      const object = await reading
      return object === undefined || object === 'refused' ? [] : unfitOutside(each, object, planned, input.nowMs)
    }),
  )
  return found.flat()
}
