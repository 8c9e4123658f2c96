// The bodies of rate cards: what they take, and what they refuse.
import { describeBodies } from '../../../../test/builders/route-bodies.ts'
import { prices } from './prices.ts'

const expires = '2030-01-01T00:00:00Z'
const price = { type: 'CPU', region: 'eu', unit_rate: 5 }

describeBodies(prices, {
  createPrice: {
    takes: [
      { ...price, service_group: 'g', cpu_model: 'm', effective_from: expires },
      { ...price, type: 'MEMORY' },
      { ...price, type: 'IP', family: 'IPv4', ddos: true },
    ],
    refuses: [
      { ...price, direction: 'UPLOAD' },
      { ...price, type: 'DISK' },
      { type: 'CPU', region: 'eu' },
    ],
  },
  updatePrice: {
    takes: [{ unit_rate: 0, effective_from: '2030-01-01T00:00:00+02:00' }],
    refuses: [{ region: 'eu' }, { unit_rate: -1 }],
  },
})
