// Pieces of the generated pages in Markdown.

const NOTE = '<!-- Made by `npm run generate`; changes belong into the sources. -->'

/** A page with its title and the note that it is generated. */
export function page(title: string, sections: readonly string[]): string {
  return `# ${title}\n\n${NOTE}\n\n${sections.filter((one) => one !== '').join('\n\n')}\n`
}

/** A table; nothing where it has no rows. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return ''
  return [rowText(heads), rowText(heads.map(() => '---')), ...rows.map(rowText)].join('\n')
}

function rowText(cells: readonly string[]): string {
  return `| ${cells.map((one) => one.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`
}

export function code(text: string): string {
  return `\`${text}\``
}

/** A block of code; `language` colours it. */
export function block(language: string, text: string): string {
  return `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``
}
