// The bodies of invites: what they take, and what they refuse.
import { describeBodies } from '../../../../test/builders/route-bodies.ts'
import { invites } from './invites.ts'

describeBodies(invites, {
  createInvite: {
    takes: [{ email: 'a@b.example', access_level: 'EDITOR' }],
    refuses: [{ email: 'a@b.example', access_level: 'OWNER' }, { email: 'a@b.example' }],
  },
  acceptInvite: {
    takes: [{ code: 'c' }],
    refuses: [{ code: 'c', more: 1 }],
  },
  updateInvite: {
    takes: [{ access_level: 'VIEWER' }],
    refuses: [{}, { access_level: 'OWNER' }],
  },
})
