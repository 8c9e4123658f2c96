// What may be answered otherwise: assumptions where the document is silent, strains where it is not, and the answers to them.
import type { Assumption } from './questions.ts'
import { questions } from './questions.ts'

type Widened<T> = T extends number ? number : T

type Questions = typeof questions
type AnswersTo<K extends keyof Questions> = { readonly [N in K]: Widened<Questions[N]['readings'][number]> }

/** The questions whose other answers the document excludes. */
export type StrainName = { readonly [K in keyof Questions]: Questions[K] extends { readonly excluded: string } ? K : never }[keyof Questions]

/** The questions that the document leaves open. */
export type ReadingName = Exclude<keyof Questions, StrainName>

/** The answers to all questions, strains among them. */
export type Readings = AnswersTo<keyof Questions>

/** Answers to some of the questions that the document leaves open. */
export type GivenReadings = Partial<AnswersTo<ReadingName>>

/** Answers to some of the others. */
export type GivenStrains = Partial<AnswersTo<StrainName>>

/** The questions that the document leaves open, by their names. */
export const assumptions: Readonly<Record<string, Assumption>> = tableOf(false)

/** Those that it answers: each strain with the document's words against it. */
export const strains: Readonly<Record<string, Assumption>> = tableOf(true)

function tableOf(isStrain: boolean): Readonly<Record<string, Assumption>> {
  return Object.freeze(Object.fromEntries(Object.entries(questions).filter(([, one]) => 'excluded' in one === isStrain)))
}

/** Every answer at its default, but for those given. */
export function readingsOf(given: Partial<Readings> = {}): Readings {
  return { ...defaults, ...given }
}

/** The first answer to each question. */
function firstOf<T extends Readonly<Record<string, Assumption>>>(table: T): { readonly [K in keyof T]: Widened<T[K]['readings'][number]> }
function firstOf(table: Readonly<Record<string, Assumption>>): Readonly<Record<string, unknown>> {
  return Object.freeze(Object.fromEntries(Object.entries(table).map(([name, { readings }]) => [name, readings[0]])))
}

const defaults: Readings = firstOf(questions)
