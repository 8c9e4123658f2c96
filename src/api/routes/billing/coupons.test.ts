// The bodies of coupons: what they take, and what they refuse.
import { describeBodies } from '../../../../test/builders/route-bodies.ts'
import { coupons } from './coupons.ts'

describeBodies(coupons, {
  redeemCoupon: {
    takes: [{ code: 'c' }],
    refuses: [{}],
  },
  createCoupon: {
    takes: [
      { amount: 5, uses: 1 },
      { amount: 5, uses: 1, code: 'c', expiry_days: 1, flags: ['F'], note: 'n' },
    ],
    refuses: [{ amount: 5 }, { amount: 5, uses: 0 }],
  },
})
