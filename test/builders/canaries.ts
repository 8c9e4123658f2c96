// Secrets that tests plant, in every form in which one could come to light.

/** The forms of canaries that stand in a text: plain, base64, hexadecimal, percent-encoded. */
export function canariesIn(text: string, canaries: readonly string[]): readonly string[] {
  return canaries.flatMap(formsOf).filter((form) => text.includes(form))
}

function formsOf(canary: string): readonly string[] {
  const bytes = Buffer.from(canary)
  return [...new Set([canary, bytes.toString('base64').replace(/=+$/, ''), bytes.toString('hex'), encodeURIComponent(canary)])]
}
