// The README's map: every source file with the sentence that it begins with.
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'

const rooms = [
  'api',
  'api/routes',
  'kinds',
  'expressions',
  'project',
  'state',
  'engine',
  'sandbox',
  'sandbox/request',
  'sandbox/areas',
  'sandbox/store',
  'sandbox/seed',
  'sandbox/time',
  'sandbox/faults',
  'sandbox/billing',
  'sandbox/people',
  'sandbox/readings',
  'sandbox/control',
  'sandbox/page',
  'sandbox/page/model',
  'sandbox/page/client',
  'cli',
  'cli/commands',
  'cli/render',
  'cli/documents',
]

/** The README's text with its map made anew. */
export async function withMap(readme) {
  const parts = [section('src', await sentences('src'))]
  for (const room of rooms) parts.push(section(`src/${room}`, await sentences(join('src', room))))
  return readme.replace(/(<!-- map: [^>]*-->\n)[^]*(<!-- \/map -->)/, (_, begin, end) => `${begin}\n${parts.join('\n')}\n${end}`)
}

async function sentences(folder) {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts')).toSorted()
  return Promise.all(names.map(async (name) => ({ name, sentence: firstSentence(await readFile(join(folder, name), 'utf8')) })))
}

/** The line after `#!`, where a file begins with that. */
function firstSentence(text) {
  const [first, second] = text.split('\n')
  return (first.startsWith('#!') ? second : first).replace(/^\/\/ /, '')
}

function section(folder, files) {
  const rows = files.map(({ name, sentence }) => `- \`${name}\` ${sentence.replaceAll('<', '&lt;')}`)
  return `<details><summary><code>${folder}</code> (${files.length} files)</summary>\n\n${rows.join('\n')}\n\n</details>\n`
}
