// The bodies of workspaces: what they take, and what they refuse.
import { describeBodies } from '../../../../test/builders/route-bodies.ts'
import { workspaces } from './workspaces.ts'

describeBodies(workspaces, {
  createWorkspace: {
    takes: [{ name: 'abcd' }],
    refuses: [{ name: 'abc' }, { name: 'a'.repeat(33) }, { name: 'abcd', mfa_required: true }],
  },
  updateWorkspace: {
    takes: [{ mfa_required: true, disable_ssh_password: false }],
    refuses: [{ mfa_required: 'yes' }, { owner: '1' }],
  },
})
