// What every function and macro is for people: its signatures, one sentence, and examples whose results a test evaluates.
import type { JsonObject } from '../base/json.ts'

/** An expression and what it gives, as CEL; `(known after apply)` and `(sensitive value)` stand for what is not shown. */
export interface Evaluated {
  readonly source: string
  readonly gives: string
}

/** One function; `x.name(…)` in a signature is a method, `?` marks what may be left out. */
export interface FunctionText {
  readonly name: string
  readonly signatures: readonly string[]
  readonly about: string
  readonly examples: readonly Evaluated[]
}

export interface FunctionGroup {
  readonly title: string
  readonly functions: readonly FunctionText[]
}

/** The variables that the examples name. */
export const exampleVariables: JsonObject = {
  region: 'fra-1',
  zones: ['a', 'b'],
  sizes: { small: 1, large: 4 },
}

const of = (name: string, signatures: string | readonly string[], about: string, ...examples: readonly (readonly [string, string])[]): FunctionText => ({
  name,
  signatures: typeof signatures === 'string' ? [signatures] : signatures,
  about,
  examples: examples.map(([source, gives]) => ({ source, gives })),
})

const own: FunctionGroup = {
  title: 'Of this tool',
  functions: [
    of(
      'file',
      'file(path: string): string',
      'The text of a file of the project: UTF-8, at most 1 MiB, no dot files; the path is relative to the project folder.',
      ["file('motd.txt')", '"hello\\n"'],
    ),
    of(
      'lookup',
      'lookup(kind: string, name: string): map',
      'An object that this project does not manage, by kind and name, with its fields and outputs; read once when planning. Without names, addresses and the like are what objects are called by; the boot disk of an instance is none.',
      ["lookup('Plan', 'ryzen-4').cpu", '4'],
    ),
    of('sensitive', 'sensitive(value: any): any', 'The same value, shown and stored nowhere; whatever is computed from it is sensitive, too.', [
      "sensitive('hunter2')",
      '(sensitive value)',
    ]),
    of('json', 'json(value: any): string', 'A value as JSON, members in order, without spaces.', [
      "json({'b': [1, true], 'a': null})",
      '"{\\"a\\":null,\\"b\\":[1,true]}"',
    ]),
    of('base64', 'base64(value: string | bytes): string', 'Text (as UTF-8) or bytes in base64.', ["base64('hello')", '"aGVsbG8="']),
    of('sha256', 'sha256(value: string | bytes): string', 'SHA-256 of text (as UTF-8) or bytes, in hexadecimal.', [
      "sha256('')",
      '"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"',
    ]),
    of(
      'cidr_subnet',
      'cidr_subnet(range: string, newbits: int, number: int): string',
      'The subnet with this number, from 0, where a range is divided into subnets whose prefix is longer by newbits.',
      ["cidr_subnet('10.0.0.0/16', 8, 3)", '"10.0.3.0/24"'],
      ["cidr_subnet('fd00::/48', 16, 1)", '"fd00:0:0:1::/64"'],
    ),
    of(
      'cidr_host',
      'cidr_host(range: string, number: int): string',
      'The address with this number in a range; a negative one counts from its end.',
      ["cidr_host('10.0.3.0/24', 5)", '"10.0.3.5"'],
      ["cidr_host('10.0.3.0/24', -1)", '"10.0.3.255"'],
    ),
  ],
}

