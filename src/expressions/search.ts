// Finds texts in texts in linear time: the engine's own search is quadratic for long parts that nearly occur everywhere.

// Up to here the engine's search is quick whatever the texts are.
const longestQuick = 64

/** Where a text first occurs from `from` on, in UTF-16 units; -1 for nowhere. */
export function find(text: string, part: string, from = 0): number {
  if (part.length <= longestQuick) return text.indexOf(part, from)
  const borders = bordersOf(part)
  let matched = 0
  for (let at = Math.max(0, from); at < text.length; at += 1) {
    matched = extended(text.charCodeAt(at), part, borders, matched)
    if (matched === part.length) return at + 1 - matched
  }
  return -1
}

/** Where a text last begins at or before `from`, in UTF-16 units; -1 for nowhere. */
export function findLast(text: string, part: string, from = Infinity): number {
  if (part.length <= longestQuick) return text.lastIndexOf(part, from)
  const borders = bordersOf(part)
  const end = Math.min(text.length, from + part.length)
  let matched = 0
  let found = -1
  for (let at = 0; at < end; at += 1) {
    matched = extended(text.charCodeAt(at), part, borders, matched)
    if (matched < part.length) continue
    found = at + 1 - matched
    matched = borders[matched - 1] ?? 0
  }
  return found
}

/** The pieces between the occurrences, which do not overlap; `most` pieces at most. The text that is searched for is not empty. */
export function piecesOf(text: string, part: string, most = Infinity): readonly string[] {
  if (part.length <= longestQuick && most === Infinity) return text.split(part)
  const pieces: string[] = []
  let start = 0
  while (pieces.length < most - 1) {
    const at = find(text, part, start)
    if (at < 0) break
    pieces.push(text.slice(start, at))
    start = at + part.length
  }
  return [...pieces, text.slice(start)]
}

/** How much of the part stands before a place once its next unit is read: Knuth, Morris and Pratt. */
function extended(unit: number, part: string, borders: Int32Array, before: number): number {
  let matched = before
  while (matched > 0 && part.charCodeAt(matched) !== unit) matched = borders[matched - 1] ?? 0
  return part.charCodeAt(matched) === unit ? matched + 1 : matched
}

/** For each beginning of a text the length of the longest shorter beginning that it ends with. */
function bordersOf(part: string): Int32Array {
  const borders = new Int32Array(part.length)
  for (let at = 1; at < part.length; at += 1) borders[at] = extended(part.charCodeAt(at), part, borders, borders[at - 1] ?? 0)
  return borders
}
