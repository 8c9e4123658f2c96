// `iac metrics ADDRESS`: the series of an instance, as charts, CSV or JSON.
import { metricSeries } from '../../../api/answers/metric-series.ts'
import { failure } from '../../../base/diagnostic.ts'
import { isList, isObject } from '../../../base/json.ts'
import type { JsonValue } from '../../../base/json.ts'
import type { Given } from '../../arguments/flags.ts'
import { usageFailure } from '../../arguments/usage.ts'
import { defineCommand } from '../../context/command.ts'
import { findObject, targetArgument } from '../../operating/find-object.ts'
import type { MachineDocument } from '../../render/machine-shapes.ts'
import { metricCharts, metricCsv } from '../../render/metric-text.ts'

const formats = ['chart', 'csv', 'json'] as const
const HOUR_MS = 3_600_000
const LEAST_STEP_MS = 15_000
const USUAL_STEP_MS = 60_000
const USUAL_POINTS = 600
const USUAL_COLUMNS = 80

export const metricsCommand = defineCommand({
  summary: 'metrics of an instance, as charts, CSV or JSON',
  about:
    "Shows the service's series of an instance. The API's document does not show what its answer looks like: whatever in it looks like instants with values is taken for a series, and `--output json` has the answer itself where nothing does.",
  arguments: [{ name: 'ADDRESS', about: targetArgument, operation: 'metrics' }],
  flags: {
    since: { type: 'duration', value: 'D', about: 'from how long ago on (default 1h)' },
    step: { type: 'duration', value: 'D', about: 'how far apart, at least 15s (default 60s, more for long times)' },
    output: { type: 'choice', value: 'FORMAT', short: 'o', choices: formats, about: 'how it is shown' },
  },
  idle: ['file', 'lock-timeout', 'no-input'],
  examples: [
    { text: 'metrics Instance/web --since 6h', about: 'charts in the terminal' },
    { text: 'metrics Instance/web --since 1d --step 5m -o csv', about: 'for a spreadsheet' },
  ],
  async run(context, given) {
    const format = formats.find((one) => one === given.text('output')) ?? 'chart'
    const { sinceMs, stepMs } = spanOf(given)
    const { target, client } = await findObject(context, given.arguments[0] ?? '', 'metrics')
    const { address, id, operations } = target
    // Tells the service's clock, and that it is there.
    const record = await client.read(operations.reading(id, target.workspaceId))
    const end = Math.floor(client.serverNow() / 1000)
    const span = { start: end - Math.ceil(sinceMs / 1000), end, step: Math.ceil(stepMs / 1000) }
    const asked = operations.metrics?.(id, span)
    const answer = record === undefined || !asked ? undefined : await client.read(asked)
    if (answer === undefined) throw failure('lookup_failed', `${address} (id ${id}) is not there any more`)
    const series = metricSeries(answer)
    if (context.globals.switch('json') || format === 'json') {
      const document: MachineDocument<'metrics'> = {
        address,
        id,
        ...span,
        series: series.map(({ name, points }) => ({ name, points: points.map(([time, value]) => [time, value]) })),
        answer: series.length === 0 ? answer : null,
      }
      context.print.json(document)
    } else if (series.length === 0)
      context.print.note(isEmpty(answer) ? 'no points yet in this time' : 'the answer holds nothing that looks like a series; `--output json` shows it')
    else context.print.result(format === 'csv' ? metricCsv(series) : metricCharts(series, context.surroundings.stdout.size?.columns ?? USUAL_COLUMNS))
    return 0
  },
})

/** Whether an answer holds nothing, however deep. */
function isEmpty(value: JsonValue): boolean {
  if (isList(value)) return value.every(isEmpty)
  return isObject(value) && Object.values(value).every(isEmpty)
}

function spanOf(given: Given): { readonly sinceMs: number; readonly stepMs: number } {
  const sinceMs = given.number('since') ?? HOUR_MS
  const stepMs = given.number('step') ?? Math.max(USUAL_STEP_MS, sinceMs / USUAL_POINTS)
  if (stepMs < LEAST_STEP_MS) throw usageFailure('--step is at least 15s')
  if (sinceMs < stepMs) throw usageFailure('--since is at least one --step')
  return { sinceMs, stepMs }
}
