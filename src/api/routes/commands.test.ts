// The bodies of calls whose shapes the document does not show: what they take, and what they refuse.
import { describeBodies } from '../../../test/builders/route-bodies.ts'
import { undocumentedRoutes } from './commands.ts'

describeBodies(undocumentedRoutes, {
  attachIp: {
    takes: [{ ip_id: '1', instance_id: '2' }],
    refuses: [{ ip_id: '1' }],
  },
  detachIp: {
    takes: [{ ip_id: '1' }],
    refuses: [{}, { ip_id: '1', instance_id: '2' }],
  },
})
