// A statement with its values, and the text of both, for statements that are sent together as one.

export type Value = string | number | readonly string[] | readonly number[]

/** SQL in which $1, $2, … stand for the values; no other `$` stands in it. */
export interface Statement {
  readonly text: string
  readonly values?: readonly Value[]
}

/** The statement as one text, each value quoted. Throws for a text with a NUL, which no column could hold and at which a message would end. */
export function filled({ text, values = [] }: Statement): string {
  return text.replaceAll(/\$(\d+)/g, (name, number: string) => {
    const value = values[Number(number) - 1]
    if (value === undefined) throw new Error(`a statement has no value for ${name}`)
    return literal(value)
  })
}

function literal(value: Value): string {
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string') return quoted(value)
  const items = value.map((one) => (typeof one === 'number' ? String(one) : `"${one.replaceAll(/["\\]/g, String.raw`\$&`)}"`))
  return quoted(`{${items.join(',')}}`)
}

/** With backslashes it is said that they are doubled, whatever the server takes them for otherwise. */
function quoted(text: string): string {
  if (text.includes('\0')) throw new Error('a text for the database holds a NUL')
  const inner = text.replaceAll("'", "''")
  return inner.includes('\\') ? ` E'${inner.replaceAll('\\', String.raw`\\`)}'` : `'${inner}'`
}
