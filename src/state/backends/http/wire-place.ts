// One document on a server: read, and written so that what became of a write is known, whatever became of its answer.
import { failure } from '../../../base/diagnostic.ts'
import type { Failure } from '../../../base/diagnostic.ts'
import { lockLost } from '../../lease/lease-checks.ts'
import { quietMsOf } from '../../lease/quiet.ts'
import type { Sealing } from '../../sealing.ts'
import { isPassing, noServer } from './remote.ts'
import type { Outcome, Remote } from './remote.ts'
import { readWireText, wireText } from './wire-document.ts'
import type { WireDocument } from './wire-document.ts'

/** The longest document that is read and hence written: a text of this length can still be one. */
export const longestBytes = 256 << 20

/** A document to write: its serial is the one after that which stands there. */
export type Unnumbered = Omit<WireDocument, 'serial' | 'problem' | 'quietMs'>

/** What a write is held against. */
export interface Writing {
  readonly next: Unnumbered
  /** The id of the lock that is held; absent where the server has none. */
  readonly lockId?: string | undefined
  /** Looks at what stands there just before, and wherever an answer leaves it open; throws where it must not be written over. */
  readonly check: (standing: WireDocument | undefined) => Promise<void>
}

/** A path of a server at which a document stands. */
export interface WirePlace {
  /** How messages name it. */
  readonly where: string
  /** Undefined where there is none: 204 or 404. Failure 9 for a 200 without a body: what stood there may be lost. */
  get(): Promise<WireDocument | undefined>
  /** Resolves when it stands there. */
  put(writing: Writing): Promise<void>
}

/** The place at a path with its query; `where` is how messages name it. */
function wirePlace(remote: Remote, path: string, where: string): WirePlace {
  async function get(): Promise<WireDocument | undefined> {
    const answer = await remote.ask({ method: 'GET', path, maxBytes: longestBytes })
    if (answer.status === 204 || answer.status === 404) return undefined
    if (answer.status !== 200) throw remote.inWords({ answer })
    if (answer.bytes.length === 0) throw emptied(where)
    return { ...readWireText(answer.bytes, where), quietMs: quietMsOf(answer.headers) }
  }

  async function put({ next, lockId, check }: Writing): Promise<void> {
    const tries = remote.tries()
    for (;;) {
      const standing = await get()
      // What was sent before, and its answer was lost.
      if (standing?.stamp === next.stamp) return
      await check(standing)
      const outcome = await remote.once({ method: remote.address.updateMethod, path: withLock(path, lockId), body: bodyOf(next, standing) })
      if (isDone(outcome)) return
      if ('answer' in outcome && !isPassing(outcome.answer)) {
        // One that was sent again may be refused for that it was done.
        const after = await get()
        if (after?.stamp === next.stamp) return
        await check(after)
        // What stands there is still ours, the lock on the server is not.
        throw [409, 423].includes(outcome.answer.status) && lockId !== undefined ? lockLost(where) : remote.inWords(outcome)
      }
      await tries.again(outcome)
    }
  }

  function bodyOf(next: Unnumbered, standing: WireDocument | undefined): string {
    const text = wireText({ ...next, serial: (standing?.serial ?? 0) + 1 })
    if (text.length <= longestBytes && Buffer.byteLength(text) <= longestBytes) return text
    throw failure('state_io', `${where} would be longer than ${longestBytes >> 20} MiB, the longest that can be read`, {
      hint: 'split the project: smaller ones have states of their own',
    })
  }

  return Object.freeze({ where, get, put })
}

function emptied(where: string): Failure {
  return failure('state_damaged', `${where} holds nothing`, {
    detail: 'The server answers 200 without a body, as where a state was lost. It is not taken for none, since everything would be made a second time.',
    hint: 'a version that the server has kept brings it back; where there never was a state the server has to answer 204 or 404',
  })
}

/** 201 and 204 are said by some servers, as OpenTofu takes them. */
function isDone(outcome: Outcome): boolean {
  return 'answer' in outcome && [200, 201, 204].includes(outcome.answer.status)
}

function withLock(path: string, lockId: string | undefined): string {
  return lockId === undefined ? path : `${path}${path.includes('?') ? '&' : '?'}ID=${encodeURIComponent(lockId)}`
}

/** The documents of one state: the same one twice where the journal has no place of its own. */
export interface WirePlaces {
  readonly where: string
  readonly state: WirePlace
  /** With the lock's record and the journal. */
  readonly journal: WirePlace
  readonly isOne: boolean
  /** How the texts in them are kept. */
  readonly sealing: Sealing
}

/** Failure 9 where both would be one without being told so. */
export function wirePlaces(remote: Remote, sealing: Sealing): WirePlaces {
  const { where, state, journal } = remote.address
  const place = wirePlace(remote, state, where)
  if (journal === undefined) return { where, state: place, journal: place, isOne: true, sealing }
  if (journal === state) throw noServer(remote.address, 'its journal_address is the address of the state')
  return { where, state: place, journal: wirePlace(remote, journal, `the journal of ${where}`), isOne: false, sealing }
}
