// The README's map: every source file with the sentence that it begins with, and what each folder of tests is for.
import { readFile, readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'

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
  'sandbox/areas/accounts',
  'sandbox/areas/machines',
  'sandbox/areas/network',
  'sandbox/areas/apps',
  'sandbox/areas/cluster',
  'sandbox/areas/billing',
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

/** Where a test belongs that is not of one unit: those stand beside it. */
const testFolders = {
  architecture: 'The house rules, held against every source file and against made-up ones.',
  bench: 'What is measured: `npm run bench`.',
  builders: 'What tests of several folders begin with; no tests.',
  cli: 'Commands as people and machines call them, in this process and as the built program.',
  conformance: 'Every kind through its whole life, at every reading of what the API leaves open.',
  crash: 'The built program killed, stopped and starved at every effect: real processes, sockets and files.',
  demo: 'What `npm run demo` shows.',
  library: 'The package as other projects use it; their guide is made from it.',
  page: "The sandbox's page in a browser.",
  reliability: 'The catalogue of faults, and the tests that cover each of them.',
  sandbox: 'The service as a whole: every route, rule and limit, in process and over HTTP.',
  scenarios: 'Single stories of the engine: manifests and a service in; plan, requests and state out.',
  simulation: 'Thousands of applies under drawn faults and crashes on a virtual clock: `npm run simulate`.',
}

/** The README's text with its map made anew. Throws for a folder that the map does not know. */
export async function withMap(readme) {
  const parts = [section('src', await sentences('src'))]
  for (const room of rooms) parts.push(section(`src/${room}`, await sentences(join('src', room))))
  await expectAll('src', rooms, isSource)
  await expectAll('test', Object.keys(testFolders), isAny)
  const folders = Object.entries(testFolders).map(([name, sentence]) => ({ name: `${name}/`, sentence }))
  parts.push(section('test', [...folders, ...(await sentences('test', isTypeScript))]))
  return readme.replace(/(<!-- map: [^>]*-->\n)[^]*(<!-- \/map -->)/, (_, begin, end) => `${begin}\n${parts.join('\n')}\n${end}`)
}

const isAny = () => true
const isTypeScript = (name) => name.endsWith('.ts')
const isSource = (name) => isTypeScript(name) && !name.endsWith('.test.ts')

/** Throws unless the list names each folder below that holds files of this sort, and no other. */
async function expectAll(root, listed, isMeant) {
  const files = (await readdir(root, { recursive: true, withFileTypes: true })).filter((one) => one.isFile() && isMeant(one.name))
  const all = new Set(
    files.map((one) => relative(root, one.parentPath)).map((folder) => (root === 'test' ? folder.split(sep)[0] : folder.replaceAll(sep, '/'))),
  )
  all.delete('')
  const wrong = [...all].filter((one) => !listed.includes(one)).concat(listed.filter((one) => !all.has(one)))
  if (wrong.length > 0) throw new Error(`.ci/map.mjs does not go with the folders of ${root}: ${wrong.join(', ')}`)
}

async function sentences(folder, isMeant = isSource) {
  const names = (await readdir(folder)).filter(isMeant).toSorted()
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
