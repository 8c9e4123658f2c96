// Members of an answer's body, whose type says no more than that it is JSON.

/** A text member of a body; throws where there is none. */
export function textOf(body: unknown, name: string): string {
  const value: unknown = typeof body === 'object' && body !== null ? Object.entries(body).find(([key]) => key === name)?.[1] : undefined
  if (typeof value !== 'string') throw new Error(`no ${name}`)
  return value
}
