// A body that says how short it is, read by events: an iterator and a watch of its own cost more than all that is in it.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'

const SHORT_BYTES = 64 * 1024

/** Whether a message says that its body is short, and node's parser holds it to that: no chunks, whose number and extensions have no end of their own. */
export function saysShort({ 'content-length': length, 'transfer-encoding': encoding }: IncomingHttpHeaders): boolean {
  return encoding === undefined && length !== undefined && /^\d{1,5}$/.test(length) && Number(length) <= SHORT_BYTES
}

/** All bytes of a message of which nothing was read; rejects where it ends before its body does. */
export function shortBody(message: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let isWhole = false
    const cutOff = (): void => {
      // Of no account once it has ended, and an error costs a stack trace.
      if (!isWhole) reject(message.errored ?? Object.assign(new Error('aborted'), { code: 'ECONNRESET' }))
    }
    if (message.destroyed && !message.readable) return cutOff()
    const parts: Buffer[] = []
    message.on('data', (part: Buffer) => void parts.push(part))
    message.once('end', () => {
      isWhole = true
      resolve(parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts))
    })
    message.once('error', reject)
    message.once('close', cutOff)
  })
}
