// A document of which some lines are not shown where something is found in them.
import type { YamlDocument } from './documents.ts'

/** The same document, of which no place shows a line that `hides` names; that is asked for once a line would be shown. */
export function withoutLines(document: YamlDocument, hides: () => (line: number) => boolean): YamlDocument {
  let isHidden: ((line: number) => boolean) | undefined
  return Object.freeze({
    source: document.source,
    value: document.value,
    position(...where: Parameters<YamlDocument['position']>) {
      const position = document.position(...where)
      if (position.text === undefined) return position
      isHidden ??= hides()
      return isHidden(position.line) ? { ...position, text: undefined } : position
    },
  })
}
