// What the state at hand does not hold may be another environment's: that is operated there, under its lock and in its journal.
import { diagnostic, failure } from '../../base/diagnostic.ts'
import { managerName, managedBy } from '../../engine/model/other-environments.ts'
import { findKind } from '../arguments/find-kind.ts'
import type { Context } from '../context/context.ts'
import type { Target } from './find-object.ts'

/** Throws a Failure 3 for an object that another environment of the project manages; warns where a state that may tell of it cannot be read. */
export async function checkNobodys(context: Context, { address, kind: name, id, workspaceId }: Target, step: string): Promise<void> {
  const kind = findKind(name)
  if (!kind) return
  const { manager, isOpen, words, detail } = managedBy(await context.otherEnvironments(), { kind, workspaceId, id })
  if (manager) {
    const { environment, flags } = manager
    const hint = flags === undefined ? 'take default_environment out of iac.yaml to get there' : `give the command ${flags.join(' ')}`
    throw failure('lookup_failed', `${address} (id ${id}) is ${manager.address} of ${managerName(environment)}: "${step}" belongs under its lock`, { hint })
  }
  const hint = 'if it is managed there, give the command there: under its lock nothing else runs'
  if (isOpen) context.print.diagnostics([diagnostic('advice', `${address} ${words}`, { address, detail, hint })])
}
