// One YAML document: its text to the library's tree, with depth checked before anything recursive runs.
import { Composer, Lexer, Parser, type CST, type Document, type YAMLError } from 'yaml'
import { phraseOf } from './yaml-phrases.ts'

/** A mistake at an offset in UTF-16 units. */
export interface YamlMistake {
  readonly code: 'yaml_syntax' | 'yaml_unsupported' | 'yaml_duplicate_key'
  readonly offset: number
  readonly message: string
  /** The message where it must not quote what stands there, if it does. */
  readonly unquoted?: string
  readonly hint?: string
}

export type Composed =
  | { readonly document: Document.Parsed; readonly mistakes: readonly YamlMistake[] }
  | { readonly document: undefined; readonly mistakes: readonly YamlMistake[] }

export const maxLevels = 100
const mostMistakes = 3
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/
const options = {
  version: '1.2',
  schema: 'core',
  merge: false,
  intAsBigInt: true,
  uniqueKeys: false,
  stringKeys: true,
  resolveKnownTags: false,
  prettyErrors: false,
  logLevel: 'silent',
} as const

/** Composes one document; what is wrong with it stands in `mistakes`, offsets counting from the start of the text. */
export function composeYaml(text: string): Composed {
  const control = text.search(controls)
  if (control >= 0) return failed(mistake('yaml_unsupported', control, `the control character U+${hex(text.charCodeAt(control))} is not allowed`))
  const read = readTokens(text)
  if ('code' in read) return failed(read)
  const [document] = new Composer(options).compose(read, true, text.length)
  if (!document) return failed(mistake('yaml_syntax', 0, 'no document'))
  const errors = document.errors.map((error) => worded(mistake('yaml_syntax', error.pos[0], ''), error))
  const warnings = document.warnings.map((warning) =>
    worded(mistake('yaml_unsupported', warning.pos[0], '', 'write the value in plain YAML 1.2: no custom tags'), warning),
  )
  const { explicit, version } = document.directives.yaml
  if (explicit === true && version !== '1.2')
    warnings.push(mistake('yaml_unsupported', 0, `%YAML ${version} is not supported`, 'leave the line out; documents are YAML 1.2'))
  const mistakes = [...errors, ...warnings].slice(0, mostMistakes)
  return errors.length > 0 ? { document: undefined, mistakes } : { document, mistakes }
}

function worded(one: YamlMistake, error: YAMLError): YamlMistake {
  const [message, unquoted] = [phraseOf(error), phraseOf({ code: error.code, message: '' })]
  return { ...one, message, ...(error.code === 'TAG_RESOLVE_FAILED' ? { unquoted } : {}) }
}

/** The concrete syntax tree; stops as soon as it is too deep, since composing it could abort the process. */
function readTokens(text: string): CST.Token[] | YamlMistake {
  const parser = new Parser()
  const tokens: CST.Token[] = []
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) tokens.push(token)
    if (parser.stack.length > maxLevels + 10) return tooDeep(parser.offset)
  }
  for (const token of parser.end()) tokens.push(token)
  return deepest(tokens) ?? tokens
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

function partsOf(item: { readonly key?: CST.Token | null; readonly value?: CST.Token }): CST.Token[] {
  return [item.key, item.value].filter((part) => part !== undefined && part !== null)
}

function tooDeep(offset: number): YamlMistake {
  return mistake('yaml_unsupported', offset, `nesting deeper than ${maxLevels} levels`)
}

function failed(one: YamlMistake): Composed {
  return { document: undefined, mistakes: [one] }
}

function mistake(code: YamlMistake['code'], offset: number, message: string, hint?: string): YamlMistake {
  return { code, offset, message, ...(hint === undefined ? {} : { hint }) }
}

function hex(code: number): string {
  return code.toString(16).toUpperCase().padStart(4, '0')
}
