// The bodies of VPCs: what they take, and what they refuse.
import { describeBodies } from '../../../../test/builders/route-bodies.ts'
import { vpcs } from './vpcs.ts'

describeBodies(vpcs, {
  createVpc: {
    takes: [{ name: 'main', description: '', range: '172.31.0.5/16' }],
    refuses: [
      { name: 'abc', description: '', range: '10.0.0.0/8' },
      { name: 'main', range: '10.0.0.0/8' },
      { name: 'main', description: 'x'.repeat(241), range: '10.0.0.0/8' },
      { name: 'main', description: '', range: '172.32.0.0/16' },
      { name: 'main', description: '', range: '10.0.0.0/7' },
    ],
  },
  updateVpc: {
    takes: [{ description: 'x' }],
    refuses: [{ range: '10.0.0.0/8' }],
  },
  joinVpc: {
    takes: [{ vpc: '1' }],
    refuses: [{ vpc: '0' }, {}],
  },
})
