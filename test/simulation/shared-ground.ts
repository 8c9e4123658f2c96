// What keeps a state for many machines and outlives every process of a life: late, lost and refused answers, and times in which nothing answers.
import type { Clock } from '../../src/base/clock.ts'
import type { Machine } from '../../src/state/process-identity.ts'
import type { StateStore } from '../../src/state/store.ts'

/** What befalls requests to it: the answer or the request is lost, it is refused before or after it was carried out, nothing comes, it comes late, or nothing answers for a while. */
export const groundFaults = ['lost before', 'lost after', 'fails before', 'fails after', 'silent', 'slow', 'down'] as const

/** A fault that lets so many requests pass and befalls the next `left`; one that is `down` lasts from its first on. */
export interface ArmedGroundFault {
  readonly is: (typeof groundFaults)[number]
  readonly forMs: number
  skip: number
  left: number
}

/** Faults as they are armed and strike. */
export interface Exchange {
  readonly struck: ReadonlyMap<string, number>
  arm(fault: ArmedGroundFault): void
  calm(): void
  /** One request: carried out or not, as time and faults will have it. Throws `Unanswered` where no answer comes. */
  exchange<T>(work: () => T): Promise<T>
}

/** The way of one process: what passes there may be the last that it does. */
export interface Way {
  readonly clock: Clock
  readonly randomBytes: (count: number) => Uint8Array
  readonly machine: Pick<Machine, 'identity' | 'isGone'>
  readonly leaseMs: number
  /** Does a request within the life of the process. */
  readonly live: <T>(name: string, work: () => Promise<T>) => Promise<T>
  /** Whether it only looks, and meets no fault. */
  readonly looks: boolean
}

/** One place of a state. */
export interface SharedGround extends Exchange {
  /** How the lives tell of it. */
  readonly title: string
  storeOf(way: Way): StateStore
  /** The run that has the lock; undefined where nobody has, or has said so. */
  holder(): string | undefined
  /** The groups of lines of the journal, in their order, each as JSON. */
  journal(): readonly string[]
  /** All texts that are kept, by their names. */
  texts(): ReadonlyMap<string, string>
  stateText(): string | undefined
}

/** No answer came, or one that says that it was not done. */
export class Unanswered extends Error {
  /** Whether there was an answer, which refused. */
  readonly isRefused: boolean
  constructor(isRefused: boolean) {
    super('no answer')
    this.isRefused = isRefused
  }
}

/** How long an answer is waited for, in milliseconds. */
const quietMs = 15_000

export function createExchange(clock: Clock, random: () => number): Exchange {
  const struck = new Map<string, number>()
  let armed: ArmedGroundFault[] = []
  let downUntilMs = 0

  function fate(): ArmedGroundFault['is'] | undefined {
    if (clock.now() < downUntilMs) return 'lost before'
    const fault = armed.find((one) => one.left > 0 && one.skip-- <= 0)
    if (!fault) return undefined
    fault.left -= 1
    struck.set(fault.is, (struck.get(fault.is) ?? 0) + 1)
    if (fault.is === 'down') downUntilMs = clock.now() + fault.forMs
    return fault.is
  }
  return {
    struck,
    arm: (fault) => void armed.push(fault),
    calm() {
      armed = []
      downUntilMs = 0
    },
    async exchange(work) {
      await clock.sleep(2 + random() * 20)
      const is = fate()
      if (is === 'slow') await clock.sleep(random() * 0.9 * quietMs)
      if (is === 'silent') await clock.sleep(quietMs)
      if (is === 'lost before' || is === 'fails before' || is === 'down') throw new Unanswered(is === 'fails before')
      const answer = work()
      await clock.sleep(2 + random() * 20)
      if (is === 'lost after' || is === 'fails after' || is === 'silent') throw new Unanswered(is === 'fails after')
      return answer
    },
  }
}
