// `iac metrics`: an afternoon with what an instance did.
import { expect, test } from 'vitest'
import { realClock } from '../../src/base/clock.ts'
import { allSchemas } from '../../src/cli/documents/json-schema.ts'
import { kinds } from '../../src/kinds/registry.ts'
import { manifest } from '../builders/project.ts'
import { schemaProblems } from '../builders/schema-problems.ts'
import { operatingBench } from './operating-bench.ts'

const web = manifest('Instance', 'web', 'type: PLAN\nplan: ryzen-4\nregion: fra-1')

test('shows charts, CSV and JSON of what was', async () => {
  // An hour passes in a second.
  const { run } = await operatingBench(web, { clock: realClock(3600) })
  await new Promise((resolve) => setTimeout(resolve, 1500))
  const chart = await run(['metrics', 'Instance/web'], { terminal: { columns: 70, rows: 24 } })
  expect([chart.code, chart.stdout]).toEqual([0, expect.stringMatching(/^cpu_pct: last \d+, least \d+, most \d+\n[^]*\nmemory_bytes: last [\d.]+ [MG]iB/)])
  const csv = await run(['metrics', 'Instance/web', '--since', '30m', '--step', '5m', '-o', 'csv'])
  expect(csv.stdout).toMatch(/^time,cpu_pct,memory_bytes,network_in_bytes_sec,network_out_bytes_sec\n(?:20\S+Z,\d+,\d+,\d+,\d+\n){6,7}$/)
  const document = JSON.parse((await run(['metrics', 'Instance/web', '--json'])).stdout)
  expect([document.step, document.series[0].name, document.answer]).toEqual([60, 'cpu_pct', null])
  expect(schemaProblems(allSchemas(kinds)['metrics.schema.json'] ?? {}, document)).toEqual([])
})

test('says so where there is nothing yet, and shows the answer itself', async () => {
  // No step of the series ends while it runs.
  const { run } = await operatingBench(web, { clock: realClock(0.001) })
  const { code, stdout, stderr } = await run(['metrics', 'Instance/web'])
  expect([code, stdout, stderr]).toEqual([0, '', expect.stringContaining('nothing that looks like a series')])
  const shown = JSON.parse((await run(['metrics', 'Instance/web', '-o', 'json'])).stdout)
  expect(shown).toMatchObject({ series: [], answer: { series: expect.any(Array) } })
})

test.each([
  [['Instance/wb'], 'did you mean Instance/web?'],
  [['Vpc/main'], 'this is for Instance, not for Vpc'],
  [['Instance/web', '--step', '5s'], '--step is at least 15s'],
  [['Instance/web', '--since', '10s'], '--since is at least one --step'],
])('refuses %j', async (words, said) => {
  const { run } = await operatingBench(web)
  expect(await run(['metrics', ...words])).toMatchObject({ code: 3, stderr: expect.stringContaining(said) })
})
