// Workspaces: settings as a second step, and removal that only forgets.
import { expect, test } from 'vitest'
import { cannedAt, cannedReader } from '../../test/builders/canned-reader.ts'
import { wantedView } from '../../test/builders/wanted-view.ts'
import type { Compat } from '../api/calls/compat.ts'
import type { JsonObject } from '../base/json.ts'
import { readShape } from './definition/shape.ts'
import { Workspace } from './workspace.ts'

const desired = { name: 'shop', mfa_required: true }
async function read(answer: JsonObject, compat: Partial<Compat> = {}) {
  const one = await Workspace.read(cannedReader({ '/v1/workspaces/1': { id: '1', name: 'shop', ...answer } }, compat), '1', cannedAt())
  if (!one) throw new Error('it is not there')
  return one
}
const live = (answer: object) => readShape(Workspace.live, { id: '1', name: 'shop', ...answer }, {})

test('takes its name first and its settings after it', () => {
  const steps = Workspace.steps(wantedView(Workspace, { desired }))
  expect(steps.map((step) => [step.name, step.sets])).toEqual([
    ['create', { name: 'shop' }],
    ['update', { mfa_required: true }],
  ])
})
test.each([
  [{}, undefined],
  [{ flags: [] }, false],
  [{ flags: ['MFA_REQUIRED'] }, true],
  [{ mfa_required: true, flags: [] }, true],
])('with %o it shows mfa_required as %o', async (answer, shown) => {
  const one = await read(answer)
  expect(Workspace.toSpec(one).mfa_required).toBe(shown)
  const steps = Workspace.steps(wantedView(Workspace, { desired, recorded: { name: 'shop', mfa_required: true }, live: one }))
  expect(steps).toHaveLength(shown === false ? 1 : 0)
})
test('reads the words that workspace_flags names', async () => {
  const compat = { workspace_flags: { mfa_required: 'TWO_FACTOR', disable_ssh_password: 'KEYS_ONLY' } }
  const one = await read({ flags: ['KEYS_ONLY', 'MFA_REQUIRED'] }, compat)
  expect(Workspace.toSpec(one)).toEqual({ name: 'shop', mfa_required: false, disable_ssh_password: true })
})
test('cannot be deleted', () => {
  expect(Workspace.removal({ id: '1', workspaceId: '', recorded: desired, live: live({}), fresh: false, nowMs: 0 })).toEqual([])
})
