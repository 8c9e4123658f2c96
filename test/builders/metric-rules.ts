// Metrics as their readers take them: a parser of Prometheus' text form, and the grammar of OpenMetrics 1.0 beyond it.
import parse from 'parse-prometheus-text-format'
import * as z from 'zod'

const families = z.array(
  z.object({
    name: z.string(),
    help: z.string().min(1),
    type: z.string(),
    metrics: z.array(z.object({ value: z.string(), labels: z.record(z.string(), z.string()).default({}) })),
  }),
)

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*'
const LABEL = String.raw`[a-zA-Z_]\w*="(?:[^"\\\n]|\\["\\n])*"`
const DESCRIPTOR = new RegExp(String.raw`^# (?:TYPE ${NAME} gauge|HELP ${NAME} (?:[^"\\\n]|\\["\\n])+)$`)
/** A gauge without a timestamp: what would stand behind the value is refused. */
const SAMPLE = new RegExp(String.raw`^(${NAME})(?:\{${LABEL}(?:,${LABEL})*\})? -?\d+(?:\.\d+)?$`)

/** The families of a text, by name; throws where a reader would. */
export function metricsIn(text: string): ReadonlyMap<string, z.infer<typeof families>[number]> {
  const lines = text.split('\n')
  if (lines.pop() !== '' || lines.pop() !== '# EOF') throw new Error('the last line is not # EOF')
  const wrong = lines.find((line) => !DESCRIPTOR.test(line) && !SAMPLE.test(line))
  if (wrong !== undefined) throw new Error(`no line of OpenMetrics: ${wrong}`)
  const found = families.parse(parse(text))
  const types = lines.filter((line) => line.startsWith('# TYPE ')).length
  const samples = lines.filter((line) => !line.startsWith('#'))
  if (types !== found.length || samples.length !== found.flatMap((one) => one.metrics).length) throw new Error('families are interleaved, or samples repeated')
  return new Map(found.map((one) => [one.name, one]))
}
