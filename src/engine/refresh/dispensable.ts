// Lists that a plan can do without: whoever may not read them has it all the same, and `--needs` does not ask for them.
import type { Looking } from '../model/observation.ts'

/** The same way of looking, with every list marked as one to do without. */
export function dispensably(looking: Looking): Looking {
  const { source } = looking
  return { ...looking, source: { ...source, all: (call, options) => source.all(call, { ...options, dispensable: true }) } }
}
