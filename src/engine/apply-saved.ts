// Carrying out a saved plan: from the file alone, and only if state and live objects are still as it saw them.
import { catalogue } from '../base/catalogue.ts'
import type { Diagnostic } from '../base/diagnostic.ts'
import { diagnostic, Failure } from '../base/diagnostic.ts'
import type { JsonValue } from '../base/json.ts'
import { stringifyJson } from '../base/json.ts'
import { shellWord } from '../base/words/shell-word.ts'
import type { Project } from '../project/resolving/declared.ts'
import { digestOf } from '../state/digest.ts'
import { fold } from '../state/fold.ts'
import type { Intent } from '../state/record.ts'
import type { Lease, Loaded } from '../state/store.ts'
import { carryOut } from './apply/apply.ts'
import type { Locking } from './apply/locked-run.ts'
import { openLedger, underLock } from './apply/locked-run.ts'
import { lookForSeen } from './apply/note-seen.ts'
import { createWork } from './apply/work.ts'
import { writeBack } from './apply/write-back.ts'
import { countedAlone, lookedUpFor, priced } from './appraise.ts'
import { hideProject } from './hide-project.ts'
import { nothingDone } from './model/events.ts'
import { placeDigest } from './model/first-place.ts'
import { kindFinder } from './model/kind-finder.ts'
import type { Plan } from './model/plan-data.ts'
import type { Options, Planned } from './model/planned-resource.ts'
import type { Run } from './model/run.ts'
import { isElsewhere } from './model/service.ts'
import { abandonedIn } from './plan/abandoned.ts'
import type { Guards } from './plan/checks/guards.ts'
import { exitCodeOf } from './plan/checks/guards.ts'
import { policiesFor } from './plan/checks/policies.ts'
import { resolveNow } from './prepare.ts'
import { recordDrift } from './record-only.ts'
import { openUnread } from './recover/unread-creates.ts'
import { asksPrice, guardSaved, judgeSaved } from './saved/judge-saved.ts'
import { importsNow, savedLookups } from './saved/saved-lookups.ts'
import { checkMaker, checkSense, staleState } from './saved/saved-plan.ts'
import { resolveSecrets } from './saved/saved-secrets.ts'
import { shownNow } from './saved/shown-now.ts'
import type { Applied } from './session.ts'
import { evaluatorOf, finish, settleFirst } from './session.ts'

export interface SavedRequest extends Locking {
  readonly project: Project
  readonly plan: Plan
  readonly guards: Omit<Guards, 'manifests' | 'destroy'>
}

/** What an earlier run left is settled, and the plan then stale, unless nothing remains of it but what a person, or the next create, tells. Throws Failure 9 where another iac made the plan or it makes no sense, 8 where what was left cannot be settled, 6 where it no longer fits, 3 where a sensitive value is missing, and what the plan's own errors and the guards lead to. */
export async function applySaved(run: Run, request: SavedRequest): Promise<Applied> {
  const { plan } = request
  checkMaker(plan, run.toolVersion)
  checkSense(plan, run.kinds, run.toolVersion)
  return underLock(run, request, async (lease, loaded) => {
    const { lineage = null, serial = 0 } = loaded.document ?? {}
    const place = placeDigest(request.store, (value) => digestOf(plan.salt, value))
    const stale = otherService(run, plan) ?? staleState(plan, request.project, { lineage, serial, place })
    if (stale) throw new Failure(6, [stale])
    const unsettled = await settled(run, request, lease, loaded)
    // What was shown as refused is not carried out because it was saved.
    const wrong = plan.diagnostics.filter((one) => one.severity === 'error')
    if (wrong.some((one) => catalogue[one.code].exit !== 5)) throw new Failure(exitCodeOf(wrong), wrong)
    const opened = openLedger(run, request.project, lease, loaded)
    if (loaded.document === undefined) opened.document = { ...opened.document, salt: plan.salt }
    const digest = (value: JsonValue): string => digestOf(plan.salt, value)
    const kindOf = kindFinder(run.kinds)
    const looking = { source: run.client, compat: run.compat, clock: run.clock, digest }
    const folded = opened.ledger.folded()
    const abandoned = [...abandonedIn(plan, folded.resources)].map(([address, { kept }]) => [address, kept] as const)
    const records = new Map([...folded.resources, ...abandoned])
    hideProject(run, request.project, records, digest)
    // Before anything is found stale: a list that is refused (4) counts for more than that (6).
    const prices = asksPrice(plan, request.guards) ? await lookedUpFor(run, new Set(plan.changes.map((one) => kindOf(one.kind)))) : undefined
    const price = prices && ((planned: readonly Planned[]) => priced(run, planned, { lookupById: prices }))
    const project = plan.mode === 'normal' ? await importsNow(run, request.project, records, digest) : request.project
    const count = (planned: readonly Planned[]) => countedAlone(run, plan, planned, { looking, records, open: folded.open })
    const judged = await judgeSaved(run, { plan, project, records, salt: loaded.document?.salt, looking })
    const guard = () => guardSaved({ guards: request.guards, price, count }, judged)
    if (plan.mode === 'refresh-only') {
      await guard()
      const document = await recordDrift(run, project, lease, opened, looking, plan)
      return { plan, outcome: nothingDone, diagnostics: [], document, exitCode: 0 }
    }
    const saved = { plan, project, records, shown: await shownNow(looking, plan, project) }
    const seen = new Map(judged.touched.map(({ change, found }) => [change, found?.seen ?? {}]))
    const again = () =>
      resolveNow(run, {
        project,
        document: loaded.document,
        folded: { ...folded, resources: records },
        salt: plan.salt,
        options: optionsOf(plan),
        diagnostics: [],
      })
    const { secrets, trusts, problems } = await resolveSecrets(saved, digest, seen, again)
    if (problems.length > 0) throw new Failure(6, problems)
    const evaluate = evaluatorOf(run, project, plan.changes)
    const lookup = await savedLookups(run, project, plan, evaluate, digest, { secrets, records: records.values() })
    const figures = await guard()
    const policies = request.guards.policies && policiesFor({ ...plan, ...figures }, request.guards.policies)
    const made = { changes: plan.changes, seen: judged.touched.flatMap((one) => one.found ?? []) }
    const work = createWork(run, { project, ledger: opened.ledger, ...made, looking, digest, evaluate, trusts, secrets, lookup, policies })
    const noteSeen = await lookForSeen(work, plan)
    noteSeen()
    const outcome = await carryOut(work, plan, unsettled)
    return finish(run, project, lease, opened, work, plan, outcome, unsettled)
  })
}

