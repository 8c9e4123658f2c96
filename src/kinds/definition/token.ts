// Tokens: opaque strings that stand in a spec for what is sensitive or not known yet.
import { tokenText } from '../../base/token.ts'

/** In what live shows: there, but its value is never answered. */
export const hidden = tokenText({ is: 'hidden' })

/** Whether a value is a token; nothing but equality can be said of it. */
export function isToken(value: unknown): boolean {
  return typeof value === 'string' && value.startsWith('\u0001')
}

/** Whether a value is a token or holds one, however deep. */
export function holdsToken(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return isToken(value)
  return Object.values(value).some(holdsToken)
}

/** Whether a value is there: neither absent nor null. A token is there. */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null
}

/** A text that is there and known. */
export function knownText(value: unknown): string | undefined {
  return typeof value === 'string' && !isToken(value) ? value : undefined
}

/** The members of a list that is there and known; the members may still be tokens. */
export function knownList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
