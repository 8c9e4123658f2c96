// A bucket that outlives every process of a life, and each process's way to it: late, lost and refused answers, and times in which nothing answers.
import type { Clock } from '../../src/base/clock.ts'
import { failure } from '../../src/base/diagnostic.ts'
import type { Bucket, Condition, ETag } from '../../src/state/backends/s3/bucket.ts'

/** What befalls requests to the bucket: the answer or the request is lost, it is refused before or after it was carried out, nothing comes, it comes late, or nothing answers for a while. */
export const bucketFaults = ['lost before', 'lost after', 'fails before', 'fails after', 'silent', 'slow', 'down'] as const

/** A fault that lets so many requests pass and befalls the next `left`; one that is `down` lasts from its first on. */
export interface ArmedBucketFault {
  readonly is: (typeof bucketFaults)[number]
  readonly forMs: number
  skip: number
  left: number
}

export interface SharedBucket {
  /** Texts by key, with their versions. */
  readonly objects: ReadonlyMap<string, { readonly text: string; readonly tag: ETag }>
  readonly struck: ReadonlyMap<string, number>
  arm(fault: ArmedBucketFault): void
  calm(): void
  /** One request: carried out or not, as time and faults will have it. Throws `Unanswered` where no answer comes. */
  exchange<T>(work: () => T): Promise<T>
  put(key: string, text: string, condition: Condition | undefined): ETag | undefined
  remove(key: string): void
}

/** The way of one process: what passes there may be the last that it does. */
export interface BucketWay {
  readonly bucket: SharedBucket
  readonly clock: Clock
  readonly patience: () => number | undefined
  /** Does a request within the life of the process. */
  readonly live: <T>(name: string, work: () => Promise<T>) => Promise<T>
}

class Unanswered extends Error {}

/** How long an answer is waited for, and how soon, how late and for how long at first it is asked again. */
const [quietMs, firstPauseMs, longestPauseMs, patienceBeforeMs] = [15_000, 200, 5000, 10_000]

/** `written` is told of each object once it stands there. */
export function createSharedBucket(clock: Clock, random: () => number, written: (key: string, text: string) => void): SharedBucket {
  const objects = new Map<string, { readonly text: string; readonly tag: ETag }>()
  const struck = new Map<string, number>()
  let armed: ArmedBucketFault[] = []
  let [downUntilMs, tags] = [0, 0]

  function fate(): ArmedBucketFault['is'] | undefined {
    if (clock.now() < downUntilMs) return 'lost before'
    const fault = armed.find((one) => one.left > 0 && one.skip-- <= 0)
    if (!fault) return undefined
    fault.left -= 1
    struck.set(fault.is, (struck.get(fault.is) ?? 0) + 1)
    if (fault.is === 'down') downUntilMs = clock.now() + fault.forMs
    return fault.is
  }
  return {
    objects,
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
      if (is === 'lost before' || is === 'fails before' || is === 'down') throw new Unanswered()
      const answer = work()
      await clock.sleep(2 + random() * 20)
      if (is === 'lost after' || is === 'fails after' || is === 'silent') throw new Unanswered()
      return answer
    },
    put(key, text, condition) {
      const standing = objects.get(key)?.tag
      if (condition === 'absent' ? standing !== undefined : condition !== undefined && standing !== condition.is) return undefined
      const tag = `"${(tags += 1)}"`
      objects.set(key, { text, tag })
      written(key, text)
      return tag
    },
    remove: (key) => void objects.delete(key),
  }
}

/** The bucket as a process sees it: what was not answered is asked again, as long as that is of use. */
export function bucketOver({ bucket, clock, patience, live }: BucketWay): Bucket {
  async function ask<T>(name: string, work: () => T): Promise<T> {
    const beganMs = clock.now()
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      try {
        return await live(name, () => bucket.exchange(work))
      } catch (error) {
        if (!(error instanceof Unanswered)) throw error
        const leftMs = patience() ?? beganMs + patienceBeforeMs - clock.now()
        if (pauseMs > leftMs) throw failure('state_unreachable', `the bucket cannot be reached (${name})`)
        await clock.sleep(pauseMs)
      }
    }
  }
  return {
    get: (key) =>
      ask(`get ${key}`, () => {
        const found = bucket.objects.get(key)
        return found && { bytes: Buffer.from(found.text), tag: found.tag }
      }),
    tagOf: (key) => ask(`head ${key}`, () => bucket.objects.get(key)?.tag),
    put: (key, text, condition) => ask(`put ${key}`, () => bucket.put(key, text, condition)),
    nameTags: () => undefined,
    remove: (key) => ask(`remove ${key}`, () => bucket.remove(key)),
    list: (prefix) =>
      ask(`list ${prefix}`, () =>
        [...bucket.objects.keys()]
          .filter((key) => key.startsWith(prefix))
          .map((key) => key.slice(prefix.length))
          .toSorted(),
      ),
  }
}
