// Did you mean: the legal word that is nearest to a wrong one.

const MAX_EDITS = 2
const FAR = MAX_EDITS + 1
// Nobody types longer words by hand.
const LONGEST_WORD = 256
// Of very many that are equally near, the first ones are compared further.
const MOST_TIES = 100
const MANY_WORDS = 64

/** The nearest of the legal words: the same in other letter case, or at most two edits away; of equals the one that shares most letters, then the first; undefined when none is near. */
export function nearest(word: string, words: Iterable<string>): string | undefined {
  if (word.length > LONGEST_WORD) return undefined
  const lower = word.toLowerCase()
  let best: string | undefined
  let bestEdits = FAR
  for (const candidate of candidates(word, words)) {
    const edits = candidate.toLowerCase() === lower ? 0 : editDistance(word, candidate)
    const isBetter = edits < bestEdits || (best !== undefined && edits === bestEdits && inCommon(word, candidate) > inCommon(word, best))
    if (isBetter) [best, bestEdits] = [candidate, edits]
  }
  return best
}

/** Many words in order, so that those with the same beginning are judged once. */
interface Sorted {
  readonly count: number
  readonly words: readonly (readonly [word: string, place: number])[]
  readonly shared: Uint16Array // how long the beginning is that a word shares with the one before
  readonly byLower: ReadonlyMap<string, string>
}

const known = new WeakMap<object, Sorted>()

/** All of few words; of many those that are near. */
function candidates(word: string, words: Iterable<string>): Iterable<string> {
  const count = Array.isArray(words) ? words.length : words instanceof Set ? words.size : 0
  if (count <= MANY_WORDS) return words
  let sorted = known.get(words)
  if (sorted?.count !== count) known.set(words, (sorted = sortedOf(words)))
  const same = sorted.byLower.get(word.toLowerCase())
  return same === undefined ? nearAmong(word, sorted) : [same]
}

function sortedOf(list: Iterable<string>): Sorted {
  const all = [...list]
  const words = all.map((word, place) => [word.slice(0, LONGEST_WORD + MAX_EDITS + 1), place] as const).toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  const shared = Uint16Array.from(words, ([word], at) => sharedBeginning(words[at - 1]?.[0] ?? '', word))
  return { count: all.length, words, shared, byLower: new Map(all.toReversed().map((word) => [word.toLowerCase(), word])) }
}

function sharedBeginning(a: string, b: string): number {
  let length = 0
  while (length < a.length && length < b.length && a[length] === b[length]) length += 1
  return length
}

/** The words with the fewest edits, in the order they were given; a beginning that is too far is too far for all words that share it. */
function nearAmong(word: string, { words, shared }: Sorted): readonly string[] {
  const table = tableFor(word)
  let fewest = MAX_EDITS
  let found: (readonly [string, number])[] = []
  let done = 0 // letters of the word before whose rows stand
  let dead = Infinity
  for (const [at, entry] of words.entries()) {
    const [candidate] = entry
    const same = shared[at] ?? 0
    if (same >= dead) continue
    dead = Infinity
    done = Math.min(done, same)
    if (Math.abs(candidate.length - word.length) > MAX_EDITS) continue
    while (done < candidate.length && dead === Infinity) {
      fillRow(table, candidate, done)
      done += 1
      if (isFar(table, done)) dead = done
    }
    const edits = dead === Infinity ? editsAt(table, candidate.length) : FAR
    if (edits < fewest) [fewest, found] = [edits, []]
    if (edits === fewest) found.push(entry)
  }
  return found
    .toSorted(([, a], [, b]) => a - b)
    .slice(0, MOST_TIES)
    .map(([one]) => one)
}

/** How many letters of a word another one has, too. */
function inCommon(word: string, other: string): number {
  const left = Array.from(other)
  return Array.from(word).filter((letter) => {
    const at = left.indexOf(letter)
    if (at >= 0) left.splice(at, 1)
    return at >= 0
  }).length
}

/** Insertions, deletions, replacements and swaps of neighbours between two words; exact up to MAX_EDITS, more than that otherwise. */
function editDistance(word: string, candidate: string): number {
  if (Math.abs(word.length - candidate.length) > MAX_EDITS) return FAR
  const table = tableFor(word)
  for (let at = 0; at < candidate.length; at += 1) {
    fillRow(table, candidate, at)
    if (isFar(table, at + 1)) return FAR
  }
  return editsAt(table, candidate.length)
}

/** The edits between a word's beginnings (columns) and those of a candidate (rows); more than MAX_EDITS are one more. */
interface Table {
  readonly word: string
  readonly rows: readonly Uint8Array[]
  readonly least: Uint8Array // of each row
}

function tableFor(word: string): Table {
  // A candidate is at most so much longer.
  const rows = Array.from({ length: word.length + MAX_EDITS + 1 }, () => new Uint8Array(word.length + 1).fill(FAR))
  rows[0]?.forEach((_, column, row) => void (row[column] = Math.min(column, FAR)))
  return { word, rows, least: new Uint8Array(rows.length) }
}

/** Takes in the letter of a candidate at a place. Further away from the diagonal are more edits than count. */
function fillRow({ word, rows, least }: Table, candidate: string, at: number): void {
  const [before, row, next] = [rows[at - 1], rows[at], rows[at + 1]]
  if (!row || !next) return
  let fewest = at < MAX_EDITS ? at + 1 : FAR
  next[0] = fewest
  const last = Math.min(word.length - 1, at + MAX_EDITS)
  for (let column = Math.max(0, at - MAX_EDITS); column <= last; column += 1) {
    const replaced = (row[column] ?? FAR) + (candidate[at] === word[column] ? 0 : 1)
    const isSwapped = before && column > 0 && candidate[at] === word[column - 1] && candidate[at - 1] === word[column]
    const swapped = isSwapped ? (before[column - 1] ?? FAR) + 1 : FAR
    const edits = Math.min(replaced, swapped, (row[column + 1] ?? FAR) + 1, (next[column] ?? FAR) + 1, FAR)
    next[column + 1] = edits
    fewest = Math.min(fewest, edits)
  }
  least[at + 1] = fewest
}

/** Whether nothing that goes on like this is near: a swap reaches over one row, so two rows too far are too far for good. */
function isFar({ least }: Table, length: number): boolean {
  return (least[length] ?? FAR) > MAX_EDITS && (least[length - 1] ?? FAR) > MAX_EDITS
}

function editsAt({ rows, word }: Table, length: number): number {
  return rows[length]?.[word.length] ?? FAR
}
