// Findings as annotations: lines that the runner of GitHub Actions carries out.
import type { Severity } from '../../../base/catalogue.ts'
import { safeLine } from '../text/sanitise.ts'
import type { Finding } from './findings.ts'
import { findingsOf } from './findings.ts'
import type { Renderer } from './report.ts'

/** A step may make so many of each sort; what comes after them is dropped without a word. */
const MOST_OF_A_SORT = 10

const commands = { error: 'error', warning: 'warning', note: 'notice' } as const

/** What is wrong, what drifted, and the changes that destroy or disrupt, the most severe first; the last line counts what has no room. */
export const github: Renderer = (report) => {
  const findings = findingsOf(report).filter((one) => one.severity !== 'note' || !one.rule.startsWith('change_'))
  const count = (severity: Severity): number => findings.filter((one) => one.severity === severity).length
  const overflows = (['error', 'warning', 'note'] as const).some((severity) => count(severity) > MOST_OF_A_SORT)
  // The line that counts the others is a notice itself.
  const room = { error: MOST_OF_A_SORT, warning: MOST_OF_A_SORT, note: overflows ? MOST_OF_A_SORT - 1 : MOST_OF_A_SORT }
  const shown = findings.filter((one) => (room[one.severity] -= 1) >= 0)
  const left = findings.length - shown.length
  const lines = [...shown.map(annotation), ...(left === 0 ? [] : [`::notice title=iac::and ${left} more`])]
  return lines.map((line) => `${line}\n`).join('')
}

function annotation({ severity, rule, summary, detail, place }: Finding): string {
  const where = place ? `file=${escapedProperty(safeLine(place.file))},line=${place.line},col=${place.column},` : ''
  return `::${commands[severity]} ${where}title=${escapedProperty(rule)}::${escapedData(detail === '' ? summary : `${summary}\n${detail}`)}`
}

function escapedData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function escapedProperty(text: string): string {
  return escapedData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
