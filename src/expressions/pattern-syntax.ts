// The syntax of RE2's regular expressions, as a tree of tests, assertions and repetitions.

/** Whether a code point is accepted. */
export type Test = (codePoint: number) => boolean

/** Whether a place is accepted, by the code points around it; undefined at the ends of the text. */
export type Assertion = (before: number | undefined, after: number | undefined) => boolean

/** A pattern; a repetition's `most` may be Infinity. */
export type PatternTree =
  | { readonly op: 'char'; readonly test: Test }
  | { readonly op: 'assert'; readonly holds: Assertion }
  | { readonly op: 'sequence'; readonly parts: readonly PatternTree[] }
  | { readonly op: 'choice'; readonly parts: readonly PatternTree[] }
  | { readonly op: 'repeat'; readonly part: PatternTree; readonly least: number; readonly most: number }

interface Flags {
  readonly ignoreCase: boolean
  readonly multiLine: boolean
  readonly dotAll: boolean
}

/** Where the reading of a pattern stands. */
interface Reader {
  readonly characters: readonly string[]
  position: number
  flags: Flags
  readonly names: Set<string>
}

const maxPatternLength = 10_000
const maxRepeat = 1000
const maxNesting = 100
const lastCodePoint = 0x10ffff
const escapes: ReadonlyMap<string, number> = new Map(Object.entries({ a: 7, f: 12, t: 9, n: 10, r: 13, v: 11 }))
const isDigit: Test = (c) => c >= 48 && c <= 57
const isWord: Test = (c) => isDigit(c) || (c >= 65 && c <= 90) || (c >= 97 && c <= 122) || c === 95
const isSpace: Test = (c) => c === 32 || c === 9 || c === 10 || c === 12 || c === 13
const perlClasses: ReadonlyMap<string, Test> = new Map(Object.entries({ d: isDigit, w: isWord, s: isSpace, D: not(isDigit), W: not(isWord), S: not(isSpace) }))
const posixClasses: ReadonlyMap<string, Test> = new Map([
  ['alnum', (c) => isWord(c) && c !== 95],
  ['alpha', (c) => isWord(c) && c !== 95 && !isDigit(c)],
  ['ascii', (c) => c < 128],
  ['blank', (c) => c === 32 || c === 9],
  ['cntrl', (c) => c < 32 || c === 127],
  ['digit', isDigit],
  ['graph', (c) => c > 32 && c < 127],
  ['lower', (c) => c >= 97 && c <= 122],
  ['print', (c) => c >= 32 && c < 127],
  ['punct', (c) => c > 32 && c < 127 && (!isWord(c) || c === 95)],
  ['space', (c) => isSpace(c) || c === 11],
  ['upper', (c) => c >= 65 && c <= 90],
  ['word', isWord],
  ['xdigit', (c) => isDigit(c) || (c >= 65 && c <= 70) || (c >= 97 && c <= 102)],
])

/** Reads a pattern; throws a SyntaxError for what RE2 does not know. */
export function parsePattern(pattern: string): PatternTree {
  if (pattern.length > maxPatternLength) wrong('is too long')
  const reader: Reader = { characters: Array.from(pattern), position: 0, flags: { ignoreCase: false, multiLine: false, dotAll: false }, names: new Set() }
  const tree = choice(reader, 0)
  if (reader.position < reader.characters.length) wrong('has a closing parenthesis too many')
  return tree
}

function peek(reader: Reader, ahead = 0): string | undefined {
  return reader.characters[reader.position + ahead]
}

function take(reader: Reader): string {
  const next = reader.characters[reader.position] ?? wrong('ends too early')
  reader.position += 1
  return next
}

function taken(reader: Reader, character: string): boolean {
  if (peek(reader) !== character) return false
  reader.position += 1
  return true
}

/** Reads what the expression matches at this place, within `span` characters. */
function takeMatch(reader: Reader, expression: RegExp, span: number): RegExpExecArray | undefined {
  const found = expression.exec(reader.characters.slice(reader.position, reader.position + span).join(''))
  if (!found) return undefined
  reader.position += Array.from(found[0]).length
  return found
}

function choice(reader: Reader, nesting: number): PatternTree {
  if (nesting > maxNesting) wrong('is nested too deeply')
  const outer = reader.flags
  const parts = [sequence(reader, nesting)]
  while (taken(reader, '|')) parts.push(sequence(reader, nesting))
  reader.flags = outer
  return { op: 'choice', parts }
}

