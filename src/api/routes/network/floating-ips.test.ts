// The bodies of floating IPs and their reverse DNS: what they take, and what they refuse.
import { describeBodies } from '../../../../test/builders/route-bodies.ts'
import { floatingIps } from './floating-ips.ts'

describeBodies(floatingIps, {
  createFloatingIp: {
    takes: [{ type: 'IPv4', ddos: true, region: 'eu' }],
    refuses: [
      { type: 'IPv4', region: 'eu' },
      { type: 'v4', ddos: true, region: 'eu' },
    ],
  },
  setDns: {
    takes: ['mail.example.org', 'mail.example.org.', 'a', '1.2.3.4.in-addr.arpa', 'a-b.c--d', '1a.2b', `${'a'.repeat(63)}.b`, 'a_b.example'].map((dns) => ({
      dns,
    })),
    refuses: [
      ...['not a host', '-a.example', 'a.b-', 'a.b-.', 'a-.b', '-', '1.2.3.4', 'a.123', 'a.123.', '123', 'a..b', '.a', `${'a'.repeat(64)}.b`].map((dns) => ({
        dns,
      })),
      {},
    ],
  },
})
