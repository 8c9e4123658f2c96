// What workflows are about: addresses of the state, else the names of what is live, by the ids that their data name.
import type { WorkflowDetails } from '../../../api/workflows/workflow-details.ts'
import type { AnyKind } from '../../../kinds/definition/kind.ts'
import type { ResourceRecord } from '../../../state/record.ts'
import type { Ways } from '../../context/listed-objects.ts'
import { idsOf } from '../../render/workflow-text.ts'
import { visibleIn } from './names-of-ids.ts'

/** Tells the addresses of what workflows name, by id; asked again it lists a kind only for an id that is new. What is gone is its kind and id, or its member and id where several kinds are called so. */
export type Subjects = (all: readonly WorkflowDetails[]) => Promise<ReadonlyMap<string, string>>

/** Of a state's records, and of what stands in a workspace; without one of the state alone. */
export function createSubjects(ways: Ways, records: Iterable<ResourceRecord>, workspaceId: string | undefined): Subjects {
  const addresses = new Map([...records].flatMap((one) => recordedIds(one, ways.kinds).map((id) => [id, one.address] as const)))
  const readable = ways.kinds.filter((kind) => kind.readable)
  const listed = async (kind: AnyKind): Promise<readonly (readonly [string, string])[]> => {
    const all = workspaceId === undefined || kind.scope === 'parent' ? [] : await visibleIn(ways, kind, kind.scope === 'account' ? '' : workspaceId)
    return all.map(({ id, name = '' }) => [id, `${kind.name}/${name === '' ? id : name}`])
  }
  return async (all) => {
    const unknown = all.flatMap(idsOf).filter(([, id]) => !addresses.has(id))
    const found = await Promise.all(readable.filter((kind) => unknown.some(([member]) => isCalled(kind, member))).map(listed))
    const live = new Map(found.flat())
    for (const [member, id] of unknown) {
      const [only, more] = readable.filter((kind) => isCalled(kind, member))
      const address = live.get(id) ?? (only && !more ? `${only.name}/${id}` : undefined)
      // What is not live will not be: it is not looked for again.
      addresses.set(id, address ?? `${member}=${id}`)
    }
    return addresses
  }
}

/** What has the id of what it hangs on is not meant by that id. */
function recordedIds({ kind: name, id, spec, deposed }: ResourceRecord, kinds: readonly AnyKind[]): readonly string[] {
  const field = kinds.find((one) => one.name === name)?.parentField
  return field !== undefined && spec[field] === id ? [] : [id, ...deposed.map((one) => one.id)]
}

/** Whether a workflow's data may mean a kind by a member: `disk_id` a Disk, `service_id` a K3sService. */
function isCalled({ name, word: own }: AnyKind, member: string): boolean {
  const word = member.replace(/_id$/, '')
  const snake = name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '_').toLowerCase()
  return word !== '' && (own === word || snake === word || snake.endsWith(`_${word}`))
}
