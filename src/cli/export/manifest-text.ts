// A manifest as people write it: small maps and lists on one line, in the canonical form.
import { Document, isCollection, isMap, isPair, isScalar, visit } from 'yaml'
import type { JsonObject } from '../../base/json.ts'
import { documentText } from '../../project/yaml/canonical.ts'

// As wide as such a line is easily read.
const WIDEST = 80

/** The text of one document, without a marker before it. */
export function manifestText(value: JsonObject): string {
  const document = new Document(value, { version: '1.2', schema: 'core', aliasDuplicateObjects: false })
  visit(document, {
    Collection(key, node, path) {
      const above = path.at(-1)
      // The head, the spec and what is taken over by key have a line for each member.
      const name = key === 'value' && isPair(above) && isScalar(above.key) ? above.key.value : undefined
      if (path.length < 2 || name === 'metadata' || name === 'spec' || name === 'for_each') return
      const parts: readonly unknown[] = isMap(node) ? node.items.map((pair) => pair.value) : node.items
      const text = JSON.stringify(node.toJSON())
      if (!parts.some(isCollection) && text.length <= WIDEST && !text.includes('${vars.')) node.flow = true
    },
  })
  return documentText(document)
}
