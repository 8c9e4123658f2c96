// Carries out one call on an object: asked for, journaled where the state records the object, shown while it runs, told at its end.
import type { Call } from '../../api/calls/call.ts'
import type { Compat } from '../../api/calls/compat.ts'
import type { Client } from '../../api/client.ts'
import type { ExitCode } from '../../base/catalogue.ts'
import { diagnostic } from '../../base/diagnostic.ts'
import type { Report } from '../../engine/model/events.ts'
import { settingMs } from '../../engine/model/settings.ts'
import type { Course, StateEffect } from '../../engine/operate-by-hand.ts'
import { operateByHand } from '../../engine/operate-by-hand.ts'
import type { ResourceRecord } from '../../state/record.ts'
import { isApproved, unapprovedCode } from '../apply/question.ts'
import { createReporter } from '../apply/reporter.ts'
import type { Flags, Given } from '../arguments/flags.ts'
import type { Context } from '../context/context.ts'
import type { MachineDocument } from '../render/machine-shapes.ts'
import { safeLine } from '../render/text/sanitise.ts'
import { ownerOf } from '../surroundings/owner.ts'
import { checkNobodys } from './check-nobodys.ts'
import type { Target } from './find-object.ts'
import { projectAlone } from './project-alone.ts'
import { sendCall } from './send-call.ts'
import { tellRefusal } from './tell-refusal.ts'

/** What every operation takes. */
export const operatingFlags = {
  'no-wait': { type: 'switch', about: 'do not wait for the workflow' },
  'auto-approve': { type: 'switch', about: 'do not ask' },
} as const satisfies Flags

/** What is done to an object as it is; `done` says that it was. */
export interface Operation {
  readonly done: string
  /** Undefined where it is so already. */
  readonly call: Call | undefined
  /** What it does to what the state says. */
  readonly effect?: StateEffect | undefined
  /** What is asked first; absent where it hurts nobody. */
  readonly question?: { readonly title: string; readonly lines: readonly string[] } | undefined
  /** What is waited for once the workflow has ended. */
  readonly settle?: (() => Promise<void>) | undefined
}

interface Around {
  readonly context: Context
  readonly client: Client
  readonly compat: Compat
  readonly target: Target
  /** The name of what is done, while it runs and in `iac status`. */
  readonly step: string
}

/**
 * Carries out what `decide` makes of the object as it is once nothing else is under way on it, to the exit code: 0, 1 where it was not approved, 130 after ^C, which waits for what runs.
 * Throws Failure 3 for what another environment manages, 7 while a run holds the state, 8 where the workflow failed or the outcome is not known.
 */
export async function operate(around: Around, given: Given, decide: () => Promise<Operation>): Promise<ExitCode> {
  const { context } = around
  const { surroundings, globals } = context
  if (!around.target.record) await checkNobodys(context, around.target, around.step)
  const reporter = globals.switch('json') ? { report: () => undefined, stop: () => undefined } : createReporter(context)
  try {
    const wait = !given.switch('no-wait')
    const work = async (begin: Begin): Promise<ExitCode> => {
      const operation = await decide()
      if (operation.question && !(await isApproved(context, given, operation.question))) return unapprovedCode(context)
      const { call } = operation
      const sent = call === undefined ? undefined : await carriedOut(around, operation, call, { begin, report: reporter.report, wait })
      const words = wait || call === undefined ? operation.done : `${around.step} was accepted${asWorkflow(sent)}, and is not waited for`
      tell(around, { words, workflowId: sent, isEnded: wait || call === undefined })
      return surroundings.stop.aborted ? 130 : 0
    }
    return await byHand(context, { compat: around.compat, record: around.target.record, step: around.step }, work)
  } finally {
    reporter.stop()
  }
}

/** Undefined for what the state does not record. */
type Begin = (call: Call, effect?: StateEffect) => Promise<Course | undefined>
type Doing<T> = (begin: Begin) => Promise<T>

type Recorded = Pick<ResourceRecord, 'address' | 'id'>

/** What is done by hand: `record` is what the state says of its object, undefined where that is nothing. */
interface Manual {
  readonly compat: Compat
  readonly record: Recorded | undefined
  readonly step: string
}

