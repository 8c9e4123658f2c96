// An answer as it comes in: its body as text with a cap, or in chunks.
import { isUtf8 } from 'node:buffer'
import { transportError } from './transport-error.ts'
import type { Grown, WireResponse } from './wire.ts'
import { TransportError } from './wire.ts'

/** Status and headers of an answer, and its body from `host`; leaving the body early ends the exchange. */
export interface Received {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: AsyncIterable<Uint8Array>
  /** The whole body at once, where it says that it is short; in place of `body`, not beside it. */
  readonly short?: (() => Promise<Buffer>) | undefined
}

/** The answer as the client reads it: whatever breaks off or cannot be read is a TransportError of something sent. */
export function wireResponse({ status, headers, body, short }: Received, host: string): WireResponse {
  async function* chunks(): AsyncIterable<Uint8Array> {
    try {
      for await (const chunk of body) yield chunk
    } catch (error) {
      throw transportError(error, host, 'stood')
    }
  }
  async function whole(read: () => Promise<Buffer>): Promise<Buffer> {
    try {
      return await read()
    } catch (error) {
      throw transportError(error, host, 'stood')
    }
  }
  async function pieces(maxBytes: number, grown?: Grown): Promise<Buffer> {
    const parts: Uint8Array[] = []
    let sizeBytes = 0
    for await (const chunk of chunks()) {
      sizeBytes += chunk.byteLength
      // Leaving the loop cancels the body.
      if (sizeBytes > maxBytes) throw tooLarge(maxBytes)
      parts.push(chunk)
      await grown?.(sizeBytes)
    }
    return Buffer.concat(parts)
  }
  async function text(maxBytes: number, grown?: Grown): Promise<string> {
    const bytes = short ? await whole(short) : await pieces(maxBytes, grown)
    if (bytes.byteLength > maxBytes) throw tooLarge(maxBytes)
    if (!isUtf8(bytes)) throw new TransportError('the answer is not UTF-8', true)
    return bytes.toString()
  }
  return { status, headers, text, chunks }
}

function tooLarge(maxBytes: number): RangeError {
  return new RangeError(`the answer is larger than ${maxBytes} bytes`)
}
