// The bodies of BGP: what they take, and what they refuse.
import { describeBodies } from '../../../../test/builders/route-bodies.ts'
import { bgp } from './bgp.ts'

const prefix = { prefix: '203.0.113.0/24', source: 'MANUAL', enabled: true, community: 'DEFAULT' }

describeBodies(bgp, {
  updateBgp: {
    takes: [{ asn: 64512, password: 'p', instance_id: null, max_prefixes: 3 }, { instance_id: '8' }],
    refuses: [{ asn: 0 }, { asn: null }],
  },
  createBgpPrefix: {
    takes: [prefix],
    refuses: [
      { ...prefix, prefix: '203.0.113.0' },
      { ...prefix, source: 'AUTO' },
      { ...prefix, enabled: undefined },
    ],
  },
  updateBgpPrefix: {
    takes: [{ ...prefix, prefix: '2001:db8::/32', community: 'PROTECTED' }],
    refuses: [{ ...prefix, community: 'OTHER' }, { prefix: '203.0.113.0/24' }],
  },
})
