// Creates of what nothing reads whose answers were lost, and what people are told of one of which no later create at its address tells.
import type { Diagnostic } from '../../base/diagnostic.ts'
import { diagnostic } from '../../base/diagnostic.ts'
import type { JsonObject } from '../../base/json.ts'
import { canonicalJson } from '../../base/json.ts'
import { readable } from '../../base/token.ts'
import { withArticle } from '../../base/words/article.ts'
import { shellWord } from '../../base/words/shell-word.ts'
import type { AnyKind } from '../../kinds/definition/kind.ts'
import type { Intent } from '../../state/record.ts'
import { ownersOf } from './graph/owners.ts'
import { slackMs } from './settings.ts'

/** A create of which nobody knows whether it arrived, and where it was sent. */
export interface UntoldCreate {
  readonly kind: AnyKind
  readonly intent: Intent
  /** What its object ends with, in words. */
  readonly place: string
}

/** One of those that could have made the same object, the first: what is told of it holds for all of them. */
export function distinctCreates(all: readonly Intent[], kindOf: (name: string) => AnyKind): readonly Intent[] {
  const first = new Map<string, Intent>()
  for (const one of all) {
    const { address, kind, workspace_id, natural_key, sets } = one
    const key = canonicalJson([address, workspace_id, natural_key, ...ownersOf(kindOf(kind), sets).map((owner) => `${owner.kind} ${owner.id}`)])
    if (!first.has(key)) first.set(key, one)
  }
  return [...first.values()]
}

/** What an object ends with, by the addresses where such objects are recorded. */
export function placeOf(kind: AnyKind, sets: JsonObject, addressOf: (kind: string, id: string) => string | undefined): string {
  return [...new Set(ownersOf(kind, sets).map((owner) => addressOf(owner.kind, owner.id) ?? `${owner.kind} ${owner.id}`))].join(', ')
}

/** The fields by which objects of a kind are told apart, as a manifest says them. */
export function uniqueWords({ unique }: AnyKind, sets: JsonObject): string {
  const fields = Array.isArray(unique) ? unique : []
  return fields.map((field) => `${field}: ${typeof sets[field] === 'string' ? readable(sets[field]) : '?'}`).join(', ')
}

/** Another create at its address asks for another object, whose answer says nothing of it; `wanted` are the words of that. */
export function otherAsked(one: UntoldCreate, wanted: string, position: Diagnostic['position']): Diagnostic {
  const words = uniqueWords(one.kind, one.intent.sets)
  const text = `whether its earlier create (${words}) arrived, whose answer was lost, this one (${wanted}) does not tell`
  return advice(one, text, { position, hint: `to be told, go back to ${words} here, and declare ${wanted} at another address` })
}

/** A run in which nothing is about its address closes it; `isPartial` where that run is of some files only. */
export function willBeGivenUp(one: UntoldCreate, isPartial: boolean): Diagnostic {
  const { address } = one.intent
  const why = isPartial ? 'nothing among these files tells' : 'nothing tells without its manifest'
  const way = isPartial ? `name the file of ${address} as well` : 'keep its manifest for one more apply'
  const text = `whether its create (${uniqueWords(one.kind, one.intent.sets)}) arrived, whose answer was lost, ${why}: applying this gives it up`
  return advice(one, text, { hint: `${way}: then its create tells, and what is there is recorded` })
}

/** It is closed, and nobody looks for what it made any more, which `hasEnded` or not; `isBeside` where its address has another object. */
export function givenUp(one: UntoldCreate, { isBeside, hasEnded }: { readonly isBeside: boolean; readonly hasEnded: boolean }): Diagnostic {
  const { address, sets } = one.intent
  const words = uniqueWords(one.kind, sets)
  const [what, end] = isBeside ? [`a create of it (${words})`, 'what it made is in no state'] : ['a create of it', 'it is in no state']
  const text = `whether ${what} arrived, whose answer was lost, nothing tells; ${end}`
  if (hasEnded) return diagnostic('advice', `${address}: ${text}`, { address, detail: `If it did, what it made has ended with ${one.place}.` })
  const hint = `to find out, apply one with ${words} at another address: it is made, or refused with the command that takes over what is there`
  return advice(one, text, { hint })
}

/** Nothing that a run does tells of it; `isBeside` where something is recorded at its address. */
export function staysOpen(one: UntoldCreate, isBeside: boolean): Diagnostic {
  const settledBy = `\`iac state rm ${shellWord(one.intent.address)}\``
  const lost = `whether its create (${uniqueWords(one.kind, one.intent.sets)}) arrived, whose answer was lost, nothing here tells`
  const hint = isBeside
    ? `${settledBy}, run once, forgets that create alone: what is recorded stays`
    : `${settledBy} gives it up; or an apply that makes it tells`
  return advice(one, `${lost}: it stays open, and a run ends with 8 for it`, { hint, settledBy })
}

function advice({ kind, intent, place }: UntoldCreate, text: string, rest: Pick<Diagnostic, 'position' | 'hint' | 'settledBy'>): Diagnostic {
  const { address, sets, sent_at } = intent
  const since = new Date(sent_at - slackMs).toISOString()
  const what = `${withArticle(kind.name)} (${uniqueWords(kind, sets)}) is on ${place}, and ends with it; no call reads one`
  return diagnostic('advice', `${address}: ${text}`, {
    address,
    ...rest,
    detail: `If it did, ${what}. \`iac workflows --since ${since}\` lists what began then.`,
  })
}
