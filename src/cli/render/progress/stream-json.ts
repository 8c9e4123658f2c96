// An apply as OpenTofu's machine-readable stream: one object per line.
import { parseAddress } from '../../../base/address.ts'
import type { Diagnostic } from '../../../base/diagnostic.ts'
import { diagnosticDocument } from '../../../base/diagnostic.ts'
import type { JsonValue } from '../../../base/json.ts'
import { stringifyJson } from '../../../base/json.ts'
import type { Event, Outcome } from '../../../engine/model/events.ts'
import type { Change, Plan } from '../../../engine/model/plan-data.ts'
import { toldAction } from '../../../engine/model/resumed.ts'
import { countsOf, planSentence } from '../plan/plan-counts.ts'
import { safeJson, safeLine } from '../text/sanitise.ts'
import { elapsedText, wordsFor } from './operation-words.ts'
import { activityOf } from './progress-frame.ts'
import { eventLine } from './progress-lines.ts'
import type { Running } from './running-operations.ts'

/** One line of the stream before it is written; `@timestamp` is put in last. */
export interface StreamLine {
  readonly level: 'info' | 'warn' | 'error'
  readonly message: string
  readonly type: string
  readonly rest: Readonly<Record<string, unknown>>
}

/** The line's text with its line end. */
export function streamText(line: StreamLine, timestamp: string): string {
  const { level, message, type, rest } = line
  const head = { '@level': level, '@message': safeLine(message), '@module': 'iac.ui', '@timestamp': timestamp, ...rest, type }
  return `${safeJson(stringifyJson(head))}\n`
}

/** The first line of every stream. */
export function versionLine(version: string): StreamLine {
  return info(`iac ${version}`, 'version', { iac: version, ui: '1.2' })
}

/** What a plan says in a stream: each change, then the summary. */
export function planLines(plan: Pick<Plan, 'changes' | 'summary'>): StreamLine[] {
  const changes = plan.changes.filter((one) => one.action !== 'no-op' || one.previous_address !== null)
  return [...changes.map(plannedChange), summaryLine(plan, 'plan')]
}

function plannedChange(change: Change): StreamLine {
  const action = change.action === 'no-op' ? 'move' : toldAction(change)
  const previous = change.previous_address === null ? {} : { previous_resource: resourceOf(change.previous_address) }
  const importing = change.action === 'import' ? { importing: { id: change.id } } : {}
  const reason = change.reason === null ? {} : { reason: change.reason }
  return info(`${change.address}: Plan to ${action}`, 'planned_change', {
    change: { resource: resourceOf(change.address), action, ...reason, ...previous, ...importing },
  })
}

function summaryLine(plan: Pick<Plan, 'summary'>, operation: 'plan'): StreamLine {
  const { add, change, destroy, import: imported, forget } = countsOf(plan.summary)
  return info(planSentence(plan.summary), 'change_summary', { changes: { add, change, import: imported, remove: destroy, forget, operation } })
}

/** The summary after an apply or destroy, with the sentence that people read; what was settled of an earlier run stands beside its counts. */
export function outcomeLine(
  outcome: Outcome,
  settled: { readonly destroyed: number },
  { sentence, operation }: { readonly sentence: string; readonly operation: 'apply' | 'destroy' },
): StreamLine {
  const { added, changed, destroyed, imported, forgotten } = outcome
  const changes = { add: added, change: changed, import: imported, remove: destroyed, forget: forgotten, operation }
  return info(sentence, 'change_summary', { changes, ...(settled.destroyed === 0 ? {} : { settled: { remove: settled.destroyed } }) })
}

/** The outputs after an apply; a sensitive one without its value. */
export function outputsLine(outputs: Readonly<Record<string, { readonly value: JsonValue; readonly sensitive: boolean }>>): StreamLine {
  const shown = Object.fromEntries(
    Object.entries(outputs).map(([name, one]) => [name, one.sensitive ? { sensitive: true } : { sensitive: false, value: one.value }]),
  )
  return info(`Outputs: ${Object.keys(outputs).length}`, 'outputs', { outputs: shown })
}

export function diagnosticLine(one: Diagnostic): StreamLine {
  const level = one.severity === 'error' ? 'error' : one.severity === 'warning' ? 'warn' : 'info'
  const word = one.severity === 'error' ? 'Error' : one.severity === 'warning' ? 'Warning' : 'Note'
  return { level, message: `${word}: ${one.summary}`, type: 'diagnostic', rest: { diagnostic: diagnosticDocument(one) } }
}

