// Secrets in answers: what routes mark is found by name, wherever it stands, and nothing that repeats it is left.
import { expect, test } from 'vitest'
import { routes } from '../routes/routes.ts'
import { maskSecrets, secretMembers, secretTexts, sentSecrets, withoutSecrets } from './secret-members.ts'

const canary = 'canary-9911'

test('what is secret everywhere is marked on some route, and shown as something else on none', () => {
  const names = ['cloudinit', 'coupon', 'environment', 'invitecode', 'mfa', 'oldpassword', 'password', 'reset', 'token', 'uri']
  expect([...secretMembers(undefined)].toSorted()).toEqual(names)
})
test('a code is secret where a route says so, and the word of a region elsewhere', () => {
  expect(secretMembers(routes.getInvite).has('code')).toBe(true)
  expect(secretMembers(routes.listK3sSecrets).has('data')).toBe(true)
  expect(secretMembers(routes.getInstance).has('code')).toBe(false)
})
test.each([
  [{ password: canary }],
  [{ Password: canary }],
  [{ PASS_WORD: canary, passWord: canary }],
  [{ session: { auth: { 'pass-word': canary } } }],
  [{ sessions: [{ password: canary }, [{ password: [canary] }]] }],
  [{ password: { current: canary, all: [canary] } }],
  [{ password: canary, note: canary }],
  [{ password: canary, address: `bgp://me:${canary}@host` }],
  [{ password: canary, [canary]: 'its name' }],
  [{ password: 99_119_911n, note: '99119911' }],
])('%o shows nothing', (record) => {
  const shown = withoutSecrets(record, secretMembers(routes.getBgp))
  expect(JSON.stringify(shown)).not.toMatch(/canary|99119911/)
})
test('the rest stays as it is', () => {
  const rest = { asn: 64512, list: [[1], [2, null]], on: false, instance: { id: '5', code: 'x' } }
  expect(withoutSecrets({ ...rest, password: 'ab' }, secretMembers(routes.getBgp))).toEqual(rest)
})
test('texts that a route marks are told, whatever the object around them', () => {
  expect(secretTexts(routes.getBgp, { data: { asn: 1 }, live: { password: canary } })).toEqual([canary])
  expect(secretTexts(routes.listInvites, [{ id: '1', code: canary }, { id: '2' }])).toEqual([canary])
  expect(secretTexts(routes.getVpc, { id: '1', password: canary })).toEqual([])
})
test.each([
  ['/v1/users/1/password', { old_password: 'a', password: 'b', name: 'c' }, ['a', 'b']],
  ['/v1/workspaces/1/k3s/secrets', { name: 'x', data: { A: 'd' } }, ['d']],
  ['/v1/login', { email: 'e', password: 'f', mfa: 778_899 }, ['f', '778899']],
  ['/v1/coupons/redeem', { code: 'g' }, ['g']],
  ['/v1/instances/5', { code: 'x', data: 'y' }, []],
  ['/v1/unknown', [{ nested: [{ Pass_Word: 'h' }] }, null], ['h']],
])('what is sent to %s: its secrets are known', (path, sent, secrets) => {
  expect(sentSecrets(path, sent)).toEqual(secrets)
})
test('people see null in its place, and a record that its member wraps', () => {
  const names = secretMembers(routes.listK3sSecrets)
  expect(maskSecrets({ data: { id: '1', keys: ['A'], data: { A: canary } }, live: null }, names)).toEqual({
    data: { id: '1', keys: ['A'], data: null },
    live: null,
  })
  expect(maskSecrets({ id: '1', data: { id: '5', A: canary }, note: canary }, names)).toEqual({ id: '1', data: null, note: null })
})
