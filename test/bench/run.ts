// The benchmarks: `npm run bench`, with --quick for less of everything, and --huge for plans of 100,000 and applies of 10,000 and 100,000, too, and names of rows to measure only those.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { applyRows } from './apply.ts'
import { estate } from './estate.ts'
import { fleet, fleetVariables } from './fleet.ts'
import { loadingRows, validateRows } from './loading.ts'
import { makespanRows, pollRows } from './makespan.ts'
import { createRunner } from './measured-process.ts'
import { noopPlanRows } from './noop-plan.ts'
import { pureRows } from './pure.ts'
import type { Row } from './rows.ts'
import { table } from './rows.ts'
import { sandboxRows } from './sandbox.ts'
import { serve } from './service.ts'
import { oneChangeRows, sharedStateRows } from './shared-state.ts'
import { executableRows, machineRow, startRows } from './start.ts'
import { takingOverRows } from './taking-over.ts'
import { throughputRows } from './throughput.ts'
import { wholeLifeRows } from './whole-life.ts'

const [, bench = '', ...words] = process.argv
if (words[0] === 'serve') await serve(words[1] ?? '')
else await measureAll(words)

/** Nothing, and a word why, where there is none: node for it has to be fetched. */
function measuredExecutable(repeats: number): Row[] {
  const { BENCH_EXECUTABLE: executable, BENCH_NODE: node } = process.env
  if (executable && node) return [...executableRows({ executable, node }, repeats)]
  process.stderr.write('*** LEFT OUT: the executable, whose node could not be fetched ***\n')
  return []
}

async function measureAll(given: readonly string[]): Promise<void> {
  const [program = '', ...rest] = given
  const quick = rest.includes('--quick')
  const wanted = rest.filter((word) => !word.startsWith('--'))
  const scratch = await mkdtemp(join(tmpdir(), 'iac-bench-'))
  try {
    const plans = { run: await createRunner(scratch), scratch, main: resolve(program), bench: resolve(bench), repeats: quick ? 3 : 7 }
    const sizes = [1000, ...(quick ? [] : [10_000]), ...(rest.includes('--huge') ? [100_000] : [])]
    const groups: Readonly<Record<string, () => Promise<Row[]>>> = {
      plan: () =>
        noopPlanRows(
          plans,
          sizes.map((size) => ({ name: 'rules', size, texts: estate(size, 'documents'), variables: {} })),
        ),
      'plan-for-each': () => noopPlanRows(plans, [{ name: 'rules by for_each', size: 1000, texts: estate(1000, 'for_each'), variables: {} }]),
      'plan-fleet': () => noopPlanRows(plans, [{ name: 'many kinds', size: 1000, texts: fleet(1000), variables: fleetVariables }]),
      life: () => wholeLifeRows(plans),
      apply: () => applyRows({ ...plans, repeats: Math.min(3, plans.repeats) }, 1000, 'documents'),
      'apply-for-each': () => applyRows({ ...plans, repeats: Math.min(3, plans.repeats) }, 1000, 'for_each'),
      ...(rest.includes('--huge')
        ? {
            'apply-large': () => applyRows({ ...plans, repeats: 1 }, 10_000, 'documents'),
            'apply-huge': () => applyRows({ ...plans, repeats: 1 }, 100_000, 'documents'),
          }
        : {}),
      'shared-state': () => sharedStateRows({ ...plans, repeats: Math.min(3, plans.repeats) }, 1000),
      'one-change': () => oneChangeRows(quick ? 10_000 : 100_000),
      'taking-over': () => takingOverRows({ ...plans, repeats: Math.min(3, plans.repeats) }, 1000),
      graph: async () => pureRows(quick ? 20_000 : 100_000, plans.repeats),
      makespan: () => makespanRows(200),
      polls: () => pollRows(200),
      start: () => startRows(plans),
      executable: async () => measuredExecutable(plans.repeats),
      sandbox: async () => [...(await sandboxRows(plans)), ...(await throughputRows(plans))],
      load: () => loadingRows(plans, quick ? 1000 : 10_000),
      validate: () => validateRows(plans, 1320),
    }
    const names = Object.keys(groups).filter((name) => wanted.length === 0 || wanted.includes(name))
    if (names.length === 0) throw new Error(`rows: ${Object.keys(groups).join(', ')}`)
    const rows: Row[] = [machineRow(plans.repeats, 'before all rows')]
    for (const name of names) {
      process.stderr.write(`${name} ...\n`)
      rows.push(...((await groups[name]?.()) ?? []))
    }
    rows.push(machineRow(plans.repeats, 'after all rows'))
    process.stdout.write(table(rows))
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}
