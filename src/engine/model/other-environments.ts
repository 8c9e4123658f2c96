// What other environments of a project manage, by their states: it is in none of this one, and yet not nobody's.
import { diagnostic } from '../../base/diagnostic.ts'
import type { Diagnostic, Position } from '../../base/diagnostic.ts'
import type { JsonObject } from '../../base/json.ts'
import { few } from '../../base/words/few.ts'
import type { AnyKind } from '../../kinds/definition/kind.ts'
import { uniqueFields } from '../../kinds/definition/kind.ts'
import type { Folded } from '../../state/fold.ts'
import type { Intent } from '../../state/record.ts'
import { addressed } from './import-command.ts'

/** The state of another environment; null for the project's own. `flags` lead a command there: undefined where none do. */
export interface OtherState {
  readonly environment: string | null
  readonly flags: readonly string[] | undefined
  /** What it holds, or why it could not be read. */
  readonly found: Pick<Folded, 'resources' | 'open'> | { readonly problem: string }
}

/** Who manages an object. */
export interface Manager extends Pick<OtherState, 'environment' | 'flags'> {
  readonly address: string
}

/** An object that no state of this run holds; `seen` is what is known of it. */
interface Sought {
  readonly kind: AnyKind
  readonly workspaceId: string // '' at account scope
  readonly id: string
  readonly seen?: JsonObject | undefined
}

export interface OtherEnvironments {
  manager(one: Sought): Manager | undefined
  /** Whose create, of which nobody knows what it made, asks for the same as this one: of what appears nobody can tell which of them made it. A lost one that was sent before `sinceMs` (the server's clock) is none. */
  rival(intent: Pick<Intent, 'kind' | 'workspace_id' | 'natural_key'>, sinceMs?: number): Manager | undefined
  readonly unread: readonly { readonly environment: string | null; readonly problem: string }[]
}

/** Indexes what the states hold, and what creates of theirs may have made whose answers are not known. */
export function otherEnvironmentsIn(states: readonly OtherState[]): OtherEnvironments {
  const held = new Map<string, Manager>()
  const begun = new Map<string, Manager>()
  const rivals = new Map<string, { readonly maker: Manager; readonly sentMs: number }[]>()
  for (const { environment, flags, found } of states) {
    if ('problem' in found) continue
    for (const { kind, workspace_id: place, id, deposed, address } of found.resources.values())
      for (const each of [id, ...deposed.map((old) => old.id)]) held.set(`${kind} ${place ?? ''} ${each}`, { environment, flags, address })
    for (const { intent, id, accepted } of found.open) {
      if (!intent.creates || intent.natural_key === null) continue
      const maker = { environment, flags, address: intent.address }
      begun.set(begunKey(intent), maker)
      if (id !== null) continue
      // What was accepted shows whenever it is done.
      const rival = { maker, sentMs: accepted ? Infinity : intent.sent_at }
      rivals.set(begunKey(intent), [...(rivals.get(begunKey(intent)) ?? []), rival])
    }
  }
  return {
    unread: states.flatMap(({ environment, found }) => ('problem' in found ? [{ environment, problem: found.problem }] : [])),
    manager({ kind, workspaceId, id, seen }) {
      const key = kind.identifies && seen ? kind.naturalKey(seen) : undefined
      const found = held.get(`${kind.name} ${workspaceId} ${id}`)
      return found ?? (key === undefined ? undefined : begun.get(begunKey({ kind: kind.name, workspace_id: workspaceId, natural_key: key })))
    },
    rival: (intent, sinceMs = -Infinity) => rivals.get(begunKey(intent))?.findLast(({ sentMs }) => sentMs >= sinceMs)?.maker,
  }
}

function begunKey({ kind, workspace_id: place, natural_key: key }: Pick<Intent, 'kind' | 'workspace_id' | 'natural_key'>): string {
  return `${kind} ${place ?? ''} ${key}`
}

/** An environment as messages call what manages something. */
export function managerName(environment: string | null): string {
  return environment === null ? "the project's own state" : `the environment ${environment}`
}

/** `the state of the environment staging could not be read`. */
export function unreadText(unread: OtherEnvironments['unread']): string {
  return `${few(unread.map(({ environment }) => (environment === null ? managerName(null) : `the state of ${managerName(environment)}`)))} could not be read`
}

/** Why they could not be read; undefined where all could. */
export function unreadDetail(unread: OtherEnvironments['unread'] = []): string | undefined {
  return unread.length === 0 ? undefined : unread.map(({ environment, problem }) => `${environment ?? managerName(null)}: ${problem}`).join('\n')
}

/** What is said of whose an object is that the state does not hold: who manages it, or that nobody does as far as can be told. */
export interface ManagedBy {
  /** What follows `a Vpc like it exists already and`. */
  readonly words: string
  readonly manager: Manager | undefined
  /** Whether a state that could not be read may hold it. */
  readonly isOpen: boolean
  readonly detail: string | undefined
}

export function managedBy(otherEnvironments: OtherEnvironments | undefined, one: Sought): ManagedBy {
  const manager = otherEnvironments?.manager(one)
  if (manager) return { words: `is managed by ${managerName(manager.environment)}`, manager, isOpen: false, detail: undefined }
  const { unread = [] } = otherEnvironments ?? {}
  const isOpen = unread.length > 0
  return {
    words: isOpen ? `is in no state of this environment (${unreadText(unread)})` : 'is in no state of this project',
    manager,
    isOpen,
    detail: unreadDetail(unread),
  }
}

/** How one beside another environment's is kept apart from it. */
export function apartHint(kind: AnyKind): string | undefined {
  const fields = uniqueFields(kind) ?? (Object.hasOwn(kind.fields, 'name') ? ['name'] : [])
  const ways = [
    ...(fields.length === 0 ? [] : [`give it another ${few(fields)} in this environment`]),
    ...(kind.scope === 'account' ? [] : ['give each environment a workspace of its own']),
  ]
  return ways.length === 0 ? undefined : ways.join(', or ').replace(', or give', ', or')
}

/** An object that is to be taken over. */
interface Taken {
  readonly address: string
  readonly kind: AnyKind
  readonly id: string
  readonly position?: Position
}

/** Why an object is not taken over: what one of two states destroys the other one loses. */
export function otherManagerProblem(manager: Manager, { address, kind, id, position }: Taken): Diagnostic {
  const text = `${address}: ${managerName(manager.environment)} manages the ${kind.name} with id ${id}`
  return diagnostic('import_conflict', text, { address, position, hint: letGoHint(manager) })
}

/** A warning where an object is taken over that a state which could not be read may hold. */
export function openAdvice({ unread }: Pick<OtherEnvironments, 'unread'>, { address, kind, id, position }: Taken): readonly Diagnostic[] {
  if (unread.length === 0) return []
  const text = `${address}: ${unreadText(unread)}: it may manage the ${kind.name} with id ${id}`
  const hint = 'what one of two states destroys the other one loses: take it over if nothing there manages it'
  return [diagnostic('advice', text, { address, position, detail: unreadDetail(unread), hint })]
}

/** How an object leaves the state that holds it. */
export function letGoHint({ flags, address }: Manager): string {
  const command = (given: readonly string[]): string => ['iac state rm', ...given, addressed(address)].join(' ')
  const first = flags === undefined ? 'take default_environment out of iac.yaml, then let it go there' : 'let it go there'
  return `to take it over here, ${first} first: ${command(flags ?? [])}`
}
