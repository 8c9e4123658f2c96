// Kinds in sentences: `a Vpc`, `an Instance`.

/** A kind's name with its article, by how the name is spoken. */
export function withArticle(name: string): string {
  return /^(?:[AEIO]|Ssh)/.test(name) ? `an ${name}` : `a ${name}`
}
