// CEL's standard library and strings extension, over known values.
import { describe, expect, test } from 'vitest'
import type { Scope } from './evaluate.ts'
import { evaluate } from './evaluate.ts'
import { parseExpression } from './expression.ts'
import type { Value } from './value.ts'
import { valueAt, valueOf } from './value.ts'

const variables = valueOf({ count: 2, big: 9007199254740993n, rate: 1.5, on: true, sizes: { small: 1, large: 4, nested: { deep: 'x' } } })
const scope: Scope = {
  each: undefined,
  variable: (name) => valueAt(variables, [name]),
  keysOf: () => undefined,
  resource: () => ({ kind: 'error', message: 'no resource' }),
  lookup: () => ({ kind: 'error', message: 'no lookup' }),
  file: () => ({ kind: 'error', message: 'no file' }),
}

/** A value as text: strings quoted, whole doubles with their point. */
function shown(value: Value): string {
  if (value.kind === 'unknown') return 'unknown'
  if (value.kind === 'list') return `[${value.items.map(shown).join(', ')}]`
  if (value.kind === 'map') return `{${[...value.entries].map(([key, member]) => `${key}: ${shown(member)}`).join(', ')}}`
  if (typeof value.scalar === 'string') return JSON.stringify(value.scalar)
  return typeof value.scalar === 'number' && Number.isInteger(value.scalar) ? value.scalar.toFixed(1) : String(value.scalar)
}

function result(source: string): string {
  const parsed = parseExpression(source)
  if (!parsed.ok) return `does not parse: ${parsed.message}`
  const evaluated = evaluate(parsed.parsed, scope)
  return evaluated.ok ? shown(evaluated.value) : `${evaluated.offset}: ${evaluated.message}`
}

