// Lines of logs: for people each behind the name of its service where several are told together, for programs an object each.
import { stringifyJson } from '../../base/json.ts'
import type { MachineDocument } from './machine-shapes.ts'
import type { Palette } from './text/palette.ts'
import { safeJson, safeLine } from './text/sanitise.ts'
import { pad, widthOf } from './text/width.ts'

/** Makes a line of the log at a place among those that are told together; alone it is the line itself. */
export function logLines(names: readonly string[], palette: Palette): (at: number, line: string) => string {
  const { cyan, yellow, green, red, bold } = palette
  const colours = [cyan, yellow, green, bold, red]
  const width = names.reduce((most, name) => Math.max(most, widthOf(safeLine(name))), 0)
  const prefixes = names.map((name, at) => {
    const colour = colours[at % colours.length] ?? bold
    return `${colour(`${pad(safeLine(name), width)} |`)} `
  })
  // A tab is nothing that a terminal obeys, and stands in many logs.
  return (at, line) => `${names.length > 1 ? (prefixes[at] ?? '') : ''}${line.split('\t').map(safeLine).join('\t')}\n`
}

/** The same for programs: an object on a line of its own, the instant that the line begins with apart from it. */
export function jsonLogLines(logs: readonly { readonly address: string; readonly pod: number | undefined }[]): (at: number, line: string) => string {
  return (at, line) => {
    const { address = '', pod } = logs[at] ?? {}
    const [stamp = '', time = null] = /^(\d{4}-\d\d-\d\dT[\d:.]+Z)(?: |$)/.exec(line) ?? []
    const document: MachineDocument<'logs'> = { address, pod: pod ?? null, time, line: line.slice(stamp.length) }
    return `${safeJson(stringifyJson(document))}\n`
  }
}