/** Does what is done by hand, what the state records under its lock; ^C once waits for what was sent. */
export async function byHand<T>(context: Context, { compat, record, step }: Manual, work: Doing<T>): Promise<T> {
  const { surroundings, print } = context
  const onStop = (): void =>
    print.diagnostics([diagnostic('note', `stopping: what runs is waited for; ^C again ends at once${record ? ', which loses nothing' : ''}`)])
  const telling: Doing<T> = (begin) =>
    work(async (call, effect) => {
      const course = await begin(call, effect)
      surroundings.stop.addEventListener('abort', onStop, { once: true })
      return course
    })
  surroundings.graceful(true)
  try {
    return record ? await onRecord(context, { compat, record, step }, telling) : await telling(async () => undefined)
  } finally {
    surroundings.graceful(false)
    surroundings.stop.removeEventListener('abort', onStop)
  }
}

async function onRecord<T>(context: Context, { compat, record, step }: Manual & { readonly record: Recorded }, work: Doing<T>): Promise<T> {
  const project = await projectAlone(context, compat)
  const store = await context.store(project)
  context.print.diagnostics(store.advice ?? [])
  const report: Report = (event) => void (event.type === 'note' && context.print.diagnostics([event.diagnostic]))
  const run = await context.run({ compat }, { report })
  const locking = { store, owner: ownerOf(context.surroundings, context.name), lockTimeoutMs: context.globals.number('lock-timeout') ?? 0 }
  return await operateByHand(run, { ...locking, project }, { address: record.address, id: record.id, step }, work)
}

interface Carrying {
  readonly begin: Begin
  readonly report: Report
  readonly wait: boolean
}

/** Sends and waits; the id of its workflow, undefined where the answer names none. */
async function carriedOut(
  { context, client, compat, target, step }: Around,
  { settle, effect }: Operation,
  call: Call,
  { begin, report, wait }: Carrying,
): Promise<string | undefined> {
  const { clock } = context.surroundings
  const about = { address: target.address, task: 'make' } as const
  const startedMs = clock.now()
  let workflowId: string | undefined
  let hasEnded = false
  const course = await begin(call, effect)
  const noted: Course = {
    ...(course ?? unrecorded),
    async accepted(id) {
      workflowId = id
      await course?.accepted(id)
      if (id !== undefined) report({ type: 'step', ...about, step, workflowId: id, atMs: clock.now() })
    },
    async ended(state) {
      hasEnded = true
      const workflow = { workflowId: workflowId ?? null, progress: undefined }
      if (effect?.restores) report({ type: 'progress', ...about, ...workflow, waitingFor: 'reads that show it', atMs: clock.now() })
      await course?.ended(state)
    },
  }
  report({ type: 'begin', operations: 1 })
  report({ type: 'start', ...about, action: 'update', id: target.id, atMs: startedMs })
  try {
    const sending = sendCall(context, client, call, {
      wait,
      course: noted,
      follows: () => (hasEnded ? 'its workflow has ended, which is not recorded yet: the next apply looks at what it left' : goesOn(target, step, workflowId)),
      graceMs: settingMs(compat.read_grace),
      onProgress: ({ id, progress }) => {
        const known = progress && { activity: undefined, ...progress }
        report({ type: 'progress', ...about, workflowId: id, progress: known, waitingFor: step, atMs: clock.now() })
      },
    })
    await tellRefusal(`${target.address}: "${step}" is refused`, sending)
    if (wait) await settle?.()
    if (wait) report({ type: 'complete', ...about, action: 'update', id: target.id, elapsedMs: clock.now() - startedMs, scheduled: false })
    return workflowId
  } finally {
    report({ type: 'end' })
  }
}

const nothing = (): Promise<void> => Promise.resolve()
const unrecorded: Course = Object.freeze({ accepted: nothing, rejected: nothing, closed: nothing, ended: nothing, mayLeave: () => true })

/** What a second ^C, or a signal, leaves behind. */
function goesOn({ address, record }: Target, step: string, workflowId: string | undefined): string {
  const later = record ? '; the next apply waits for it first' : ''
  if (workflowId === undefined) return `${address}: stopped before the service answered to "${step}"${later || '; look before sending it again'}`
  return `${address}: "${step}" goes on at the service as workflow ${workflowId} (\`iac workflows ${workflowId} --watch\`)${later}`
}

function asWorkflow(id: string | undefined): string {
  return id === undefined ? '' : ` as workflow ${id}`
}

function tell(
  { context: { globals, print }, target: { address, kind, id }, step }: Around,
  { words, workflowId, isEnded }: { readonly words: string; readonly workflowId: string | undefined; readonly isEnded: boolean },
): void {
  const document: MachineDocument<'operation'> = { address, kind, id, operation: step, workflow_id: workflowId ?? null, ended: isEnded }
  if (globals.switch('json')) print.json(document)
  else print.result(`${safeLine(`${address}: ${words}`)}.\n`)
}
