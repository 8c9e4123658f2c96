// What a kind is: the one definition from which validation, diff, order, adoption, waiting, price and documents follow.
import type * as z from 'zod'
import type { Call } from '../../api/calls/call.ts'
import type { Compat } from '../../api/calls/compat.ts'
import type { Access, Route } from '../../api/routes/route.ts'
import type { JsonValue } from '../../base/json.ts'
import { defaultOf, marksOf } from './fields.ts'
import type { Disruption, Marks, Unit } from './fields.ts'
import type { Operations } from './operations.ts'
import type { Shape } from './shape.ts'

/** A 64-bit id as digits, or the joined ids of an object without one (`<instance>/<vpc>`). */
export type Id = string

/** Our reading of an object: leaving ones count as gone for whatever waits, stopped and failed ones are warned of. */
export type Status = 'ready' | 'pending' | 'leaving' | 'stopped' | 'failed'

/** What live says of spec fields: absent where it does not carry the field, null where it carries it empty. */
export type Seen<S> = { readonly [K in keyof S]?: S[K] | null | undefined }
/** What the last apply left: absent where it was never set. */
export type Recorded<S> = { readonly [K in keyof S]?: S[K] | undefined }

/** What a kind is shown of one resource. References are ids; sensitive, unknown and once-known values are opaque tokens. */
export interface View<S, L> {
  readonly id: Id // before the create: a token
  readonly workspaceId: Id // '' at account scope
  readonly recorded: Recorded<S>
  readonly live: L | undefined
  readonly fresh: boolean // never was ready
  readonly blind?: readonly string[] | undefined // fields that nobody can read, and that nobody has sent since it was taken over
  readonly nowMs: number // the server's clock
}

export interface Wanted<S, L> extends View<S, L> {
  readonly desired: S // defaults filled in; fields under ignore_changes hold what is there
  /** Whether the three-way diff shows a difference in one of the fields. */
  changed(...fields: (keyof S & string)[]): boolean
}

/** One effect, as data. It is done when `steps`, asked with `sets` recorded and live read anew, no longer begins with it. */
export interface Step<S> {
  readonly name: string // unique per effect: `join VPC 12`
  readonly call: Call
  readonly sets: Recorded<S>
  readonly clears?: readonly (keyof S & string)[]
  readonly creates?: true // not repeatable: an unknown outcome is settled by adoption
  readonly removes?: true // the object is gone once this is done
  readonly orForgotten?: string // a refusal of it is for good (400, 409): the object stays and is forgotten, with this as the reason
  readonly disruption?: Disruption
  readonly access?: Access // needs a higher role than its route says
}

/** Reads objects; GETs are memoised within one observation. */
export interface Reader {
  /** How the service is to be read where its document leaves that open. */
  readonly compat: Compat
  all<L>(call: Call, shape: Shape<L>): Promise<L[]>
  one<L>(call: Call, shape: Shape<L>): Promise<L | undefined> // undefined on 404
  text(call: Call): Promise<string>
}

/** Where to list: the workspace, the objects that a kind of narrower scope hangs on, and whether anybody compares a field. */
export interface At {
  readonly workspaceId: Id
  readonly parents: readonly Id[]
  wants(field: string): boolean
  /** Whether each parent is asked: it has what is looked for, or had it a moment ago, whatever a count says. */
  readonly all?: boolean
  /** What the state says of another object, where it manages it. */
  recorded?(kind: string, id: Id): Readonly<Record<string, unknown>> | undefined
  /** Objects of a kind that hang on another one by the state, as it is or was when the run began. */
  hanging?(kind: string, on: string, id: Id): readonly Id[]
  /** Objects of a kind that the state has and that are to stay, wherever they hang. */
  staying?(kind: string): ReadonlySet<Id>
  /** What the plan does with objects of the state, once it is known. */
  readonly outcomes?: HolderOutcomes
}

/** What a plan does with something that holds an object which goes: it lets go by its own steps, has to be taken off, or stays where it is. */
export type Holding = 'lets go' | 'to be taken off' | 'stays'

