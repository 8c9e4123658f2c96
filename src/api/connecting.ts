// How a connection to the service is opened, whatever carries the requests.

/** The most that connecting may take, the handshake of TLS included. */
export const CONNECT_TIMEOUT_MS = 10_000

/** The next address is tried when one is silent. */
export const connecting = Object.freeze({ autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 300 })
