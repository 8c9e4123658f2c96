// The bodies of nodes of the cluster: what they take, and what they refuse.
import { describeBodies } from '../../../../test/builders/route-bodies.ts'
import { managedCluster } from './managed-cluster.ts'

describeBodies(managedCluster, {
  createK3sNode: {
    takes: [{ instance_id: '1' }],
    refuses: [{ instance_id: '-1' }],
  },
})
