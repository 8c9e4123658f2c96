// The lookups that a saved plan still needs: those in what it left unresolved, in the project's outputs, and in imports.
import type { JsonValue } from '../../base/json.ts'
import type { Declared, OutputDeclared, Project, Scope } from '../../project/resolving/declared.ts'
import { sourceOf } from '../../project/resolving/unresolved.ts'
import type { ResourceRecord } from '../../state/record.ts'
import type { Evaluate } from '../model/diff/desired.ts'
import { besideOf } from '../model/diff/desired.ts'
import { createReader } from '../model/live.ts'
import type { Digest } from '../model/live.ts'
import type { Plan } from '../model/plan-data.ts'
import type { Run } from '../model/run.ts'
import { applyMoved } from '../plan/moved.ts'
import { withImports } from '../refresh/imports.ts'
import { secretFields, withSecretFields } from '../refresh/lookups.ts'
import { locator, refresh, visibleWith } from '../refresh/refresh.ts'
import { withTakenOver } from '../refresh/workspaces-taken-over.ts'

/** Looks up what the plan's texts and the outputs name, with `records` for what of it is sensitive; undefined, and no request, where they name nothing. */
export async function savedLookups(
  run: Run,
  project: Project,
  plan: Plan,
  evaluate: Evaluate,
  digest: Digest,
  { secrets, records }: { readonly secrets: ReadonlyMap<string, JsonValue>; readonly records: Iterable<ResourceRecord> },
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
  const fields = secretFields(records)
  return (kind, name, workspace) => {
    const answer = found.lookup(kind, name, workspace ?? project.workspace)
    return 'problem' in answer ? answer : withSecretFields(answer, kind, fields)
  }
}

/** The project with the ids that lookups give to its imports by now, and to what is never made; no request where none is left to be carried out. */
export async function importsNow(run: Run, project: Project, recorded: ReadonlyMap<string, ResourceRecord>, digest: Digest): Promise<Project> {
  const { resources } = applyMoved({ project, resources: recorded })
  if (project.resources.every((one) => !isLookedUp(one) || resources.has(one.address))) return project
  const visible = await visibleWith(run, new Map())
  const whereIn = (one: Project) => locator(visible, withTakenOver(resources, one.resources, visible))
  return withImports(run, project, resources, digest, { whereIn, reader: createReader(run.client, run.compat) })
}

/** Whether only a lookup tells which object a manifest is about. */
function isLookedUp({ importId, importBy, kind }: Declared): boolean {
  return importId === undefined && (importBy !== undefined || kind.adopted !== undefined)
}
