// Invites: changed in their level alone, told from memberships of owners, and never replaced for a difference in case.
import { expect, test } from 'vitest'
import { wantedView } from '../../test/builders/wanted-view.ts'
import type { Peer } from './definition/kind.ts'
import { normaliseSpec } from './definition/normalise.ts'
import { readShape } from './definition/shape.ts'
import { WorkspaceInvite } from './workspace-invite.ts'

const desired = { email: 'ada@example.com', access_level: 'EDITOR' } as const
const live = (fields: object = {}) => readShape(WorkspaceInvite.live, { id: '1', ...desired, ...fields }, {})

test('is made whole, and updated by its level', () => {
  const steps = (wanted: Partial<(typeof WorkspaceInvite.examples)[0]['spec']>, there?: ReturnType<typeof live>) =>
    WorkspaceInvite.steps(wantedView(WorkspaceInvite, { desired: { ...desired, ...wanted }, recorded: desired, live: there })).map(({ name, call }) => [
      name,
      call.body,
    ])
  expect(steps({})).toEqual([['create', desired]])
  expect(steps({}, live())).toEqual([])
  expect(steps({ access_level: 'VIEWER' }, live())).toEqual([['update', { access_level: 'VIEWER' }]])
})
test('a level that an owner alone may give says so before it is sent', () => {
  const by = (access_level: 'VIEWER' | 'EDITOR' | 'ADMINISTRATOR', there?: ReturnType<typeof live>) =>
    WorkspaceInvite.steps(wantedView(WorkspaceInvite, { desired: { ...desired, access_level }, recorded: desired, live: there })).map((step) => step.access)
  expect([by('EDITOR'), by('ADMINISTRATOR'), by('VIEWER', live()), by('ADMINISTRATOR', live())]).toEqual([[undefined], ['owner'], [undefined], ['owner']])
})
test('its code is an output that is told once, by the answer to its create: what a read shows of it is recorded nowhere', () => {
  expect(WorkspaceInvite.outputsOf(live({ code: 'abc', expires: '2026-01-08T00:00:00Z' }))).toEqual({ id: '1', expires: '2026-01-08T00:00:00Z' })
  expect(WorkspaceInvite.outputs.code).toMatchObject({ sensitive: true, once: true })
})
test('the address is compared without case', () => {
  expect(normaliseSpec(WorkspaceInvite, { ...desired, email: 'Ada@Example.com' })).toEqual(desired)
  const unknown = { ...desired, email: '\u0001unknown\u0001Vpc/A /id\u0002' }
  expect(normaliseSpec(WorkspaceInvite, unknown)).toEqual(unknown)
})
test('what an owner is by is no invite', () => {
  expect([live(), live({ access_level: 'OWNER' })].map((one) => WorkspaceInvite.ours?.(one))).toEqual([true, false])
  expect(WorkspaceInvite.whose?.(live({ access_level: 'OWNER' }))).toBe('invites an owner, which no manifest can')
})
test('to replace one is warned of', () => {
  const peer = (action: string): Peer => ({ address: 'WorkspaceInvite/ada', kind: 'WorkspaceInvite', workspace: '9', spec: desired, action })
  expect(['create', 'update', 'replace'].map((action) => WorkspaceInvite.advise?.([peer(action)]).length)).toEqual([0, 0, 1])
})
