// Foreign text made safe to print: nothing that a terminal obeys or hides, and nothing that a CI runner takes for a command.
import { breakCommands, escapeCommands } from './runner-commands.ts'

// Controls but for line ends and tabs, bidi and zero-width marks, fillers without a look, line separators, tags, halves of surrogate pairs.
const HIDDEN = String.raw`\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0d\ufeff\uffa0\ufff9-\ufffb`
const UNPRINTABLE = new RegExp(String.raw`[\u0000-\u0008\u000b-\u001f${HIDDEN}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]|\p{Cs}`, 'gu')
const UNPRINTABLE_IN_JSON = new RegExp(String.raw`[${HIDDEN}]|\ud834[\udd73-\udd7a]|[\udb40-\udb43][\udc00-\udfff]`, 'g')

/** What most texts are. */
const PRINTABLE = /^[\x20-\x7e]*$/

const COLOURS = String.raw`\u001b\[(?:[0-479]|[2-4]\d|9\d|10[0-7])m`
const CURSOR = String.raw`\u001b\[(?:\?25[hl]|\d*[AJ])|\r`

/** Takes from finished texts what a terminal obeys or hides, but for what iac itself writes: colours, or the cursor of its frame, where they are wanted. */
export function plainBut(wanted: { readonly colours: boolean; readonly cursor: boolean }): (text: string) => string {
  const ours = [...(wanted.colours ? [COLOURS] : []), ...(wanted.cursor ? [CURSOR] : [])]
  const pattern = new RegExp([...ours, UNPRINTABLE.source].join('|'), 'gu')
  return (text) => text.replace(pattern, (found) => (found.startsWith('\u001b[') || (wanted.cursor && found === '\r') ? found : escaped(found)))
}

/** A text of several lines, safe to print: `\x1b` and `U+202E` in the place of what a terminal obeys or hides, CI commands broken up. */
export function safeText(text: string): string {
  return breakCommands(text.replace(/\r\n/g, '\n').replace(UNPRINTABLE, escaped))
}

/** As safeText, on one line: line ends and tabs are escaped, too. */
export function safeLine(text: string): string {
  if (PRINTABLE.test(text)) return breakCommands(text)
  return breakCommands(text.replace(/\n/g, '\\n').replace(/\t/g, '\\t').replace(UNPRINTABLE, escaped))
}

/** A JSON text with the same meaning that is safe to print: what could be obeyed or hidden is written as \uXXXX. */
export function safeJson(json: string): string {
  return escapeCommands(json.replace(UNPRINTABLE_IN_JSON, unicodeEscape))
}

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0
  return code < 0xa0 ? `\\x${code.toString(16).padStart(2, '0')}` : `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}

function unicodeEscape(characters: string): string {
  return Array.from({ length: characters.length }, (_, at) => `\\u${characters.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')
}
