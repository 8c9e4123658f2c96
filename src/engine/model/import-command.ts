// The command that takes an object over, as hints name it.

/** `iac import -e staging 'Kind/name' ID`: with the flags that lead to the same state; the address stands in quotes for a shell. */
export function importCommand({ flags = [] }: { readonly flags?: readonly string[] | undefined }, address: string, id: string): string {
  return ['iac import', ...flags, addressed(address), id].join(' ')
}

/** An address in quotes for a shell. */
export function addressed(address: string): string {
  return `'${address.replaceAll("'", String.raw`'\''`)}'`
}
