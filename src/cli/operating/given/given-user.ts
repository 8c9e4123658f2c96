// The user that a command of the staff is about.
import { usageFailure } from '../../arguments/usage.ts'

/** An id of digits, or `@me` ("Path placeholders"); throws a Failure `usage` for anything else. */
export function givenUser(text: string): string {
  if (text === '@me' || /^[1-9]\d{0,18}$/.test(text)) return text
  throw usageFailure(`"${text}" is no user; write an id, or @me`)
}
