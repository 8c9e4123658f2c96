// A bucket that outlives every process of a life, and each process's way to it.
import type { Clock } from '../../src/base/clock.ts'
import { failure } from '../../src/base/diagnostic.ts'
import type { Bucket, Condition, ETag } from '../../src/state/backends/s3/bucket.ts'
import { bucketStore } from '../../src/state/backends/s3/s3-store.ts'
import { lockRecordSchema } from '../../src/state/lease/lock-record.ts'
import { inClear } from '../../src/state/sealing.ts'
import type { SharedGround, Way } from './shared-ground.ts'
import { createExchange, Unanswered } from './shared-ground.ts'

/** How soon, how late and for how long at first what was not answered is asked again. */
const [firstPauseMs, longestPauseMs, patienceBeforeMs] = [200, 5000, 10_000]
const stateKey = 'shop/state.json'

interface Objects {
  /** Texts by key, with their versions. */
  readonly all: Map<string, { readonly text: string; readonly tag: ETag }>
  put(key: string, text: string, condition: Condition | undefined): ETag | undefined
}

/** `kept` is told of each group of lines once it stands there. */
export function bucketGround(clock: Clock, random: () => number, kept: (json: string) => void): SharedGround {
  const exchange = createExchange(clock, random)
  const objects = createObjects(kept)
  return {
    ...exchange,
    title: 'the bucket',
    storeOf(way) {
      const { clock: own, randomBytes, machine, leaseMs, looks } = way
      const ask = looks ? async <T>(work: () => T): Promise<T> => work() : exchange.exchange
      const open = (patience: () => number | undefined) => ({ bucket: bucketOver(objects, way, patience, ask), close: async () => undefined })
      return bucketStore({ where: 'the bucket', key: stateKey, open, clock: own, randomBytes, machine, leaseMs, sealing: inClear })
    },
    holder() {
      const text = objects.all.get(`${stateKey}.lock`)?.text
      return text === undefined ? undefined : lockRecordSchema.parse(JSON.parse(text)).owner?.id
    },
    journal() {
      const lines = [...objects.all].filter(([key]) => isLine(key)).toSorted(([one], [other]) => (one < other ? -1 : 1))
      return lines.map(([, { text }]) => entriesOf(text))
    },
    texts: () => new Map(Array.from(objects.all, ([key, { text }]) => [key, text])),
    stateText: () => objects.all.get(stateKey)?.text,
  }
}

function isLine(key: string): boolean {
  return key.startsWith(`${stateKey}.journal/`)
}

function entriesOf(text: string): string {
  return text.split('\n')[1] ?? ''
}

function createObjects(kept: (json: string) => void): Objects {
  const all: Objects['all'] = new Map()
  let tags = 0
  return {
    all,
    put(key, text, condition) {
      const standing = all.get(key)?.tag
      if (condition === 'absent' ? standing !== undefined : condition !== undefined && standing !== condition.is) return undefined
      const tag = `"${(tags += 1)}"`
      all.set(key, { text, tag })
      if (isLine(key)) kept(entriesOf(text))
      return tag
    },
  }
}

/** The bucket as a process sees it: what was not answered is asked again, as long as that is of use. */
function bucketOver(objects: Objects, { clock, live }: Way, patience: () => number | undefined, exchange: <T>(work: () => T) => Promise<T>): Bucket {
  async function ask<T>(name: string, work: () => T, leaving?: () => void): Promise<T> {
    const beganMs = clock.now()
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      try {
        return await live(name, () => {
          leaving?.()
          return exchange(work)
        })
      } catch (error) {
        if (!(error instanceof Unanswered)) throw error
        const leftMs = patience() ?? beganMs + patienceBeforeMs - clock.now()
        if (pauseMs > leftMs) throw failure('state_unreachable', `the bucket cannot be reached (${name})`)
        await clock.sleep(pauseMs)
      }
    }
  }
  const { all } = objects
  return {
    get: (key) =>
      ask(`get ${key}`, () => {
        const found = all.get(key)
        return found && { bytes: Buffer.from(found.text), tag: found.tag }
      }),
    tagOf: (key) => ask(`head ${key}`, () => all.get(key)?.tag),
    put: (key, text, condition, leaving) => ask(`put ${key}`, () => objects.put(key, text, condition), leaving),
    nameTags: () => undefined,
    remove: (key) => ask(`remove ${key}`, () => void all.delete(key)),
    list: (prefix) =>
      ask(`list ${prefix}`, () =>
        [...all.keys()]
          .filter((key) => key.startsWith(prefix))
          .map((key) => key.slice(prefix.length))
          .toSorted(),
      ),
  }
}