/** As far as they bear on what the manifests resolve to. */
function optionsOf({ mode, refreshed, changes }: Plan): Options {
  const replace = changes.flatMap((one) => (one.action === 'replace' && one.reason === 'requested' ? [one.address] : []))
  return { destroy: mode === 'destroy', refreshOnly: false, targets: [], excludes: [], replace, unread: refreshed === false }
}

/** Why a plan is not for the service of this run; undefined where it may be. */
function otherService({ sandbox, service }: Run, plan: Plan): Diagnostic | undefined {
  if (plan.seeded) return seedGone
  if ((plan.sandbox ?? false) !== (sandbox ?? false)) return sandbox ? notOfSandbox : ofSandbox
  return isElsewhere(plan, service, (value) => digestOf(plan.salt, value)) ? ofAnotherAddress : undefined
}

const ofSandbox = diagnostic('plan_stale', 'the plan was made against the embedded service (--sandbox), and this is another one', {
  hint: 'carry it out with --sandbox, or plan again without',
})
const notOfSandbox = diagnostic('plan_stale', 'the plan was not made against the embedded service', {
  hint: 'carry it out without --sandbox, or plan again with it',
})
const ofAnotherAddress = diagnostic('plan_stale', 'the plan was made against a service at another address', {
  hint: 'carry it out with the IAC_BASE_URL or the profile that it was made with, or plan again',
})
const seedGone = diagnostic('plan_stale', 'the plan was made against a service of its own (--seed), which is gone', {
  hint: 'it is there to be looked at; plan again without --seed',
})

const unfinished = diagnostic('plan_stale', 'an earlier run did not finish: what it did was not in the state that the plan was made from', {
  detail: 'It has been settled and recorded now; nothing of the plan was carried out.',
  hint: 'plan again',
})

/** Of what nothing reads. */
function leftUntold({ address }: Intent): Diagnostic {
  return diagnostic('plan_stale', `an earlier run did not finish: whether its create of ${address} arrived only the next one tells`, {
    detail: 'The plan was not made in view of that, or holds no such create; nothing of it was carried out.',
    hint: `plan again with its manifest, or without a plan file \`iac apply\`; \`iac state rm ${shellWord(address)}\` gives it up`,
  })
}

/** Settles what an earlier run left, so that who applies nothing but plans goes on with the next one. Throws the failure of this plan: 6, or 8 with what could not be settled, 130 after a stop. Returns what is in doubt until a person tells where no more is left than that and creates that the next one tells of: nothing is done to its addresses, and the rest stands as the plan saw it. */
async function settled(run: Run, request: SavedRequest, lease: Lease, loaded: Loaded): Promise<readonly Diagnostic[]> {
  const opened = openLedger(run, request.project, lease, loaded)
  const problems = await settleFirst(run, request, opened)
  const { open, resources } = fold(loaded.document, loaded.entries)
  const isAsSaved = stringifyJson([...resources.values()]) === stringifyJson([...fold(loaded.document, []).resources.values()])
  const mayGoOn = !run.stop.aborted && request.plan.mode !== 'refresh-only'
  const isInDoubt = mayGoOn && problems.length > 0 && problems.every((one) => one.code === 'ambiguous_adoption')
  const unread = openUnread({ ledger: opened.ledger, kindOf: kindFinder(run.kinds) })
  const untold = unread.find(({ intent }) => !isTold(request.plan, intent))
  const isNothingLeft = problems.length === 0 && open.length === unread.length && untold === undefined
  if (opened.journal === 'untouched' && isAsSaved && (isInDoubt || isNothingLeft)) return problems
  await writeBack(run, lease, opened, opened.document.outputs, problems)
  throw problems.length > 0 ? new Failure(run.stop.aborted ? 130 : 8, problems) : new Failure(6, [untold ? leftUntold(untold.intent) : unfinished])
}

/** Whether the plan was made in view of a create that the next one tells of, and holds that: an older plan could take along, or make again, what it never saw. */
function isTold({ changes }: Plan, { address }: Intent): boolean {
  return changes.some((one) => one.address === address && one.action === 'create' && one.reason === 'resumed')
}
