// Billing subjects, suspended, resumed and terminated by operators: section "Other lifecycles that are shown".
import { area } from '../../request/area.ts'
import { found } from '../../request/refusal.ts'
import { NOT_ALLOWED, rule } from '../../request/rules.ts'
import type { SubjectRow } from '../../store/billing-rows.ts'
import type { InstanceRow } from '../../store/rows.ts'
import { isBusy, isInstanceBusy } from '../../time/workflow-engine.ts'
import type { World } from '../../world.ts'
import { removeInstance } from '../machines/instance-removal.ts'
import { releaseAddress } from '../network/dhcp.ts'

type State = InstanceRow['state']

const tableOf = { INSTANCE: 'instances', DISK: 'disks', FLOATING_IP: 'ips', DEDIBOX: 'dediboxes' } as const

const rules = [
  rule({
    id: 'subjects.terminated',
    section: 'Errors',
    quote: NOT_ALLOWED,
    assumed: true,
    routes: ['suspendSubject', 'resumeSubject', 'terminateSubject'],
    status: 409,
    message: 'the subject is terminated',
    broken: ({ world, params }) => world.tables.subjects.get(params.sid)?.state === 'TERMINATED',
  }),
  rule({
    id: 'subjects.suspended',
    section: 'Errors',
    quote: NOT_ALLOWED,
    assumed: true,
    routes: ['suspendSubject'],
    status: 409,
    message: 'the subject is suspended',
    broken: ({ world, params }) => world.tables.subjects.get(params.sid)?.state === 'SUSPENDED',
  }),
  rule({
    id: 'subjects.active',
    section: 'Errors',
    quote: NOT_ALLOWED,
    assumed: true,
    routes: ['resumeSubject'],
    status: 409,
    message: 'the subject is not suspended',
    broken: ({ world, params }) => world.tables.subjects.get(params.sid)?.state === 'ACTIVE',
  }),
  rule({
    id: 'subjects.busy',
    section: 'Errors',
    quote: NOT_ALLOWED,
    assumed: true,
    routes: ['suspendSubject', 'resumeSubject', 'terminateSubject'],
    status: 409,
    message: 'a workflow on the resource is under way',
    broken: ({ world, name, params }) => {
      const subject = world.tables.subjects.get(params.sid)
      if (!subject) return false
      const concerned = name === 'terminateSubject' ? [subject, ...dependentsOf(world, subject)] : [subject]
      return concerned.some((one) => isUnderWay(world, one))
    },
  }),
  rule({
    id: 'subjects.available',
    section: 'Errors',
    quote: NOT_ALLOWED,
    assumed: true,
    routes: ['suspendSubject'],
    status: 409,
    message: 'the resource is not available',
    broken({ world, params }) {
      const subject = world.tables.subjects.get(params.sid)
      return subject?.state === 'ACTIVE' && !isUnderWay(world, subject) && stateOf(world, subject) !== 'AVAILABLE'
    },
  }),
  rule({
    id: 'subjects.dedibox',
    section: 'Errors',
    quote: NOT_ALLOWED,
    assumed: true,
    routes: ['powerDedibox'],
    status: 409,
    message: 'the billing subject is suspended',
    broken: ({ world, body }) => world.readings.suspension === 'offline' && world.tables.subjects.get(body.dedibox_id)?.state === 'SUSPENDED',
  }),
]

/** A subject has the id of its resource: no call of the document gives it another. */
export const subjectsArea = area(
  {
    suspendSubject({ world, params }) {
      const subject = found(world.tables.subjects.get(params.sid), 'billing subject')
      world.tables.subjects.update(subject.id, { state: 'SUSPENDED', wasOnline: isOnline(world, subject) })
      if (world.readings.suspension === 'offline') setState(world, subject, 'SUSPENDED', false)
      return undefined
    },
    resumeSubject({ world, params }) {
      const subject = found(world.tables.subjects.get(params.sid), 'billing subject')
      world.tables.subjects.update(subject.id, { state: 'ACTIVE' })
      const isLeft = subject.kind === 'DEDIBOX' || stateOf(world, subject) === 'SUSPENDED'
      if (world.readings.suspension === 'offline' && isLeft) setState(world, subject, 'AVAILABLE', subject.wasOnline)
      return undefined
    },
    terminateSubject({ world, params }) {
      const subject = found(world.tables.subjects.get(params.sid), 'billing subject')
      const ended = [...dependentsOf(world, subject), subject]
      for (const { id } of ended) world.tables.subjects.update(id, { state: 'TERMINATED' })
      if (world.readings.termination === 'deleted') for (const one of ended) removeResource(world, one)
      return { kind: 'record', views: ended.toReversed().map(({ id, kind }) => ({ id, kind })) }
    },
  },
  { rules },
)

/** Whether a workflow on the resource is under way; for an instance, also one on what hangs on it or is on its way to it. */
function isUnderWay(world: World, { kind, id }: SubjectRow): boolean {
  return kind === 'INSTANCE' ? isInstanceBusy(world, id) : isBusy(world, tableOf[kind], id)
}

/** The disks and addresses on an instance that are billed for themselves. */
function dependentsOf({ tables }: World, { kind, id }: SubjectRow): readonly SubjectRow[] {
  if (kind !== 'INSTANCE') return []
  const held = [...tables.disks.by('instance', id), ...tables.ips.by('instance', id)]
  return held.flatMap((one) => tables.subjects.get(one.id) ?? []).filter((one) => one.state !== 'TERMINATED')
}

/** A dedibox has no state. */
function stateOf({ tables }: World, { kind, id }: SubjectRow): State | undefined {
  return kind === 'DEDIBOX' ? 'AVAILABLE' : tables[tableOf[kind]].get(id)?.state
}

function isOnline({ tables }: World, { kind, id }: SubjectRow): boolean {
  const row = kind === 'DEDIBOX' ? tables.dediboxes.get(id) : tables.instances.get(id)
  return row?.online ?? false
}

function setState({ tables }: World, { kind, id }: SubjectRow, state: State, online: boolean): void {
  if (kind === 'INSTANCE') tables.instances.update(id, { state, online })
  else if (kind === 'DEDIBOX') tables.dediboxes.update(id, { online })
  else tables[tableOf[kind]].update(id, { state })
}

function removeResource(world: World, { kind, id }: SubjectRow): void {
  const { tables } = world
  const instance = kind === 'INSTANCE' ? tables.instances.get(id) : undefined
  if (instance) return removeInstance(world, instance, true)
  const address = kind === 'FLOATING_IP' ? tables.ips.get(id) : undefined
  if (address) releaseAddress(world, address)
  if (kind === 'DEDIBOX') for (const ip of tables.dediboxIps.by('dedibox', id)) tables.dediboxIps.delete(ip.id)
  tables[tableOf[kind]].delete(id)
}
