// Whether a store holds to conditions, found out before the first lock of a state: without them two runs could both have it.
import { failure } from '../../../base/diagnostic.ts'
import type { Bucket } from './bucket.ts'
import type { StateKeys } from './state-keys.ts'

/** Writes an object that is there already, and one of another version; Failure 9 for a store that does it. What was written goes again. */
export async function checkConditions(bucket: Bucket, keys: StateKeys, random: Uint8Array): Promise<void> {
  const key = `${keys.state}.probe/${Buffer.from(random).toString('hex')}`
  try {
    await bucket.put(key, 'first', 'absent')
    const tag = await bucket.tagOf(key)
    if (tag === undefined || (await bucket.put(key, 'second', 'absent')) !== undefined) throw ignored(keys, 'If-None-Match')
    // Of an answer that was lost the version tells.
    const next = (await bucket.put(key, 'third', { is: tag })) ?? (await bucket.tagOf(key))
    if (next === tag || (await bucket.put(key, 'fourth', { is: tag })) !== undefined) throw ignored(keys, 'If-Match')
  } finally {
    await bucket.remove(key).catch(() => undefined)
  }
}

function ignored({ where }: StateKeys, header: string): Error {
  return failure('state_unreachable', `${where}: the store ignores conditions (${header})`, {
    detail: 'Two runs at the same time could both write there, each over what the other has done. Nothing was written.',
    hint: 'use a store that keeps to If-None-Match and If-Match when an object is written, or another backend',
  })
}
