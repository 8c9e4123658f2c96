// The order of the files: of each project as the runner has it, those of different folders in turns.
import { dirname } from 'node:path'
import type { TestSpecification } from 'vitest/node'
import { BaseSequencer } from 'vitest/node'

/** Files of a folder have much in common: those of the backends wait for leases, those of the page for a browser, those of the simulation compute. */
export class Interleaved extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await BaseSequencer.prototype.sort.call(this, files)
    return groups(sorted, (one) => one.project.name).flatMap(inTurns)
  }
}

function inTurns(files: readonly TestSpecification[]): readonly TestSpecification[] {
  const folders = groups(files, (one) => dirname(one.moduleId))
  const turns = Math.max(...folders.map((one) => one.length))
  return Array.from({ length: turns }, (_, turn) => folders.flatMap((one) => one.slice(turn, turn + 1))).flat()
}

function groups<T>(all: readonly T[], keyOf: (one: T) => string): readonly (readonly T[])[] {
  const found = new Map<string, T[]>()
  for (const one of all) found.set(keyOf(one), [...(found.get(keyOf(one)) ?? []), one])
  return [...found.values()]
}