const collections: FunctionGroup = {
  title: 'Lists and maps',
  functions: [
    of(
      'size',
      ['size(value: string | bytes | list | map): int', 'x.size(): int'],
      'How many characters, bytes, items or members there are; known even where they are not.',
      ['size(vars.zones)', '2'],
      ["'fra-1'.size()", '5'],
    ),
    of('has', 'has(x.member): bool', 'Whether a member is there.', ['has(vars.sizes.small)', 'true'], ['has(vars.sizes.huge)', 'false']),
    of('all', 'x.all(variable, test): bool', 'Whether the test holds for every item of a list or key of a map.', ['[1, 2].all(n, n > 1)', 'false']),
    of('exists', 'x.exists(variable, test): bool', 'Whether the test holds for some item of a list or key of a map.', ['[1, 2].exists(n, n > 1)', 'true']),
    of('exists_one', 'x.exists_one(variable, test): bool', 'Whether the test holds for exactly one item of a list or key of a map.', [
      '[1, 2].exists_one(n, n > 0)',
      'false',
    ]),
    of(
      'map',
      ['x.map(variable, value): list', 'x.map(variable, test, value): list'],
      'The value for every item of a list or key of a map, or for those that pass the test.',
      ['vars.zones.map(zone, vars.region + zone)', '["fra-1a", "fra-1b"]'],
      ['[1, 2].map(n, n > 1, n * 10)', '[20]'],
    ),
    of('filter', 'x.filter(variable, test): list', 'The items of a list, or keys of a map, that pass the test.', [
      'vars.sizes.filter(name, vars.sizes[name] > 1)',
      '["large"]',
    ]),
    of('cel.bind', 'cel.bind(variable, value, result): any', 'The result, in which the variable stands for the value.', [
      "cel.bind(n, size('abc'), n * n)",
      '9',
    ]),
    of('join', 'x.join(between?: string): string', 'The strings of a list as one text.', ["vars.zones.join(', ')", '"a, b"']),
  ],
}

const strings: FunctionGroup = {
  title: 'Text',
  functions: [
    of('contains', 'x.contains(part: string): bool', 'Whether a text holds another one.', ["'fra-1'.contains('-')", 'true']),
    of('startsWith', 'x.startsWith(part: string): bool', 'Whether a text begins with another one.', ["'fra-1'.startsWith('fra')", 'true']),
    of('endsWith', 'x.endsWith(part: string): bool', 'Whether a text ends with another one.', ["'fra-1'.endsWith('2')", 'false']),
    of(
      'matches',
      ['matches(text: string, pattern: string): bool', 'x.matches(pattern: string): bool'],
      'Whether a regular expression (RE2) fits some part of a text; ^ and $ stand for its ends.',
      ["'fra-1'.matches('^[a-z]+-[0-9]$')", 'true'],
      ["matches('fra-1', '^[0-9]')", 'false'],
    ),
    of('charAt', 'x.charAt(index: int): string', 'The character at a place, from 0; empty just behind the end.', ["'fra-1'.charAt(4)", '"1"']),
    of('indexOf', 'x.indexOf(part: string, from?: int): int', 'Where a text occurs first, from 0; -1 for nowhere.', ["'fra-1'.indexOf('-')", '3']),
    of('lastIndexOf', 'x.lastIndexOf(part: string, from?: int): int', 'Where a text occurs last, at or before a place; -1 for nowhere.', [
      "'a-b-c'.lastIndexOf('-')",
      '3',
    ]),
    of('substring', 'x.substring(start: int, end?: int): string', 'The characters from a place up to another one, which is left out.', [
      "'fra-1'.substring(0, 3)",
      '"fra"',
    ]),
    of(
      'replace',
      'x.replace(part: string, by: string, limit?: int): string',
      'The text with another one in the place of all, or the first limit, occurrences.',
      ["'a-b-c'.replace('-', '_', 1)", '"a_b-c"'],
    ),
    of('split', 'x.split(separator: string, limit?: int): list', 'The pieces between separators, at most limit of them.', [
      "'a,b,c'.split(',')",
      '["a", "b", "c"]',
    ]),
    of('trim', 'x.trim(): string', 'The text without white space at its ends.', ["' a '.trim()", '"a"']),
    of('lowerAscii', 'x.lowerAscii(): string', 'The text with a to z for A to Z.', ["'WEB'.lowerAscii()", '"web"']),
    of('upperAscii', 'x.upperAscii(): string', 'The text with A to Z for a to z.', ["'web'.upperAscii()", '"WEB"']),
    of('reverse', 'x.reverse(): string', 'The characters in reverse order.', ["'abc'.reverse()", '"cba"']),
    of(
      'format',
      'x.format(arguments: list): string',
      'A text with its clauses filled in, in order: %s any value, %d %f %e numbers (%.2f with decimals), %x %X %o %b other bases, %% a percent sign.',
      ["'%s-%d of %.1f%%'.format(['web', 2, 12.5])", '"web-2 of 12.5%"'],
    ),
    of('strings.quote', 'strings.quote(text: string): string', 'The text in double quotes, with escapes.', ["strings.quote('a\"b')", '"\\"a\\\\\\"b\\""']),
  ],
}