/** What a plan does with objects of the state. */
export interface HolderOutcomes {
  /** Whether it deletes, replaces or forgets one. */
  ends(kind: string, id: Id): boolean
  /** Whether it deletes one, and makes and changes nothing at all that a delete could wait for. */
  deletes(kind: string, id: Id): boolean
  /** Whether something may have to be taken off one that goes, as the plan saw it. */
  isHeld(kind: string, id: Id): boolean
  /** Whether the plan that is carried out shows a step on one that goes; absent while planning. */
  shows?(kind: string, id: Id, step: string): boolean
  /** What becomes of the hold of one on another; undefined for what is in no state. */
  holding(kind: string, id: Id, held: { readonly kind: string; readonly id: Id }): Holding | undefined
}

/** What is seen to hold an object that goes. */
export interface Holder {
  readonly kind: string
  readonly id: Id
  readonly does: Holding | 'in no state'
}

/** Members of a group of one rank run together, a rank begins when all before it have ended; a failed one stops those of higher rank. */
export interface Place {
  readonly group: string
  readonly rank: number
}

/** One of those that a plan changes in a group: its rank by `place`, and what it is to be or was. */
export interface Member<S> {
  readonly id: string // tells it from all others
  readonly address: string
  readonly awaitsOwn?: boolean // it goes once the new one of its address is there
  readonly spec: Seen<S>
  readonly rank: number
  readonly does: 'comes' | 'goes' | 'stays'
}

/** What is placed: a new object, an old one, or a new one that there is no room for yet: `next` in the place of an old one, `late` once all old ones are gone. */
export type Turn = 'new' | 'old' | 'next' | 'late'

/** A limit of the quota that holds for each place apart, such as the rules of one instance. */
export interface LimitPerParent<S> {
  readonly limit: string // its name in the quota
  /** What is missing for a while where an old one goes before this new one, if that has to be told. */
  gap(spec: Seen<S>): string | undefined
  /** Whether the settings say that it is counted. */
  counts(compat: Compat): boolean
  /** The place that an object takes room at, and how many times the limit there is; undefined where that is not known. */
  at(spec: Seen<S>, lookup: Lookup, compat: Compat): { readonly place: string; readonly times: number } | undefined
}

/** A rule that is broken, found without any call; `path` leads into the spec. */
export interface Problem {
  readonly path: readonly (string | number)[]
  readonly message: string
  readonly hint?: string
  readonly safe?: true // its words quote no value: they are said of what is sensitive, too
}

/** A resource as checks across resources see it. References to manifests are `Kind/name` addresses, others ids. */
export interface Peer {
  readonly address: string // words for an object that is in no state
  readonly kind: string
  readonly workspace: string
  readonly spec: Readonly<Record<string, unknown>>
  readonly action?: string // under a plan: what it does with the resource (`create update replace …`)
  readonly restarts?: boolean // under a plan: whether a trigger restarts it
}
export interface PeerProblem extends Problem {
  readonly address: string
  readonly of?: string // the address that the message names, where it is said of another resource
}

/** What a reference points at, under a plan. References in it are `Kind/name` addresses where the plan has what they mean, others ids; what is not known is undefined. */
export interface Target {
  readonly address: string // words for an object that is in no state
  readonly now: Readonly<Record<string, unknown>> | undefined // recorded and live of what stays; absent where it is made
  readonly sets: Readonly<Record<string, unknown>> // what the plan's steps set of it; null where they clear it
}

/** An object that came with another one and may outlive it, in words for people. */
export interface Remnant {
  readonly kind: string
  readonly id: Id
  readonly words: string
}

/** Whose an object is, as far as that was told, and whether it has ended by itself. */
export interface Owned {
  readonly owner: Id | undefined
  readonly isOver: boolean
}

/** The outputs of a looked-up or declared object, undefined where it is not known. */
export type Lookup = (kind: string, id: Id) => Readonly<Record<string, JsonValue>> | undefined

/** A rate of its own per hour, and parts that the service estimates for a region. */
export interface Price {
  readonly rateMicroUsd: number
  readonly estimate?: { readonly region: string; readonly parts: readonly Readonly<Record<string, unknown>>[] } | undefined
}

/** An output's type, and whether it is a secret that only the create answers. */
export interface Output {
  readonly type: 'string' | 'integer' | 'boolean' | 'list' | 'map'
  readonly about: string
  readonly form?: 'bytes'
  readonly unit?: Unit
  readonly ref?: string // the kind whose id it is
  readonly sensitive?: true
  readonly once?: true
  /** The fields whose update changes it; a map of what a list among them names keeps the members that stay. */
  readonly follows?: readonly string[]
  /** What it is after each update of these fields, and each restart: where it is that already, it stays. */
  readonly settlesAt?: string
}

