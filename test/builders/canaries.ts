// Secrets that tests plant, in every form in which one could come to light.

const known = new Map<string, readonly string[]>()

/** The forms of canaries that stand in a text: plain, as in JSON, base64 wherever in a longer value they stood, hexadecimal, percent-encoded. */
export function canariesIn(text: string, canaries: readonly string[]): readonly string[] {
  return canaries.flatMap(formsOf).filter((form) => text.includes(form))
}

function formsOf(canary: string): readonly string[] {
  const before = known.get(canary)
  if (before) return before
  const bytes = Buffer.from(canary)
  const base64 = [0, 1, 2].flatMap((shift) => {
    const text = base64At(bytes, shift)
    return [text, text.replaceAll('+', '-').replaceAll('/', '_')]
  })
  const hex = bytes.toString('hex')
  const json = JSON.stringify(canary).slice(1, -1)
  const forms = [...new Set([canary, json, JSON.stringify(json).slice(1, -1), encodeURIComponent(canary), hex, hex.toUpperCase(), ...base64])]
  known.set(canary, forms)
  return forms
}

/** The signs that depend on nothing but the canary, where so many bytes stand before it (modulo 3). */
function base64At(bytes: Buffer, shift: number): string {
  const text = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64')
  return text.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + bytes.length) * 8) / 6))
}
