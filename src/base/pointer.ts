// JSON pointers (RFC 6901): the paths into documents and specs.

/** The pointer of a path; '' for the whole. */
export function pointerOf(path: readonly PropertyKey[]): string {
  let pointer = ''
  for (const part of path) pointer = below(pointer, part)
  return pointer
}

/** The pointer of a member or item of what stands at `pointer`. */
export function below(pointer: string, part: PropertyKey): string {
  const text = String(part)
  return text.includes('~') || text.includes('/') ? `${pointer}/${text.replaceAll('~', '~0').replaceAll('/', '~1')}` : `${pointer}/${text}`
}

/** The path of a pointer, all parts as text. */
export function pathOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}
