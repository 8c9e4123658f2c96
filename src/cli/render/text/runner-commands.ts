// What runners of pipelines would carry out where a log shows it, broken up: at any place of a line, and across what is written piece by piece.
import { isIPv6 } from 'node:net'

// Runners compare as .NET does: letter case and what has no look of its own count for nothing.
const SKIPPED = String.raw`\p{DI}*`
/** GitHub, Azure, TeamCity, Octopus: `##[`, `##vso[`, `##teamcity[`, `##octopus[`. */
const BRACKETED = String.raw`#${SKIPPED}#(?:${SKIPPED}[a-z]){0,16}${SKIPPED}(?=\[)`
/** GitHub, Gitea: `::` at the beginning of a line. */
const LEADING = String.raw`(?=:)(?<=(?:^|[\v\f\u0085])[\s\p{DI}]*):${SKIPPED}(?=:)`
/** `::name` elsewhere. */
const NAMED = `:${SKIPPED}(?=:${SKIPPED}[a-z])`
const NAME = /^:\p{DI}*(?=[a-z])/iu
/** GitLab. */
const SECTION = 'section_(?:start|end)(?=:)'

const COMMANDS = new RegExp(`${LEADING}|(${NAMED})|${BRACKETED}|${SECTION}`, 'gimu')
/** Told in a fraction of the time. */
const POSSIBLE = /##|::|section_|[\u0080-\uffff]/i
const CARRIED_OUT = new RegExp(`${BRACKETED}|${LEADING}:${SKIPPED}[a-z]`, 'imu')
const ADDRESS_KEY = /(?<=\b[A-Z][A-Za-z0-9]*\/[A-Za-z_][\w-]{0,62}\[)"(?:[^"\\\n]|\\.)*"(?=\])/g

/** The longest beginning of a command that is looked for at the end of what was written before. */
const TAIL_LENGTH = 64
const LONGEST_ADDRESS = 45
/** More than a range of IPv6 addresses has. */
const LONGEST_RANGE = 96

/** A text with a space in each command; the keys of addresses mean the same still, by an escape. IPv6 addresses are no commands. */
export function breakCommands(text: string): string {
  return signsIn(text, 0).length === 0 ? text : brokenFrom(text.replace(ADDRESS_KEY, escapeCommands), 0)
}

/** A JSON text that means the same, with a \uXXXX in each command. */
export function escapeCommands(json: string): string {
  return spliced(json, signsIn(json, 0), 1, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Whether a runner would carry out something in a text that is printed as it is. */
export function holdsCommand(text: string): boolean {
  return CARRIED_OUT.test(text)
}

/** Breaks what is written one after another: a command that begins in one text and ends in a later one, too. */
export function createBreaker(): (text: string) => string {
  let tail = ''
  return (text) => {
    const whole = tail + text
    const out = brokenFrom(whole, tail.length)
    const broken = out.slice(tail.length)
    tail = out.slice(-TAIL_LENGTH)
    return broken
  }
}

/** Spaces where they are needed behind the first `from` characters, which are written already. */
function brokenFrom(whole: string, from: number): string {
  return spliced(whole, signsIn(whole, from), 0, () => ' ')
}

/** Where the signs stand, from `from` on, before which a command is none yet. */
function signsIn(text: string, from: number): readonly number[] {
  if (!POSSIBLE.test(text)) return []
  const signs: number[] = []
  for (const { 0: found, 1: named, index } of text.matchAll(COMMANDS)) {
    const sign = index + found.length
    if (named !== undefined && isRange(text, index)) continue
    if (sign >= from) signs.push(sign)
    else {
      // The second sign of `::` is written already: its name is not yet.
      const letter = sign + (NAME.exec(text.slice(sign))?.[0].length ?? 0)
      if (letter >= from) signs.push(letter)
    }
  }
  return signs
}

/** A text with something in the place of `length` characters at each of some places. */
function spliced(text: string, places: readonly number[], length: number, made: (sign: string) => string): string {
  if (places.length === 0) return text
  const parts: string[] = []
  let at = 0
  for (const place of places) {
    parts.push(text.slice(at, place), made(text.charAt(place)))
    at = place + length
  }
  return [...parts, text.slice(at)].join('')
}

/** Whether what stands around a `::` is an IPv6 address, or several with hyphens between them. */
function isRange(text: string, at: number): boolean {
  let [start, end] = [at, at]
  while (start > 0 && end - start <= LONGEST_RANGE && isWordSign(text.charCodeAt(start - 1))) start -= 1
  while (end < text.length && end - start <= LONGEST_RANGE && isWordSign(text.charCodeAt(end))) end += 1
  if (end - start > LONGEST_RANGE) return false
  const word = text.slice(start, '.:-'.includes(text.charAt(end - 1)) && text.slice(end - 2, end) !== '::' ? end - 1 : end)
  return word.split('-').every((one) => one.length <= LONGEST_ADDRESS && isIPv6(one))
}

/** Letters, digits and what stands between them in addresses: `-.:_`. */
function isWordSign(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x2d && code <= 0x3a && code !== 0x2f) || (code >= 0x41 && code <= 0x5a) || code === 0x5f
}
