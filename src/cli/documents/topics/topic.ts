// What a topic of the language is: data that the reference pages and `iac explain` print.
import type { Evaluated } from '../../../expressions/function-texts.ts'
import type { FieldText } from '../kind-text.ts'

/** Files that are written, and a command that then prints these lines among others. */
export interface Stage {
  readonly files: Readonly<Record<string, string>>
  readonly command: string
  readonly prints: readonly string[]
}

/** An example from an empty folder on; a test runs it as it stands on the page. */
export interface Scene {
  readonly title: string
  readonly stages: readonly Stage[]
}

/** One section of a page. Paragraphs are one line each; a line that begins with `- ` is an entry of a list. */
export interface Topic {
  readonly names: readonly [string, ...string[]] // the words that `iac explain` takes for it
  readonly title: string
  readonly about: readonly string[]
  readonly fields?: readonly FieldText[]
  readonly evaluated?: readonly Evaluated[]
  readonly scenes?: readonly Scene[]
}
