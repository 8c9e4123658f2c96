// Which diagnostics say the same of many things: their texts without what is particular to each.
import type { Diagnostic } from '../../../base/diagnostic.ts'

const mostAlike = 3
const mark = '§'

/** Diagnostics that say the same; the first stands for all. */
export type Group = readonly [first: Diagnostic, ...others: Diagnostic[]]

/** Those that say the same, whatever they say it of, in the order of the first ones; up to 3 are groups of one each, where they stand. */
export function groupsOf(all: readonly Diagnostic[]): readonly Group[] {
  const groups = new Map<string, [Diagnostic, ...Diagnostic[]]>()
  const keyed = all.map((one) => ({ one, key: keyOf(one) }))
  for (const { one, key } of keyed) {
    const group = groups.get(key)
    if (group) group.push(one)
    else groups.set(key, [one])
  }
  return keyed.flatMap(({ one, key }): readonly Group[] => {
    const group = groups.get(key)
    if (group && group.length <= mostAlike) return [[one]]
    groups.delete(key)
    return group ? [group] : []
  })
}

/** What has neither address nor place can be told by its own words alone. */
function keyOf({ code, severity, summary, detail, hint, address, position }: Diagnostic): string {
  const isPlaced = address !== undefined || position !== undefined
  return JSON.stringify([code, severity, ...[summary, detail, hint].map((text) => (text && isPlaced ? commonOf(text, address) : text))])
}

// A kind, a name and perhaps a key; no path of a file.
const addresses = /(?<![\w./-])([A-Z][A-Za-z0-9]{0,62})\/[A-Za-z_][\w-]*(?:\["(?:[^"\\]|\\.)*"\])?(?![\w/-]|\.\w)/g
// An apostrophe within a word is no quote.
const quotes = /"[^"\n]*"|(?<!\w)'[^'\n]*'(?!\w)/g
const uuids = /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/gi
// Shorter numbers may be limits: they are ids only behind a word that says so, or behind the address in a command.
const ids = /(?<![\w.]|\b(?:most|least|than) )(?:\d{12,}|(?<=\b(?:ids?|object|workspace|workflow|instance) |§ )\d+)(?:\/\d+)*(?!\w|\.\w)/g
const places = /(?<![^\s:"'`])[^\s:"'`]+\.(?:ya?ml|json):\d+(?::\d+)?|(?<=\bline )\d+/g
const givenNumbers = /(?<=\bgot )-?\d[\w.+-]*/g

/**
 * A text with marks in place of what is particular: addresses, quoted texts, ids, places in files. Fields, limits, lists and commands are
 * what it asks for, and stay; so do the kinds of other resources, and quoted paths of fields.
 */
function commonOf(text: string, own: string | undefined): string {
  return withoutOwn(text, own)
    .replaceAll(addresses, `$1/${mark}`)
    .replaceAll(places, mark)
    .replaceAll(quotes, (quoted) => {
      const inner = quoted.slice(1, -1)
      return /^(?:\/|[A-Z][A-Za-z0-9]*\/§$)/.test(inner) ? inner : mark
    })
    .replaceAll(uuids, mark)
    .replaceAll(ids, mark)
    .replaceAll(givenNumbers, mark)
}

/** The text without the resource's own address, but for where a longer one begins with it. */
function withoutOwn(text: string, own: string | undefined): string {
  if (own === undefined || own === '') return text
  return text.replaceAll(own, (_, at: number) => (/[\w[-]/.test(text.charAt(at + own.length)) ? own : mark))
}
