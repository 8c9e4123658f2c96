// Which objects a plan does not take over, although they are there.
import type { Diagnostic } from '../../../base/diagnostic.ts'
import { diagnostic } from '../../../base/diagnostic.ts'
import { withArticle } from '../../../base/words/article.ts'
import type { Declared } from '../../../project/resolving/declared.ts'
import type { Difference } from '../../model/diff/diff.ts'
import type { LiveObject } from '../../model/live.ts'
import type { Reason } from '../../model/plan-data.ts'
import type { Situation } from '../../model/view.ts'
import { isOnItsWayOut } from './verdict.ts'

const forcedWords: Readonly<Partial<Record<Reason, string>>> = {
  requested: '--replace asks for it',
  trigger: 'replace_triggered_by asks for it',
  expiring: 'it ends soon',
  secret_lost: 'a value is needed that is told only when it is made',
}

/** Why an object is not taken over: another one would have to stand in its place. */
export function unfitImport(declared: Declared, found: readonly Difference[], forced: Reason | undefined): readonly Diagnostic[] {
  const { address, kind } = declared
  const fields = found.flatMap((each) => (each.effect === 'replace' ? [each.field] : []))
  if (fields.length === 0 && forced === undefined) return []
  const why = fields.length > 0 ? `${fields.join(', ')} of the object cannot be changed` : (forcedWords[forced ?? 'requested'] ?? 'it is asked for')
  const text = `${address}: the plan that takes over ${withArticle(kind.name)} would destroy it, since it would be replaced: ${why}`
  const hint = 'write the manifest as the object is, and import it; what is changed afterwards is a plan of its own'
  return [diagnostic('import_replaced', text, { address, position: declared.headPosition('/metadata/import'), hint })]
}

/** Why there is nothing to take over: no such object is there, it is leaving, or it is none that a manifest manages. */
export function nothingToImport(
  declared: Declared,
  { object, workspaceId, situation }: { readonly object: LiveObject | undefined; readonly workspaceId: string | null; readonly situation: Situation },
): Diagnostic {
  const { address, kind, importId } = declared
  const at = { address, position: declared.headPosition('/metadata/import') }
  if (object && isOnItsWayOut(situation))
    return diagnostic('import_conflict', `${address}: the ${kind.name} with id ${importId} is on its way out`, {
      ...at,
      hint: 'once it is gone, one is made where nothing is imported',
    })
  const whose = object && (kind.whose?.(object.live) ?? 'belongs to something else, or to the service')
  if (whose !== undefined) return diagnostic('import_conflict', `${address}: the ${kind.name} with id ${importId} ${whose}`, at)
  const detail = kind.scope === 'account' || workspaceId === null ? undefined : `Looked for in workspace ${workspaceId}.`
  return diagnostic('import_conflict', `${address}: there is no ${kind.name} with id ${importId}`, { ...at, detail })
}