describe('standard library', () => {
  test.each([
    ['1 + 2 * 3', '7'],
    ['7 / 2', '3'],
    ['-7 % 3', '-1'],
    ['7.0 / 2.0', '3.5'],
    ['-vars.count', '-2'],
    ['-vars.rate', '-1.5'],
    ['0x1F', '31'],
    ['1e3', '1000.0'],
    ['5u + 1u', '6'],
    ['vars.big + 1', '9007199254740994'],
    ['"a" + \'b\'', '"ab"'],
    ['"""a"b"""', '"a\\"b"'],
    ["r'\\d'", '"\\\\d"'],
    ['"\\u00e9\\x41\\n"', '"éA\\n"'],
    ['[1] + ["a"]', '[1, "a"]'],
    ['[1, "a", null, 2.5, true]', '[1, "a", null, 2.5, true]'],
    ['{"b": 1, "a": [true]}', '{b: 1, a: [true]}'],
    ['{1: "a", true: "b"}[1]', '"a"'],
    ['[1, 2][1]', '2'],
    ['vars.sizes.nested.deep', '"x"'],
    ['vars.sizes["large"]', '4'],
    ['1 == 1.0', 'true'],
    ['1u == 1', 'true'],
    ['9007199254740993 == 9007199254740992.0', 'false'],
    ['1 == "1"', 'false'],
    ['"a" != "b"', 'true'],
    ['null == null', 'true'],
    ['[1, [2]] == [1.0, [2]]', 'true'],
    ['{"a": 1, "b": 2} == {"b": 2, "a": 1}', 'true'],
    ['{"a": 1} == {"b": 1}', 'false'],
    ['b"ab" == b"ab"', 'true'],
    ['1 < 2.5 && "a" < "b" && false < true', 'true'],
    [
      String.raw`["\uffff" < "😀", "😀" >= "\uffff", "😀" > "😁", "a" < "ab", "ab" <= "a", "a" >= "a", "a" > "a", "" < ""]`,
      '[true, true, false, true, false, true, false, false]',
    ],
    ['cidr_subnet("10.0.0.0/8", 8, 256)', '0: number must be from 0 to 255'],
    ['cidr_host("10.0.0.0/30", 4)', '0: number must be from -4 to 3'],
    ['2 in [1, 2.0]', 'true'],
    ['"small" in vars.sizes', 'true'],
    ['"__proto__" in vars.sizes', 'false'],
    ['vars.on ? "y" : 1/0', '"y"'],
    ['false && 1/0 == 1', 'false'],
    ['1/0 == 1 && false', 'false'],
    ['1/0 == 1 || true', 'true'],
    ['!true || 1 > 0', 'true'],
    ['size("héllo😀") + size([1]) + size({"a": 1}) + size(b"ab")', '10'],
    ['"abc".size()', '3'],
    ['int("42") + int(3.9) + int(5u)', '50'],
    ['int(timestamp("1970-01-01T00:01:00Z"))', '60'],
    ['uint(5) == 5u', 'true'],
    ['double("1.5") + double(1)', '2.5'],
    ['string(1) + string(1.5) + string(true) + string(b"x")', '"11.5truex"'],
    ['string(timestamp("2024-02-29T12:00:00Z"))', '"2024-02-29T12:00:00Z"'],
    ['string(duration("1h30m"))', '"5400s"'],
    ['bool("true")', 'true'],
    ['string(bytes("é"))', '"é"'],
    ['dyn(1)', '1'],
    ['type(1) == int && type("") == string && type([]) == list && type(null) == null_type && type(type(1)) == type', 'true'],
    ['type(1) == type(1.0)', 'false'],
    ['type(duration("1s")) == google.protobuf.Duration', 'true'],
    ['timestamp("2024-01-31T10:20:30Z").getFullYear()', '2024'],
    ['timestamp("2024-01-31T10:20:30Z").getDate()', '31'],
    ['timestamp("2024-01-31T10:20:30Z") + duration("24h") > timestamp("2024-01-31T23:00:00Z")', 'true'],
    ['timestamp("2024-07-02T00:30:00Z").getDayOfYear()', '183'],
    ['timestamp("2024-01-01T00:30:00Z").getDayOfWeek()', '1'],
    ['timestamp("2024-01-01T00:30:00Z").getDayOfMonth()', '0'],
    ['timestamp("2024-07-01T23:30:00Z").getHours("Europe/Berlin")', '1'],
    ['timestamp("2024-07-01T23:30:00Z").getDate("Europe/Berlin")', '2'],
    ['timestamp("2024-07-01T00:30:00Z").getDate("-08:00")', '30'],
    ['timestamp("2024-07-01T00:30:00Z").getMinutes("+05:45")', '15'],
    ['timestamp("0050-03-01T00:00:00Z").getDayOfYear()', '59'],
    ['timestamp("0050-03-01T12:30:00Z").getFullYear("Asia/Tokyo")', '50'],
    ['timestamp("2024-07-01T00:30:00Z").getHours("Nowhere/Land")', '34: no time zone has this name'],
    ['timestamp("2024-07-01T00:30:00Z").getDate("+23:59")', '2'],
    ['timestamp("2024-07-01T00:30:00Z").getDate("+99:99")', '34: no time zone has this name'],
    ['timestamp("2024-07-01T00:30:00Z").getDate("+24:00")', '34: no time zone has this name'],
    ['timestamp("2024-07-01T00:30:00Z").getDate("-1:60")', '34: no time zone has this name'],
    ['timestamp("2024-07-01T00:30:00Z").getHours(1)', '34: x.getHours(int) on google.protobuf.Timestamp does not exist'],
    ['timestamp("2024-07-01T00:30:00.000")', '0: this text is no timestamp'],
    ['string(timestamp("2024-07-01T00:30:00+02:00"))', '"2024-06-30T22:30:00Z"'],
    ['duration("90s") == duration("1m30s")', 'true'],
    ['duration("90m").getHours()', '1'],
    ['"abc".contains("b") && "abc".startsWith("a") && "abc".endsWith("c")', 'true'],
    ['"v1.2".matches("^v[0-9]+\\\\.[0-9]+$")', 'true'],
    ['matches("abc", "^b")', 'false'],
  ])('%s → %s', (source, expected) => {
    expect(result(source)).toBe(expected)
  })
  test.each(['int', 'uint', 'double', 'duration'])('a text longer than any %s is none', (name) => {
    const digits = `1${'0'.repeat(400)}`
    expect(result(`${name}("${digits}${name === 'duration' ? 's' : ''}")`)).toBe(`0: this text is no ${name}`)
  })
})

