// A request that is refused: status, the reason for X-Message, and field errors for the body.

/** What was wrong with one field of a request; `field` is a path with dots, empty for the whole. */
export interface FieldError {
  readonly field: string
  readonly message: string
}

/** Ends a request with a status of the specification's section "Errors". */
export class Refusal extends Error {
  readonly status: number
  readonly fields: readonly FieldError[]
  /** What the answer carries beside the headers of every refusal, by names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  constructor(status: number, message: string, fields: readonly FieldError[] = [], headers: Readonly<Record<string, string>> = {}) {
    super(message)
    this.name = 'Refusal'
    this.status = status
    this.fields = fields
    this.headers = headers
  }
}

interface Issue {
  readonly path: readonly PropertyKey[]
  readonly message: string
  /** Of a value with several forms: what each of them finds wrong. */
  readonly errors?: readonly (readonly Issue[])[]
}

/** What a schema of several forms says when it has no words of its own. */
const UNSAID = 'Invalid input'

/** The 400 of a value that does not fit its schema: every issue as a field error, the first of them in the reason. */
export function misfit(reason: string, issues: readonly Issue[]): Refusal {
  const fields = issues.flatMap((issue) => fieldErrors(issue, []))
  const first = fields.slice(0, 1).flatMap(({ field, message }) => (field === '' ? [message] : [field, message]))
  return new Refusal(400, [reason, ...first].join(': '), fields)
}

/** Of several forms, what the nearest one finds wrong: that with the fewest issues. */
function fieldErrors({ path, message, errors = [] }: Issue, above: readonly PropertyKey[]): readonly FieldError[] {
  const at = [...above, ...path]
  const [nearest] = errors.toSorted((a, b) => a.length - b.length)
  if (message === UNSAID && nearest) return nearest.flatMap((issue) => fieldErrors(issue, at))
  return [{ field: at.map(String).join('.'), message }]
}

/** What an error says. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Clients give up on answers whose headers exceed some 16 kB, and then know neither reason nor status. */
const LONGEST_HEADER = 1000

/** A reason as a header can carry it: visible ASCII, question marks in place of all else, no more than 1,000 characters. */
export function headerText(text: string): string {
  const cut = text.length > LONGEST_HEADER ? `${text.slice(0, LONGEST_HEADER - 3)}...` : text
  return cut.replace(/[^\x20-\x7e]/g, '?')
}

/** The 405 of a known path: `Allow` names the methods that it has (RFC 9110, section 15.5.6). */
export function wrongMethod(allow: readonly string[]): Refusal {
  return new Refusal(405, 'the path has no such method', [], { allow: [...allow].toSorted().join(', ') })
}

/** The 404 of "resource missing or not visible to the workspace". */
export function missing(what: string): Refusal {
  return new Refusal(404, `${what} not found`)
}

/** The row that an id in a field of a body names, or the refusal that the readings have for an id that is nobody's. */
export function referred<T>(row: T | undefined, what: string, field: string, { unknownIds }: { readonly unknownIds: number }): T {
  if (row === undefined) throw new Refusal(unknownIds, `${what} not found`, [{ field, message: `${what} not found` }])
  return row
}

/** The row, or a 404 that says what is missing. */
export function found<T>(row: T | undefined, what: string): T {
  if (row === undefined) throw missing(what)
  return row
}
