// Preparing a plan: what is recorded is known, the service is read, and everything is handed to the pure draftPlan().
import type { Route } from '../api/routes/route.ts'
import { routes } from '../api/routes/routes.ts'
import type { Diagnostic } from '../base/diagnostic.ts'
import { diagnostic } from '../base/diagnostic.ts'
import { placed } from '../base/placed-commands.ts'
import { readable } from '../base/token.ts'
import type { Project } from '../project/resolving/declared.ts'
import { digestOf } from '../state/digest.ts'
import type { Folded } from '../state/fold.ts'
import type { StateDocument } from '../state/record.ts'
import type { StateStore } from '../state/store.ts'
import { appraise } from './appraise.ts'
import { hideProject } from './hide-project.ts'
import { hideValues } from './model/diff/secret-texts.ts'
import { placeDigest } from './model/first-place.ts'
import { holderOutcomes } from './model/graph/holder-outcomes.ts'
import { kindFinder } from './model/kind-finder.ts'
import type { Digest } from './model/live.ts'
import type { Observation } from './model/observation.ts'
import type { Options, PlanInput, Planned } from './model/planned-resource.ts'
import type { Run } from './model/run.ts'
import { serviceOf } from './model/service.ts'
import { withoutAbandoned } from './plan/abandoned.ts'
import { stepsOf } from './plan/change.ts'
import { grantAdvice } from './plan/checks/caller/grants.ts'
import { ownMembershipAdvice } from './plan/checks/caller/own-membership.ts'
import { ownTokenAdvice } from './plan/checks/caller/own-token.ts'
import { roleLoss } from './plan/checks/caller/roles.ts'
import { sessionAdvice, sessionOnly } from './plan/checks/caller/session-only.ts'
import { isGoing } from './plan/checks/leaving/cascade.ts'
import { applyMoved } from './plan/moved.ts'
import type { Drafting } from './plan/plan.ts'
import { draftPlan, withHash } from './plan/plan.ts'
import type { Prepared } from './plan/prepared-plan.ts'
import { onlyWorkspace, placedChanges, shownNames } from './plan/shown-names.ts'
import { withoutVanished } from './recover/vanished.ts'
import type { CallingTokens } from './refresh/calling-tokens.ts'
import { callingTokens, tokenLists } from './refresh/calling-tokens.ts'
import { withCascadeLists } from './refresh/cascade-lists.ts'
import { missingGround } from './refresh/containers.ts'
import { missingThings } from './refresh/existence.ts'
import { asFailure } from './refresh/lookups.ts'
import { ownInvites } from './refresh/own-invites.ts'
import { refuseOtherCallers } from './refresh/owner-only.ts'
import { refusedBeforehand } from './refresh/preflight.ts'
import { refresh } from './refresh/refresh.ts'
import type { Refreshed } from './refresh/refresh.ts'
import { withRemovalReads } from './refresh/removal-reads.ts'
import { unmanagedBelow } from './refresh/unmanaged-below.ts'
import { heldUnmanaged } from './refresh/unmanaged-holders.ts'
import { unfitOutsiders } from './unfit-outside.ts'
import { uniqueInUse } from './unique-in-use.ts'

export interface Preparing {
  readonly project: Project
  /** The document that the journal goes on from; undefined before the first apply. */
  readonly document: StateDocument | undefined
  readonly folded: Folded
  /** Of the digests: the state's, or a new one that the first apply records. */
  readonly salt: string
  readonly options: Options
  /** What loading found. */
  readonly diagnostics: readonly Diagnostic[]
  /** Where the state will stand, for a plan that is saved before the first apply. */
  readonly store?: Pick<StateStore, 'place' | 'where'> | undefined
  /** What the plan is for, where it is looked at what the token of the run allows. */
  readonly preflight?: 'plan' | 'apply' | undefined
  /** Whether it is done without a lock, so that what has vanished is still recorded. */
  readonly unlocked?: boolean | undefined
}

