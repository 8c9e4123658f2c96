// The bodies of DHCP settings: what they take, and what they refuse.
import { describeBodies } from '../../../../test/builders/route-bodies.ts'
import { dhcp } from './dhcp.ts'

describeBodies(dhcp, {
  setDhcp: {
    takes: [{}, { enabled: true, v4: '1', v6: '2' }],
    refuses: [{ v4: null }, { enabled: 1 }],
  },
})
