// What a plan shows by its id, and the names of it: they stand in the plan, so that a saved one shows them as well.
import { tokenMarkIn } from '../../base/token.ts'
import type { AnyKind } from '../../kinds/definition/kind.ts'
import { heldIds } from '../model/graph/needs.ts'
import type { Plan } from '../model/plan-data.ts'
import type { PlanInput } from '../model/planned-resource.ts'
import type { Refreshed } from '../refresh/refresh.ts'

type Shown = Pick<Plan, 'changes' | 'drift' | 'quota' | 'only_workspace'>
type Looked = Pick<Refreshed, 'lookupById' | 'workspaceNames'>

/** The names that look-ups gave for what a plan shows by its id; of ids that nothing names there is none. */
export function shownNames(plan: Shown, kindOf: (name: string) => AnyKind | undefined, looked: Looked): Pick<Plan, 'names' | 'workspaces'> {
  const names: Record<string, Record<string, string>> = {}
  for (const { kind, id } of shownIds(plan, kindOf)) {
    const name = looked.lookupById(kind, id)?.['name']
    if (typeof name === 'string' && isShowable(name)) (names[kind] ??= {})[id] = name
  }
  const workspaces = [...shownWorkspaces(plan)].flatMap((id) => {
    const name = looked.workspaceNames.get(id) ?? ''
    return isShowable(name) ? [[id, name] as const] : []
  })
  return {
    ...(Object.keys(names).length === 0 ? {} : { names }),
    ...(workspaces.length === 0 ? {} : { workspaces: Object.fromEntries(workspaces) }),
  }
}

/** Changes with the names of their workspaces, where the caller sees several. */
export function placedChanges(changes: Plan['changes'], { workspaceNames }: Pick<Looked, 'workspaceNames'>): Plan['changes'] {
  if (workspaceNames.size < 2) return changes
  return changes.map((one) => {
    if (one.workspace_id === null || (one.action === 'no-op' && one.previous_address === null)) return one
    const name = workspaceNames.get(one.workspace_id) ?? ''
    return { ...one, workspace_name: isShowable(name) ? name : one.workspace_id }
  })
}

/** The workspace that a plan takes because its caller sees no other. */
export function onlyWorkspace({ project, options }: Pick<PlanInput, 'project' | 'options'>, looked: Looked): Pick<Plan, 'only_workspace'> {
  const [id] = looked.workspaceNames.keys()
  const takesOnly = !options.destroy && project.resources.some((one) => one.workspace && 'only' in one.workspace)
  return takesOnly && id !== undefined ? { only_workspace: id } : {}
}

/** The first name in a plan of something that it does not show; undefined where there is none. */
export function strayName(plan: Shown & Pick<Plan, 'names' | 'workspaces'>, kindOf: (name: string) => AnyKind | undefined): string | undefined {
  const { names = {}, workspaces = {} } = plan
  const ids = new Set(Array.from(shownIds(plan, kindOf), ({ kind, id }) => `${kind} ${id}`))
  const stray = Object.entries(names).flatMap(([kind, named]) => Object.entries(named).filter(([id]) => !ids.has(`${kind} ${id}`)))
  const places = shownWorkspaces(plan)
  return [...stray, ...Object.entries(workspaces).filter(([id]) => !places.has(id))][0]?.[1]
}

/** What reference fields point at, before and after. */
function* shownIds({ changes, drift }: Shown, kindOf: (name: string) => AnyKind | undefined): Generator<{ readonly kind: string; readonly id: string }> {
  for (const { kind: name, before, after } of [...changes, ...(drift ?? [])]) {
    const kind = kindOf(name)
    if (kind === undefined || kind.referenceFields.length === 0) continue
    for (const spec of [before, after]) if (spec) for (const { kinds, id } of heldIds(kind, spec)) for (const one of kinds) yield { kind: one, id }
  }
}

function shownWorkspaces({ quota, only_workspace: only }: Shown): ReadonlySet<string> {
  return new Set([...(quota ?? []).map((one) => one.workspace), ...(only === undefined ? [] : [only])])
}

/** A plan file with the marks of a token in it is refused. */
function isShowable(name: string): boolean {
  return name !== '' && tokenMarkIn(name) === undefined
}
