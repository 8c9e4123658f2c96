// What the YAML library finds wrong, in the words of these messages.
import type { YAMLError } from 'yaml'

const phrases: Readonly<Partial<Record<YAMLError['code'], string>>> = {
  ALIAS_PROPS: 'an alias takes no anchor and no tag',
  BAD_ALIAS: 'the name of an anchor or alias is missing, or ends with a colon',
  BAD_COLLECTION_TYPE: 'this tag does not fit what follows it',
  BAD_DIRECTIVE: 'this directive (a line that begins with %) is not known',
  BAD_DQ_ESCAPE: 'no such escape exists in a text in double quotes: write \\\\ for a backslash',
  BAD_INDENT: 'this line is indented in another way than the lines that it belongs to',
  BAD_PROP_ORDER: 'an anchor or a tag stands after the mark that it belongs behind',
  BAD_SCALAR_START: 'a text cannot begin with this character: put it in quotes',
  BLOCK_AS_IMPLICIT_KEY: 'a second key stands where the value of the first one ends: a colon too many, or a line indented too far',
  BLOCK_IN_FLOW: 'a list or map over several lines cannot stand inside of [ ] or { }',
  DUPLICATE_KEY: 'a key stands here twice',
  IMPOSSIBLE: 'this cannot be read',
  KEY_OVER_1024_CHARS: 'a key has more than 1024 characters',
  MISSING_CHAR: 'something is missing here: a quote, a colon, a comma, or a space behind one',
  MULTILINE_IMPLICIT_KEY: 'a key must stand on one line and end with a colon',
  MULTIPLE_ANCHORS: 'two anchors stand at one value',
  MULTIPLE_DOCS: 'a second document begins here',
  MULTIPLE_TAGS: 'two tags stand at one value',
  NON_STRING_KEY: 'a key must be a text',
  TAB_AS_INDENT: 'a tab stands in the indentation: YAML takes spaces alone',
  TAG_RESOLVE_FAILED: 'tags are not supported',
  UNEXPECTED_TOKEN: 'this is not expected here',
}

/** What is said of a quote or bracket that is open, by what would close it. */
export function unclosedWords(closer: string): { readonly message: string; readonly hint: string } {
  return closer === '"' || closer === "'"
    ? { message: `the text is never closed: a ${closer} is missing`, hint: `write ${closer} where the text ends` }
    : { message: `what is open here must be closed with ${closer}`, hint: `write ${closer} where it ends, and indent all of it further than its key` }
}

/** The way out where the line holds an expression without quotes: YAML reads the `: `, braces and brackets of it as its own. */
export function expressionHint(text: string, offset: number): string | undefined {
  const start = text.lastIndexOf('\n', offset - 1) + 1
  const [line = ''] = text.slice(start, start + longestLine).split('\n', 1)
  return unquotedExpression.test(line) ? 'put the text with the expression in quotes: "${…}"' : undefined
}

const longestLine = 1000
const unquotedExpression = /^(?:[^"'#]|"[^"]*"|'[^']*')*\$\{/

/** One sentence for an error or a warning of the library. */
export function phraseOf({ code, message }: Pick<YAMLError, 'code' | 'message'>): string {
  const tag = /^Unresolved tag: (\S{1,80})$/.exec(message)?.[1]
  if (tag !== undefined) return `the tag ${tag} is not supported`
  return phrases[code] ?? 'this is no YAML 1.2'
}
