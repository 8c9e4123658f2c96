// Who calls the store of a state: every place that is asked, in order, and keys that end.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { socketTransport } from '../../../api/transport/socket-transport.ts'
import { TransportError } from '../../../api/transport/wire.ts'
import { realClock } from '../../../base/clock.ts'
import { Failure } from '../../../base/diagnostic.ts'
import type { Caller } from '../../../state/backends/s3/caller.ts'
import { findCaller } from './find-caller.ts'
import { readProfile } from './profile.ts'

type Environment = Readonly<Record<string, string>>
type Answers = (request: IncomingMessage, body: string) => { readonly status?: number; readonly text?: string } | 'silent'

const json = (id: string, ends = '2026-01-01T06:00:00Z', code = 'Success'): string =>
  JSON.stringify({ Code: code, AccessKeyId: id, SecretAccessKey: 'canary-secret', Token: 'canary-token', Expiration: ends })
const xml = (id: string, ends = '2026-01-01T06:00:00Z'): string =>
  `<AssumeRoleWithWebIdentityResponse><Credentials><AccessKeyId>${id}</AccessKeyId><SecretAccessKey>canary-secret</SecretAccessKey><SessionToken>canary-token</SessionToken><Expiration>${ends}</Expiration></Credentials></AssumeRoleWithWebIdentityResponse>`
const issued = (accessKeyId: string) => ({ accessKeyId, secretAccessKey: 'canary-secret', sessionToken: 'canary-token' })

let folder: string
let asked: string[]
let answers: Answers
let server: ReturnType<typeof createServer>
let origin: string
let wallMs: number

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'iac-caller-'))
  asked = []
  wallMs = Date.parse('2026-01-01T00:00:00Z')
  server = createServer((request, response) => void serve(request, response))
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  origin = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
})

afterEach(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  rmSync(folder, { recursive: true })
})

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = ''
  for await (const chunk of request) body += String(chunk)
  const { authorization, 'x-aws-ec2-metadata-token': token } = request.headers
  asked.push([request.method, request.url, authorization ?? token].filter(Boolean).join(' '))
  const answer = answers(request, body)
  if (answer !== 'silent') response.writeHead(answer.status ?? 200).end(answer.text ?? '')
}

function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text, { mode: 0o600 })
  return join(folder, name)
}

function callerIn(environment: Environment): Caller {
  const around = {
    environment: { AWS_SHARED_CREDENTIALS_FILE: join(folder, 'credentials'), AWS_CONFIG_FILE: join(folder, 'config'), ...environment },
    homeFolder: '/nowhere',
    userId: process.getuid?.(),
  }
  const clock = { ...realClock(), wall: () => wallMs }
  const services = { clock, wayTo: async (at: string) => socketTransport({ baseUrl: at }) }
  return findCaller({ around, profile: () => readProfile(around), region: 'eu-1', services, places: { container: origin, instance: origin } })
}

async function told(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof Failure) return `${error.exitCode} ${JSON.stringify(error.diagnostics)}`
  if (error instanceof TransportError) return `later ${error.message}`
  throw error ?? new Error('succeeded')
}

/** The metadata of a machine whose role is `app`. */
const machine: Answers = ({ method, url }) => {
  if (method === 'PUT') return { text: 'of-the-machine' }
  return { text: url?.endsWith('/app') === true ? json('MACHINE') : 'app\n' }
}

test('each place is asked after the one before it', async () => {
  answers = (request, body) => {
    if (body.includes('AssumeRoleWithWebIdentity')) return { text: xml('IDENTITY') }
    return request.url === '/container' ? { text: json('CONTAINER') } : machine(request, body)
  }
  const all: Record<string, string> = {
    AWS_ACCESS_KEY_ID: 'ENVIRONMENT',
    AWS_SECRET_ACCESS_KEY: 'canary-secret',
    AWS_SESSION_TOKEN: 'canary-token',
    AWS_WEB_IDENTITY_TOKEN_FILE: file('token', 'canary-identity\n'),
    AWS_ROLE_ARN: 'arn:aws:iam::1:role/app',
    AWS_ENDPOINT_URL_STS: origin,
    AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: '/container',
  }
  file('credentials', '[default]\naws_access_key_id = FILE\naws_secret_access_key = canary-secret\naws_session_token = canary-token\n')
  expect(await callerIn(all).keys()).toEqual(issued('ENVIRONMENT'))
  for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN']) delete all[name]
  expect(await callerIn(all).keys()).toEqual(issued('IDENTITY'))
  delete all['AWS_WEB_IDENTITY_TOKEN_FILE']
  expect(await callerIn(all).keys()).toEqual(issued('FILE'))
  rmSync(join(folder, 'credentials'))
  expect(await callerIn(all).keys()).toEqual(issued('CONTAINER'))
  delete all['AWS_CONTAINER_CREDENTIALS_RELATIVE_URI']
  expect(await callerIn(all).keys()).toEqual(issued('MACHINE'))
  const path = '/latest/meta-data/iam/security-credentials/'
  expect(asked).toEqual(['POST /', 'GET /container', 'PUT /latest/api/token', `GET ${path} of-the-machine`, `GET ${path}app of-the-machine`])
  expect(await told(callerIn({ ...all, AWS_EC2_METADATA_DISABLED: 'TRUE' }).keys())).toMatch(
    /^4 .*nothing says who calls.*profile default.*AWS_EC2_METADATA_DISABLED/,
  )
  expect(asked).toHaveLength(5)
})

