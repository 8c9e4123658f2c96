// Foreign text within XML and HTML: nothing in it opens a tag, ends an attribute or stands for another sign.
import { safeText } from './sanitise.ts'

/** For the content of elements and for attributes in quotes; what a reader would hide is spelled out. */
export function markup(text: string): string {
  return safeText(text).replace(/[&<>"'`]/g, (one) => `&#${one.charCodeAt(0)};`)
}