/** Another manifest that an example needs. */
export interface Beside {
  readonly kind: string
  readonly name: string
  readonly spec: Readonly<Record<string, unknown>>
}

/** A manifest that the documents show and the conformance walk uses: every field set, then each one changed. */
export interface Example {
  readonly title: string
  readonly spec: Readonly<Record<string, unknown>>
  readonly workspace?: null // it stands in no workspace
  readonly beside?: readonly Beside[] // all that spec and changes point at; the documents show what spec does
  readonly changes?: Readonly<Record<string, unknown>> // field → another value
}

/** Methods, not function fields: so that every kind fits `AnyKind` without a cast. */
export interface Kind<S, L> {
  readonly name: string
  readonly plural: string
  readonly about: string // one sentence for explain and the reference
  readonly section: string // of the API document
  readonly scope: 'account' | 'workspace' | 'parent' // parent: listed below the object that `parentField` points at
  readonly parentField?: keyof S & string
  readonly contains: boolean // others stand in its objects: their `workspace_id` is its id
  readonly workspaceless: boolean // may stand in no workspace, by `metadata.workspace: null`
  readonly adopted: 'by name' | 'the only one' | undefined // never made: a manifest takes over the object that is there, without an import
  readonly managed: boolean // false: looked up only
  readonly readable: boolean // false: always as recorded
  readonly singleRead: boolean // false: found in lists alone
  readonly confirmedByLists: boolean // its list is one call, or one below each parent, and composes nothing: what was made or deleted is looked for there
  readonly spec: z.ZodObject
  readonly fields: Readonly<Record<string, Marks>>
  readonly referenceFields: readonly ReferenceField[]
  readonly defaults: Readonly<Record<string, unknown>>
  readonly live: Shape<L>
  readonly idForm: RegExp // what ids of its objects look like, as imports name them
  readonly counts: Shape<unknown> | undefined // how many objects there are in each place, where a list tells
  readonly outputs: Readonly<Record<string, Output>>
  readonly handle: string | undefined // the field or output that people name its objects by where they have no name
  readonly columns: readonly string[] // what a table shows first beside the name, the most telling before the others
  readonly unique: readonly (keyof S & string)[] | 'singleton' | undefined // refused twice in a workspace
  claims?(spec: Seen<S>): readonly (readonly [field: keyof S & string, what: string])[] // what else no two of them in a workspace may have at a time; a change lets go of it and takes it
  readonly upserts: boolean // the call that makes it changes one that is there
  readonly identifies: boolean // objects with one natural key are likely doubles; false where it serves adoption alone
  readonly billed: boolean // costs something that no estimate covers: listed as unpriced
  readonly createFirst: boolean // preferred; yields where it would force others
  readonly renewable: boolean // made anew where a value that only its making answers is needed again
  readonly takes: readonly string[] // kinds whose objects in the workspace end with a delete of this one
  readonly goesAlong: boolean // with what takes it, without a call of its own where both go: its own may be refused for what nobody manages
  readonly carries: readonly { readonly kind: string; readonly field: string; readonly by: keyof S & string }[] // what can only be where one of these is: `field` of theirs names the same as `by` of this one
  keeps?(compat: Compat): (keyof S & string) | undefined // a field: while this one is there, the delete of what that points at is refused
  readonly replaceCosts: readonly Disruption[] // what a new object in the place of the old one costs beside the steps
  readonly removalWants: readonly string[] // what `wants` is asked besides fields where the object may go
  readonly calls: { readonly making: readonly Route[]; readonly removing: readonly Route[] } // the routes of its steps, a restart's too, and of its removal
  readonly timeoutsMs: { readonly create: number; readonly update: number; readonly delete: number }
  readonly examples: readonly Example[]
  list(api: Reader, at: At): Promise<L[]>
  read(api: Reader, id: Id, at: At): Promise<L | undefined>
  find?(api: Reader, sets: Seen<S>, at: At): Promise<L | undefined> // what a create made, by one call that is asked before the list
  id(live: L): Id
  toSpec(live: L): Seen<S>
  outputsOf(live: L): Readonly<Record<string, JsonValue>>
  status(live: L, view: View<S, L>): Status
  showsReady?(live: L): boolean // false where nothing that is read tells whether a create that ended badly left something usable
  naturalKey(spec: Seen<S>): string | undefined // of what the create sets, and of toSpec(live); undefined for what nothing tells from others
  derivedId?(spec: S, workspaceId: Id): Id // an id that is known before the object exists
  idOfMade?(answered: Id, sets: Seen<S>): Id // where the answer to a create carries a part of the id alone
  untoldId?(sets: Seen<S>): Id // what stands for the id of an object whose answer was lost, where nothing reads it
  readonly word?: string // what workflows call its objects where those alone tell of them: `<word>_id` in their data
  ours?(live: L): boolean
  whose?(live: L): string // of one that is not ours: whose it is, as words behind its id
  ownedBy?(spec: Recorded<S>, outputs: Readonly<Record<string, JsonValue>>, nowMs: number): Owned | undefined // of what its owner alone sees; undefined for what others see, too
  findable?(live: L): boolean // whether a lookup finds it; without it, what is ours
  offered?(live: L): boolean // whether it is named among what a lookup could mean that finds nothing; without it, what is found
  canBe?(live: L, sets: Seen<S>): boolean // whether an object can be what a create asked for, by what it shows beside its spec
  normalise?(spec: Seen<S>): Seen<S>
  check?(spec: Seen<S>): Problem[]
  checkAll?(peers: readonly Peer[]): PeerProblem[] // all resources of the project, when it is loaded and under a plan; linear
  advise?(peers: readonly Peer[]): PeerProblem[] // warnings under a plan, in view of what stays beside it as well; linear
  refuse?(view: Wanted<S, L>, lookup: Lookup): Problem[] // errors that only live shows: a smaller disk, a disabled plan
  loses?(view: Wanted<S, L>): Problem[] // errors of a replacement: what is there that nobody declares, and the new object would be without
  suits?(spec: Seen<S>, field: keyof S & string, target: Target, isSent: boolean): Problem[] // errors of what a field points at, as the plan leaves it: the service would refuse the field; `isSent`: whether this plan sends it
  preflight?(api: Reader, spec: Seen<S>): Promise<readonly Problem[]> // errors that the service alone tells before a create: a domain in use; what it does not tell is left open. What is not known yet is there as undefined
  strays?(view: View<S, L>): Seen<S> // fields that live does not carry, yet shows to differ from recorded: what it shows of them, `hidden` in place of the rest
  standsAlone?(written: Readonly<Record<string, unknown>>): boolean // whether a spec as written means no workspace, where its manifest names none
  due?(view: Wanted<S, L>): string | undefined // why it must be made anew although nothing changed
  provides?(spec: Seen<S>, workspaceId: Id): string[]
  needs?(spec: Seen<S>, workspaceId: Id): string[]
  readonly needsYield: boolean // what it needs comes first unless that waits for it
  place?(spec: Seen<S>, turn: Turn): Place | undefined
  ranks?(members: readonly Member<S>[], othersStay: boolean): readonly number[] // where ranks depend on all that change in a group; `othersStay`: whether the state holds more there; linear but for sorting
  readonly limitPerParent?: LimitPerParent<S>
  price?(spec: Seen<S>, lookup: Lookup, compat: Compat): Price | undefined
  quota?(spec: Seen<S>, lookup: Lookup): Readonly<Record<string, number>>
  /** By limit the kind in whose list stands what an object of this one brought along: where that list was read, an object that is there does not count for it again. */
  readonly quotaListedIn?: Readonly<Record<string, string>>
  steps(view: Wanted<S, L>): Step<S>[]
  removal(view: View<S, L>): Step<S>[]
  holders?(live: L): readonly Holder[] // what was seen to hold one that goes (`removalWants`): its delete is refused while anything does
  workflows?(id: Id, workspaceId: Id): Call // the listing of workflows on an object
  lastWords?(api: Reader, id: Id, at: At): Promise<string> // what an object that failed says itself: the end of its log
  inUseBy?(api: Reader, sets: Seen<S>, at: At): Promise<Remnant | undefined> // what has what these fields would take (409): asked when planning, of fields that are `unique`, and where a call was refused
  alongside?(live: L, recorded: Seen<S>, isManaged: (kind: string, id: Id) => boolean): readonly Remnant[] // what hangs on one that goes, is in no state, and may go with it though it did not come with it
  takenOff?(live: L, isManaged: (kind: string, id: Id) => boolean): readonly Remnant[] // what is in no state, is taken off one that goes, and stays
  priceLeft?(spec: Seen<S>, live: L, isManaged: (kind: string, id: Id) => boolean, lookup: Lookup): Price | undefined // the part of its price that stays with what is taken off
  remains?(api: Reader, outputs: Readonly<Record<string, JsonValue>>, at: At): Promise<Remnant[]> // what its removal may have left behind
  restart?(view: View<S, L>): Step<S> // what `redeploy_triggered_by` asks for
  readonly operations?: Operations // what people do by hand to its objects
}

