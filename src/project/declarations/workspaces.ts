// Reads which workspace a resource or a project belongs to.
import { diagnostic } from '../../base/diagnostic.ts'
import type { Diagnostic } from '../../base/diagnostic.ts'
import { isObject } from '../../base/json.ts'
import type { JsonValue } from '../../base/json.ts'
import { pointerOf } from '../../base/pointer.ts'
import { holdsSensitive, holdsUnknown, jsonOf } from '../../expressions/value.ts'
import type { ProjectFile } from '../configuration/project-file.ts'
import type { WorkspaceRef } from '../resolving/declared.ts'
import { readReference } from '../resolving/references.ts'
import { earlyScope, evaluateEarly } from '../resolving/templates.ts'
import type { Each } from '../resolving/templates.ts'
import type { YamlDocument } from '../yaml/documents.ts'
import type { Early } from './expand.ts'

/** The workspace that a value names: a manifest of the workspace kind, an id, or a name that is looked up; undefined where it is wrong. */
export function readWorkspace(
  value: JsonValue,
  kind: string,
  at: { readonly document: YamlDocument; readonly pointer: string; readonly each: Each },
  early: Early,
): WorkspaceRef | undefined {
  const report = (found: Diagnostic) => {
    early.report(found)
    return undefined
  }
  const place = (path: readonly (string | number)[], offset?: number, hidden = false) => ({
    position: at.document.position(`${at.pointer}${pointerOf(path)}`, { ...(offset === undefined ? {} : { offset }), hidden }),
  })
  const context = { templates: early.templates, check: early.names.checkScope(at.each !== undefined), scope: earlyScope(early.inputs, at.each) }
  const found = evaluateEarly(value, context, (path, code, offset, message, hint) =>
    report(diagnostic(code, message, { ...place(path, offset), ...(hint === undefined ? {} : { hint }) })),
  )
  if (!found || holdsUnknown(found)) return undefined
  if (holdsSensitive(found)) return report(diagnostic('sensitive_name', 'a sensitive value cannot name a workspace', place([], undefined, true)))
  const target = readReference(jsonOf(found) ?? null, { kinds: [kind], output: 'id' }, early.names)
  if (target.is === 'wrong')
    return report(diagnostic(target.code, target.message, { ...place([]), ...(target.hint === undefined ? {} : { hint: target.hint }) }))
  if (target.is === 'resource') return { address: target.address }
  const position = () => place([]).position
  return target.is === 'id' ? { id: target.id, position } : { name: target.name, position }
}

/** The workspace of what names none: that of the project file, else the only one there is; undefined where it is wrong. */
export function workspaceByDefault(file: ProjectFile | undefined, kind: string, early: Early): WorkspaceRef | undefined {
  const root = file?.document.value
  const provider = isObject(root) && isObject(root.provider) ? root.provider : {}
  if (!file || provider.workspace === undefined || provider.workspace === null) return { only: true }
  return readWorkspace(provider.workspace, kind, { document: file.document, pointer: '/provider/workspace', each: undefined }, early)
}

/** One text for equal workspaces; '' at account scope. */
export function workspaceKey(workspace: WorkspaceRef | undefined): string {
  if (!workspace) return ''
  if ('address' in workspace) return workspace.address
  if ('id' in workspace) return workspace.id
  if ('beside' in workspace) return `of ${workspace.beside}`
  return 'name' in workspace ? `name ${workspace.name}` : 'only'
}

/** Whether two workspaces are surely different: written in the same way, with other words. */
export function surelyDiffer(a: WorkspaceRef | undefined, b: WorkspaceRef | undefined): boolean {
  if (!a || !b) return false
  const sameForm = ('address' in a && 'address' in b) || ('id' in a && 'id' in b) || ('name' in a && 'name' in b)
  return sameForm && workspaceKey(a) !== workspaceKey(b)
}
