// The engine's main commands: plan without a lock, apply under one, from reading the state to writing it.
import type { ExitCode } from '../base/catalogue.ts'
import type { Diagnostic } from '../base/diagnostic.ts'
import type { Project } from '../project/resolving/declared.ts'
import { createEvaluator } from '../project/resolving/evaluate-source.ts'
import { digestOf } from '../state/digest.ts'
import { fold } from '../state/fold.ts'
import type { StateDocument } from '../state/record.ts'
import type { Lease, StateStore } from '../state/store.ts'
import { carryOut } from './apply/apply.ts'
import { untoldHere } from './apply/close-undeclared.ts'
import type { Locking, OpenedLedger } from './apply/locked-run.ts'
import { baseOf, openLedger, underLock } from './apply/locked-run.ts'
import { lookForSeen } from './apply/note-seen.ts'
import { outputsAfter } from './apply/outputs.ts'
import { createWork } from './apply/work.ts'
import { unwrittenText, writeBack } from './apply/write-back.ts'
import { changedSince } from './changed-since.ts'
import { hideProject } from './hide-project.ts'
import type { Evaluate } from './model/diff/desired.ts'
import type { Outcome } from './model/events.ts'
import type { Change, Plan } from './model/plan-data.ts'
import type { Options } from './model/planned-resource.ts'
import type { Run } from './model/run.ts'
import { checkKinds, checkOwner } from './model/state-owner.ts'
import type { Work } from './operation/operation.ts'
import type { Guards } from './plan/checks/guards.ts'
import { exitCodeOf, guardProblems } from './plan/checks/guards.ts'
import type { PolicySet } from './plan/checks/policies.ts'
import { policiesFor } from './plan/checks/policies.ts'
import type { Prepared } from './plan/prepared-plan.ts'
import type { Preparing } from './prepare.ts'
import { prepare } from './prepare.ts'
import { recover } from './recover/recover.ts'
import { forgetVanished, unreadySuccessors } from './recover/vanished.ts'
import { namedWorkspaces, visibleWith } from './refresh/refresh.ts'

export interface Request {
  readonly project: Project
  readonly store: StateStore
  readonly options: Options
  /** What loading found. */
  readonly diagnostics: readonly Diagnostic[]
}

export interface ApplyRequest extends Request, Locking {
  readonly guards: Omit<Guards, 'manifests' | 'destroy'>
  /** Whether `decide` asks somebody, which takes its time: what the plan touches is looked at again then. */
  readonly asks: boolean
  /** Shows the plan and what is wrong with it, and asks unless anything of that is an error; false leaves everything as it is. */
  decide(prepared: Prepared, problems: readonly Diagnostic[]): Promise<boolean>
}

/** How an apply went: without `outcome` nothing was carried out. */
export interface Applied {
  readonly plan: Plan
  readonly outcome: Outcome | undefined
  readonly diagnostics: readonly Diagnostic[]
  readonly document: StateDocument
  readonly exitCode: ExitCode
  /** Commands that settle what stays open, where no further run does, as in `settledBy`. */
  readonly byHand?: readonly string[]
}

/** Plans without a lock and without writing anything. Throws Failure. */
export async function preparePlan(run: Run, request: Request & Pick<Preparing, 'preflight'>): Promise<Prepared> {
  const loaded = await request.store.read()
  checkOwner(request.project, loaded.document, request.store.where)
  checkKinds(run.kinds, loaded, request.store.where)
  const folded = fold(loaded.document, loaded.entries)
  const { document } = baseOf(run, request.project, loaded, folded)
  return await prepare(run, { ...request, document: loaded.document, folded, salt: document.salt, unlocked: true })
}

/** Settles what is unfinished, plans, asks, carries out and records. Throws Failure where nothing was changed. */
export async function applyProject(run: Run, request: ApplyRequest): Promise<Applied> {
  return underLock(run, request, async (lease, loaded) => {
    const opened = openLedger(run, request.project, lease, loaded)
    const unsettled = await settleFirst(run, request, opened)
    const { ledger, document } = opened
    const prepared = await prepare(run, { ...request, document: loaded.document, folded: ledger.folded(), salt: document.salt, preflight: 'apply' })
    const guards = { ...request.guards, manifests: request.project.manifests, destroy: request.options.destroy }
    const problems = guardProblems(prepared, prepared.folded.resources, guards)
    if (hasErrors([...prepared.plan.diagnostics, ...problems])) {
      await request.decide(prepared, problems)
      return await leftAlone(run, lease, opened, { plan: prepared.plan, problems, unsettled })
    }
    const work = workOf(run, request.project, opened, prepared, guards.policies)
    const looking = request.asks ? undefined : await begun(run, lookForSeen(work, prepared.plan))
    const isWanted = await request.decide(prepared, problems)
    if (!isWanted) return await leftAlone(run, lease, opened, { plan: prepared.plan, problems, unsettled })
    // Looked at anew: what others made while the question stood is not ours.
    const noteSeen = await (looking?.promise ?? lookForSeen(work, prepared.plan))
    noteSeen()
    const standing = { records: prepared.folded.resources, kindOf: work.kindOf, nowMs: run.client.serverNow() }
    const changed = request.asks ? await changedSince(work.looking, prepared, standing) : undefined
    const outcome = await carryOut(work, prepared.plan, unsettled, changed)
    return finish(run, request.project, lease, opened, work, prepared.plan, outcome, unsettled)
  })
}

