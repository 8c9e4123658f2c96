// Whether a store holds to conditions, found out before the first lock of a state: without them two runs could both have it.
import type { Failure } from '../../../base/diagnostic.ts'
import { failure } from '../../../base/diagnostic.ts'
import type { Bucket, ETag } from './bucket.ts'
import { tagForms } from './bucket.ts'
import type { StateKeys } from './state-keys.ts'

/** A version that nothing has. */
const noTag: ETag = `"${'0'.repeat(32)}"`

/**
 * Writes an object that is there already, and one of another version; Failure 9 for a store that does it, or that refuses what should be done. From
 * here on versions are named to it in the form that it compares. What was written goes again.
 */
export async function checkConditions(bucket: Bucket, keys: StateKeys, random: Uint8Array): Promise<void> {
  const key = `${keys.state}.probe/${Buffer.from(random).toString('hex')}`
  try {
    await bucket.put(key, 'first', 'absent')
    const tag = await bucket.tagOf(key)
    if (tag === undefined || (await bucket.put(key, 'second', 'absent')) !== undefined) throw ignored(keys, 'If-None-Match')
    for (const form of tagForms) {
      bucket.nameTags(form)
      if (await isCompared(bucket, keys, key, tag)) return
    }
    throw unfit(keys, 'refuses a write whose condition holds (If-Match)', 'No run could take the lock of the state again.')
  } finally {
    await bucket.remove(key).catch(() => undefined)
  }
}

/**
 * The same under a lock that was there before, in two requests: the bucket may keep its versions by now, and ignore conditions for that. A store that
 * does so has the record of the lock written once more, as its holder knows it.
 */
export async function checkConditionsAgain(bucket: Bucket, keys: StateKeys, record: string): Promise<void> {
  if ((await bucket.put(keys.lock, record, 'absent')) !== undefined) throw ignored(keys, 'If-None-Match')
  if ((await bucket.put(keys.lock, record, { is: noTag })) !== undefined) throw ignored(keys, 'If-Match')
}

/** Whether what names the version that stands there is done; Failure 9 where what names an older one is, too. */
async function isCompared(bucket: Bucket, keys: StateKeys, key: string, tag: ETag): Promise<boolean> {
  // Of an answer that was lost the version tells.
  const next = (await bucket.put(key, 'third', { is: tag })) ?? (await bucket.tagOf(key))
  if (next === tag) return false
  if ((await bucket.put(key, 'fourth', { is: tag })) !== undefined) throw ignored(keys, 'If-Match')
  return true
}

function ignored(keys: StateKeys, header: string): Failure {
  return unfit(keys, `ignores conditions (${header})`, 'Two runs at the same time could both write there, each over what the other has done.')
}

function unfit({ where }: StateKeys, what: string, detail: string): Failure {
  return failure('state_unreachable', `${where}: the store ${what}`, {
    detail: `${detail} Nothing was written.`,
    hint: 'use a store that keeps to If-None-Match and If-Match when an object is written (some do so in buckets without versions alone), or another backend',
  })
}
