// Documents that are parsed beside the thread that reads them: what composing one gave as a line of text, which any thread can send.
import type { JsonValue } from '../../base/json.ts'
import { atOnce } from '../files/turns.ts'
import { composeYaml } from './compose.ts'
import { frozenText, thawedValue } from './parse-cache.ts'
import { valueOfNode } from './value.ts'

/** Others who parse. They begin with the last text, whoever asks with the first: where they meet nothing is left. */
export interface Aside {
  /** What will be asked for, in that order; called once. */
  begin(texts: readonly string[]): void
  /** The line of a text; undefined where it is for the caller to parse: nobody has begun with it, or it has a mistake. */
  take(text: string): string | undefined
}

/** A document as it was composed elsewhere. */
export interface ComposedAside {
  readonly value: JsonValue
  readonly root: number
  readonly lexemes: number
}

/** The line of a document without a mistake; undefined for any other one, which is composed again where its mistakes are told. */
export function lineOf(text: string): string | undefined {
  const { document, mistakes, lexemes } = atOnce(composeYaml(text))
  if (!document || mistakes.length > 0) return undefined
  const { contents } = document
  const read = valueOfNode(contents)
  return read.mistakes.length > 0 ? undefined : `${lexemes} ${contents?.range[0] ?? 0} ${frozenText(read.value)}`
}

/** What `lineOf` gave. */
export function readLine(line: string): ComposedAside {
  const first = line.indexOf(' ')
  const second = line.indexOf(' ', first + 1)
  return { lexemes: Number(line.slice(0, first)), root: Number(line.slice(first + 1, second)), value: thawedValue(line.slice(second + 1)) }
}
