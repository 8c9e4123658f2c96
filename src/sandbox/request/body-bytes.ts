// Reading bodies, however they come: counted on the way, since what is sent in chunks says nothing of its length.

/** The longest body of a call of the API; the document names no limit. */
export const LONGEST_BODY_BYTES = 16 * 1024 * 1024

/** What a body that is longer is answered, with 413. */
export function tooLong(mostBytes: number): string {
  return `a body has at most ${mostBytes} bytes`
}

/** All bytes of a body; undefined where it says of itself that it is longer, or is, of which no more is read then. */
export async function bytesOf(parts: AsyncIterable<unknown>, mostBytes: number, saidBytes: string | null | undefined): Promise<Buffer | undefined> {
  if (Number(saidBytes ?? 0) > mostBytes) return undefined
  const read: Uint8Array[] = []
  let sizeBytes = 0
  for await (const part of parts) {
    if (!(part instanceof Uint8Array)) continue
    read.push(part)
    sizeBytes += part.byteLength
    if (sizeBytes > mostBytes) return undefined
  }
  return Buffer.concat(read)
}
