// The bodies of wallets: what they take, and what they refuse.
import { describeBodies } from '../../../../test/builders/route-bodies.ts'
import { wallet } from './wallet.ts'

describeBodies(wallet, {
  topUpWallet: {
    takes: [{ amount: 1 }, { amount: 1, payment_ref: 'r' }],
    refuses: [{}, { amount: 1.5 }],
  },
  adjustWallet: {
    takes: [{ amount: -5, memo: 'm' }],
    refuses: [{ memo: 'm' }],
  },
  refundWallet: {
    takes: [{ amount: 5, reference: 'r', memo: 'm' }],
    refuses: [{ amount: -5 }],
  },
  creditWalletCoupon: {
    takes: [{ amount: 5, code: 'c', expiry_days: 30 }],
    refuses: [{ code: 'c' }],
  },
})
