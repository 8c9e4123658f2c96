// What the state is to say of the protection of a resource: its manifest decides, but for what the plan leaves out.
import type { Declared } from '../../project/resolving/declared.ts'
import type { ResourceRecord } from '../../state/record.ts'

type Keeping = Pick<ResourceRecord, 'protected' | 'on_remove'>

/** As its manifest says, as it is recorded where none does; where it is left out (`isLeft`) it may be protected more by its manifest, and never less. */
export function keepingOf(recorded: Keeping | undefined, lifecycle: Declared['lifecycle'] | undefined, isLeft: boolean): Keeping {
  const before = recorded ?? { protected: false, on_remove: 'delete' }
  if (!lifecycle) return { protected: before.protected, on_remove: before.on_remove }
  const { preventDestroy, onRemove } = lifecycle
  return {
    protected: preventDestroy || (isLeft && before.protected),
    on_remove: isLeft && before.on_remove === 'retain' ? 'retain' : onRemove,
  }
}
