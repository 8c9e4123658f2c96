// The end of a run under the lock: the document is written, and what else there is to tell is never lost with it.
import { compareAddresses } from '../../base/address.ts'
import type { Code, ExitCode } from '../../base/catalogue.ts'
import type { Diagnostic } from '../../base/diagnostic.ts'
import { diagnostic, Failure } from '../../base/diagnostic.ts'
import { canonicalJson } from '../../base/json.ts'
import { compact } from '../../state/fold.ts'
import type { ResourceRecord, StateDocument } from '../../state/record.ts'
import type { Lease } from '../../state/store.ts'
import { toJson } from '../model/live.ts'
import type { Run } from '../model/run.ts'
import type { OpenedLedger } from './locked-run.ts'
import { saying } from './locked-run.ts'

/** Writes the document when anything was recorded; a run without a difference leaves the state as it was. Once the journal holds what this run did, a write that fails is Failure 8, or 130 after a stop, and tells what is `open` besides. */
export async function writeBack(
  run: Run,
  lease: Lease,
  opened: OpenedLedger,
  outputs: StateDocument['outputs'],
  open: readonly Diagnostic[] = [],
): Promise<StateDocument> {
  try {
    return await writeDocument(run, lease, opened, outputs)
  } catch (error) {
    throw opened.journal === 'kept' ? unwritten(run, opened, error, open) : error
  }
}

/** Writes back although the run ended with `ended`, and throws that, with what could not be written; where the journal holds what was done and failed later it is 8, too. */
export async function writeBackAfter(run: Run, lease: Lease, opened: OpenedLedger, ended: unknown, outputs = opened.document.outputs): Promise<never> {
  const isCut = (await opened.ledger.settled()) !== undefined
  const failed = await writeDocument(run, lease, opened, outputs).then(
    () => undefined,
    (error: unknown) => ({ error }),
  )
  if (opened.journal !== 'kept' || (!failed && !isCut)) throw ended
  const problems = !failed || saysSame(failed.error, ended) ? [] : [unwrittenText(failed.error, opened)]
  if (ended instanceof Failure) throw new Failure(ownCodes.has(ended.exitCode) ? ended.exitCode : incompleteCode(run), [...ended.diagnostics, ...problems])
  // A refused call and a fault of ours are told by whoever knows them.
  for (const one of problems) run.report({ type: 'note', diagnostic: one })
  throw ended
}

/** A lock that was lost is lost for every write after that. */
function saysSame(one: unknown, other: unknown): boolean {
  return one instanceof Failure && other instanceof Failure && one.message === other.message
}

/** What a run ends with that could not keep what it did. */
export function unwritten(run: Run, opened: OpenedLedger, error: unknown, open: readonly Diagnostic[] = []): Failure {
  return new Failure(incompleteCode(run), [...open, unwrittenText(error, opened)])
}

/** Why a state could not be written, and where what it was to hold stands. */
export function unwrittenText(error: unknown, { ledger }: OpenedLedger): Diagnostic {
  const [said] = error instanceof Failure ? error.diagnostics : []
  if (said && tellsAll.has(said.code)) return said
  const text = `the state could not be written: ${error instanceof Error ? error.message : 'failed'}`
  const known = ledger.valid() ? 'nothing is lost: the journal holds it, and' : 'the journal holds what was recorded before it failed:'
  return diagnostic('operation_failed', text, { hint: `${known} ${said?.hint ?? 'the next run writes it'}` })
}

/** What says by itself where that stands. */
const tellsAll: ReadonlySet<Code> = new Set<Code>(['state_undelivered', 'operation_failed', 'state_gone'])

/** What a run was stopped or refused with stands before what it did not finish. */
const ownCodes: ReadonlySet<ExitCode> = new Set<ExitCode>([4, 130])

function incompleteCode({ stop }: Run): ExitCode {
  return stop.aborted ? 130 : 8
}

async function writeDocument(run: Run, lease: Lease, opened: OpenedLedger, outputs: StateDocument['outputs']): Promise<StateDocument> {
  const { ledger, document } = opened
  const problem = await ledger.settled()
  const resources = [...ledger.folded().resources.values()].toSorted((a, b) => compareAddresses(a.address, b.address))
  const unchanged = sameRecords(document.resources, resources) && canonicalJson(toJson(document.outputs)) === canonicalJson(toJson(outputs))
  const keep = compact(ledger.entries(), ledger.unfinished())
  // Where not even the first document could be written nothing was done, either.
  if (problem !== undefined && !opened.existed && resources.length === 0) return document
  if (unchanged && saying(keep) === saying(ledger.entries())) {
    if (problem !== undefined) throw problem
    return document
  }
  const next = { ...document, tool_version: run.toolVersion, serial: document.serial + 1, resources, outputs }
  await lease.write(next, keep)
  return next
}

/** Record by record: what no line was about is the very one that was read. */
function sameRecords(before: readonly ResourceRecord[], now: readonly ResourceRecord[]): boolean {
  return before.length === now.length && before.every((one, at) => one === now[at] || canonicalJson(toJson(one)) === canonicalJson(toJson(now[at])))
}
