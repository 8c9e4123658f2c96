// What is said of a decision on a declared resource: what the kind refuses of it, and what of it has no effect or shows nowhere.
import { diagnostic } from '../../../base/diagnostic.ts'
import type { Diagnostic } from '../../../base/diagnostic.ts'
import type { JsonObject, JsonValue } from '../../../base/json.ts'
import { isObject } from '../../../base/json.ts'
import { readable } from '../../../base/token.ts'
import { withArticle } from '../../../base/words/article.ts'
import { few } from '../../../base/words/few.ts'
import { shellWord } from '../../../base/words/shell-word.ts'
import type { Problem } from '../../../kinds/definition/kind.ts'
import { uniqueFields } from '../../../kinds/definition/kind.ts'
import type { Declared } from '../../../project/resolving/declared.ts'
import { revealed } from '../../../project/resolving/kind-rules.ts'
import type { ResourceRecord } from '../../../state/record.ts'
import type { Difference, Facts } from '../../model/diff/diff.ts'
import { isInTheWay } from '../../model/graph/graph.ts'
import type { LiveObject } from '../../model/live.ts'
import type { Action, Reason } from '../../model/plan-data.ts'
import type { PlanInput, Planned } from '../../model/planned-resource.ts'
import { removalFor, stepsFor, wantedView } from '../../model/view.ts'
import type { Situation } from '../../model/view.ts'
import { adviceOnUncertain } from '../uncertain-fields.ts'
import { isOnItsWayOut } from './verdict.ts'

/** What is decided on a resource, and what is said of it. */
export interface Decision {
  readonly action: Action
  readonly reason: Reason | null
  readonly differences: readonly Difference[]
  readonly diagnostics: readonly Diagnostic[]
  readonly alike?: Planned['alike']
}

/** What a decision on a declared resource goes by. */
export interface Case {
  readonly restart: boolean
  readonly record: ResourceRecord | undefined
  readonly object: LiveObject | undefined
  readonly objectId: string | null
  readonly desired: JsonObject
  /** What a making asks for: `desired`, with what is ignored and nothing tells of as the manifest says it. */
  readonly whole: JsonObject
  /** By token what it stands for, as far as this run holds it. */
  readonly secrets: ReadonlyMap<string, JsonValue>
  readonly facts: Facts
  /** Uncertain fields that others may change, and of which nothing shows what they are. */
  readonly leftAlone: readonly string[]
  readonly situation: Situation
  readonly workspaceId: string | null
}

/** Whether an action makes an object. */
export function isMade(action: Action): boolean {
  return action === 'create' || action === 'replace'
}

export function judged(input: PlanInput, declared: Declared, one: Case, action: Action, reason: Reason | null, found: readonly Difference[]): Decision {
  if (action === 'no-op' && found.length === 0) return { action, reason, differences: found, diagnostics: [] }
  const made = isMade(action)
  // Of what is gone nothing is left that a new object could lose.
  const blind = action === 'replace' ? one.situation.blind : []
  const situation = made ? { ...one.situation, live: undefined, recorded: {}, blind } : one.situation
  const refused = action === 'no-op' ? [] : refusals(input, declared, { ...one, situation }, found)
  const lost = action === 'replace' ? losses(declared, one, found) : []
  const stays = action === 'replace' ? withoutEnd(declared, one) : []
  const unmade = made && stays.length === 0 && declared.kind.adopted !== undefined ? [unmakable(declared)] : []
  const taken = action === 'import' ? unread(declared, one) : []
  const notes = action === 'replace' || reason === 'resumed' ? [] : withoutPending(one, found).map((each) => noteOf(declared, each))
  const blindly = action === 'update' ? adviceOnUncertain(declared, { ...one, found, unread: input.options.unread === true }) : []
  return { action, reason, differences: found, diagnostics: [...refused, ...lost, ...stays, ...unmade, ...taken, ...blindly, ...notes] }
}

/** What the kind refuses of what is asked for; of a sensitive value that alone is why neither it nor what it is held against is told. */
function refusals(input: PlanInput, declared: Declared, { situation, desired, secrets }: Case, found: readonly Difference[]): readonly Diagnostic[] {
  const { kind } = declared
  const asked = (spec: JsonObject): readonly Problem[] => kind.refuse?.(wantedView(situation, spec, found), input.lookupById) ?? []
  const open = asked(desired)
  const real = revealed(desired, secrets)
  if (real === desired || !isObject(real)) return open.map((problem) => refusal(declared, problem))
  const told = new Set(open.map(({ path }) => path.join('/')))
  const hidden = asked(real).filter(({ path }) => !told.has(path.join('/')))
  const hint = '`iac get` shows what is there'
  const unsaid = hidden.map(({ path }) => ({
    path,
    message: `${path.join('.')} cannot become what is asked for; the value is sensitive, so neither is told`,
    hint,
  }))
  return [...open, ...unsaid].map((problem) => refusal(declared, problem))
}

