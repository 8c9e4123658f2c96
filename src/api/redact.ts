// Takes secrets out of texts that leave the program: error messages and traces.

/** Knows every secret in the spellings that other layers give it. */
export interface Redactor {
  add(secret: string): void
  /** The text with every known secret replaced. */
  clean(text: string): string
}

/** What stands in a secret's place, as in plans. */
export const MASK = '(sensitive value)'

// Shorter values would blank out half of any text and are no secrets worth the name.
const SHORTEST = 4
const SHORTEST_LINE = 8

/** An empty redactor: raw, JSON-escaped, URL-encoded and base64 forms, and the lines of what has several. */
export function createRedactor(): Redactor {
  const known = new Set<string>()
  const spellings = new Set<string>()
  // Longest first; put in order only when a text is cleaned, since a service decides how many there are.
  let ordered: readonly string[] | undefined
  function inOrder(): readonly string[] {
    ordered ??= [...spellings].toSorted((a, b) => b.length - a.length)
    return ordered
  }
  return Object.freeze({
    add(secret: string) {
      if (known.has(secret)) return
      known.add(secret)
      const lines = secret.split(/\r?\n/).filter((line) => line !== secret && line.length >= SHORTEST_LINE)
      for (const spelling of [secret, ...lines].flatMap(spellingsOf)) spellings.add(spelling)
      ordered = undefined
    },
    clean: (text: string) => inOrder().reduce((rest, spelling) => (spelling.length > rest.length ? rest : rest.replaceAll(spelling, MASK)), text),
  })
}

function spellingsOf(text: string): string[] {
  const encoded = new URLSearchParams([['', text]]).toString().slice(1)
  // By way of bytes, since encodeURIComponent throws on half a surrogate pair.
  const wellFormed = Buffer.from(text).toString()
  const spellings = [text, JSON.stringify(text).slice(1, -1), encodeURIComponent(wellFormed), encodeURI(wellFormed), encoded, ...base64Of(text)]
  return spellings.filter((one) => one.length >= SHORTEST)
}

/** Base64 of the text alone and inside other bytes, where it may start at any of three offsets. */
function base64Of(text: string): string[] {
  return [0, 1, 2].flatMap((offset) => {
    const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(text)])
    const inner = bytes.toString('base64').replace(/=+$/, '')
    // The first and last characters mix with neighbours unless the text fills them.
    const start = Math.ceil((offset * 8) / 6)
    const end = Math.floor((bytes.length * 8) / 6)
    const sure = inner.slice(start, end)
    return sure.length < 2 * SHORTEST ? [] : [sure, sure.replaceAll('+', '-').replaceAll('/', '_')]
  })
}