interface LeftAlone {
  readonly plan: Plan
  /** What is wrong with it beside its own diagnostics. */
  readonly problems: readonly Diagnostic[]
  readonly unsettled: readonly Diagnostic[]
}

/** A plan with errors, or one that nobody wants: what an earlier run left is recorded as far as it was settled, and the rest of that is told. */
export async function leftAlone(run: Run, lease: Lease, opened: OpenedLedger, { plan, problems, unsettled }: LeftAlone): Promise<Applied> {
  const errors = [...plan.diagnostics, ...problems].filter(isError)
  // Whoever decided has told the others.
  const diagnostics = [...unsettled, ...problems.filter(isError)]
  await writeBack(run, lease, opened, opened.document.outputs, diagnostics)
  return {
    plan,
    outcome: undefined,
    diagnostics,
    document: opened.document,
    exitCode: errors.length === 0 ? 1 : unsettled.length > 0 ? 8 : exitCodeOf(errors),
  }
}

/** Whether a plan or what else was found of it forbids to carry it out. */
export function hasErrors(found: readonly Diagnostic[]): boolean {
  return found.some(isError)
}

function isError({ severity }: Diagnostic): boolean {
  return severity === 'error'
}

/** Work that goes on while something else is done, its first requests on their way; a failure is told to whoever waits for it. */
async function begun<T>(run: Run, promise: Promise<T>): Promise<{ readonly promise: Promise<T> }> {
  promise.catch(() => undefined)
  await run.clock.sleep(0)
  return { promise }
}

/** The surroundings in which what an earlier run left open is settled. */
export function recoveryWork(run: Run, project: Project, { ledger, document }: OpenedLedger): Work {
  const digest = (value: Parameters<typeof digestOf>[1]): string => digestOf(document.salt, value)
  const looking = { source: run.client, compat: run.compat, clock: run.clock, digest }
  return createWork(run, { project, ledger, looking, digest, evaluate: evaluatorOf(run, project, []), secrets: new Map() })
}

/** Settles what an earlier run left open, and tells what could not be settled: that stays as it is, and nothing is done to its addresses. Throws Failure 9 where a workspace of the state is not visible: every object would seem gone. */
export async function settleFirst(run: Run, request: { readonly project: Project }, opened: OpenedLedger): Promise<readonly Diagnostic[]> {
  const { open, resources } = opened.ledger.folded()
  if (open.length === 0 && unreadySuccessors(resources, open).length === 0) return []
  hideProject(run, request.project, resources, (value) => digestOf(opened.document.salt, value))
  await visibleWith(run, namedWorkspaces(run, resources, open))
  const work = recoveryWork(run, request.project, opened)
  const errors = [...(await recover(work)), ...(await forgetVanished(work))]
  return errors.map((one) => work.placed(one.diagnostic))
}

/** Evaluates what the plan of a project left unresolved; what goes is named no more. */
export function evaluatorOf(run: Run, project: Project, changes: readonly Change[]): Evaluate {
  const staying = changes.filter(({ action, deposed }) => !deposed && action !== 'delete' && action !== 'forget')
  // Of a name with keys and without, one is left out of this run: what changes is what a manifest declares.
  const ordered = staying.toSorted((a, b) => Number(a.action !== 'no-op') - Number(b.action !== 'no-op'))
  return createEvaluator({ kinds: run.kinds, addresses: ordered.map((one) => one.address), variables: project.variables })
}

function workOf(run: Run, project: Project, opened: OpenedLedger, prepared: Prepared, policies: PolicySet | undefined): Work {
  return createWork(run, {
    project,
    ledger: opened.ledger,
    changes: prepared.plan.changes,
    seen: prepared.planned.flatMap((one) => one.object ?? []),
    looking: prepared.refreshed.looking,
    digest: prepared.digest,
    evaluate: evaluatorOf(run, project, prepared.plan.changes),
    secrets: prepared.secrets,
    policies: policies && policiesFor(prepared.plan, policies),
    lookup: (kind, name, workspace) => prepared.refreshed.lookup(kind, name, workspace ?? project.workspace),
  })
}

/** Records outputs and document, and says how it went. */
export async function finish(
  run: Run,
  project: Project,
  lease: Lease,
  opened: OpenedLedger,
  work: Work,
  plan: Plan,
  outcome: Outcome,
  unsettled: readonly Diagnostic[],
): Promise<Applied> {
  const { resources } = work.ledger.folded()
  const { outputs, silent } = outputsAfter({ project, mode: plan.mode, scope: work.scope, before: opened.document.outputs, resources })
  // What stopped an operation was said there.
  const told = new Set(outcome.failed.map((one) => one.summary))
  const problems: Diagnostic[] = unsettled.filter((one) => !told.has(one.summary))
  let document = opened.document
  try {
    document = await writeBack(run, lease, opened, outputs)
  } catch (error) {
    problems.push(unwrittenText(error, opened))
  }
  const incomplete = outcome.failed.length > 0 || unsettled.length > 0 || problems.length > 0 || work.ledger.unfinished().length > 0
  const exitCode: ExitCode = outcome.interrupted ? 130 : outcome.unauthorized ? 4 : incomplete ? 8 : 0
  const complete = !incomplete && !outcome.interrupted
  const byHand = [...outcome.failed, ...problems, ...untoldHere(work, plan)].flatMap((one) => one.settledBy ?? [])
  return { plan, outcome, diagnostics: complete ? [...problems, ...silent] : problems, document, exitCode, byHand }
}
