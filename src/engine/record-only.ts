// Commands that write the state and nothing else: import, and apply --refresh-only.
import type { Diagnostic } from '../diagnostic.ts'
import { failure, Failure } from '../diagnostic.ts'
import type { Declared } from '../project/declared.ts'
import type { StateDocument } from '../state/record.ts'
import type { Locking } from './locked.ts'
import { openLedger, underLock, writeBack } from './locked.ts'
import type { Prepared } from './prepare.ts'
import { prepare } from './prepare.ts'
import type { Run } from './run.ts'
import type { Request } from './session.ts'
import { settleFirst } from './session.ts'
import { importEntry, importProblem, refreshEntries } from './take-over.ts'

/** Puts an existing object under a manifest; throws Failure (3) for an address without one, or what is managed already. */
export async function importObject(run: Run, request: Omit<Request, 'options'> & Locking, address: string, id: string): Promise<StateDocument> {
  const declared = request.project.resources.find((one) => one.address === address)
  if (!declared) throw failure('import_conflict', `${address} has no manifest`, { hint: 'write its manifest first, then import' })
  return underLock(run, request, async (lease, loaded) => {
    const opened = openLedger(run, request.project, lease, loaded)
    await settleFirst(run, request, opened)
    const folded = opened.ledger.folded()
    const problem = importProblem(folded.resources, address, declared.kind.name, id)
    if (problem) throw new Failure(3, [problem])
    const options = { destroy: false, refreshOnly: false, targets: [], excludes: [], replace: [] }
    const project = { ...request.project, resources: request.project.resources.map((one) => (one === declared ? withImport(one, id) : one)) }
    const prepared = await prepare(run, { ...request, project, options, document: loaded.document, folded, salt: opened.document.salt })
    await opened.ledger.append(importEntry(prepared, address, id))
    return writeBack(run, lease, opened, opened.document.outputs)
  })
}

function withImport(declared: Declared, id: string): Declared {
  return { ...declared, importId: id }
}

/** Records what is live and changes nothing out there; `decide` is asked first. Undefined when it said no. */
export async function refreshState(
  run: Run,
  request: Request & Locking,
  decide: (prepared: Prepared, problems: readonly Diagnostic[]) => Promise<boolean>,
): Promise<StateDocument | undefined> {
  return underLock(run, request, async (lease, loaded) => {
    const opened = openLedger(run, request.project, lease, loaded)
    await settleFirst(run, request, opened)
    const prepared = await prepare(run, { ...request, document: loaded.document, folded: opened.ledger.folded(), salt: opened.document.salt })
    if (!(await decide(prepared, []))) return undefined
    const entries = refreshEntries(prepared)
    if (entries.length > 0) await opened.ledger.append(...entries)
    return writeBack(run, lease, opened, opened.document.outputs)
  })
}
