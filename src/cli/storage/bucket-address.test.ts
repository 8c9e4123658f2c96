// Where a bucket is, and who calls.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { realClock } from '../../base/clock.ts'
import { Failure } from '../../base/diagnostic.ts'
import { bucketAddress } from './bucket-address.ts'

const settings = { backend: 's3', bucket: 'states', key: 'shop/state.json' } as const
const keys = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'canary' }
const services = { clock: realClock(), wayTo: () => Promise.reject(new Error('nobody is asked')) }
const around = (environment: Readonly<Record<string, string>>) => ({ environment, homeFolder: '/nowhere', userId: process.getuid?.() })

async function refusal(work: () => unknown): Promise<string> {
  try {
    await work()
  } catch (error) {
    if (error instanceof Failure) return `${error.exitCode} ${JSON.stringify(error.diagnostics)}`
    throw error
  }
  throw new Error('succeeded')
}

test.each([
  [{ region: 'eu-west-1' }, {}, 'https://states.s3.eu-west-1.amazonaws.com', '', 'eu-west-1'],
  [{ region: 'cn-north-1' }, {}, 'https://states.s3.cn-north-1.amazonaws.com.cn', '', 'cn-north-1'],
  [{}, { AWS_REGION: 'eu-west-2' }, 'https://states.s3.eu-west-2.amazonaws.com', '', 'eu-west-2'],
  [{ bucket: 'a.b', region: 'x' }, {}, 'https://s3.x.amazonaws.com', '/a.b', 'x'],
  [{ endpoint: 'http://127.0.0.1:9000' }, {}, 'http://127.0.0.1:9000', '/states', 'us-east-1'],
  [{ endpoint: 'https://minio.example.com', pathStyle: false }, { IAC_STATE_HOST: 'minio.example.com' }, 'https://states.minio.example.com', '', 'us-east-1'],
  [
    { endpoint: 'https://minio.example.com:9000/' },
    { AWS_ENDPOINT_URL_S3: 'https://minio.example.com:9000' },
    'https://minio.example.com:9000',
    '/states',
    'us-east-1',
  ],
  [{}, { AWS_ENDPOINT_URL: 'https://minio.example.com' }, 'https://minio.example.com', '/states', 'us-east-1'],
  [
    { endpoint: 'https://s3.dualstack.eu-west-1.amazonaws.com', region: 'eu-west-1' },
    {},
    'https://s3.dualstack.eu-west-1.amazonaws.com',
    '/states',
    'eu-west-1',
  ],
])('%j with %j is %s%s', (more, environment, origin, folder, region) => {
  expect(bucketAddress({ ...settings, ...more }, around({ ...keys, ...environment }), services)).toMatchObject({ origin, folder, region })
})

test.each([
  [{ endpoint: 'https://evil.example.com' }, {}, /^3 .*the environment does not name evil\.example\.com.*IAC_STATE_HOST/],
  [{ endpoint: 'https://evil.example.com' }, { IAC_STATE_HOST: 'good.example.com' }, /^3 .*does not name/],
  [{ endpoint: 'https://x.execute-api.eu-west-1.amazonaws.com' }, {}, /^3 .*does not name/],
  [{ endpoint: 'https://evil.example.com:1' }, { AWS_ENDPOINT_URL_S3: 'https://evil.example.com' }, /^3 .*does not name/],
  [{ endpoint: 'http://minio.example.com' }, { IAC_STATE_HOST: 'minio.example.com' }, /^3 .*is not https/],
  [{}, { AWS_ENDPOINT_URL: 'https://a:canary@b' }, /^3 .*holds more than a host/],
  [{}, {}, /^3 .*in which region/],
] as const)('%j with %j is refused', async (more, environment, says) => {
  const text = await refusal(() => bucketAddress({ ...settings, ...more }, around({ ...keys, ...environment }), services))
  expect(text).toMatch(says)
  expect(text).not.toContain('canary')
})

test('the file of settings says region and endpoint where nothing else does', () => {
  const folder = mkdtempSync(join(tmpdir(), 'iac-settings-'))
  const path = join(folder, 'config')
  const text = `[default]
region = eu-9
[profile team]
region = eu-8
services = ours
s3 =
    addressing_style = path
    region = nested
[services ours]
s3 =
  endpoint_url = https://minio.example.com
sqs =
  endpoint_url = https://other.example.com
[profile all]
endpoint_url = https://all.example.com
`
  writeFileSync(path, text, { mode: 0o600 })
  const of = (environment: Readonly<Record<string, string>>, more: { readonly endpoint?: string } = {}) =>
    bucketAddress({ ...settings, ...more }, around({ ...keys, AWS_CONFIG_FILE: path, ...environment }), services)
  expect(of({})).toMatchObject({ origin: 'https://states.s3.eu-9.amazonaws.com', region: 'eu-9' })
  expect(of({ AWS_REGION: 'eu-1' })).toMatchObject({ region: 'eu-1' })
  expect(of({ AWS_PROFILE: 'team' })).toMatchObject({ origin: 'https://minio.example.com', region: 'eu-8' })
  expect(of({ AWS_PROFILE: 'all' })).toMatchObject({ origin: 'https://all.example.com', region: 'us-east-1' })
  expect(of({ AWS_PROFILE: 'team', AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: 'true' })).toMatchObject({ origin: 'https://states.s3.eu-8.amazonaws.com' })
  // What the user's own file names, the environment need not.
  expect(of({ AWS_PROFILE: 'all' }, { endpoint: 'https://all.example.com' })).toMatchObject({ origin: 'https://all.example.com' })
  rmSync(folder, { recursive: true })
})
