// Whether a request may leave: a call of its kind, about its own object and what that points at, for what the plan does with it.
import type { Call } from '../../api/calls/call.ts'
import { isOpenRequest, isOpenRoute } from '../../api/calls/open-path.ts'
import type { Route } from '../../api/routes/route.ts'
import type { Wire } from '../../api/send.ts'
import type { AnyStep } from '../model/view.ts'
import type { Current } from './operation.ts'

/** A step about to be sent: whose it is, and what its kind was shown (specs, the live object): ids in it may stand in the path. */
export interface Asking {
  readonly current: Current
  readonly objectId: string | undefined
  readonly step: AnyStep
  readonly shown: readonly unknown[]
  /** Ids that the state holds at the address. */
  readonly recorded: readonly string[]
}

const making: ReadonlySet<Current['action']> = new Set(['create', 'update', 'replace', 'import'])
const removing: ReadonlySet<Current['action']> = new Set(['delete', 'replace'])
const creating: ReadonlySet<Current['action']> = new Set(['create', 'replace'])

/** Why a call must not leave as this request; undefined where it is what the plan says. */
export function foreignCall(asking: Asking, call: Call, wire: Wire): string | undefined {
  return foreignStep(asking, call.route) ?? foreignRequest(call.route, wire) ?? foreignObject(asking, call, wire)
}

function foreignStep({ current, objectId, step, recorded }: Asking, route: Route): string | undefined {
  const { kind, task, action } = current
  const own = task === 'remove' ? kind.calls.removing : kind.calls.making
  if (!own.includes(route)) return `the kind has no such call to ${task === 'remove' ? 'remove' : 'make or change'} an object`
  if (step.removes === true && task !== 'remove') return 'it would remove what is to stay'
  const isPlanned = task === 'remove' ? removing.has(action) : step.creates ? creating.has(action) : making.has(action)
  if (!isPlanned) return `the plan says ${action ?? 'nothing'} of it`
  return task === 'remove' && (objectId === undefined || !recorded.includes(objectId)) ? 'the state does not hold the object' : undefined
}

/** The method and the path of the route, with whatever its placeholders hold. */
function foreignRequest(route: Route, { method, path }: Wire): string | undefined {
  const fault = 'the request is not what the call is'
  if (isOpenRoute(route)) return isOpenRequest(method, path) ? undefined : fault
  const [parts, others] = [path.split('/'), route.path.split('/')]
  const isOfRoute = parts.length === others.length && others.every((one, at) => one.startsWith('{') || one === parts[at])
  return isOfRoute && route.methods.includes(method) ? undefined : fault
}

/** Every id in the path, and in the body of a call that is set, is the object's own, its workspace's, or one that it was seen to point at. */
function foreignObject({ current, objectId, step, shown }: Asking, call: Call, { path }: Wire): string | undefined {
  const own = new Set([...(objectId?.split('/') ?? []), current.workspaceId])
  const body = isOpenRoute(call.route) && typeof call.body === 'object' && call.body !== null ? Object.values(call.body) : []
  const ids = [...path.split('/').filter((part) => /^\d+$/.test(part)), ...body.map(String)]
  const isKnown = (id: string): boolean => own.has(id) || (step.removes !== true && shown.some((one) => holds(one, id)))
  const isElsewhere = call.params['wid'] !== undefined && call.params['wid'] !== current.workspaceId
  const other = ids.find((id) => !isKnown(id))
  if (isElsewhere) return 'it is about another workspace'
  return other === undefined ? undefined : `${other} is neither the object nor what it points at`
}

function holds(value: unknown, id: string): boolean {
  if (typeof value === 'string') return value === id
  if (typeof value === 'number' || typeof value === 'bigint') return String(value) === id
  return typeof value === 'object' && value !== null && Object.values(value).some((one) => holds(one, id))
}
