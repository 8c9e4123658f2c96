// Where a bucket is, and who calls.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Failure } from '../../base/diagnostic.ts'
import { bucketAddress } from './bucket-address.ts'

const settings = { backend: 's3', bucket: 'states', key: 'shop/state.json' } as const
const keys = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'canary' }
const around = (environment: Readonly<Record<string, string>>) => ({ environment, homeFolder: '/nowhere', userId: process.getuid?.() })

function refusal(work: () => unknown): string {
  try {
    work()
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
  expect(bucketAddress({ ...settings, ...more }, around({ ...keys, ...environment }))).toMatchObject({ origin, folder, region })
})

test.each([
  [{ endpoint: 'https://evil.example.com' }, {}, /^3 .*the environment does not name evil\.example\.com.*IAC_STATE_HOST/],
  [{ endpoint: 'https://evil.example.com' }, { IAC_STATE_HOST: 'good.example.com' }, /^3 .*does not name/],
  [{ endpoint: 'https://x.execute-api.eu-west-1.amazonaws.com' }, {}, /^3 .*does not name/],
  [{ endpoint: 'https://evil.example.com:1' }, { AWS_ENDPOINT_URL_S3: 'https://evil.example.com' }, /^3 .*does not name/],
  [{ endpoint: 'http://minio.example.com' }, { IAC_STATE_HOST: 'minio.example.com' }, /^3 .*is not https/],
  [{}, { AWS_ENDPOINT_URL: 'https://a:canary@b' }, /^3 .*holds more than a host/],
  [{}, {}, /^3 .*in which region/],
  [{ region: 'x' }, { AWS_SECRET_ACCESS_KEY: '' }, /^4 .*nothing says who calls.*profile default/],
] as const)('%j with %j is refused', (more, environment, says) => {
  const text = refusal(() => bucketAddress({ ...settings, ...more }, around({ ...keys, ...environment })))
  expect(text).toMatch(says)
  expect(text).not.toContain('canary')
})

test('a profile of the file with keys is who calls where the environment has none, unless others can write it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'iac-keys-'))
  const path = join(folder, 'credentials')
  writeFileSync(
    path,
    '# mine\n[default]\naws_access_key_id = a\naws_secret_access_key = b\n\n[ team ]\r\nAWS_ACCESS_KEY_ID=c\naws_secret_access_key=d=\naws_session_token=e\n',
  )
  chmodSync(path, 0o600)
  const of = (environment: Readonly<Record<string, string>>) =>
    bucketAddress({ ...settings, region: 'x' }, around({ AWS_SHARED_CREDENTIALS_FILE: path, ...environment })).credentials
  expect(of({})).toEqual({ accessKeyId: 'a', secretAccessKey: 'b', sessionToken: undefined })
  expect(of({ AWS_PROFILE: 'team' })).toEqual({ accessKeyId: 'c', secretAccessKey: 'd=', sessionToken: 'e' })
  expect(of({ AWS_PROFILE: 'team', ...keys })).toMatchObject({ accessKeyId: 'id' })
  expect(refusal(() => of({ AWS_PROFILE: 'none' }))).toMatch(/^4 .*profile none/)
  chmodSync(path, 0o666)
  expect(refusal(() => of({}))).toMatch(/^4 .*can be written by others/)
  rmSync(folder, { recursive: true })
})
