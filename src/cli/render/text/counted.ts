// Counts with their nouns: `1 resource`, `2 resources`.

/** The count and the noun, in the plural unless it is one. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