const recoveredEnds = { done: 'is done', gone: 'is done', failed: 'has failed', closed: 'came to nothing', open: 'is not settled' } as const

/** The lines of an event; `running` is what is known of its operation: with a step or progress what that made of it, else what was known before. */
export function eventLines(event: Event, running: Running | undefined): StreamLine[] {
  const message = eventLine(event) ?? ''
  switch (event.type) {
    case 'start':
      return [info(message, 'apply_start', { hook: { ...hookOf(event.address, wordsFor(event.action, event.task).action), ...idOf(event.id) } })]
    case 'recovering': {
      const { action } = wordsFor(event.action, event.task)
      return [info(message, 'apply_start', { hook: { ...hookOf(event.address, action), ...workflowOf(event.workflowId) } })]
    }
    case 'recovered': {
      const hook = { ...hookOf(event.address, wordsFor(event.action, event.task).action), elapsed_seconds: elapsedSeconds(event.elapsedMs) }
      const text = message === '' ? `${event.address}: What an earlier run began ${recoveredEnds[event.end]}` : message
      const workflow = workflowOf(running?.workflowId ?? null)
      if (event.end === 'done' || event.end === 'gone') return [info(text, 'apply_complete', { hook: { ...hook, ...idOf(event.id), ...workflow } })]
      // What is left of it the plan tells, or an error of its own.
      return [info(text, 'apply_errored', { hook: { ...hook, ...workflow } })]
    }
    case 'step':
    case 'progress':
      return running === undefined ? [] : [progressLine(running, event.atMs)]
    case 'complete': {
      const hook = { ...hookOf(event.address, wordsFor(event.action, event.task).action), ...idOf(event.id), elapsed_seconds: elapsedSeconds(event.elapsedMs) }
      return [info(message, 'apply_complete', { hook: { ...hook, ...workflowOf(running?.workflowId ?? null) } })]
    }
    case 'failed': {
      const hook = {
        ...hookOf(event.address, wordsFor(event.action, event.task).action),
        elapsed_seconds: elapsedSeconds(event.elapsedMs),
        ...workflowOf(running?.workflowId ?? null),
      }
      return [{ level: event.stopped ? 'info' : 'error', message, type: 'apply_errored', rest: { hook } }]
    }
    case 'skipped':
      return [
        {
          level: event.stopped ? 'info' : 'error',
          message,
          type: 'apply_errored',
          rest: { hook: { ...hookOf(event.address, event.task === 'make' ? 'create' : 'delete'), elapsed_seconds: 0 } },
        },
      ]
    case 'note':
      return [diagnosticLine(event.diagnostic)]
    default:
      return []
  }
}

function progressLine(running: Running, atMs: number): StreamLine {
  const { address, action, task, step, progress, workflowId } = running
  const elapsedMs = atMs - running.startedMs
  const hook = {
    ...hookOf(address, wordsFor(action, task).action),
    elapsed_seconds: elapsedSeconds(elapsedMs),
    ...workflowOf(workflowId),
    ...(step === undefined ? {} : { step }),
    ...(progress === undefined ? {} : { progress }),
  }
  return info(`${address}: Still ${activityOf(running)}... [${elapsedText(elapsedMs)} elapsed]`, 'apply_progress', { hook })
}

function info(message: string, type: string, rest: StreamLine['rest']): StreamLine {
  return { level: 'info', message, type, rest }
}

function hookOf(address: string, action: string) {
  return { resource: resourceOf(address), action }
}

function resourceOf(address: string) {
  const parsed = parseAddress(address)
  const kind = parsed?.kind ?? ''
  return {
    addr: address,
    module: '',
    resource: address,
    implied_provider: 'iac',
    resource_type: kind,
    resource_name: parsed?.name ?? '',
    resource_key: parsed?.key ?? null,
  }
}

function idOf(id: string | null): { readonly id_key?: string; readonly id_value?: string } {
  return id === null || id === '' ? {} : { id_key: 'id', id_value: id }
}

function workflowOf(workflowId: string | null): { readonly workflow_id?: string } {
  return workflowId === null ? {} : { workflow_id: workflowId }
}

function elapsedSeconds(ms: number): number {
  return Math.max(0, Math.floor(ms / 1000))
}
