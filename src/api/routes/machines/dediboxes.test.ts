// The bodies of dediboxes: what they take, and what they refuse.
import { describeBodies } from '../../../../test/builders/route-bodies.ts'
import { dediboxes } from './dediboxes.ts'

describeBodies(dediboxes, {
  updateDedibox: {
    takes: [{ name: 'abcd' }],
    refuses: [{ name: 'abc' }],
  },
  powerDedibox: {
    takes: [{ dedibox_id: '1', action: 'POWER_CYCLE' }],
    refuses: [{ dedibox_id: '1', action: 'SHUTDOWN' }, { action: 'POWER_ON' }],
  },
  resetDediboxVnc: {
    takes: [{ dedibox_id: '1' }],
    refuses: [{}],
  },
  createDediboxIp: {
    takes: [{ address: '192.0.2.1', type: 'IPv4' }],
    refuses: [{ address: '2001:db8::1', type: 'IPv4' }, { address: '192.0.2.1' }],
  },
  updateDediboxIp: {
    takes: [{ address: '2001:db8::1', type: 'IPv6' }],
    refuses: [{ address: '192.0.2.1', type: 'IPv6' }],
  },
})