test('a profile of either file, which is no half of one; in neither it is told', async () => {
  file(
    'credentials',
    '# mine\n[default]\naws_access_key_id = a\naws_secret_access_key = b\n\n[ team ]\r\nAWS_ACCESS_KEY_ID=c\naws_secret_access_key=d=\naws_session_token=e\n[half]\naws_access_key_id=f\n',
  )
  file(
    'config',
    '[profile half]\naws_access_key_id=g\naws_secret_access_key=h\n[profile one]\nsso_session = x\n[other]\naws_access_key_id=i\naws_secret_access_key=j\n',
  )
  expect(await callerIn({}).keys()).toMatchObject({ accessKeyId: 'a', secretAccessKey: 'b' })
  expect(await callerIn({ AWS_PROFILE: 'team' }).keys()).toEqual({ accessKeyId: 'c', secretAccessKey: 'd=', sessionToken: 'e' })
  expect(await callerIn({ AWS_PROFILE: 'half' }).keys()).toMatchObject({ accessKeyId: 'g', secretAccessKey: 'h' })
  expect(await told(callerIn({ AWS_PROFILE: 'other' }).keys())).toMatch(/^4 .*the profile other/)
  expect(await told(callerIn({ AWS_PROFILE: 'one' }).keys())).toMatch(/^4 .*by sso_session.*aws configure export-credentials --profile one --format env/)
  chmodSync(join(folder, 'credentials'), 0o666)
  expect(await told(callerIn({}).keys())).toMatch(/^4 .*can be written by others/)
})

test('half of a pair in the environment is told', async () => {
  expect(await told(callerIn({ AWS_ACCESS_KEY_ID: 'a' }).keys())).toMatch(/^4 .*AWS_SECRET_ACCESS_KEY is not set/)
  expect(await told(callerIn({ AWS_SECRET_ACCESS_KEY: 'canary', AWS_ACCESS_KEY_ID: '' }).keys())).toMatch(/^4 .*AWS_ACCESS_KEY_ID is not set/)
})

test('a web identity is asked for with its file as it is by now, that of a profile, too', async () => {
  const bodies: URLSearchParams[] = []
  answers = (_, body) => {
    bodies.push(new URLSearchParams(body))
    return { text: xml(`ID${bodies.length}`, new Date(wallMs + 3_600_000).toISOString()) }
  }
  const token = file('token', 'canary-one')
  file('config', `[profile pod]\nrole_arn = arn:aws:iam::1:role/pod\nweb_identity_token_file = ${token}\nrole_session_name = of-the-pod\n`)
  const caller = callerIn({ AWS_PROFILE: 'pod', AWS_ENDPOINT_URL_STS: origin })
  expect(await caller.keys()).toEqual(issued('ID1'))
  file('token', 'canary-two\n')
  wallMs += 3_599_000
  expect(await caller.keys()).toEqual(issued('ID2'))
  expect(bodies.map((one) => [one.get('Action'), one.get('RoleArn'), one.get('RoleSessionName'), one.get('WebIdentityToken')])).toEqual(
    ['canary-one', 'canary-two'].map((text) => ['AssumeRoleWithWebIdentity', 'arn:aws:iam::1:role/pod', 'of-the-pod', text]),
  )
})

const identity = { AWS_ROLE_ARN: 'arn:aws:iam::1:role/app' }
test.each<[string, Answers, Environment, RegExp]>([
  [
    'a token that is refused',
    () => ({ status: 400, text: '<Error><Code>InvalidIdentityToken</Code><Message>canary</Message></Error>' }),
    identity,
    /^4 .*gives no keys for the role.*400, InvalidIdentityToken.*trust policy/,
  ],
  ['a provider that cannot be reached', () => ({ status: 400, text: '<Code>IDPCommunicationError</Code>' }), identity, /^later .*IDPCommunicationError/],
  ['a service that fails', () => ({ status: 503, text: 'canary' }), identity, /^later .*503/],
  ['an answer without keys', () => ({ text: '<html>canary</html>' }), identity, /^4 .*gives no keys/],
  ['a redirect', () => ({ status: 302, text: 'canary' }), identity, /^4 .*\(302\)/],
  ['a role that is missing', () => ({}), {}, /^4 .*AWS_ROLE_ARN/],
  ['a file that is missing', () => ({}), { ...identity, AWS_WEB_IDENTITY_TOKEN_FILE: '/nowhere/token' }, /^4 .*no token in \/nowhere\/token/],
  ['a service in clear text', () => ({}), { ...identity, AWS_ENDPOINT_URL_STS: 'http://sts.example.com' }, /^3 .*AWS_ENDPOINT_URL_STS is not allowed/],
])('of a web identity, %s is told', async (_, given, environment, says) => {
  answers = given
  const text = await told(callerIn({ AWS_WEB_IDENTITY_TOKEN_FILE: file('token', 'canary'), AWS_ENDPOINT_URL_STS: origin, ...environment }).keys())
  expect(text).toMatch(says)
  expect(text).not.toContain('canary')
})