describe('strings extension', () => {
  test.each([
    ['"héllo".charAt(1)', '"é"'],
    ['"a😀b".charAt(2)', '"b"'],
    ['"ab".charAt(2)', '""'],
    ['"😀hello".indexOf("l")', '3'],
    ['"hello".indexOf("l", 3)', '3'],
    ['"hello".indexOf("z")', '-1'],
    ['"😀hello".lastIndexOf("l")', '4'],
    ['"hello".lastIndexOf("l", 2)', '2'],
    ['"a😀bc".substring(2)', '"bc"'],
    ['"a😀bc".substring(1, 3)', '"😀b"'],
    ['["a", "b"].join()', '"ab"'],
    ['["a", "b"].join("-")', '"a-b"'],
    ['[].join(",")', '""'],
    ['"ÄAb".lowerAscii()', '"Äab"'],
    ['"äaB".upperAscii()', '"äAB"'],
    ['"hello".replace("l", "L")', '"heLLo"'],
    ['"hello".replace("l", "L", 1)', '"heLlo"'],
    ['"hello".replace("l", "L", 0)', '"hello"'],
    ['"a$b".replace("$", "$&")', '"a$&b"'],
    ['"ab".replace("", "-")', '"-a-b-"'],
    ['"ab".replace("", "-", 2)', '"-a-b"'],
    ['"a,b,c".split(",")', '["a", "b", "c"]'],
    ['"a,b,c".split(",", 2)', '["a", "b,c"]'],
    ['"a,b,c".split(",", 0)', '[]'],
    ['"a,b".split(",", -1)', '["a", "b"]'],
    ['"a😀".split("")', '["a", "😀"]'],
    ['" a ".trim()', '"a"'],
    ['"a😀b".reverse()', '"b😀a"'],
    ['strings.quote("a\\n\\"b\\"")', '"\\"a\\\\n\\\\\\"b\\\\\\"\\""'],
    ['"%s has %d, %.1f%%".format(["web", 2, 1.25])', '"web has 2, 1.3%"'],
    ['"%x %X %o %b %e".format([255, 255, 8, 5, 1234.5])', '"ff FF 10 101 1.234500e+03"'],
    ['"%s %s %s".format([[1, "a"], null, true])', '"[1,\\"a\\"] null true"'],
    ['"%x".format(["hi"])', '"6869"'],
    ['"a".format([])', '"a"'],
  ])('%s → %s', (source, expected) => {
    expect(result(source)).toBe(expected)
  })
})