function sequence(reader: Reader, nesting: number): PatternTree {
  const parts: PatternTree[] = []
  for (let next = peek(reader); next !== undefined && next !== '|' && next !== ')'; next = peek(reader)) {
    const quoted = next === '\\' && peek(reader, 1) === 'Q' ? quotation(reader) : [atom(reader, nesting)]
    const last = quoted.at(-1)
    parts.push(...quoted.slice(0, -1))
    if (last) parts.push(repeated(reader, last))
  }
  return { op: 'sequence', parts }
}

/** What stands between `\Q` and `\E`, or the end, each character for itself. */
function quotation(reader: Reader): readonly PatternTree[] {
  const parts: PatternTree[] = []
  reader.position += 2
  for (let next = peek(reader); next !== undefined; next = peek(reader)) {
    if (next === '\\' && peek(reader, 1) === 'E') {
      reader.position += 2
      break
    }
    parts.push(char(reader, exactly(take(reader))))
  }
  return parts
}

function repeated(reader: Reader, part: PatternTree): PatternTree {
  const range = quantifier(reader)
  if (!range) return part
  taken(reader, '?')
  if (quantifier(reader)) wrong('repeats a repetition')
  return { op: 'repeat', part, ...range }
}

function quantifier(reader: Reader): { readonly least: number; readonly most: number } | undefined {
  if (taken(reader, '*')) return { least: 0, most: Infinity }
  if (taken(reader, '+')) return { least: 1, most: Infinity }
  if (taken(reader, '?')) return { least: 0, most: 1 }
  // Anything else in braces stands for itself, as do numbers that begin with 0.
  const counted = peek(reader) === '{' ? takeMatch(reader, /^\{(0|[1-9]\d{0,7})(?:(,)(0|[1-9]\d{0,7})?)?\}/, 19) : undefined
  if (!counted) return undefined
  const least = Number(counted[1])
  const open = counted[3] === undefined ? Infinity : Number(counted[3])
  const most = counted[2] === undefined ? least : open
  if (least > maxRepeat || (most !== Infinity && most > maxRepeat) || most < least) wrong('has a repetition beyond 1000 or out of order')
  return { least, most }
}

function atom(reader: Reader, nesting: number): PatternTree {
  const { flags } = reader
  if (quantifier(reader)) wrong('repeats nothing')
  const next = take(reader)
  if (next === '(') return group(reader, nesting)
  if (next === '[') return { op: 'char', test: characterClass(reader) }
  if (next === '.') return { op: 'char', test: flags.dotAll ? () => true : (c) => c !== 10 }
  if (next === '^') return { op: 'assert', holds: flags.multiLine ? atLineStart : atStart }
  if (next === '$') return { op: 'assert', holds: flags.multiLine ? atLineEnd : atEnd }
  if (next !== '\\') return char(reader, exactly(next))
  const holds = assertions.get(peek(reader) ?? '')
  if (!holds) return char(reader, escaped(reader))
  reader.position += 1
  return { op: 'assert', holds }
}

function char(reader: Reader, test: Test): PatternTree {
  return { op: 'char', test: reader.flags.ignoreCase ? remembering(ignoringCase(test)) : test }
}

function group(reader: Reader, nesting: number): PatternTree {
  const outer = reader.flags
  if (taken(reader, '?') && !takeName(reader) && readFlags(reader)) {
    if (quantifier(reader)) wrong('repeats nothing')
    return { op: 'sequence', parts: [] }
  }
  const inner = choice(reader, nesting + 1)
  if (!taken(reader, ')')) wrong('lacks a closing parenthesis')
  reader.flags = outer
  return inner
}

/** Reads the name of a group, if it has one. */
function takeName(reader: Reader): boolean {
  const name = takeMatch(reader, /^P?<([A-Za-z0-9_]+)>/, 100)?.[1]
  if (name === undefined) return false
  if (reader.names.has(name)) wrong('gives two groups one name')
  reader.names.add(name)
  return true
}

/** Reads `ims-U:` or `ims)`; true when the flags are for the rest of the group around. */
function readFlags(reader: Reader): boolean {
  let on = true
  for (let next = take(reader); next !== ':'; next = take(reader)) {
    if (next === ')') return true
    if (next === '-') on = false
    else if (next === 'i') reader.flags = { ...reader.flags, ignoreCase: on }
    else if (next === 'm') reader.flags = { ...reader.flags, multiLine: on }
    else if (next === 's') reader.flags = { ...reader.flags, dotAll: on }
    else if (next !== 'U') wrong('holds a group that RE2 does not know (there is no look-around)')
  }
  return false
}

/** What follows a backslash. */
function escaped(reader: Reader): Test {
  const next = take(reader)
  const perl = perlClasses.get(next)
  if (perl) return perl
  if (next === 'p' || next === 'P') return property(reader, next === 'P')
  const code = codeOf(reader, next)
  return (c) => c === code
}

