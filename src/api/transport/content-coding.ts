// How a body may be compressed, and what is done about it.

const NEVER_WITH_BODY = new Set([204, 205, 304])

/** What a service is told that it may send; brotli over TLS alone, since what stands in between may be old. */
export function acceptedCodings(protocol: string): string {
  return protocol === 'https:' ? 'gzip, deflate, br' : 'gzip, deflate'
}

/** The body as it was before it was compressed; under a coding that is not known as it is. Its errors come when it is read. */
export async function decoded(body: AsyncIterable<Uint8Array>, status: number, coding: string | undefined): Promise<AsyncIterable<Uint8Array>> {
  if (coding === undefined || NEVER_WITH_BODY.has(status)) return body
  const { constants, createBrotliDecompress, createGunzip, createInflate } = await import('node:zlib')
  // A body of nothing is no damage; what ends early is told by its length or its last chunk.
  const lenient = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH }
  const brotli = { flush: constants.BROTLI_OPERATION_FLUSH, finishFlush: constants.BROTLI_OPERATION_FLUSH }
  const decoders = new Map([
    ['gzip', () => createGunzip(lenient)],
    ['x-gzip', () => createGunzip(lenient)],
    ['deflate', () => createInflate(lenient)],
    ['br', () => createBrotliDecompress(brotli)],
  ])
  const decoder = decoders.get(coding.trim().toLowerCase())?.()
  if (!decoder) return body
  const { pipeline } = await import('node:stream')
  return pipeline(body, decoder, () => undefined)
}
