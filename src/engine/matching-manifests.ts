// Manifests that were never recorded and match objects that are there: by natural key, as a plan warns of them.
import type { Declared } from '../project/resolving/declared.ts'
import { newSalt } from '../state/digest.ts'
import type { LiveObject } from './model/live.ts'
import type { OtherEnvironments } from './model/other-environments.ts'
import type { Planned } from './model/planned-resource.ts'
import type { Run } from './model/run.ts'
import type { Preparing } from './prepare.ts'
import { resolveNow } from './prepare.ts'

/** A manifest, and the objects that it may be about; none of them is held by a state. */
export interface MatchingManifest {
  readonly address: string
  readonly objects: readonly LiveObject[]
}

type Asking = Pick<Preparing, 'project' | 'document' | 'folded'>

const options = { destroy: false, refreshOnly: false, targets: [], excludes: [], replace: [] }

/** Looks at what the manifests resolve to. What hangs on an object is known by it: where a manifest is about one alone, and that about no other, others are looked at once more with its id. */
export async function matchingManifests(
  run: Run,
  { project, document, folded }: Asking,
  otherEnvironments: OtherEnvironments | undefined,
): Promise<readonly MatchingManifest[]> {
  const salt = document?.salt ?? folded.salt ?? newSalt(run.randomBytes)
  const found = new Map<string, readonly LiveObject[]>()
  let resources = project.resources
  for (;;) {
    const { planned } = await resolveNow(run, { project: { ...project, resources }, document, folded, salt, options, diagnostics: [] })
    const before = found.size
    for (const one of planned) {
      const objects = found.has(one.address) ? [] : objectsOf(one).filter((each) => otherEnvironments?.manager(each) === undefined)
      if (objects.length > 0) found.set(one.address, objects)
    }
    if (found.size === before) return [...found].map(([address, objects]) => ({ address, objects }))
    const sure = idsFor(found)
    resources = project.resources.map((one) => imported(one, sure.get(one.address)))
  }
}

function objectsOf({ record, action, object, alike = [] }: Planned): readonly LiveObject[] {
  if (record) return []
  return action === 'import' && object ? [object] : alike
}

/** The ids of objects by the addresses of the manifests that are about them and nothing else. */
function idsFor(found: ReadonlyMap<string, readonly LiveObject[]>): ReadonlyMap<string, string> {
  const counts = new Map<string, number>()
  for (const one of [...found.values()].flat()) counts.set(keyOf(one), (counts.get(keyOf(one)) ?? 0) + 1)
  return new Map(
    [...found].flatMap(([address, [only, more]]) => (only && more === undefined && counts.get(keyOf(only)) === 1 ? [[address, only.id] as const] : [])),
  )
}

function imported(declared: Declared, id: string | undefined): Declared {
  return id === undefined ? declared : { ...declared, importId: id, importBy: undefined }
}

function keyOf({ kind, workspaceId, id }: LiveObject): string {
  return `${kind.name} ${workspaceId} ${id}`
}