test('a container is asked with the token that its environment holds, the file before the text', async () => {
  answers = () => ({ text: json('CONTAINER') })
  const at = { AWS_CONTAINER_CREDENTIALS_FULL_URI: `${origin}/full?x=1`, AWS_CONTAINER_AUTHORIZATION_TOKEN: 'Bearer text' }
  expect(await callerIn(at).keys()).toEqual(issued('CONTAINER'))
  await callerIn({ ...at, AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: file('token', 'Bearer file\n') }).keys()
  await callerIn({ ...at, AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: '/relative' }).keys()
  expect(asked).toEqual(['GET /full?x=1 Bearer text', 'GET /full?x=1 Bearer file', 'GET /relative Bearer text'])
})

test.each([
  ['http://example.com/keys', /^3 .*neither https, nor on loopback/],
  ['http://169.254.169.254/latest', /^3 .*neither https, nor on loopback/],
  ['http://127.0.0.1.example.com/', /^3 .*neither https, nor on loopback/],
  ['file:///etc/passwd', /^3 .*neither https, nor on loopback/],
  ['https://user:canary@example.com/', /^3 .*is no address/],
  ['keys', /^3 .*is no address/],
])('a container is not asked at %s', async (full, says) => {
  const text = await told(callerIn({ AWS_CONTAINER_CREDENTIALS_FULL_URI: full, AWS_CONTAINER_AUTHORIZATION_TOKEN: 'canary' }).keys())
  expect(text).toMatch(says)
  expect(text).not.toContain('canary')
})

test('a relative address of a container stays at its service', async () => {
  expect(await told(callerIn({ AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: '//evil.example.com/' }).keys())).toMatch(/^3 .*is no path/)
  expect(await told(callerIn({ AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: '@evil.example.com/' }).keys())).toMatch(/^3 .*is no path/)
})

test.each<[string, Answers, RegExp]>([
  ['silence', () => 'silent', /^4 .*nothing says who calls.*no metadata of a machine answer/],
  ['a service that fails', () => ({ status: 500 }), /^4 .*nothing says who calls/],
  ['no token', () => ({ status: 403 }), /^4 .*no token is given \(403\)/],
  ['no role', ({ method }) => ({ status: method === 'PUT' ? 200 : 404, text: 't' }), /^4 .*the machine has no role/],
  ['the name of a role that is a way', ({ method }) => ({ text: method === 'PUT' ? 't' : '../../x' }), /^4 .*its role is not told/],
  [
    'a refusal',
    ({ method, url }) => ({
      text: method === 'PUT' ? 't' : url?.endsWith('/app') === true ? '{"Code":"AssumeRoleUnauthorizedAccess","Message":"canary"}' : 'app',
    }),
    /^4 .*no keys are given \(200, AssumeRoleUnauthorizedAccess\)/,
  ],
  ['too much', ({ method }) => ({ text: method === 'PUT' ? 't' : 'x'.repeat(70_000) }), /^4 .*nothing says who calls/],
])('%s of the metadata of a machine is told within seconds', async (_, given, says) => {
  answers = given
  const text = await told(callerIn({}).keys())
  expect(text).toMatch(says)
  expect(text).not.toContain('canary')
})

test('keys that end are replaced before they do, beside the work while there is time, and as long as they live a service may fail', async () => {
  let count = 0
  let isFailing = false
  answers = () => {
    count += 1
    return isFailing ? { status: 500 } : { text: json(`K${count}`, new Date(wallMs + 900_000).toISOString()) }
  }
  const caller = callerIn({ AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: '/' })
  const [one, same] = await Promise.all([caller.keys(), caller.keys()])
  expect([one.accessKeyId, same.accessKeyId, count]).toEqual(['K1', 'K1', 1])
  wallMs += 500_000
  expect([(await caller.keys()).accessKeyId, count]).toEqual(['K1', 1])
  wallMs += 150_000
  expect((await caller.keys()).accessKeyId).toBe('K1')
  await expect.poll(async () => (await caller.keys()).accessKeyId).toBe('K2')
  isFailing = true
  wallMs += 899_000
  expect((await caller.keys()).accessKeyId).toBe('K2')
  wallMs += 30_000
  expect(await told(caller.keys())).toMatch(/^later .*answers 500/)
  isFailing = false
  const next = await caller.keys()
  expect(next.accessKeyId).toBe(`K${count}`)
  expect([caller.ended(next), caller.ended(next)]).toEqual([true, true])
  expect((await caller.keys()).accessKeyId).not.toBe(next.accessKeyId)
})
