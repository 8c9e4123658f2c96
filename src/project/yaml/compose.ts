// One YAML document: its text to the library's tree, with depth checked before anything recursive runs.
import { Composer, Lexer, Parser, Schema, type CST, type Document, type YAMLError } from 'yaml'
import { unmetered } from '../../base/meter.ts'
import type { Meter } from '../../base/meter.ts'
import type { Turns } from '../files/turns.ts'
import { partsOf } from './token-parts.ts'
import { comesOf, unclosedIn } from './unclosed.ts'
import { expressionHint, phraseOf, unclosedWords } from './yaml-errors.ts'

/** A mistake at an offset in UTF-16 units. */
export interface YamlMistake {
  readonly code: 'yaml_syntax' | 'yaml_unsupported' | 'yaml_duplicate_key'
  readonly offset: number
  readonly message: string
  /** The message where it must not quote what stands there, if it does. */
  readonly unquoted?: string
  readonly hint?: string
}

/** `lexemes` are the smallest pieces of the text: some seven for a line. */
export interface Composed {
  readonly document: Document.Parsed | undefined
  readonly mistakes: readonly YamlMistake[]
  readonly lexemes: number
}

export const maxLevels = 100
// The library composes so many in half a second; it cannot be interrupted there.
const maxLexemes = 1_000_000
const lexemesPerTurn = 4096
const stepsPerLexeme = 5
const unitsPerStep = 16
const mostMistakes = 3
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/
// One for all documents, which would each make their own: that takes a twentieth of reading a small one.
const schema = new Schema({ schema: 'core', merge: false, resolveKnownTags: false })
const options = {
  version: '1.2',
  schema,
  intAsBigInt: true,
  uniqueKeys: false,
  stringKeys: true,
  prettyErrors: false,
  logLevel: 'silent',
} as const

/** Composes one document; what is wrong with it stands in `mistakes`, offsets counting from the start of the text. */
export function* composeYaml(text: string, meter: Meter = unmetered): Turns<Composed> {
  meter.spend(text.length / unitsPerStep)
  const control = text.search(controls)
  if (control >= 0) return failed(mistake('yaml_unsupported', control, `the control character U+${hex(text.charCodeAt(control))} is not allowed`))
  const read = yield* readTokens(text, meter)
  if ('code' in read) return failed(read)
  const { tokens, lexemes } = read
  const [document] = withoutStacks(() => Array.from(new Composer(options).compose(tokens, true, text.length)))
  if (!document) return failed(mistake('yaml_syntax', 0, 'no document'))
  const errors = errorsIn(document, tokens, text)
  const warnings = document.warnings
    .slice(0, mostMistakes)
    .map((warning) => worded(mistake('yaml_unsupported', warning.pos[0], '', 'write the value in plain YAML 1.2: no custom tags'), warning))
  const { explicit, version } = document.directives.yaml
  if (explicit === true && version !== '1.2')
    warnings.push(mistake('yaml_unsupported', 0, `%YAML ${version} is not supported`, 'leave the line out; documents are YAML 1.2'))
  const mistakes = [...errors, ...warnings].slice(0, mostMistakes)
  return { document: errors.length > 0 ? undefined : document, mistakes, lexemes }
}

/** The first errors by place; what is not closed is one, and nothing that comes of it. */
function errorsIn({ errors }: Document.Parsed, tokens: readonly CST.Token[], text: string): readonly YamlMistake[] {
  const unclosed = errors.length === 0 ? [] : unclosedIn(tokens)
  const open = unclosed.map(({ offset, closer }) => ({ code: 'yaml_syntax' as const, offset, ...unclosedWords(closer) }))
  const others = errors.filter((error) => !comesOf(error, unclosed)).slice(0, mostMistakes)
  const all = [...open, ...others.map((error) => worded(mistake('yaml_syntax', error.pos[0], '', expressionHint(text, error.pos[0])), error))]
  return all.toSorted((a, b) => a.offset - b.offset).slice(0, mostMistakes)
}

/** What a text of mistakes costs most are the stacks of the library's errors, which nobody reads. */
function withoutStacks<T>(work: () => T): T {
  const before = Error.stackTraceLimit
  Error.stackTraceLimit = 0
  try {
    return work()
  } finally {
    Error.stackTraceLimit = before
  }
}

function worded(one: YamlMistake, error: YAMLError): YamlMistake {
  const [message, unquoted] = [phraseOf(error), phraseOf({ code: error.code, message: '' })]
  return { ...one, message, ...(error.code === 'TAG_RESOLVE_FAILED' ? { unquoted } : {}) }
}

interface Tokens {
  readonly tokens: readonly CST.Token[]
  readonly lexemes: number
}

/** The concrete syntax tree; stops as soon as it is too deep or too large, since composing it could abort the process. */
function* readTokens(text: string, meter: Meter): Turns<Tokens | YamlMistake> {
  const parser = new Parser()
  const tokens: CST.Token[] = []
  let lexemes = 0
  let highest = 0
  for (const lexeme of new Lexer().lex(text)) {
    lexemes += 1
    if (lexemes % lexemesPerTurn === 0) {
      meter.spend(stepsPerLexeme * lexemesPerTurn)
      yield
    }
    if (lexemes > maxLexemes) return tooLarge(parser.offset)
    for (const token of parser.next(lexeme)) tokens.push(token)
    highest = Math.max(highest, parser.stack.length)
    if (highest > maxLevels + 10) return tooDeep(parser.offset)
  }
  meter.spend(stepsPerLexeme * (lexemes % lexemesPerTurn))
  for (const token of parser.end()) tokens.push(token)
  // Each level stands on the stack while it is read, and other things beside it.
  return (highest > maxLevels ? deepest(tokens) : undefined) ?? { tokens, lexemes }
}

function deepest(tokens: readonly CST.Token[]): YamlMistake | undefined {
  let level: readonly CST.Token[] = tokens.flatMap((token) => (token.type === 'document' && token.value ? [token.value] : []))
  for (let depth = 0; level.length > 0; depth += 1) {
    const collections = level.filter((token) => 'items' in token)
    const [first] = collections
    if (first && depth === maxLevels) return tooDeep(first.offset)
    level = collections.flatMap((token) => token.items.flatMap(partsOf))
  }
  return undefined
}

function tooDeep(offset: number): YamlMistake {
  return mistake('yaml_unsupported', offset, `nesting deeper than ${maxLevels} levels`)
}

function tooLarge(offset: number): YamlMistake {
  return mistake('yaml_unsupported', offset, `a document of more than ${maxLexemes} words and signs`, 'divide it into several documents or files')
}

function failed(one: YamlMistake): Composed {
  return { document: undefined, mistakes: [one], lexemes: 0 }
}

function mistake(code: YamlMistake['code'], offset: number, message: string, hint?: string): YamlMistake {
  return { code, offset, message, ...(hint === undefined ? {} : { hint }) }
}

function hex(code: number): string {
  return code.toString(16).toUpperCase().padStart(4, '0')
}