/** Any kind, as shared code sees it. */
export type AnyKind = Kind<Record<string, unknown>, unknown>

const minuteMs = 60_000
const given = {
  contains: false,
  workspaceless: false,
  adopted: undefined,
  managed: true,
  readable: true,
  singleRead: true,
  confirmedByLists: false,
  handle: undefined,
  columns: [],
  unique: undefined,
  upserts: false,
  identifies: true,
  billed: false,
  createFirst: false,
  needsYield: false,
  renewable: false,
  takes: [],
  goesAlong: false,
  carries: [],
  removalWants: [],
  replaceCosts: [],
  counts: undefined,
  idForm: /^[1-9]\d{0,18}$/,
  calls: { making: [], removing: [] },
  timeoutsMs: { create: 30 * minuteMs, update: 20 * minuteMs, delete: 20 * minuteMs },
} as const

type Given = keyof typeof given
type Definition<S extends z.ZodObject, L> = Omit<Kind<z.output<S>, L>, 'spec' | 'fields' | 'referenceFields' | 'defaults' | Given> &
  Partial<Pick<Kind<z.output<S>, L>, Given>> & { readonly spec: S }

/** A field that points at other resources, by which output of theirs, and whether the object ends with them, or cannot be without them. */
export interface ReferenceField {
  readonly field: string
  readonly ref: readonly string[]
  readonly output: string
  readonly endsWith: boolean
  readonly bound: boolean
}