/** Reads what is live and plans; changes nothing and writes nothing. */
export async function prepare(run: Run, given: Preparing): Promise<Prepared> {
  const { salt, options } = given
  const digest: Digest = (value) => digestOf(salt, value)
  const moved = applyMoved({ project: given.project, resources: given.folded.resources })
  hideProject(run, given.project, moved.resources, digest)
  const looked = await refresh(run, given.project, moved.resources, digest, { ...options, open: given.folded.open, recorded: given.folded.resources })
  if (!options.unread) await refuseOtherCallers(run, moved.resources, given.folded.open, looked.observation)
  const folded = given.unlocked && !options.unread ? withoutVanished(given.folded, looked.observation, kindFinder(run.kinds)) : given.folded
  const preparing = { ...given, folded }
  const input = inputOf(run, preparing, looked, digest)
  const stamp = stampOf(run, [...preparing.diagnostics, ...(options.unread ? [unreadAdvice] : []), ...unfinishedNotes(folded)])
  const first = draftPlan(input, stamp)
  hideValues(run, first.secrets.values())
  const kept = withoutAbandoned(folded, first.planned, (other) => draftPlan(inputOf(run, { ...given, folded: other }, looked, digest), stamp))
  // What was looked at for the successor's sake is not all that tells of the old object.
  if (kept) return prepare(run, { ...given, folded: kept })
  const observation = await secondLook(run, looked, first, folded, options)
  const whole = observation ? { ...input, observation } : input
  const read = observation ? draftPlan(whole, stamp) : first
  const otherEnvironments = asksOtherEnvironments(read) ? await run.otherEnvironments?.() : undefined
  const drafted = otherEnvironments ? draftPlan({ ...whole, otherEnvironments }, stamp) : read
  const { body, next, ...rest } = drafted
  const asked = new Set(run.client.asked)
  // A session may do what its role may.
  const looksAtToken = maySend(preparing, body) && run.client.session !== true
  const around = { kinds: run.kinds, looking: looked.looking, records: folded.resources.values(), open: folded.open, nowMs: input.nowMs }
  const [missing, homeless, refused, taken, used, below, unfit, appraised, tokens, invites] = await Promise.all([
    options.unread ? [] : missingThings(run, looked, rest.planned, folded.resources.values()),
    options.unread ? [] : missingGround(run, looked, rest.planned),
    options.unread ? [] : refusedBeforehand(looked.looking, rest.planned),
    options.unread ? [] : uniqueInUse(looked.looking, rest.planned, new Set(folded.open.map(({ intent }) => intent.address))),
    options.unread ? [] : heldUnmanaged(around, rest.planned),
    options.unread ? [] : unmanagedBelow({ ...around, observation: looked.observation }, rest.planned),
    options.unread ? [] : unfitOutsiders(run, input, looked, rest.planned),
    appraise(run, body, { planned: rest.planned, next }, looked, { records: moved.resources, open: folded.open }),
    looksAtToken ? callingTokens(run.client, [...looked.workspaceNames.keys()]) : undefined,
    maySend(preparing, body)
      ? ownInvites(
          run.client,
          rest.planned.filter(isGoing).map(({ kind, objectId, object }) => ({ kind, id: objectId, seen: object?.seen ?? {} })),
        )
      : noInvites,
  ])
  const more = [
    ...missing,
    ...homeless,
    ...refused,
    ...taken,
    ...used,
    ...below,
    ...unfit,
    ...tokenAdvice(run, drafted, tokens, preparing.preflight),
    ...ownMembershipAdvice(rest.planned, invites),
    ...(preparing.preflight === 'apply' ? losses(drafted, looked) : []),
  ]
  const diagnostics = placed(more.length === 0 ? body.diagnostics : [...body.diagnostics, ...more], run.flags ?? [])
  const service = serviceOf(body, { address: run.service, workspaceIds: looked.workspaceNames.keys(), digest })
  const state = body.state.lineage === null && given.store ? { ...body.state, place: placeDigest(given.store, digest) } : body.state
  const shown = { ...body, state, changes: placedChanges(body.changes, looked), ...appraised, ...service, ...onlyWorkspace(input, looked) }
  return {
    ...rest,
    plan: withHash({ ...shown, ...shownNames(shown, kindFinder(run.kinds), looked), diagnostics }),
    input: otherEnvironments ? { ...input, otherEnvironments } : input,
    refreshed: looked,
    digest,
    folded,
    asked: withoutTokenLists(run.client.asked, asked),
    isTokenUnknown: looksAtToken && tokens === undefined,
  }
}

/** What is read only under plans that remove something; undefined where nothing more was. */
async function secondLook(
  run: Run,
  { looking, observation }: Pick<Refreshed, 'looking' | 'observation'>,
  { planned, body }: Pick<Drafting, 'planned' | 'body'>,
  folded: Folded,
  { unread }: Pick<Options, 'unread'>,
): Promise<Observation | undefined> {
  const kindOf = kindFinder(run.kinds)
  if (unread) return await asFailure(withCascadeLists(looking, observation, planned.filter(isGoing), kindOf))
  const leftAlone = new Set(planned.filter(isLeftAlone).map((one) => one.address))
  return await withRemovalReads(looking, observation, planned, holderOutcomes(body.changes, folded.resources, kindOf, { leftAlone }))
}

