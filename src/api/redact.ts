// Takes secrets out of texts that leave the program: error messages and traces.

/** How quotes are written in pages, by Go, PHP, Python, others, and in XML. */
const QUOTES_IN_HTML = [
  ['&#34;', '&#39;'],
  ['&quot;', '&#039;'],
  ['&quot;', '&#x27;'],
  ['&quot;', '&#39;'],
  ['&quot;', '&apos;'],
] as const

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
// A shorter word is masked as it is written alone: in other letters it may be any word of a text.
const SHORTEST_WORD = 8
// A shorter beginning is no secret yet, and that of many texts.
const SHORTEST_BEGINNING = 8

/**
 * An empty redactor: raw, JSON-escaped, URL-encoded and base64 forms without regard to case, the lines of what has several, and what a text
 * that was cut off has of them.
 */
export function createRedactor(): Redactor {
  const known = new Set<string>()
  const spellings = new Set<string>()
  const words = new Set<string>()
  const beginnings = new Map<string, string[]>()
  // Longest first; put in order only when a text is cleaned, since a service decides how many there are.
  let ordered: { readonly spellings: readonly string[]; readonly words: readonly string[] } | undefined
  return Object.freeze({
    add(secret: string) {
      if (known.has(secret)) return
      known.add(secret)
      const lines = secret.split(/\r?\n/).filter((line) => line !== secret && line.length >= SHORTEST_LINE)
      for (const spelling of [secret, ...lines].flatMap(spellingsOf)) {
        if (isShortWord(spelling)) words.add(spelling)
        else spellings.add(folded(spelling))
      }
      const whole = folded(secret)
      const beginning = whole.slice(0, SHORTEST_BEGINNING)
      if (whole.length > SHORTEST_BEGINNING)
        beginnings
          .set(beginning, beginnings.get(beginning) ?? [])
          .get(beginning)
          ?.push(whole)
      ordered = undefined
    },
    clean(text: string) {
      ordered ??= { spellings: longestFirst(spellings), words: longestFirst(words) }
      // No word is longer than what has another character in it.
      const masked = ordered.words.reduce((rest, word) => rest.replaceAll(word, MASK), withoutSpellings(text, ordered.spellings))
      return withoutBeginnings(masked, beginnings)
    },
  })
}

function longestFirst(texts: ReadonlySet<string>): readonly string[] {
  return [...texts].toSorted((a, b) => b.length - a.length)
}

function isShortWord(text: string): boolean {
  return text.length < SHORTEST_WORD && /^\p{L}+$/u.test(text)
}

/** The text without its case, each character where it was: one alone would become two, and one of two by what follows. */
function folded(text: string): string {
  return text.replaceAll('İ', 'i').toLowerCase().replaceAll('ς', 'σ')
}

function withoutSpellings(text: string, spellings: readonly string[]): string {
  let rest = text
  let found = folded(text)
  for (const spelling of spellings) {
    if (!found.includes(spelling)) continue
    const between = found.split(spelling)
    let at = 0
    rest = between
      .map(({ length }) => {
        const part = rest.slice(at, at + length)
        at += length + spelling.length
        return part
      })
      .join(MASK)
    found = between.join(MASK)
  }
  return rest
}

/** Long enough beginnings of secrets are masked right before the dots of a service that cuts off what it quotes. */
function withoutBeginnings(text: string, beginnings: ReadonlyMap<string, readonly string[]>): string {
  const found = folded(text)
  let out = ''
  let at = 0
  for (const { index: end } of found.matchAll(/…|\.{3}/g)) {
    for (let start = at; start + SHORTEST_BEGINNING <= end; start += 1) {
      const secrets = beginnings.get(found.slice(start, start + SHORTEST_BEGINNING))
      if (!secrets?.some((secret) => secret.startsWith(found.slice(start, end)))) continue
      out += text.slice(at, start) + MASK
      at = end
      break
    }
    out += text.slice(at, end)
    at = end
  }
  return out + text.slice(at)
}

function spellingsOf(text: string): string[] {
  const json = JSON.stringify(text).slice(1, -1)
  const encoded = (json === text ? [text] : [text, json]).flatMap(encodedIn)
  return [text, json, ...encoded, ...escapedIn(text, json), ...base64Of(text)].filter((one) => one.length >= SHORTEST)
}

/** As services write it whose JSON is in ASCII, or safe within HTML (by Go, Gson or .NET), whose pages are, or whose headers have ? for what ASCII lacks. */
function escapedIn(text: string, json: string): string[] {
  const ascii = json.replace(/[\u0080-\uffff]/g, unitEscape)
  const safe = [json, ascii].flatMap((one) => [/[&<>\u2028\u2029]/g, /[&<>='\u2028\u2029]/g].map((unsafe) => one.replace(unsafe, unitEscape)))
  // A quote that has a backslash before it loses that.
  const safest = ascii.replace(/\\\\|\\?["'&+<>`]/g, (one) => (one === '\\\\' ? one : unitEscape(one.slice(-1))))
  const slashed = [json, ascii].map((one) => one.replaceAll('/', '\\/'))
  const named = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  const quoted = QUOTES_IN_HTML.map(([double, single]) => named.replaceAll('"', double).replaceAll("'", single))
  const plain = [text, json].filter((one) => one.replaceAll(/\P{ASCII}/gu, '').length >= SHORTEST).map((one) => one.replaceAll(/\P{ASCII}/gu, '?'))
  return [ascii, ...safe, safest, ...slashed, named, ...quoted, ...plain]
}

function unitEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

function encodedIn(text: string): string[] {
  // By way of bytes, since encodeURIComponent throws on half a surrogate pair.
  const wellFormed = Buffer.from(text).toString()
  return [encodeURIComponent(wellFormed), encodeURI(wellFormed), new URLSearchParams([['', text]]).toString().slice(1)]
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
