// States as servers keep them, without a socket: in the manner of GitLab (each serial once, locks enforced, holders not told) or of OpenTofu's own (which enforces nothing).
import { createHash } from 'node:crypto'
import type { HttpAddress } from '../../src/state/backends/http/remote.ts'

export type Manner = 'gitlab' | 'plain'

/** One request, as far as it says what is to be done. */
export interface StateRequest {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly body: string
}

/** One state of the server. */
export interface Kept {
  text: string | undefined
  /** Every version ever written, by its serial. */
  readonly versions: Map<number, string>
  /** The body of the request that has locked it. */
  lock: string | undefined
  /** When it was written, in milliseconds; only the plain manner tells. */
  writtenMs?: number
}

/** All states of a server, by their paths. */
export interface HttpStates {
  readonly manner: Manner
  readonly states: Map<string, Kept>
  /** Bodies beyond this are refused. */
  mostBytes: number
  /** Milliseconds since 1970, by the server's clock. */
  readonly wall: () => number
}

export interface Answered {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly text?: string
}

export const testUser = { username: 'ci', password: 'canary-of-the-server' } as const
/** Where states stand, each by its name. */
export const statesFolder = '/api/v4/projects/1/terraform/state'
const lockFields = ['ID', 'Operation', 'Info', 'Who', 'Version', 'Created', 'Path']

/** The header that says who calls. */
export function basic({ username, password }: { readonly username: string; readonly password: string }): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
}

/** None yet. */
export function createStates(manner: Manner, wall: () => number): HttpStates {
  return { manner, states: new Map(), mostBytes: Infinity, wall }
}

/** Does what a request asks for, and answers as such a server does. */
export function answerLike(states: HttpStates, request: StateRequest): Answered {
  return states.manner === 'gitlab' ? likeGitLab(states, request) : likeOpenTofu(states, request)
}

/** How a client is told of a state by its name. */
export function httpAddressOf(
  { origin, manner }: { readonly origin: string; readonly manner: Manner },
  name: string,
  { withJournal, withLock }: { readonly withJournal: boolean; readonly withLock: boolean },
): HttpAddress {
  const path = `${statesFolder}/${name}`
  const [lockMethod, unlockMethod, lockPath] = manner === 'gitlab' ? (['POST', 'DELETE', `${path}/lock`] as const) : (['LOCK', 'UNLOCK', path] as const)
  return {
    where: `the state ${origin}${path}`,
    origin,
    state: path,
    journal: withJournal ? `${path}-journal` : undefined,
    updateMethod: 'POST',
    locking: withLock ? { lock: { method: lockMethod, path: lockPath }, unlock: { method: unlockMethod, path: lockPath } } : undefined,
    authorization: basic(testUser),
    retrying: { firstMs: 100, longestMs: 1000 },
  }
}

function keptAt(states: Map<string, Kept>, path: string): Kept {
  const kept = states.get(path) ?? { text: undefined, versions: new Map(), lock: undefined }
  states.set(path, kept)
  return kept
}

/** Nothing until a version is there, a lock for each write, each serial once, and a holder that only its id tells of. */
function likeGitLab({ states, mostBytes }: HttpStates, { method, path, query, body }: StateRequest): Answered {
  const isLock = path.endsWith('/lock')
  const at = isLock ? path.slice(0, -'/lock'.length) : path
  const found = states.get(at)
  if (method === 'GET' && !isLock) return found?.text === undefined ? { status: found ? 204 : 404 } : { status: 200, text: found.text }
  const kept = keptAt(states, at)
  const heldBy = kept.lock === undefined ? undefined : stringOf(kept.lock, 'ID')
  if (isLock) {
    const id = stringOf(body, 'ID')
    if (method === 'POST') {
      if (lockFields.some((name) => stringOf(body, name) === undefined)) return { status: 400 }
      if (heldBy !== undefined)
        return { status: 409, text: JSON.stringify({ ...objectOf(body), ID: heldBy, Who: 'gitlab-user', Created: '2026-01-01T00:00:00.000Z' }) }
      kept.lock = body
      return { status: 200 }
    }
    if (method !== 'DELETE') return { status: 405 }
    if (id !== undefined && id !== heldBy) return { status: 409, text: JSON.stringify({ ...objectOf(body), ID: heldBy ?? null }) }
    kept.lock = undefined
    return { status: 200 }
  }
  if (method !== 'POST') return { status: 405 }
  // The exception of a lock that does not fit is not rescued there.
  if ((new URLSearchParams(query).get('ID') ?? undefined) !== heldBy) return { status: 500 }
  if (body.length > mostBytes) return { status: 413 }
  if (body === '') return { status: 204 }
  const { serial } = objectOf(body) ?? {}
  if (typeof serial !== 'number' || !Number.isSafeInteger(serial) || kept.versions.has(serial)) return { status: 422 }
  kept.versions.set(serial, body)
  kept.text = kept.versions.get(Math.max(...kept.versions.keys()))
  return { status: 200 }
}

/** Whatever comes is written, whoever unlocks may. */
function likeOpenTofu({ states, mostBytes, wall }: HttpStates, { method, path, body }: StateRequest): Answered {
  const found = states.get(path)
  if (method === 'GET') {
    if (found?.text === undefined) return { status: 404 }
    return { status: 200, text: found.text, headers: { 'content-md5': digestOf(found.text), 'last-modified': new Date(found.writtenMs ?? 0).toUTCString() } }
  }
  const kept = keptAt(states, path)
  switch (method) {
    case 'LOCK': {
      if (kept.lock !== undefined) return { status: 423, text: kept.lock }
      kept.lock = body
      return { status: 200 }
    }
    case 'UNLOCK': {
      kept.lock = undefined
      return { status: 200 }
    }
    case 'POST': {
      if (body.length > mostBytes) return { status: 413 }
      kept.text = body
      kept.writtenMs = wall()
      kept.versions.set(kept.versions.size, body)
      return { status: 200 }
    }
    default:
      return { status: 405 }
  }
}

function objectOf(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.fromEntries(Object.entries(value)) : undefined
  } catch {
    return undefined
  }
}

function stringOf(text: string, name: string): string | undefined {
  const value = objectOf(text)?.[name]
  return typeof value === 'string' ? value : undefined
}

function digestOf(text: string): string {
  return createHash('md5').update(text).digest('base64')
}
