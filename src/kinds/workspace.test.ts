// Workspaces: settings as a second step, and removal that only forgets.
import { expect, test } from 'vitest'
import { readShape } from './shape.ts'
import { wantedView } from './wanted-view.ts'
import { Workspace } from './workspace.ts'

const desired = { name: 'shop', mfa_required: true }
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
])('with %o it shows mfa_required as %o', (answer, shown) => {
  expect(Workspace.toSpec(live(answer)).mfa_required).toBe(shown)
  const steps = Workspace.steps(wantedView(Workspace, { desired, recorded: { name: 'shop', mfa_required: true }, live: live(answer) }))
  expect(steps).toHaveLength(shown === false ? 1 : 0)
})
test('cannot be deleted', () => {
  expect(Workspace.removal({ id: '1', workspaceId: '', recorded: desired, live: live({}), fresh: false, nowMs: 0 })).toEqual([])
})