describe('durations', () => {
  test.each([
    ['string(duration("-1.5s"))', '"-1.5s"'],
    ['string(duration("-0.5s"))', '"-0.5s"'],
    ['string(duration("0.000000001s"))', '"0.000000001s"'],
    ['string(duration("-1h30m"))', '"-5400s"'],
    ['string(duration("1.s") + duration(".5s"))', '"1.5s"'],
    ['string(duration("1s") - duration("1.5s"))', '"-0.5s"'],
    ['string(duration("-0.4s") - duration("0.7s"))', '"-1.1s"'],
    ['string(timestamp("2030-01-01T00:00:00Z") - timestamp("2030-01-01T00:00:01.5Z"))', '"-1.5s"'],
    ['string(timestamp("9999-12-31T23:59:59.999Z") - timestamp("0001-01-01T00:00:00.001Z"))', '"315537897599.998s"'],
    ['duration("-0.5s") + duration("0s") == duration("-1.5s")', 'false'],
    ['duration("-0.5s") + duration("0s") in [duration("-500ms")]', 'true'],
    ['duration("1.5s") - duration("2s") == duration("-500ms")', 'true'],
    ['duration("9007199254740.000000001s") > duration("9007199254740s")', 'true'],
    ['duration("-0.5s") < duration("-0.4s") && duration("1s") >= duration("1000ms") && duration("1s") <= duration("1000ms")', 'true'],
    ['string(timestamp("2030-01-01T00:00:00Z") + duration("-0.5s"))', '"2029-12-31T23:59:59.500Z"'],
    ['string(timestamp("2030-01-01T00:00:00Z") - duration("-0.5s"))', '"2030-01-01T00:00:00.500Z"'],
    ['string(duration("1ms") + timestamp("2030-01-01T00:00:00Z"))', '"2030-01-01T00:00:00.001Z"'],
    ['timestamp("2030-01-01T00:00:00Z") + duration("1us")', '0: a timestamp holds whole milliseconds, and this duration has more decimals'],
    ['timestamp("9999-12-31T00:00:00Z") + duration("24h")', '0: the time is out of range'],
    ['duration("90.5s").getMilliseconds()', '500'],
    ['duration("-90.5s").getMilliseconds()', '-500'],
    ['duration("-90.5s").getSeconds()', '-90'],
    ['duration("90m").getFullYear()', '16: x.getFullYear() on google.protobuf.Duration does not exist'],
    ['duration("90m").getHours("UTC")', '16: x.getHours(string) on google.protobuf.Duration does not exist'],
    ['duration("1s") * duration("1s")', '0: `*` does not fit google.protobuf.Duration and google.protobuf.Duration'],
    ['duration("1s") - timestamp("2030-01-01T00:00:00Z")', '0: `-` does not fit google.protobuf.Duration and google.protobuf.Timestamp'],
  ])('%s → %s', (source, expected) => {
    expect(result(source)).toBe(expected)
  })

  test.each(['', 's', '.s', '5', '-', '1h-5m', '1.5.5s', '1 s', '1S', '1d', '0x1s', '1s '])('%j is none', (written) => {
    expect(result(`duration("${written}")`)).toBe('0: this text is no duration')
  })
})

describe('conversions refuse what they would have to guess', () => {
  const noSuch = '0: this text is no timestamp: there is no such day or time'
  test.each<readonly [string, string]>([
    ['timestamp("2030-02-30T00:00:00Z")', noSuch],
    ['timestamp("2030-02-29T00:00:00Z")', noSuch],
    ['timestamp("2030-13-01T00:00:00Z")', noSuch],
    ['timestamp("2030-01-01T24:00:00Z")', noSuch],
    ['timestamp("2030-01-01T23:59:60+02:00")', noSuch],
    ['timestamp("2030-01-01T00:00:00+24:00")', '0: this text is no timestamp'],
    ['timestamp("0000-12-31T00:00:00Z")', '0: the time is out of range'],
    ['string(timestamp("2030-01-01T00:00:00.123956789Z"))', '"2030-01-01T00:00:00.123Z"'],
    ['string(timestamp("2030-01-01T00:00:00.123000000+02:00"))', '"2029-12-31T22:00:00.123Z"'],
    ['string(timestamp("2028-02-29T23:59:59.5-00:30"))', '"2028-03-01T00:29:59.500Z"'],
    ...['1', 't', 'true', 'True', 'TRUE'].map((written) => [`bool("${written}")`, 'true'] satisfies [string, string]),
    ...['0', 'f', 'false', 'False', 'FALSE'].map((written) => [`bool("${written}")`, 'false'] satisfies [string, string]),
    ...['2', 'TrUe', 'yes', ''].map((written) => [`bool("${written}")`, '0: this text is no bool'] satisfies [string, string]),
  ])('%s → %s', (source, expected) => {
    expect(result(source)).toBe(expected)
  })
})
