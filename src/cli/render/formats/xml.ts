// Foreign text in XML 1.0: what may not stand there is told in its place, what means something is escaped.
import { safeLine, safeText } from '../text/sanitise.ts'

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

/** A text as the value of an attribute in quotes, on one line. */
export function xmlAttribute(text: string): string {
  return characters(safeLine(text)).replace(/[&<>"']/g, (one) => ENTITIES[one] ?? one)
}

/** A text between tags. */
export function xmlText(text: string): string {
  return characters(safeText(text)).replace(/[&<>]/g, (one) => ENTITIES[one] ?? one)
}

/** Noncharacters are no characters of XML; controls and halves of pairs are visible already. */
function characters(text: string): string {
  return text.replace(/[\ufffe\uffff]/g, (one) => `U+${one.charCodeAt(0).toString(16).toUpperCase()}`)
}
