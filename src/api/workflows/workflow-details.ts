// A workflow with all that its progress tells: activities, their attempts, and the workflows below it.
import type { JsonValue } from '../../base/json.ts'
import { listOf, objectOf, workflowOf } from '../answers/answer.ts'
import { bounds } from '../answers/bounds.ts'
import type { Workflow } from '../calls/call.ts'

/** One activity; attempts are null where the service does not tell. */
export interface Activity {
  readonly name: string
  readonly status: string
  readonly attempt: number | null
  readonly limit: number | null
}

/** A workflow below another one. */
export interface Child {
  readonly id: string
  readonly name: string
  readonly status: string
}

export interface WorkflowDetails extends Workflow {
  /** Undefined where the answer has no progress, as in lists. */
  readonly activities?: readonly Activity[] | undefined
  readonly children: readonly Child[]
}

const MOST = 1000

/** Reads a workflow leniently, up to 1,000 activities and children; undefined for what is none ("Workflows"). */
export function workflowDetails(body: JsonValue | undefined): WorkflowDetails | undefined {
  const workflow = workflowOf(body)
  if (!workflow) return undefined
  const progress = objectOf(objectOf(body)?.['progress'])
  const activities = listOf(progress?.['activities'])?.slice(0, MOST).flatMap(activityOf)
  return { ...workflow, ...(activities && { activities }), children: (listOf(progress?.['children']) ?? []).slice(0, MOST).flatMap(childOf) }
}

function activityOf(value: JsonValue): Activity[] {
  const one = objectOf(value)
  const attempts = objectOf(one?.['attempts'])
  return one ? [{ name: wordOf(one['name']), status: wordOf(one['status']), attempt: countOf(attempts?.['current']), limit: countOf(attempts?.['limit']) }] : []
}

function childOf(value: JsonValue): Child[] {
  const one = objectOf(value)
  return one ? [{ id: wordOf(one['workflowId']), name: wordOf(one['name']), status: wordOf(one['status']) }] : []
}

function wordOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value.slice(0, bounds.wordLength) : ''
}

function countOf(value: JsonValue | undefined): number | null {
  return typeof value === 'number' ? value : null
}
