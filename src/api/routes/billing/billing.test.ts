// The bodies of estimates: what they take, and what they refuse.
import { describeBodies } from '../../../../test/builders/route-bodies.ts'
import { billing } from './billing.ts'

describeBodies(billing, {
  estimatePrice: {
    takes: [
      {
        region: 'eu',
        parts: [
          { type: 'CPU', cpu: 2, service_group: 'RYZEN', cpu_model: 'm' },
          { type: 'MEMORY', memory_bytes: 1 },
          { type: 'STORAGE', storage_bytes: 1, storage_backing: 'LOCAL' },
          { type: 'BANDWIDTH', direction: 'UPLOAD', speed_bytes_sec: 1 },
          { type: 'FLOATING_IP', family: 'IPv4', ddos: true },
          { type: 'FLOATING_IP', family: 'IPv6' },
        ],
      },
    ],
    refuses: [
      { parts: [] },
      { region: 'eu', parts: [{ type: 'IP' }] },
      { region: 'eu', parts: [{ type: 'FLOATING_IP', family: 'IPv6', ddos: true }] },
      { region: 'eu', parts: [{ type: 'CPU', memory_bytes: 1 }] },
    ],
  },
})