const conversions: FunctionGroup = {
  title: 'Types',
  functions: [
    of('string', 'string(value: any scalar): string', 'A number, boolean, time, duration or UTF-8 bytes as text; json(x) does the same for lists and maps.', [
      'string(1.5)',
      '"1.5"',
    ]),
    of('int', 'int(value: string | double | uint | timestamp): int', 'A whole number: of digits, cut off behind the point, in seconds since 1970.', [
      "int('42') + int(3.9)",
      '45',
    ]),
    of('uint', 'uint(value: string | int | double): uint', 'A whole number without a sign.', ["uint('5')", '5u']),
    of('double', 'double(value: string | int | uint): double', 'A number with a fraction.', ["double('1.5')", '1.5']),
    of('bool', 'bool(value: string): bool', 'true for true, True, TRUE, t and 1, false for false, False, FALSE, f and 0.', ["bool('true')", 'true']),
    of('bytes', 'bytes(value: string): bytes', 'A text as UTF-8 bytes.', ["size(bytes('é'))", '2']),
    of('timestamp', 'timestamp(value: string): timestamp', 'An instant, from its text with seconds and zone; what is finer than a millisecond is cut off.', [
      "timestamp('2030-01-31T10:20:30Z') < timestamp('2030-02-01T00:00:00Z')",
      'true',
    ]),
    of('duration', 'duration(value: string): duration', 'A length of time, in h, m, s, ms, us and ns.', ["string(duration('1h30m'))", '"5400s"']),
    of('type', 'type(value: any): type', 'The type of a value, to be compared with int, uint, double, bool, string, bytes, list, map, null_type.', [
      'type(1) == int',
      'true',
    ]),
    of('dyn', 'dyn(value: any): any', 'The same value; there for expressions that were written for checkers of types.', ['dyn(1)', '1']),
  ],
}

const instant = "timestamp('2030-07-01T23:30:15Z')"
const part = (name: string, about: string, gives: string, call = `${instant}.${name}()`) => of(name, `x.${name}(zone?: string): int`, about, [call, gives])

const times: FunctionGroup = {
  title: 'Parts of instants',
  functions: [
    part('getFullYear', 'The year, in UTC or in the zone that is named (Europe/Berlin, +02:00).', '2030'),
    part('getMonth', 'The month, from 0.', '6'),
    part('getDate', 'The day of the month, from 1.', '2', `${instant}.getDate('Europe/Berlin')`),
    part('getDayOfMonth', 'The day of the month, from 0.', '0'),
    part('getDayOfWeek', 'The day of the week, Sunday is 0.', '1'),
    part('getDayOfYear', 'The day of the year, from 0.', '181'),
    part('getHours', 'The hour; of a duration its hours.', '1', "duration('90m').getHours()"),
    part('getMinutes', 'The minute; of a duration its minutes.', '30'),
    part('getSeconds', 'The second; of a duration its seconds.', '15'),
    part('getMilliseconds', 'The milliseconds of the second.', '0'),
  ],
}

/** All functions, methods and macros, in the order in which people read them. */
export const functionGroups: readonly FunctionGroup[] = [own, collections, strings, conversions, times]

/** A function by its name. */
export function functionText(name: string): FunctionText | undefined {
  return functionGroups.flatMap((group) => group.functions).find((one) => one.name === name)
}
