// Keeping a state from a run that was superseded: what it would replace is made another version, which says the same.
import { failure } from '../../../base/diagnostic.ts'
import type { Bucket, Condition } from './bucket.ts'
import type { StateKeys } from './state-keys.ts'

/** What stands where no state was written yet, and somebody might still write a first one. */
const noState = '{ "format": "iac-fence/v1" }'
const attempts = 8
const longest = 1 << 30

/**
 * Gives the object another ETag by space behind its text, different each time: a former holder of the lock, paused between its last look at the
 * lock and its write, writes over the version that it knew, and that is refused from here on.
 */
export async function fence(bucket: Bucket, keys: StateKeys, random: Uint8Array): Promise<void> {
  for (let left = attempts; left > 0; left -= 1) {
    const held = await bucket.get(keys.state, longest)
    const condition: Condition = held ? { is: held.tag } : 'absent'
    const text = held ? held.bytes.toString('utf8').trimEnd() : noState
    // What is no text is damaged, and stays as it is for whoever looks into it.
    if (held && !held.bytes.subarray(0, Buffer.byteLength(text)).equals(Buffer.from(text))) return
    if ((await bucket.put(keys.state, `${text}\n${spaceOf(random)}\n`, condition)) !== undefined) return
  }
  throw failure('state_unreachable', `${keys.where} was written again and again while the lock was taken over`, { hint: 'run again later' })
}

/** The state's text as it was written; undefined for what only stands for none. */
export function textBeforeFence(bytes: Buffer): Buffer | undefined {
  const end = bytes.findLastIndex((byte) => byte > 0x20) + 1
  if (end > 0 && end + 1 === bytes.length) return bytes
  const text = bytes.subarray(0, end)
  if (text.equals(Buffer.from(noState))) return undefined
  return Buffer.concat([text, Buffer.from(end > 0 ? '\n' : '')])
}

function spaceOf(random: Uint8Array): string {
  return [...random].map((byte) => byte.toString(2).padStart(8, '0').replaceAll('0', ' ').replaceAll('1', '\t')).join('')
}
