// Recognises texts that look like secrets, so that a manifest that holds one is warned of.

const shapes = [
  /-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----/,
  /\b(?:ghp|gho|ghs|ghu|github_pat|glpat|npm|sk_live|rk_live|xox[abprs]|hvs|dop_v1)[-_][A-Za-z0-9_-]{16,}/,
  /\bAKIA[0-9A-Z]{16}\b/,
  /\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}/,
  /\b[Bb]earer [A-Za-z0-9._~+/-]{20,}/,
  /:\/\/[^/\s:@$]+:[^/\s@${]{3,}@/,
]

/** What the shortest of them fits. */
const SHORTEST = '://u:abc@'.length

/** Whether a text holds a private key, a token of a well-known form, or a password in an address. */
export function looksLikeSecret(text: string): boolean {
  return text.length >= SHORTEST && shapes.some((shape) => shape.test(text))
}
