// Names in a message: the first of them, since nobody reads a million.

const MOST = 20

/** The names with commas between them; of many the first, and how many more there are. */
export function few(names: readonly string[]): string {
  const more = names.length - MOST
  return `${names.slice(0, MOST).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
