// Did you mean: the legal word that is nearest to a wrong one.

const MAX_EDITS = 2

/** The nearest of the legal words: the same in other letter case, or at most two edits away; of equals the one that shares most letters, then the first; undefined when none is near. */
export function nearest(word: string, words: Iterable<string>): string | undefined {
  const lower = word.toLowerCase()
  let best: string | undefined
  let bestEdits = MAX_EDITS + 1
  for (const candidate of words) {
    const edits = candidate.toLowerCase() === lower ? 0 : editDistance(word, candidate)
    const isBetter = edits < bestEdits || (best !== undefined && edits === bestEdits && inCommon(word, candidate) > inCommon(word, best))
    if (isBetter) [best, bestEdits] = [candidate, edits]
  }
  return best
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
function editDistance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > MAX_EDITS) return MAX_EDITS + 1
  let before: readonly number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let line = 0; line < a.length; line += 1) {
    const next = [line + 1]
    for (let column = 0; column < b.length; column += 1) {
      const replaced = (row[column] ?? 0) + (a[line] === b[column] ? 0 : 1)
      const isSwapped = line > 0 && column > 0 && a[line] === b[column - 1] && a[line - 1] === b[column]
      const swapped = isSwapped ? (before[column - 1] ?? 0) + 1 : Infinity
      next.push(Math.min(replaced, swapped, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1))
    }
    // A swap reaches over one line: only two lines too far are too far for good.
    if (Math.min(...next, ...row) > MAX_EDITS) return MAX_EDITS + 1
    before = row
    row = next
  }
  return row[b.length] ?? 0
}
