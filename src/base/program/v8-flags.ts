// V8's flags as a run alters them: what V8 compiled before is known again only under the flags that it was compiled under.
import { setFlagsFromString } from 'node:v8'

/** How V8 is set while a run does much of one thing. */
export interface Tuning {
  /** Has V8 optimise early or, as from the start, late. */
  optimise(when: 'early' | 'late'): void
  /** From now on garbage is collected whenever the heap has grown by a third, where V8 would wait until there is two or three times as much. */
  keepHeapSmall(): void
}

/** The same, for whoever compiles, too. */
export interface V8Flags extends Tuning {
  /** Does what compiles a file's code, or keeps what was compiled, under the flags that the program was started with. */
  asStarted<T>(work: () => T): T
}

/**
 * Bytes of code that a function may run before its being optimised is thought of; V8 by itself takes 67,584. Most functions of a run of a second are called too
 * seldom to be worth an optimising compiler's time, which was a third of all; those of long runs are compiled all the same.
 */
const BUDGET_BYTES = { early: 100_000, late: 1_200_000 }

/** Flags of node's V8; `startsLate` where the launcher had it optimise late. */
export function createFlags(startsLate: boolean): V8Flags {
  /** Those that are not as at the start, by name. */
  const altered = new Map<string, { readonly now: string; readonly atStart: string }>()
  function alter(name: string, value: number, first: number): void {
    const flag = { now: `--${name}=${value}`, atStart: `--${name}=${first}` }
    setFlagsFromString(flag.now)
    if (value === first) altered.delete(name)
    else altered.set(name, flag)
  }
  return {
    optimise(when) {
      if (startsLate) alter('interrupt-budget', BUDGET_BYTES[when], BUDGET_BYTES.late)
    },
    keepHeapSmall: () => alter('heap-growing-percent', 30, 0),
    asStarted(work) {
      for (const { atStart } of altered.values()) setFlagsFromString(atStart)
      try {
        return work()
      } finally {
        for (const { now } of altered.values()) setFlagsFromString(now)
      }
    },
  }
}

/** Whether a node of this version, as `process` tells it, is launched so: the flag's name belongs to the V8 of 20. */
export function takesBudget(version: string): boolean {
  return version.startsWith('v20.')
}
