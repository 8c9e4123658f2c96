// What is said of objects that are there and in no state: those like one of a plan, and those that it would take over.
import type { Diagnostic } from '../../../base/diagnostic.ts'
import { diagnostic } from '../../../base/diagnostic.ts'
import { withArticle } from '../../../base/words/article.ts'
import { few } from '../../../base/words/few.ts'
import { shellWord } from '../../../base/words/shell-word.ts'
import { uniqueFields } from '../../../kinds/definition/kind.ts'
import type { Declared } from '../../../project/resolving/declared.ts'
import { claimsAlike } from '../../model/claims.ts'
import { importCommand } from '../../model/import-command.ts'
import type { LiveObject } from '../../model/live.ts'
import { apartHint, otherManagerProblem, openAdvice, managedBy } from '../../model/other-environments.ts'
import type { ManagedBy } from '../../model/other-environments.ts'
import type { PlanInput } from '../../model/planned-resource.ts'
import type { Unmanaged } from '../../refresh/unmanaged.ts'
import type { Case } from './judged.ts'

/** A create that arrived twice, or was made by hand: which of them is ours nobody can tell, so it is named and left alone. */
export function twinAdvice(input: PlanInput, unmanaged: Unmanaged, { address, headPosition }: Declared, object: LiveObject): readonly Diagnostic[] {
  const { kind, id } = object
  const twin = unmanaged.twin(object)
  if (!twin) return []
  const { words, manager, isOpen, detail } = managedBy(input.otherEnvironments, twin)
  const text = `${address}: ${withArticle(kind.name)} like it (id ${twin.id}) ${words}; the one that is managed${manager ? ' here' : ''} has id ${id}`
  const hint = manager ? apartHint(kind) : isOpen ? 'leave the other one alone as long as it may be managed there' : 'delete the other one if it is a double'
  return [diagnostic('possible_duplicate', text, { address, position: headPosition('/metadata/name'), detail, hint })]
}

/** A unique object that exists is never taken over silently, nor is one that has what only one may have; any other is named as a possible duplicate. */
export function existsProblem(input: PlanInput, declared: Declared, one: Case, twin: LiveObject): Diagnostic {
  const { kind, address } = declared
  const managed = managedBy(input.otherEnvironments, twin)
  const rest = { address, position: declared.headPosition('/metadata/name'), detail: managed.detail, hint: wayAround(input, declared, one, twin, managed) }
  if (kind.unique !== undefined || claimsAlike(kind, twin.seen, one.desired))
    return diagnostic('exists', `${address}: such ${withArticle(kind.name)} exists already (id ${twin.id}) and ${managed.words}`, rest)
  const text = `${address}: ${withArticle(kind.name)} like it exists already (id ${twin.id}) and ${managed.words}; another one will be made`
  return diagnostic('possible_duplicate', text, rest)
}

function wayAround(
  input: PlanInput,
  { kind, address }: Declared,
  { record, object }: Case,
  twin: LiveObject,
  { manager, isOpen }: ManagedBy,
): string | undefined {
  if (manager) return apartHint(kind)
  const command = importCommand(input, address, twin.id)
  const ifFree = isOpen ? 'if nothing there manages it, ' : ''
  if (!record) return `${ifFree}take it over with: ${command}`
  if (!object) return `${ifFree}once \`iac state rm ${shellWord(address)}\` has forgotten the one that is gone, take it over with: ${command}`
  const other = `say another ${few(uniqueFields(kind) ?? ['one'])}`
  return isOpen ? other : `delete object ${twin.id} first, or ${other}`
}

/** Why an object is not taken over that another environment manages. */
export function managedByOther(
  input: Pick<PlanInput, 'otherEnvironments'>,
  declared: Declared,
  one: Pick<Case, 'object' | 'workspaceId'>,
): Diagnostic | undefined {
  const { address, kind, importId: id } = declared
  // What is never made or deleted may have several who describe it.
  if (id === undefined || kind.adopted !== undefined) return undefined
  const manager = input.otherEnvironments?.manager({ kind, workspaceId: one.workspaceId ?? '', id, seen: one.object?.seen })
  return manager && otherManagerProblem(manager, { address, kind, id, position: declared.headPosition('/metadata/import') })
}

/** A warning where an object is taken over that a state which could not be read may hold. */
export function openImport(
  { otherEnvironments }: Pick<PlanInput, 'otherEnvironments'>,
  { address, kind, importId: id, headPosition }: Declared,
): readonly Diagnostic[] {
  if (!otherEnvironments || id === undefined || kind.adopted !== undefined) return []
  return openAdvice(otherEnvironments, { address, kind, id, position: headPosition('/metadata/import') })
}