/** What a replacement would lose unseen. */
function losses(declared: Declared, { situation, desired }: Case, found: readonly Difference[]): readonly Diagnostic[] {
  return (declared.kind.loses?.(wantedView(situation, desired, found)) ?? []).map((problem) => refusal(declared, problem))
}

/** What is taken over where it is, and is not there. */
function unmakable({ address, kind, position }: Declared): Diagnostic {
  const text = `${address}: its object is not there, and the service has no call that makes ${withArticle(kind.name)}`
  return diagnostic('unsupported_change', text, {
    address,
    position: position(),
    hint: `\`iac state rm ${shellWord(address)}\` forgets it; the next plan takes over one that is there`,
  })
}

/** A replacement whose old object stays: since no call removes it, or since it is known that the call will be refused, and it is in the way. */
function withoutEnd(declared: Declared, { situation, object, desired }: Case): readonly Diagnostic[] {
  if (cannotGo(situation)) return [endless(declared)]
  const because = removalFor(situation).find((step) => step.orForgotten !== undefined)?.orForgotten
  if (because === undefined || !isInTheWay(declared.kind, object?.seen ?? situation.recorded, desired)) return []
  const { address, kind, position } = declared
  const text = `${address} would be replaced, and ${because}: it stays, in the way of the new one`
  const fields = uniqueFields(kind) ?? []
  return [
    diagnostic('unsupported_change', text, {
      address,
      position: position(),
      ...(fields.length > 0 && { hint: `another ${few(fields)} makes a new one beside it` }),
    }),
  ]
}

/** Whether there is no call that removes the object, which does not go by itself either. */
function cannotGo(situation: Situation): boolean {
  // What nothing reads goes with what it ends with.
  return situation.kind.readable && removalFor(situation).length === 0 && !isOnItsWayOut(situation)
}

/** A second one beside it would leave the first to nobody, with all that is in it. */
function endless({ address, kind, position }: Declared): Diagnostic {
  const text = `${address} would be replaced, and the service has no call that deletes ${withArticle(kind.name)}`
  return diagnostic('unsupported_change', text, { address, position: position() })
}

/** A warning for declared fields that cannot be read of an object taken over: nothing shows whether they are so. */
function unread({ address, kind, position }: Declared, { desired, object, facts }: Case): readonly Diagnostic[] {
  const shown = { ...facts.strays, ...object?.seen }
  const fields = Object.keys(desired).filter((field) => shown[field] === undefined && kind.fields[field]?.createOnly !== true)
  if ((!object && kind.readable) || fields.length === 0) return []
  const text = `${address}: ${fields.join(', ')} cannot be read; ${fields.length === 1 ? 'it is' : 'they are'} taken as declared`
  return [diagnostic('advice', text, { address, position: position() })]
}

/** The differences that have no effect; what steps that are still missing set takes effect. */
function withoutPending({ situation, desired }: Case, found: readonly Difference[]): readonly Difference[] {
  const idle = found.filter((each) => each.effect === 'note')
  if (idle.length === 0) return []
  const pending = new Set(stepsFor(situation, desired, found).flatMap((step) => Object.keys(step.sets)))
  return idle.filter((each) => !pending.has(each.field))
}

function refusal(declared: Declared, problem: Problem): Diagnostic {
  const pointer = `/${problem.path.join('/')}`
  return diagnostic('unsupported_change', `${declared.address}: ${readable(problem.message)}`, {
    address: declared.address,
    position: declared.positionOf(pointer),
    hint: problem.hint && readable(problem.hint),
  })
}

function noteOf(declared: Declared, one: Difference): Diagnostic {
  const { address, kind, positionOf } = declared
  const { field } = one
  const rest = { address, position: positionOf(`/${field}`) }
  if (one.after !== undefined) {
    const text = `${address}: ${field} matters when the object is made; this change has no effect on what exists`
    return diagnostic('note', text, { ...rest, hint: `lifecycle.replace_on: [/${field}] makes it replace the object` })
  }
  if (kind.fields[field]?.emptied)
    return diagnostic('note', `${address}: ${field} is no longer declared, so it stays as it is, but for what goes itself`, {
      ...rest,
      hint: `${field}: [] clears it`,
    })
  return diagnostic('note', `${address}: ${field} is no longer declared; the service offers no way to clear it, so it stays as it is`, rest)
}