/** What a plan would make of the manifests now, without the checks that it would stand: what they resolve to, with every sensitive value. */
export async function resolveNow(run: Run, preparing: Preparing): Promise<Pick<Drafting, 'planned' | 'secrets'>> {
  const digest: Digest = (value) => digestOf(preparing.salt, value)
  const moved = applyMoved({ project: preparing.project, resources: preparing.folded.resources })
  const looked = await refresh(run, preparing.project, moved.resources, digest, preparing.options)
  return draftPlan(inputOf(run, preparing, looked, digest), stampOf(run, []))
}

function inputOf(run: Run, { document, folded, salt, options }: Preparing, looked: Refreshed, digest: Digest): PlanInput {
  return {
    project: looked.project,
    kinds: run.kinds,
    state: { lineage: document?.lineage ?? null, serial: document?.serial ?? 0, salt, resources: folded.resources, open: folded.open, outputs: folded.outputs },
    observation: looked.observation,
    compat: run.compat,
    limits: looked.limits,
    roles: looked.roles,
    options,
    flags: run.flags,
    nowMs: run.client.serverNow(),
    digest,
    where: looked.where,
    lookup: looked.lookup,
    lookupById: looked.lookupById,
  }
}

function stampOf(run: Run, diagnostics: readonly Diagnostic[]): Parameters<typeof draftPlan>[1] {
  const { toolVersion, folder, sandbox, seeded } = run
  return { toolVersion, folder, sandbox, seeded, createdAt: new Date(run.clock.wall()).toISOString(), diagnostics }
}

/** Whether a plan speaks of objects that another environment may manage, or takes such over. */
function asksOtherEnvironments({ body, planned }: Pick<Drafting, 'body' | 'planned'>): boolean {
  return planned.some((one) => one.action === 'import') || body.diagnostics.some(({ code }) => code === 'exists' || code === 'possible_duplicate')
}

/** What is left out, and what a manifest leaves to others in the fields by which it holds something. */
function isLeftAlone({ leftOut, declared, kind }: Planned): boolean {
  const ignored = declared?.lifecycle.ignoreChanges ?? []
  return leftOut || kind.referenceFields.some(({ field }) => ignored.includes(`/${field}`))
}

/** Whether the token of the run is of interest: a plan that sends nothing needs none. */
function maySend({ preflight, options }: Preparing, { changes }: Drafting['body']): boolean {
  return preflight !== undefined && options.unread !== true && changes.some((one) => one.steps.length > 0)
}

/** What the token of the run does not allow, as far as it is known. */
function tokenAdvice(
  run: Run,
  { body, planned }: Pick<Drafting, 'body' | 'planned'>,
  tokens: CallingTokens | undefined,
  preflight: Preparing['preflight'],
): readonly Diagnostic[] {
  if (preflight === undefined || run.client.session === true) return []
  const doing = () => planned.map((one) => ({ one, steps: stepsOf(one, false) }))
  return [
    ...sessionAdvice(sessionOnly(body, kindFinder(run.kinds)), tokens),
    ...(tokens ? ownTokenAdvice(planned, tokens) : []),
    ...(tokens ? grantAdvice(doing, tokens, { carriesOut: preflight === 'apply', flags: run.flags }) : []),
  ]
}

/** The routes that a plan needs: those that tell of the caller and of tokens only where it has asked for them itself. */
function withoutTokenLists(all: ReadonlySet<Route>, before: ReadonlySet<Route>): ReadonlySet<Route> {
  const own = [...tokenLists, routes.getUser]
  return new Set([...all].filter((route) => before.has(route) || !own.includes(route)))
}

/** What this caller would delete and could not make anew. */
function losses({ planned, body }: Pick<Drafting, 'planned' | 'body'>, { roles }: Refreshed): readonly Diagnostic[] {
  const createFirst = new Set(body.changes.flatMap((one) => (one.create_before_destroy ? [one.address] : [])))
  return planned.flatMap((one) => roleLoss(one, stepsOf(one, createFirst.has(one.address)), roles))
}

const noInvites: ReadonlySet<string> = new Set()

const unreadAdvice = diagnostic('advice', 'live state was not read: this plan shows what differs from the state alone', {
  detail: 'It does not know what was changed or deleted outside of iac, what exists already, and how much of the quota is used.',
  hint: 'applying it is refused with 6 if an object that it touches is not as the state remembers it',
})

function unfinishedNotes(folded: Folded): Diagnostic[] {
  return folded.open.map(({ intent, workflowId }) =>
    diagnostic(
      'note',
      `${intent.address}: ${readable(intent.step)} is unfinished${workflowId === null ? '' : ` (workflow ${workflowId})`}; the next apply settles it first`,
      { address: intent.address },
    ),
  )
}
