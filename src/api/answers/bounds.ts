// How much of what a service says is read and kept: far above what 100,000 objects take, below what a process can hold.

import { getHeapStatistics } from 'node:v8'

const MIB = 1024 * 1024

export const bounds = Object.freeze({
  /** One answer, decompressed. */
  answerBytes: 32 * MIB,
  /** Values in one answer: small ones take many times the memory of their text. */
  answerValues: 4_000_000,
  /** The body of a refusal; a longer one is not read, its status says enough. */
  refusalBytes: MIB / 4,
  /** Pages of one list, each time it is gone through. */
  pages: 10_000,
  objects: 1_000_000,
  /** Reading one list, since a service may take its time for each page. */
  listMs: 60 * 60_000,
  cursorLength: 4096,
  /** What one list, or all that is read for one look, takes in memory: half of what node has. */
  keptBytes: Math.floor(getHeapStatistics().heap_size_limit / 2),
  /** What is kept of any answer, an empty one too: its question, and that it was asked. */
  keptOverheadBytes: 1024,
  /** Words of a service that are kept and shown: names and states of workflows, hosts, ids of requests. */
  wordLength: 200,
})

/** Room for answers that are kept at the same time. */
export interface Allowance {
  /** False where there is not so much room left; nothing is taken then. */
  take(sizeBytes: number): boolean
}

/** Room for so much. */
export function createAllowance(sizeBytes: number = bounds.keptBytes): Allowance {
  let left = sizeBytes
  return Object.freeze({
    take(wanted: number) {
      if (wanted > left) return false
      left -= wanted
      return true
    },
  })
}

/** What an error says where there was no room. */
export function tooMuch(what: string): string {
  return `${what} takes more than half of the memory that node has, ${Math.floor(bounds.keptBytes / MIB)} MiB`
}
