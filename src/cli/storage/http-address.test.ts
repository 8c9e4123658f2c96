// Where a state on a server is, and who calls.
import { expect, test } from 'vitest'
import { Failure } from '../../base/diagnostic.ts'
import { httpAddress } from './http-address.ts'

const settings = { backend: 'http', suffix: null } as const
const gitlab = 'https://gitlab.example.com/api/v4/projects/1/terraform/state/shop'
const caller = { TF_HTTP_USERNAME: 'ci', TF_HTTP_PASSWORD: 'canary' }

function refusal(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    if (error instanceof Failure) return `${error.exitCode} ${JSON.stringify(error.diagnostics)}`
    throw error
  }
  throw new Error('succeeded')
}

test('is what iac.yaml says, else what the environment of OpenTofu says, each by itself', () => {
  const environment = {
    TF_HTTP_ADDRESS: `${gitlab}?ref=1`,
    TF_HTTP_LOCK_ADDRESS: `${gitlab}/lock`,
    TF_HTTP_UNLOCK_ADDRESS: `${gitlab}/lock`,
    TF_HTTP_LOCK_METHOD: 'POST',
    TF_HTTP_UPDATE_METHOD: 'PUT',
    TF_HTTP_RETRY_MAX: '3',
    TF_HTTP_RETRY_WAIT_MIN: '2',
    TF_HTTP_RETRY_WAIT_MAX: '8',
    ...caller,
  }
  const path = '/api/v4/projects/1/terraform/state/shop'
  expect(httpAddress({ ...settings, unlockMethod: 'DELETE' }, { environment })).toEqual({
    where: `the state ${gitlab}`,
    origin: 'https://gitlab.example.com',
    state: `${path}?ref=1`,
    journal: undefined,
    updateMethod: 'PUT',
    locking: { lock: { method: 'POST', path: `${path}/lock` }, unlock: { method: 'DELETE', path: `${path}/lock` } },
    authorization: `Basic ${Buffer.from('ci:canary').toString('base64')}`,
    retrying: { most: 3, firstMs: 2000, longestMs: 8000 },
  })
  expect(httpAddress({ ...settings, address: 'https://h/s' }, { environment: { TF_HTTP_ADDRESS: gitlab } })).toMatchObject({
    origin: 'https://h',
    state: '/s',
    updateMethod: 'POST',
    locking: undefined,
    authorization: undefined,
  })
})

test.each([
  ['https://h/s', 'https://h/s/lock', 'https://h/j.json', '/s-dev', '/s-dev/lock', '/j-dev.json'],
  ['https://h/a/s.tfstate', 'https://h/a/s.tfstate', 'https://h/a/s.tfstate/journal', '/a/s-dev.tfstate', '/a/s-dev.tfstate', '/a/s-dev.tfstate/journal'],
  ['https://h/s?a=1', 'https://h/locks/s?b=2', 'https://h/s2', '/s-dev?a=1', '/locks/s-dev?b=2', '/s2-dev'],
])('an environment adds its name to the last part of each: %s %s %s', (address, lockAddress, journalAddress, state, lock, journal) => {
  const found = httpAddress({ ...settings, address, lockAddress, unlockAddress: lockAddress, journalAddress, suffix: 'dev' }, { environment: {} })
  expect(found).toMatchObject({ state, journal, locking: { lock: { method: 'LOCK', path: lock }, unlock: { method: 'UNLOCK', path: lock } } })
})

test.each([
  [{}, {}, /^9 .*nothing says where the state is.*TF_HTTP_ADDRESS/],
  [{ address: 'http://h.example.com/s' }, {}, /^3 .*is not https/],
  [{}, { TF_HTTP_ADDRESS: 'ftp://h/s' }, /^3 .*is not https: \\"ftp:\/\/h\\" with more/],
  [{}, { TF_HTTP_ADDRESS: 'ftp://hooks.test/T000/canary' }, /^3 .*is not https: \\"ftp:\/\/hooks.test\\" with more/],
  [{}, { TF_HTTP_ADDRESS: 'ftp://h/s?token=canary' }, /^3 .*is not https: \\"ftp:\/\/h\\" with more/],
  [{}, { TF_HTTP_ADDRESS: 'canary' }, /^3 .*is not a URL/],
  [{}, { TF_HTTP_ADDRESS: 'https://u:canary@h/s' }, /^3 .*holds a user or a password: \\"https:\/\/h\\" with more/],
  [{}, { TF_HTTP_ADDRESS: 'https://h/s#x' }, /^3 .*holds a fragment/],
  [{ address: 'https://h/s', lockAddress: 'https://h/s/lock' }, {}, /^3 .*lock_address is given without unlock_address/],
  [{ address: 'https://h/s', unlockAddress: 'https://h/s/lock' }, {}, /^3 .*unlock_address is given without lock_address/],
  [{ address: 'https://h/s', lockAddress: 'https://other/s', unlockAddress: 'https://h/s' }, {}, /^3 .*lock_address of the state is not at h/],
  [{ address: 'https://h/s', journalAddress: 'http://h/j' }, {}, /^3 .*journal_address of the state is not https/],
  [{ address: 'https://h/s' }, { TF_HTTP_PASSWORD: 'canary' }, /^3 .*without TF_HTTP_USERNAME/],
  [{ address: 'https://h/s' }, { TF_HTTP_UPDATE_METHOD: 'post it' }, /^3 .*TF_HTTP_UPDATE_METHOD is no method/],
  [{ address: 'https://h/s' }, { TF_HTTP_RETRY_MAX: 'many' }, /^3 .*TF_HTTP_RETRY_MAX is no whole number/],
] as const)('%j with %j is refused, and nothing of a password told', (own, environment, says) => {
  const text = refusal(() => httpAddress({ ...settings, ...own }, { environment }))
  expect(text).toMatch(says)
  expect(text).not.toContain('canary')
})

test('user and password go to no host that the environment does not name', () => {
  const at = (address: string, environment: Readonly<Record<string, string>>) => () =>
    httpAddress({ ...settings, address }, { environment: { ...caller, ...environment } })
  for (const [address, environment] of [
    ['https://evil.example.com/s', {}],
    ['https://evil.example.com/s', { IAC_STATE_HOST: 'good.example.com' }],
    ['https://evil.example.com/s', { TF_HTTP_ADDRESS: 'https://good.example.com/s' }],
    ['https://good.example.com:8443/s', { IAC_STATE_HOST: 'good.example.com' }],
    ['http://127.0.0.1:9/s', {}],
  ] as const)
    expect(refusal(at(address, environment))).toMatch(/^3 .*the environment does not name .*IAC_STATE_HOST=/)
  for (const [address, environment] of [
    ['https://good.example.com:8443/s', { IAC_STATE_HOST: 'good.example.com:8443' }],
    ['https://good.example.com/t', { TF_HTTP_ADDRESS: 'https://good.example.com/s' }],
    ['http://127.0.0.1:9/s', { IAC_STATE_HOST: '127.0.0.1:9' }],
  ] as const)
    expect(at(address, environment)().authorization).toMatch(/^Basic /)
})
