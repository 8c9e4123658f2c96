// What details are made of: a kind, a title, a state, and facts.
import type { PageModel } from './page-model.ts'
import type { StateWord } from './state-words.ts'

/** What is known of a thing, each under its label. */
export type Facts = readonly (readonly [label: string, value: string])[]

/** What the details of a thing begin with. */
export interface Head {
  readonly kind: string
  readonly title: string
  readonly state: StateWord | undefined
  readonly facts: Facts
}

/** Finds the head of a thing of one table by its id; undefined when it is no longer there. */
export type HeadOf = (model: PageModel, id: string) => Head | undefined

/** The facts that there are. */
export function known(facts: readonly (readonly [string, string | null | undefined])[]): Facts {
  return facts.flatMap(([label, value]) => (value === null || value === undefined || value === '' ? [] : [[label, value] as const]))
}

/** A list as the value of a fact, one to a line. */
export function lines(words: Iterable<string>): string {
  return [...words].join('\n')
}
