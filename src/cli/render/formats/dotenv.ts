// Variables for a later job: KEY=VALUE lines without comments or empty ones, as GitLab's dotenv reports take them.
import { planNumbers } from './plan-numbers.ts'
import type { Renderer } from './report.ts'

/** A line for each number, its name in capitals behind `IAC_`; what a report does not know is left out. */
export const dotenv: Renderer = (report) =>
  Object.entries(planNumbers(report))
    .flatMap(([name, value]) => (value === null ? [] : [`IAC_${name.toUpperCase()}=${value}\n`]))
    .join('')
