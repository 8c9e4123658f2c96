// Foreign text made safe to print: nothing that a terminal obeys or hides, and nothing that a CI runner takes for a command.

// Controls but for line ends and tabs, bidi and zero-width marks, line separators, tags, halves of surrogate pairs.
const UNPRINTABLE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]|\p{Cs}/gu

/** A text of several lines, safe to print: `\x1b` and `U+202E` in the place of what a terminal obeys or hides, CI commands broken up. */
export function safeText(text: string): string {
  return defuse(text.replace(/\r\n/g, '\n').replace(UNPRINTABLE, escaped))
}

/** As safeText, on one line: line ends and tabs are escaped, too. */
export function safeLine(text: string): string {
  return defuse(text.replace(/\n/g, '\\n').replace(/\t/g, '\\t').replace(UNPRINTABLE, escaped))
}

/** Breaks up what GitHub, Azure or GitLab runners would carry out; nothing else is changed. */
function defuse(text: string): string {
  return text
    .replace(/^([^\S\n]*):(?=:)/gm, '$1: ')
    .replace(/##(?=\[|vso\[)/g, '# #')
    .replace(/section_(?=(?:start|end):)/g, 'section_ ')
}

/** A JSON text with the same meaning that is safe to print: what could be obeyed or hidden is written as \uXXXX. */
export function safeJson(json: string): string {
  return json
    .replace(/[\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\udb40[\udc00-\udc7f]/g, unicodeEscape)
    .replace(/#(?=#(?:\[|vso\[))/g, '\\u0023')
    .replace(/section_(?=(?:start|end):)/g, 'section\\u005f')
}

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0
  return code < 0xa0 ? `\\x${code.toString(16).padStart(2, '0')}` : `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}

function unicodeEscape(characters: string): string {
  return Array.from({ length: characters.length }, (_, at) => `\\u${characters.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')
}