/** Freezes a definition and derives what follows from its schema: the marks and defaults of its fields. */
export function defineKind<S extends z.ZodObject, L>(definition: Definition<S, L>) {
  const shape: Readonly<Record<string, z.core.$ZodType>> = definition.spec.shape
  const fields: Record<string, Marks> = {}
  const defaults: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(shape)) {
    fields[name] = marksOf(schema)
    const value = defaultOf(schema)
    if (value !== undefined) defaults[name] = value
  }
  const referenceFields = Object.entries(fields).flatMap(([field, { ref, output = 'id', endsWith = false, bound = endsWith }]) =>
    ref === undefined ? [] : [Object.freeze({ field, ref, output, endsWith, bound })],
  )
  const derived = { fields: Object.freeze(fields), referenceFields: Object.freeze(referenceFields), defaults: Object.freeze(defaults) }
  return Object.freeze({ ...given, ...definition, ...derived })
}

/** Whether a field is one that no answer ever carries and that an update in full would clear unseen. */
export function isBlind({ fields, live }: Pick<AnyKind, 'fields' | 'live'>, field: string): boolean {
  const { clearable, createOnly } = fields[field] ?? {}
  return clearable === true && createOnly !== true && !live.keys.includes(field)
}

/** What an object is called, by its fields and outputs: its name, else what its kind is named by; none for an object without either. */
export function namesOf({ handle }: Pick<AnyKind, 'handle'>, ...members: readonly Readonly<Record<string, unknown>>[]): readonly string[] {
  const called = [...members.map((one) => one['name']), ...(handle === undefined ? [] : members.map((one) => one[handle]))]
  return [...new Set(called.filter((one): one is string => typeof one === 'string' && one !== ''))]
}

/** The fields that tell objects of a kind apart of which the service allows no two that are alike; undefined where it allows them. */
export function uniqueFields({ unique, parentField }: Pick<AnyKind, 'unique' | 'parentField'>): readonly string[] | undefined {
  return unique === 'singleton' ? (parentField === undefined ? [] : [parentField]) : unique
}

/** Whether two that are alike cannot be at a time: by their unique fields, or by what they claim besides. */
export function allowsOne({ unique, claims }: Pick<AnyKind, 'unique' | 'claims'>): boolean {
  return unique !== undefined || claims !== undefined
}

/** The members of an object that are named and present. */
export function pick<T extends object, K extends keyof T>(from: T, names: readonly K[]): Pick<T, K>
export function pick(from: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> {
  const out: Record<string, unknown> = {}
  for (const name of names) if (from[name] !== undefined) out[name] = from[name]
  return out
}
