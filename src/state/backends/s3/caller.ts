// Whose keys sign: had once, and anew before they end.
import type { Clock } from '../../../base/clock.ts'

/** The keys of a caller, as the environment, a file of the user or a service of AWS gives them. */
export interface Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string | undefined
}

export interface Caller {
  /** Failure 4 where nothing says who calls; TransportError where what says so cannot be reached. */
  keys(): Promise<Credentials>
  /** The store takes these keys for ended ones. Whether others may be had. */
  ended(keys: Credentials): boolean
}

/** Keys that may end, in milliseconds since 1970; undefined for those that last. */
interface Issued {
  readonly keys: Credentials
  readonly endsMs: number | undefined
}

/** So long before they end others are asked for beside the work, and so long before it waits for them. */
const [earlyMs, lateMs] = [300_000, 60_000]
/** Not more often than this. */
const pauseMs = 20_000

/** The caller whose keys `ask` gives, which is called again before they end. As long as they have not, what it throws then is passed over. */
export function createCaller(clock: Clock, ask: () => Promise<Issued>): Caller {
  let held: Issued | undefined
  let asking: Promise<Issued> | undefined
  let notBeforeMs = 0
  async function askAnew(): Promise<Issued> {
    try {
      held = await ask()
    } catch (error) {
      if (!held || leftMs(held) <= 0) throw error
    } finally {
      asking = undefined
    }
    notBeforeMs = clock.wall() + pauseMs
    return held
  }
  function leftMs({ endsMs = Infinity }: Issued): number {
    return endsMs - clock.wall()
  }
  return {
    async keys() {
      if (held && leftMs(held) > earlyMs) return held.keys
      if (held && !asking && clock.wall() < notBeforeMs) return held.keys
      asking ??= askAnew()
      if (!held || leftMs(held) <= lateMs) return (await asking).keys
      asking.catch(() => undefined)
      return held.keys
    },
    ended(keys) {
      // Others are there by now, or on their way.
      if (held?.keys !== keys) return true
      if (held.endsMs === undefined) return false
      held = undefined
      return true
    },
  }
}

/** One whose keys last. */
export function lastingCaller(keys: Credentials): Caller {
  return { keys: async () => keys, ended: () => false }
}
