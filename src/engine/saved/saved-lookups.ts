// The lookups that a saved plan still needs: those in what it left unresolved, and in the project's outputs.
import type { JsonValue } from '../../base/json.ts'
import type { OutputDeclared, Project, Scope } from '../../project/resolving/declared.ts'
import { sourceOf } from '../../project/resolving/unresolved.ts'
import type { Evaluate } from '../model/desired.ts'
import { besideOf } from '../model/desired.ts'
import type { Digest } from '../model/live.ts'
import type { Plan } from '../model/plan-data.ts'
import type { Run } from '../model/run.ts'
import { refresh } from '../refresh/refresh.ts'

/** Looks up what the plan's texts and the outputs name; undefined, and no request, where they name nothing. */
export async function savedLookups(
  run: Run,
  project: Project,
  plan: Plan,
  evaluate: Evaluate,
  digest: Digest,
  secrets: ReadonlyMap<string, JsonValue>,
): Promise<Scope['lookup'] | undefined> {
  const unresolved = plan.changes.flatMap((change) =>
    Object.values(change.unresolved).flatMap((given): OutputDeclared[] => {
      const source = sourceOf(given, secrets)
      if (source === undefined) return []
      return [{ name: '', references: [], source, resolve: (scope) => evaluate(source, besideOf(scope, change), { address: change.address }) }]
    }),
  )
  const asking = [...project.outputs, ...unresolved].filter((one) => one.source.includes('lookup('))
  if (asking.length === 0) return undefined
  const options = { destroy: false, refreshOnly: false, targets: [], excludes: [], replace: [] }
  const found = await refresh(run, { ...project, resources: [], outputs: asking }, new Map(), digest, options)
  return (kind, name, workspace) => found.lookup(kind, name, workspace ?? project.workspace)
}
