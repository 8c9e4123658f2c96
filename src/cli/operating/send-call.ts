// Sends one call that changes something outside of an apply: told whatever becomes of it, and waited for where it is asked for.
import type { Call } from '../../api/calls/call.ts'
import type { Client } from '../../api/client.ts'
import { createWatcher } from '../../api/workflows/workflows.ts'
import type { WatchOptions } from '../../api/workflows/workflows.ts'
import { Failure, diagnostic, failure } from '../../base/diagnostic.ts'
import type { JsonValue } from '../../base/json.ts'
import type { Course } from '../../engine/operate-by-hand.ts'
import type { Context } from '../context/context.ts'
import { tellingOfEnd } from '../surroundings/ended-at-once.ts'

const WAIT_MS = 60 * 60_000

/** What is waited for: nothing, or the workflow that the answer names. */
export interface Waiting {
  readonly wait: boolean
  readonly onProgress?: WatchOptions['onProgress']
  /** Told what becomes of it, before anything goes on. */
  readonly course?: Course | undefined
  /** What follows from an end at once; without it, what nobody recorded. */
  readonly follows?: () => string
  /** How long after its acceptance a workflow may not show yet, in milliseconds. */
  readonly graceMs?: number
}

/** What a call was answered; null stands for no body. */
export interface Answered {
  readonly body: JsonValue
  readonly workflowId: string | undefined
}

/** Sends a call once; after ^C what runs is waited for where the command is graceful, any other ends at once and says what follows. Throws the ApiError of a refusal, Failure `unreachable`, or `interrupted` after ^C, where nothing was sent, and Failure 8 where its outcome is not known or its workflow failed. */
export async function sendCall(context: Context, client: Client, call: Call, waiting: Waiting): Promise<Answered> {
  const keepQuiet = tellingOfEnd(context.surroundings, () => client, waiting.follows ?? unrecorded)
  try {
    const answered = await sent(context, client, call, waiting)
    if (waiting.wait && answered.workflowId !== undefined) await waited(context, client, answered.workflowId, waiting)
    else if (waiting.wait) await waiting.course?.ended('COMPLETED')
    return answered
  } finally {
    keepQuiet()
  }
}

function unrecorded(): string {
  return 'what was sent may take effect: look before sending it again; `iac status` knows runs alone, and nothing of it'
}

async function sent({ surroundings: { stop } }: Context, client: Client, call: Call, { course }: Waiting): Promise<Answered> {
  const outcome = await client.send(call, { signal: stop, ...(course && { mayLeave: course.mayLeave }) })
  if (outcome.is === 'rejected') {
    await course?.rejected(outcome.error)
    throw outcome.error
  }
  if (outcome.is === 'not sent') {
    await course?.closed(`not sent: ${outcome.why}`)
    throw failure(stop.aborted ? 'interrupted' : 'unreachable', `nothing was sent: ${outcome.why}`)
  }
  if (outcome.is === 'accepted') {
    const { body = null, workflowId } = outcome.answer
    await course?.accepted(workflowId)
    return { body, workflowId }
  }
  const unknown = diagnostic('operation_unknown', `whether the call took effect is not known: ${outcome.why}`, { hint: 'look before sending it again' })
  throw new Failure(8, [unknown])
}

async function waited({ surroundings }: Context, client: Client, workflowId: string, { onProgress, course, graceMs }: Waiting): Promise<void> {
  const { clock, random } = surroundings
  const watcher = createWatcher({ client, clock, random, graceMs, shown: () => new Set(onProgress ? [workflowId] : []) })
  const watched = await watcher.watch(undefined, workflowId, { deadlineMs: WAIT_MS, onProgress })
  if (watched.is === 'ended') await course?.ended(watched.state)
  if (watched.is === 'ended' && watched.state === 'COMPLETED') return
  const how = watched.is === 'ended' ? `ended ${watched.state}` : watched.is === 'lost' ? `was lost: ${watched.why}` : 'did not end in time'
  throw new Failure(8, [diagnostic('operation_failed', `the workflow ${workflowId} ${how}`)])
}