function codeOf(reader: Reader, name: string): number | undefined {
  if (name === 'x') {
    const digits = takeMatch(reader, /^(?:\{([0-9a-fA-F]{1,6})\}|([0-9a-fA-F]{2}))/, 8) ?? wrong('has a \\x without its digits')
    const code = parseInt(digits[1] ?? digits[2] ?? '', 16)
    return code > lastCodePoint ? wrong('has a \\x beyond the last character, \\x{10FFFF}') : code
  }
  // One digit alone would refer back to a group, which RE2 does not do.
  const octal = /[0-7]/.test(name) ? takeMatch(reader, /^[0-7]{1,2}/, 2)?.[0] : undefined
  if (octal !== undefined || name === '0') return parseInt(name + (octal ?? ''), 8)
  const code = escapes.get(name)
  if (code === undefined && /[A-Za-z0-9]/.test(name)) wrong(`holds \\${name}, which RE2 does not know`)
  return code ?? name.codePointAt(0)
}

function property(reader: Reader, negated: boolean): Test {
  const braced = takeMatch(reader, /^\{(\^?)(\w+)\}/, 60)
  const test = propertyTest(braced?.[2] ?? take(reader))
  return negated !== (braced?.[1] === '^') ? not(test) : test
}

function characterClass(reader: Reader): Test {
  const negated = taken(reader, '^')
  const tests: Test[] = []
  for (let first = true; first || peek(reader) !== ']'; first = false) tests.push(classItem(reader))
  reader.position += 1
  const any: Test = (c) => tests.some((test) => test(c))
  const folded = reader.flags.ignoreCase ? ignoringCase(any) : any
  return remembering(negated ? not(folded) : folded)
}

/** Asks once for each character: a class may hold thousands of items, and a text few different characters. */
function remembering(test: Test): Test {
  const known = new Map<number, boolean>()
  return (c) => {
    const before = known.get(c)
    if (before !== undefined) return before
    const found = test(c)
    known.set(c, found)
    return found
  }
}

function classItem(reader: Reader): Test {
  const posix = takeMatch(reader, /^\[:(\^?)([a-z]+):\]/, 12)
  if (posix) {
    const test = posixClasses.get(posix[2] ?? '') ?? wrong('names a class that RE2 does not know')
    return posix[1] === '^' ? not(test) : test
  }
  const [first, second] = [peek(reader), peek(reader, 1)]
  if (first === undefined) wrong('lacks a closing bracket')
  if (first === '\\' && second !== undefined && (perlClasses.has(second) || second === 'p' || second === 'P')) {
    reader.position += 1
    return escaped(reader)
  }
  const low = classCharacter(reader)
  if (peek(reader) !== '-' || peek(reader, 1) === ']' || peek(reader, 1) === undefined) return (c) => c === low
  reader.position += 1
  const high = classCharacter(reader)
  if (high < low) wrong('has a range out of order')
  return (c) => c >= low && c <= high
}

function classCharacter(reader: Reader): number {
  const next = take(reader)
  return (next === '\\' ? codeOf(reader, take(reader)) : next.codePointAt(0)) ?? wrong('lacks a closing bracket')
}

const atStart: Assertion = (before) => before === undefined
const atEnd: Assertion = (_, after) => after === undefined
const atLineStart: Assertion = (before) => before === undefined || before === 10
const atLineEnd: Assertion = (_, after) => after === undefined || after === 10
const assertions: ReadonlyMap<string, Assertion> = new Map([
  ['A', atStart],
  ['z', atEnd],
  ['b', atBoundary],
  ['B', (before, after) => !atBoundary(before, after)],
])

function not(test: Test): Test {
  return (c) => !test(c)
}

function atBoundary(before: number | undefined, after: number | undefined): boolean {
  return (before !== undefined && isWord(before)) !== (after !== undefined && isWord(after))
}

function exactly(character: string): Test {
  const code = character.codePointAt(0)
  return (c) => c === code
}

function ignoringCase(test: Test): Test {
  return (c) => {
    if (test(c)) return true
    const text = String.fromCodePoint(c)
    return [text.toLowerCase(), text.toUpperCase()].some((other) => test(other.codePointAt(0) ?? 0))
  }
}

const properties = new Map<string, Test>()

function propertyTest(name: string): Test {
  const known = properties.get(name)
  if (known) return known
  for (const form of [name, `Script=${name}`]) {
    try {
      const one = new RegExp(`^\\p{${form}}$`, 'u')
      const test = remembering((c) => one.test(String.fromCodePoint(c)))
      properties.set(name, test)
      return test
    } catch {
      continue
    }
  }
  return wrong('names a property that Unicode does not know')
}

function wrong(what: string): never {
  throw new SyntaxError(`the pattern ${what}`)
}
