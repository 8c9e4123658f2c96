// Checks a token before any header is built, since errors of the HTTP stack print malformed header values.
import { failure } from '../base/diagnostic.ts'

const LONGEST = 8192

/** The token as it is; throws a Failure `bad_token` that says what is wrong without quoting it ("Authentication" 1). `name` is what messages call it. */
export function checkToken(token: string, name = 'the token'): string {
  const wrong = whatIsWrong(token)
  if (wrong !== undefined) throw failure('bad_token', `${name} ${wrong}`, { hint: 'give the token alone, on one line' })
  return token
}

function whatIsWrong(token: string): string | undefined {
  if (token === '') return 'is empty'
  if (token.length > LONGEST) return `is longer than ${LONGEST} characters`
  if (/^bearer\s/i.test(token)) return 'begins with "Bearer "'
  if (/[\r\n]/.test(token)) return 'holds a line break'
  if (/\s/.test(token)) return 'holds white space'
  if (!/^[\x21-\x7e]+$/.test(token)) return 'holds characters that are not printable ASCII'
  return undefined
}
