// Did you mean: the legal word that is nearest to a wrong one.

const MAX_EDITS = 2

/** The nearest of the legal words: the same in other letter case, or at most two edits away; the first of equals, undefined when none is near. */
export function nearest(word: string, words: Iterable<string>): string | undefined {
  const lower = word.toLowerCase()
  let best: string | undefined
  let bestEdits = MAX_EDITS + 1
  for (const candidate of words) {
    const edits = candidate.toLowerCase() === lower ? 0 : editDistance(word, candidate)
    if (edits < bestEdits) [best, bestEdits] = [candidate, edits]
  }
  return best
}

/** Insertions, deletions and replacements between two words; exact up to MAX_EDITS, more than that otherwise. */
function editDistance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > MAX_EDITS) return MAX_EDITS + 1
  let row = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let line = 0; line < a.length; line += 1) {
    const next = [line + 1]
    for (let column = 0; column < b.length; column += 1) {
      const replaced = (row[column] ?? 0) + (a[line] === b[column] ? 0 : 1)
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1))
    }
    if (Math.min(...next) > MAX_EDITS) return MAX_EDITS + 1
    row = next
  }
  return row[b.length] ?? 0
}
