// The wire: what goes out and comes back, whoever carries it (a socket or the embedded service).

/** One HTTP request; `path` begins with /v1, holds the query, and is encoded already. */
export interface WireRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
  readonly signal?: AbortSignal | undefined
  /** Asked once a connection stands, before the first byte: false where nothing may leave any more. */
  readonly mayLeave?: (() => boolean) | undefined
}

/** Told how much of a body is there before more of it is taken in. */
export type Grown = (sizeBytes: number) => Promise<void>

/** One HTTP answer; header names in lower case. The body is read once, as text with a cap (a RangeError beyond it) or in chunks (SSE). */
export interface WireResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  text(maxBytes: number, grown?: Grown): Promise<string>
  chunks(): AsyncIterable<Uint8Array>
}

/** Carries a request. Throws TransportError when no complete head of an answer came. */
export type Transport = (request: WireRequest) => Promise<WireResponse>

/** Whether another try ends alike: always, or as long as the service has not answered at all (a certificate that is renewed meanwhile). */
export type Hopeless = 'always' | 'at first'

/** Given up before its first byte: it may not leave any more. */
export function heldBack(): Error {
  return new Error('stopped before it left')
}

/** The request did not get an answer; `sent` is false only if no byte of it can have reached the service. */
export class TransportError extends Error {
  readonly sent: boolean
  readonly hopeless: Hopeless | undefined
  constructor(message: string, sent: boolean, hopeless?: Hopeless) {
    super(message)
    this.name = 'TransportError'
    this.sent = sent
    this.hopeless = hopeless
  }
}
