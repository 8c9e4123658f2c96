// The surroundings of all operations of one run: what they share, and how what they need of each other is found.
import { createWatcher } from '../../api/workflows/workflows.ts'
import { diagnostic } from '../../base/diagnostic.ts'
import type { JsonObject, JsonValue } from '../../base/json.ts'
import { tokenText } from '../../base/token.ts'
import { movesOf } from '../../project/declarations/moves.ts'
import type { Attribute, Project, Scope } from '../../project/resolving/declared.ts'
import type { ResourceRecord } from '../../state/record.ts'
import type { Evaluate, Trusts } from '../model/diff/desired.ts'
import { hideValues, secretVariables } from '../model/diff/secret-texts.ts'
import { holderOutcomes } from '../model/graph/holder-outcomes.ts'
import type { References } from '../model/graph/references.ts'
import { createReferences, hangingOn, idsIn } from '../model/graph/references.ts'
import { kindFinder } from '../model/kind-finder.ts'
import type { Ledger } from '../model/ledger.ts'
import type { Digest, LiveObject } from '../model/live.ts'
import type { Looking } from '../model/observation.ts'
import type { Change } from '../model/plan-data.ts'
import type { Run } from '../model/run.ts'
import { settingMs } from '../model/settings.ts'
import { createDepartures } from '../operation/departures.ts'
import type { Work } from '../operation/operation.ts'
import type { AppliedPolicies } from '../plan/checks/policies.ts'
import { recordedAttribute } from '../plan/scope.ts'
import { sharedLists } from '../refresh/shared-lists.ts'
import { createSightings } from '../refresh/sightings.ts'

/** What an apply is given besides the plan. */
export interface Applying {
  readonly project: Pick<Project, 'variables' | 'resources' | 'moved' | 'environments' | 'partial'>
  readonly ledger: Ledger
  readonly changes?: readonly Change[] // of the plan that is carried out; none while an earlier run is settled
  /** The objects that the plan saw. */
  readonly seen?: Iterable<LiveObject>
  readonly looking: Looking
  readonly digest: Digest
  readonly evaluate: Evaluate
  readonly trusts?: Trusts // everything without it: what was planned in this run comes from the manifests
  readonly secrets: ReadonlyMap<string, JsonValue>
  readonly lookup?: Scope['lookup'] | undefined // what the refresh looked up
  readonly policies?: AppliedPolicies | undefined // judged again where a plan could not
}

/** The surroundings of all operations of one run, recovery included. */
export function createWork(run: Run, applying: Applying): Work {
  const { ledger, digest, evaluate } = applying
  const kindOf = kindFinder(run.kinds)
  const recorded = (kind: string, id: string): JsonObject | undefined => {
    const record = ledger.recordOfObject(kind, id)
    return record?.id === id ? record.spec : undefined
  }
  const releasing = new Set<string>()
  const looking = {
    ...applying.looking,
    source: sharedLists(applying.looking.source),
    recorded,
    hanging: hangingOn(ledger.folded().resources.values(), kindOf),
    staying: stayingBeside(ledger, releasing),
    outcomes: holderOutcomes(applying.changes ?? [], ledger.folded().resources, kindOf, { isCarriedOut: true }),
  }
  const secrets = new Map(applying.secrets)
  hideValues(run, [...secretVariables(applying.project), ...secrets.values()])
  let holders: References | undefined
  const seen = new Map([...(applying.seen ?? [])].map((one) => [`${one.kind.name} ${one.id}`, one]))
  const declared = new Map(applying.project.resources.map((one) => [one.address, one]))
  const lead = movesOf(applying.project)
  const scope: Scope = {
    attribute(address, path) {
      const record = ledger.record(address)
      if (!record) return { is: 'unknown', sensitive: false }
      return kindOf(record.kind).outputs[String(path[0])]?.once ? toldOnce(record, String(path[0]), secrets) : recordedAttribute(record, path, secrets)
    },
    lookup: applying.lookup ?? (() => ({ problem: 'lookups are made when planning' })),
    digest,
  }
  return {
    run,
    ledger,
    looking,
    sightings: createSightings(looking),
    departures: createDepartures(),
    watcher: createWatcher({
      client: run.client,
      clock: run.clock,
      random: run.random,
      graceMs: settingMs(run.compat.read_grace),
      onWarning: (text) => run.report({ type: 'note', diagnostic: diagnostic('advice', text) }),
      shown: run.shown,
    }),
    digest,
    evaluate,
    trusts: applying.trusts ?? (() => true),
    scope,
    secrets,
    policies: applying.policies,
    releasing,
    holders: (target) => (holders ??= createReferences(ledger.folded().resources.values(), kindOf))(target),
    awaitedOnce: new Set(),
    ownTokens: new Set(),
    went: new Set(),
    wentAlong: new Map(),
    saw: ({ kind, id }) => seen.get(`${kind} ${id}`),
    kindOf,
    timeoutsOf: (address) => declared.get(lead(address)?.to ?? address)?.timeoutsMs ?? {},
    positionOf: (address, pointer) => declared.get(address)?.positionOf(pointer),
    placed(found) {
      const position = found.position ?? declared.get(found.address ?? '')?.position()
      return position ? { ...found, position } : found
    },
    alone: oneByOne(),
  }
}

/** What the state has but for what goes in this run, which takes itself off: first asked for when something is removed, and known then. */
function stayingBeside(ledger: Ledger, releasing: ReadonlySet<string>): ReturnType<typeof idsIn> {
  let ids: ReturnType<typeof idsIn> | undefined
  return (kind) => (ids ??= idsIn([...ledger.folded().resources.values()].filter((one) => !releasing.has(`${one.kind} ${one.id}`))))(kind)
}

/** Works of one key one after another. */
function oneByOne(): Work['alone'] {
  const queues = new Map<string, Promise<unknown>>()
  return async (key, work) => {
    const before = queues.get(key) ?? Promise.resolve()
    const mine = before.then(work, work)
    queues.set(
      key,
      mine.catch(() => undefined),
    )
    return mine
  }
}

/** What only the making of an object answers: at hand in the run that made it; null where that answer was lost. */
function toldOnce({ address, id }: ResourceRecord, output: string, secrets: ReadonlyMap<string, JsonValue>): Attribute {
  const token = tokenText({ is: 'once', address, id, output })
  const value = secrets.get(token)
  return value === undefined ? { is: 'known', value: null, sensitive: true } : { is: 'once', token, value }
}
