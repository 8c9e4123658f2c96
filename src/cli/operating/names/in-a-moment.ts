// What completion asks of the service: in a moment, or not at all, and never with a word of what went wrong.
import { ApiError } from '../../../api/calls/call.ts'
import type { Compat } from '../../../api/calls/compat.ts'
import { InvalidRequest, UnreachableError } from '../../../api/calls/failed-call.ts'
import type { Client } from '../../../api/client.ts'
import { Failure } from '../../../base/diagnostic.ts'
import type { Context } from '../../context/context.ts'

// Whoever waits for it has pressed a key.
const MOMENT_MS = 1500

/** What is found by reading alone; undefined where nobody is signed in, the service refuses, or it takes longer: the calls end with it. */
export async function inAMoment<T>(context: Context, compat: Compat, ask: (client: Client) => Promise<T>): Promise<T | undefined> {
  const { clock, stop } = context.surroundings
  const [late, found] = [new AbortController(), new AbortController()]
  const signal = AbortSignal.any([late.signal, stop])
  const moment = clock.sleep(MOMENT_MS, found.signal).then(
    () => late.abort(),
    () => undefined,
  )
  try {
    return await ask(endingWith(await context.client(compat), signal))
  } catch (error) {
    const isOthers = error instanceof Failure || error instanceof ApiError || error instanceof UnreachableError || error instanceof InvalidRequest
    if (isOthers || signal.aborted) return undefined
    throw error
  } finally {
    found.abort()
    await moment
  }
}

function endingWith(client: Client, signal: AbortSignal): Client {
  return {
    ...client,
    read: (call, options) => client.read(call, { ...options, signal }),
    all: (call, options) => client.all(call, { ...options, signal }),
    text: (call, options) => client.text(call, { ...options, signal }),
  }
}
