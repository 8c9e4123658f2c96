// The page that shows, route by route, what of iac uses it, what of the sandbox answers it, and which tests drive it.
import type { RouteRow } from './route-rows.ts'
import { routeRows } from './route-rows.ts'

/** So many commands stand in a row; what more of them use is counted. */
const MOST_COMMANDS = 4

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
    `Each of the ${rows.length} rows of the API's document: which kinds are declared with it, which lookups and commands call it, which file of the sandbox answers it, and which tests drive it. \`iac api\` reaches all of them; it is named where nothing else does (${alone} rows). The table is read from the sources: a file uses a route where it names it.\n`,
  ]
  return [...intro, ...sections].join('\n')
}

/** Whether nothing but `iac api` calls it. */
export function isReachedByApiAlone({ kinds, lookups, commands, engine }: RouteRow): boolean {
  return !engine && kinds.length === 0 && lookups.length === 0 && commands.every((one) => one === 'api')
}

function rowText({ call, kinds, lookups, commands, engine, sandbox, tests }: RouteRow): string {
  const shown = commands.slice(0, MOST_COMMANDS).map((one) => `\`${one}\``)
  const more = commands.length > MOST_COMMANDS ? [`${commands.length - MOST_COMMANDS} more`] : []
  const declared = [...kinds, ...lookups.map((one) => `${one} (lookup)`)].join(', ')
  const called = [...(engine ? ['every plan and apply'] : []), ...shown, ...more].join(', ')
  return `| \`${call}\` | ${declared} | ${called} | \`${sandbox.replace('src/sandbox/areas/', '')}\` | ${tests.map((one) => `\`${one}\``).join('<br>')} |`
}
