// The page that shows, route by route, what of iac uses it, what of the sandbox answers it, and which tests drive it.
import { ACCEPTED } from '../stories/accepted.ts'
import type { RouteRow } from './route-rows.ts'
import { routeRows } from './route-rows.ts'

/** So many tests stand in a row; what more of them drive it is counted. */
const MOST_TESTS = 2

/** The page's text; `npm run generate` writes it. */
export function coveragePage(): string {
  const rows = routeRows()
  const sections = [...new Set(rows.map((one) => one.section))].map((section) => {
    const lines = rows.filter((one) => one.section === section).map(rowText)
    return `## ${section}\n\n| route | kinds and lookups | commands | sandbox | tests |\n| --- | --- | --- | --- | --- |\n${lines.join('\n')}\n`
  })
  const alone = rows.filter(isReachedByApiAlone).length
  const intro = [
    '# Every call of the API, and what reaches it\n',
    '<!-- Made by `npm run generate`; changes belong into the sources. -->\n',
    `Each of the ${rows.length} rows of the API's document: which kinds and lookups are made of it, which commands call it, which file of the sandbox answers it, and which tests drive it.\n`,
    `Commands and tests are what was seen: each area has a story, told from the command line against the sandbox over HTTP, and the service's own coverage says what it accepted while each command ran. Stories hold that against the files in \`${ACCEPTED}/\`, of which this table is made; a command that calls less else stands before one that calls much. Workflows that a run waits for are told in their own story alone. Kinds are read from the sources: a kind uses a route where its files name it. \`iac api\` reaches all of them; it stands alone where nothing else does (${alone} rows).\n`,
    'Beside the stories every kind is walked through its life by `test/conformance/`, and each row and rule of the sandbox is driven by `test/sandbox/`.\n',
  ]
  return [...intro, ...sections].join('\n')
}

/** Whether nothing but `iac api` calls it. */
export function isReachedByApiAlone({ commands }: RouteRow): boolean {
  return commands.every((one) => one === 'api')
}

function rowText({ call, kinds, lookups, commands, sandbox, tests }: RouteRow): string {
  const declared = [...kinds, ...lookups.map((one) => `${one} (lookup)`)].join(', ')
  return `| \`${call}\` | ${declared} | ${some(commands, Infinity)} | \`${sandbox.replace('src/sandbox/areas/', '')}\` | ${some(tests, MOST_TESTS)} |`
}

function some(all: readonly string[], most: number): string {
  const more = all.length > most ? [`${all.length - most} more`] : []
  return [...all.slice(0, most).map((one) => `\`${one}\``), ...more].join(', ')
}
