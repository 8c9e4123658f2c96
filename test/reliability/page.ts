// The page that shows the table of faults.
import { rows } from './rows.ts'

/** The page's text; `npm run generate` writes it. */
export function reliabilityPage(): string {
  const lines = rows.map(({ id, fault, tests }) => {
    const shown = tests.map((one) => `\`${one.split(' › ')[0]}\`: ${one.split(' › ').slice(1).join(' › ')}`).join('<br>')
    return `| ${id} | ${fault} | ${shown} |`
  })
  return `# Faults and the tests that show them\n\nP: a process dies or is stopped. N: network and HTTP. Q: what the API answers. S: state, journal, lock and plan.\n\n| | fault | shown by |\n| --- | --- | --- |\n${lines.join('\n')}\n`
}
