// How long an apply takes on the virtual clock against the least it can take, and what it asks of workflows meanwhile.
import { durationMs } from '../../src/sandbox/time/durations.ts'
import { createWorld } from '../builders/world.ts'
import { fleet, fleetVariables, roomyQuota } from './fleet.ts'
import type { Row } from './rows.ts'

const LATENCY_MS = 20
const MAKESPAN_AIM = 1.1

/** An apply of a graph of `size` resources; the bound is its longest path of workflows and calls, or what the widest crowd allows. */
export async function makespanRows(size: number): Promise<Row[]> {
  const { tookMs } = await applied(fleet(size), fleetVariables)
  // A service needs its node, which needs its instance and the cluster.
  const start = Math.max(durationMs('instance.create', 'realistic'), durationMs('k3s.create', 'realistic'))
  const boundMs = start + durationMs('k3s.node.create', 'realistic') + durationMs('k3s.service.create', 'realistic')
  return [
    {
      name: `apply of ${size}: makespan / lower bound`,
      value: tookMs / boundMs,
      unit: '',
      aim: MAKESPAN_AIM,
      note: `${(tookMs / 1000).toFixed(0)} s of virtual time, longest path ${(boundMs / 1000).toFixed(0)} s`,
    },
  ]
}

/** Requests that watch `count` workflows which run at once; one each and tick would be the naive number. */
export async function pollRows(count: number): Promise<Row[]> {
  const documents = Array.from(
    { length: count },
    (_, at) => `apiVersion: iac/v1\nkind: Instance\nmetadata: { name: web-${at} }\nspec: { type: PLAN, name: web-${at}, plan: ryzen-2, region: fra-1 }\n`,
  )
  const { tookMs, polls, singles } = await applied({ 'main.yaml': documents.join('---\n') }, {})
  const seconds = tookMs / 1000
  return [
    {
      name: `requests while ${count} workflows run`,
      value: polls,
      unit: '',
      note: `${singles} of them single fetches; ${(polls / seconds).toFixed(1)} a second over ${seconds.toFixed(0)} s; ${(polls / count).toFixed(2)} a workflow`,
    },
  ]
}

async function applied(texts: Readonly<Record<string, string>>, variables: Readonly<Record<string, string>>) {
  let polls = 0
  let singles = 0
  const world = createWorld({
    variables,
    sandbox: { quota: roomyQuota, profile: 'realistic' },
    transport: (inner) => async (request) => {
      if (/\/workflows(?:\?|$)/.test(request.path)) polls += 1
      if (/\/workflows\/[0-9a-f-]+/.test(request.path)) {
        polls += 1
        singles += 1
      }
      await world.clock.sleep(LATENCY_MS)
      return inner(request)
    },
  })
  const start = world.clock.now()
  const { outcome } = await world.apply(texts)
  if (!outcome || outcome.failed.length > 0) throw new Error(`the apply failed: ${JSON.stringify(outcome?.failed.slice(0, 3))}`)
  return { tookMs: world.clock.now() - start, polls, singles }
}
