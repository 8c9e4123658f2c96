// Foreign text in Markdown and in the HTML that forges let through: nothing of it ends a fence, opens a tag, calls a person or looks like a mark of ours.
import { safeLine, safeText } from '../text/sanitise.ts'

/** All that means something to Markdown or HTML within a line; `www.` alone begins a link, too. */
const SIGNS = /[!-,:-@[-`{-~]|(?<=www)\./gi

/** A text on one line as code; safe in a paragraph, a list and an HTML block. */
export function codeTag(text: string): string {
  return `<code>${safeLine(text).replace(SIGNS, (sign) => `&#${sign.charCodeAt(0)};`)}</code>`
}

/** Lines as a block of code, its fence longer than any in them. Who looks for commands in comments, such as `/merge`, may know no fences. */
export function fenced(lines: readonly string[], language = ''): string {
  const inner = safeText(lines.join('\n'))
    .replaceAll('<!--', '<! --')
    .replace(/^(?=\/)/gm, ' ')
  const longest = Math.max(2, ...Array.from(inner.matchAll(/`+/g), ([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${inner}\n${fence}`
}

/** What is shown once its line is clicked; `summary` is HTML already. */
export function folded(summary: string, inner: string): string {
  return `<details>\n<summary>${summary}</summary>\n\n${inner}\n\n</details>\n`
}

/** The lines of a plan's block as forges colour a difference: the sign in the first column. */
export function asDiff(lines: readonly string[]): readonly string[] {
  return lines.map((line) => line.replace(/^( *)([+~-]) /, (_, indent: string, sign: string) => `${sign === '~' ? '!' : sign}${indent} `))
}
