// The bodies of disks: what they take, and what they refuse.
import { describeBodies } from '../../../../test/builders/route-bodies.ts'
import { disks } from './disks.ts'

describeBodies(disks, {
  createDisk: {
    takes: [{ name: 'd', size: 1e10, backend: 'CEPH', region: 'eu' }],
    refuses: [
      { name: 'd', size: 1e10, backend: 'CEPH' },
      { name: 'd', size: 1e10, backend: 'OTHER', region: 'eu' },
      { name: 'd', size: 0.5, backend: 'CEPH', region: 'eu' },
    ],
  },
  updateDisk: {
    takes: [{ name: 'd' }],
    refuses: [{ size: 1 }],
  },
  attachDisk: {
    takes: [{ instance_id: '1' }],
    refuses: [{ instance_id: 'web' }, {}],
  },
  resizeDisk: {
    takes: [{ size: 2e10 }],
    refuses: [{ size: 0 }, {}],
  },
})
