// A moved block as it is written into iac.yaml: what is pasted is taken.

/** `{ from: Vpc/main, to: 'Vpc/main["a"]' }` */
export function movedEntry(from: string, to: string): string {
  return `{ from: ${inYaml(from)}, to: ${inYaml(to)} }`
}

/** An address as YAML takes it: one with a key needs quotes. */
function inYaml(address: string): string {
  return address.includes('[') ? `'${address.replaceAll("'", "''").replaceAll('${', '$${')}'` : address
}
