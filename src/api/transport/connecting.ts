// How connections to the service are opened and kept.

/** The most that connecting may take, the handshake of TLS included. */
export const CONNECT_TIMEOUT_MS = 10_000

/** How a connection is opened: the next address is tried when one is silent. */
export const connect = Object.freeze({ timeout: CONNECT_TIMEOUT_MS, autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 300 })

/** A call's deadline is the client's; an idle connection is dropped before services do, since a request would get lost on one that is closed at the other end. */
export const sockets = Object.freeze({ connect, headersTimeout: 0, bodyTimeout: 0, keepAliveTimeout: 4000, keepAliveMaxTimeout: 4000 })
