// Who changed what drifted, for people.
import type { Blamed } from '../../engine/blame.ts'
import { safeLine } from './text/sanitise.ts'
import { tableText } from './text/tables.ts'

/** Every drifted object with the workflows on it, the latest first; where none tells, that is said. */
export function blameText({ since, objects }: Blamed): string {
  if (objects.length === 0) return ''
  const when = since === null ? 'when iac last applied or imported is not known' : `since iac last applied or imported, ${instantText(since)} UTC`
  const blocks = objects.map(({ address, workflows }) => {
    if (workflows.length === 0) return `  ${safeLine(address)}\n    no workflow tells\n`
    const rows = workflows.map((one) => [one.name, one.state, instantText(one.started), one.id, one.certain ? '' : 'perhaps: it names no object'])
    const lines = tableText(['', '', '', '', ''], rows).split('\n').slice(1, -1)
    return [`  ${safeLine(address)}`, ...lines.map((line) => `    ${line}`), ''].join('\n')
  })
  return `Workflows on what drifted (${when}):\n\n${blocks.join('')}\nWhat is changed at once, such as a name, leaves no workflow, and none of them tells who asked for it.\n`
}

function instantText(instant: string): string {
  return safeLine(instant.replace('T', ' ').replace(/\.\d+Z$/, ''))
}
