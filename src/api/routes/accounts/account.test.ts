// The bodies of accounts: what they take, and what they refuse.
import { describeBodies } from '../../../../test/builders/route-bodies.ts'
import { account } from './account.ts'

describeBodies(account, {
  login: {
    takes: [
      { email: 'a@b.example', password: 'short' },
      { email: 'a@b.example', password: 'short', mfa: '123456' },
    ],
    refuses: [{ email: 'a@b.example' }, { email: 'nobody', password: 'x' }],
  },
  register: {
    takes: [{ name: 'abc', email: 'a@b.example', password: '12345678', coupon: 'c', invite_code: 'i' }],
    refuses: [
      { name: 'ab', email: 'a@b.example', password: '12345678' },
      { name: 'abc', email: 'a@b.example', password: '1234567' },
    ],
  },
  resetPassword: {
    takes: [{ email: 'a@b.example' }, { code: 'c', password: '12345678' }],
    refuses: [{}, { email: 'a@b.example', code: 'c', password: '12345678' }, { code: 'c', password: 'short' }, { code: 'c' }],
  },
  verifyEmail: {
    takes: [{ email: 'a@b.example' }, { code: 'c' }],
    refuses: [{}, { email: 'a@b.example', code: 'c' }],
  },
  lockAccount: {
    takes: [{ code: 'c' }],
    refuses: [{ code: '' }],
  },
  updateUser: {
    takes: [{ name: 'abc' }, { email: 'a@b.example' }],
    refuses: [{ name: 'a'.repeat(33) }, { flags: [] }],
  },
  changePassword: {
    takes: [{ old_password: 'x', password: '12345678' }],
    refuses: [{ old_password: 'x', password: '1234567' }, { password: '12345678' }],
  },
  activateTotp: {
    takes: [{ code: '123456' }],
    refuses: [{}],
  },
})
