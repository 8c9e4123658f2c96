// A look at a sandbox as tests of the page write it: empty but for what they say.
import type { PageModel } from '../../src/sandbox/page/model/page-model.ts'
import { seen } from '../../src/sandbox/page/model/page-model.ts'
import type { PageView, RequestView, RowOf } from '../../src/sandbox/page/view-wire.ts'

/** When the clock of these looks stands, in ms since 1970. */
export const NOW_MS = Date.UTC(2026, 0, 1, 12)

/** A complete look, with the members given. */
export function look(given: Partial<PageView> = {}): PageView {
  const clock = { mode: 'real', scale: 1, now_ms: NOW_MS, next_due_ms: null } as const
  return {
    event: 1,
    complete: true,
    clock,
    rows: {},
    gone: {},
    requests: [],
    first_request: 1,
    presets: [],
    faults: [],
    money: null,
    tenant_changes: 0,
    ...given,
  }
}

/** A model of these rows, in the workspace `w`. */
export function modelOf(rows: PageView['rows'], given: Partial<PageView> = {}): PageModel {
  return seen(undefined, look({ rows: { workspaces: [{ id: 'w', name: 'default', owner_id: 'u' }], plans: [{ id: 'p', name: 'small' }], ...rows }, ...given }))
}

/** An instance that is online. */
export function instance(id: string, given: Partial<RowOf<'instances'>> = {}): RowOf<'instances'> {
  const size = { plan_id: 'p', region: 'fra-1', cpu: 2, memory_bytes: 4 * 1024 ** 3, os_name: 'Debian 13' }
  return { id, workspace_id: 'w', name: id, state: 'AVAILABLE', online: true, firewall_enabled: false, ...size, ...given }
}

/** A workflow that was queued so many ms ago, to end after `lastsMs`. */
export function workflow(id: string, agoMs: number, lastsMs: number | null, given: Partial<RowOf<'workflows'>> = {}): RowOf<'workflows'> {
  const queued = NOW_MS - agoMs
  const ends = lastsMs === null ? null : queued + lastsMs
  const isOver = ends !== null && ends <= NOW_MS
  const course = { queued_at_ms: queued, ends_at_ms: ends, ended_at_ms: isOver ? ends : null, state: isOver ? 'COMPLETED' : 'RUNNING' }
  return {
    id,
    workspace_id: 'w',
    operation: 'instance.create',
    name: 'instance.create',
    subject: { table: 'instances', id: 'a' },
    instance_id: null,
    ...course,
    ...given,
  }
}

/** A request that was answered 200. */
export function request(id: number, given: Partial<RequestView> = {}): RequestView {
  const answer = { outcome: 'answered', status: 200, message: null, duration_ms: 3, fault: null }
  return { id, at: new Date(NOW_MS).toISOString(), method: 'GET', path: '/v1/workspaces', ...answer, ...given }
}
