// `iac api`: headers that are given, answers that are text, and the question before a DELETE.
import { createServer } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { newFolder, runCli } from './run-cli.ts'
import type { Ran } from './run-cli.ts'

const closers: (() => void)[] = []
afterEach(() => closers.splice(0).forEach((close) => close()))

interface Service {
  readonly seen: IncomingMessage[]
  /** What was sent, by request. */
  readonly bodies: string[]
  run(words: readonly string[], options?: { readonly stdin?: string; readonly environment?: Readonly<Record<string, string>> }): Promise<Ran>
}

/** A service that answers everything alike, or repeats what was sent to it. */
async function service(type: string, body: string | ((sent: string) => string), status = 200): Promise<Service> {
  const seen: IncomingMessage[] = []
  const bodies: string[] = []
  const server = createServer((request, response) => {
    const at = seen.push(request) - 1
    bodies[at] = ''
    request.on('data', (chunk) => (bodies[at] += String(chunk)))
    request.on('end', () => response.writeHead(status, { 'content-type': type }).end(typeof body === 'string' ? body : body(`${request.url} ${bodies[at]}`)))
  })
  closers.push(() => server.close())
  const url = await new Promise<string>((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? `http://127.0.0.1:${address.port}` : '')
    })
  })
  const folder = newFolder()
  return {
    seen,
    bodies,
    run: (words, { stdin, environment } = {}) =>
      runCli(words[0] === 'coupons' ? words : ['api', ...words], {
        folder,
        token: 'a-token-of-some-length',
        environment: { IAC_BASE_URL: url, ...environment },
        ...(stdin === undefined ? {} : { stdin }),
      }),
  }
}

test.each([
  ['text/plain; charset=utf-8', 'one\n##[set-env name=X]\n{"a":1}\n', 'one\n##\\[set-env name=X]\n{"a":1}\n'],
  ['text/plain', '{"a":1}', '{"a":1}\n'],
  ['text/event-stream', 'data: one\n\n', 'data: one\n\n'],
  ['text/plain', '', ''],
  ['application/json', '{"a":1}', '{\n  "a": 1\n}\n'],
])('prints what is answered as %s: %j', async (type, body, printed) => {
  const { run } = await service(type, body)
  const { code, stdout } = await run(['GET', '/v1/any/logs'])
  expect([code, stdout.replace(/##.{0,2}\[/, '##\\[')]).toEqual([0, printed])
  expect((await run(['POST', '/v1/any/logs'])).stdout.replace(/##.{0,2}\[/, '##\\[')).toBe(printed)
})

test.each([
  [['-F', 'ip_id=5', '-F', 'instance_id=6'], '{"ip_id":5,"instance_id":6}'],
  [['-F', 'ip_id=abc'], '{"ip_id":"abc"}'],
  [['-F', 'ip_id=1152921504607008513', '-F', 'instance_id=null'], '{"ip_id":1152921504607008513,"instance_id":null}'],
])('sends a command on an address as it is written: %j', async (words, body) => {
  const { run, seen, bodies } = await service('application/json', '{}')
  expect(await run(['POST', '/v1/commands/attach-ip', ...words])).toMatchObject({ code: 0, stderr: '' })
  expect([seen.map((one) => one.url), bodies]).toEqual([['/v1/commands/attach-ip'], [body]])
})

test.each([
  [['-F', 'a[b]=c'], 'a cannot stand in a query: it is nested'],
  [['-F', 'a[]=b', '-F', 'a[][b]=c'], 'a cannot stand in a query: it is nested'],
])('sends no query that is nested: %j', async (words, says) => {
  const { run, seen } = await service('application/json', '[]')
  const { code, stderr } = await run(['GET', '/v1/any', ...words])
  expect([code, stderr, seen.length]).toEqual([3, expect.stringContaining(says), 0])
  expect((await run(['GET', '/v1/any', '-F', 'a[]=b', '-F', 'a[]=null'])).code).toBe(0)
  expect(seen[0]?.url).toBe('/v1/any?a=b&a=null')
})

test('takes no page of a proxy for a text', async () => {
  const { run } = await service('text/html', '<html>log in</html>')
  const { code, stderr } = await run(['GET', '/v1/any'])
  expect([code, stderr]).toEqual([1, expect.stringContaining('HTML')])
})

test('sends the headers that are given', async () => {
  const { run, seen } = await service('application/json', '{}')
  expect((await run(['GET', '/v1/any', '-H', 'X-MFA: 123 456', '-H', 'Accept:text/csv'])).code).toBe(0)
  expect((await run(['POST', '/v1/any', '-H', 'X-MFA:7', '-f', 'a=b'])).code).toBe(0)
  expect(seen.map(({ headers }) => [headers['x-mfa'], headers.accept, headers.authorization])).toMatchObject([
    ['123 456', 'text/csv', 'Bearer a-token-of-some-length'],
    ['7', expect.stringContaining('application/json'), 'Bearer a-token-of-some-length'],
  ])
})

test.each([
  ['Authorization: Bearer x', 'every call sets this header itself'],
  ['HOST: elsewhere.test', 'every call sets this header itself'],
  ['no-header', 'is no header; write NAME:VALUE'],
  ['a b: c', 'is no header; write NAME:VALUE'],
  ['x: ü', 'is no header; write NAME:VALUE'],
  ['x: a\r\nauthorization: b', 'is no header; write NAME:VALUE'],
])('refuses the header %j', async (header, words) => {
  const { run, seen } = await service('application/json', '{}')
  const { code, stderr } = await run(['GET', '/v1/any', '-H', header])
  expect([code, stderr, seen.length]).toEqual([3, expect.stringContaining(words), 0])
})

test.each(['X-Api-Key hunter2', 'X-Api-Key=hunter2', 'hunter2', 'Bearer hunter2: x', 'X-Api-Key: hunter2\u00fc'])(
  'shows nothing that may be a secret of what is no header: %j',
  async (header) => {
    const { run, seen } = await service('application/json', '{}')
    const { code, stderr } = await run(['GET', '/v1/any', '-H', header])
    expect([code, stderr, seen.length]).toEqual([3, expect.stringContaining('is no header'), 0])
    expect(stderr).not.toContain('hunter2')
  },
)

test('a DELETE asks, and is sent for yes alone', async () => {
  const { run, seen } = await service('application/json', '{}')
  const no = await run(['DELETE', '/v1/vpcs/1'], { stdin: 'no\n' })
  expect([no.code, no.stderr, seen.length]).toEqual([1, expect.stringContaining('Do you really want to DELETE /v1/vpcs/1?'), 0])
  expect([(await run(['DELETE', '/v1/vpcs/1'], { environment: { CI: 'true' } })).code, seen.length]).toEqual([3, 0])
  expect([(await run(['DELETE', '/v1/vpcs/1', '--no-input'])).code, seen.length]).toEqual([3, 0])
  expect([(await run(['DELETE', '/v1/vpcs/1', '--input', '-'], { stdin: 'yes\n' })).code, seen.length]).toEqual([3, 0])
  expect([(await run(['DELETE', '/v1/vpcs/1'], { stdin: 'yes\n' })).code, seen.length]).toEqual([0, 1])
  expect([(await run(['DELETE', '/v1/vpcs/1', '--auto-approve'], { environment: { CI: 'true' } })).code, seen.length]).toEqual([0, 2])
})

test.each([
  ['Cookie: theme=dark; session=canary1canary', 'canary1canary'],
  ['Proxy-Authorization: Basic canary2canary', 'canary2canary'],
  ['X-Api-Key: canary3', 'canary3'],
  ['X-Auth-Token: canary4', 'canary4'],
  ['Client-Secret: can ary5', 'can ary5'],
  ['X-MFA: 778899', '778899'],
])('a refusal that quotes the header %j shows no secret', async (header, secret) => {
  const { run } = await service('application/json', () => JSON.stringify({ message: `refused: ${secret}`, code: 7 }), 400)
  for (const words of [['GET'], ['POST', '--verbose'], ['GET', '--json']]) {
    const { code, stdout, stderr } = await run([words[0] ?? '', '/v1/any', '-H', header, ...words.slice(1)])
    expect([code, stdout + stderr]).toEqual([1, expect.stringContaining('refused: (sensitive value)')])
    expect(stdout + stderr).not.toContain(secret)
  }
})

test.each([
  ['POST /v1/users/1/password -f old_password=canary1 -f password=canary2'],
  ['POST /v1/workspaces/1/k3s/secrets -f name=x -f data[A]=canary3'],
  ['POST /v1/login -f email=x -f password=canary4 -F mfa=778899'],
  ['GET /v1/invites?code=canary5'],
  ['coupons redeem canary6'],
])('a refusal that quotes what was sent shows no secret: %s', async (line) => {
  const { run } = await service('application/json', (sent) => JSON.stringify({ message: `refused: ${sent}` }), 400)
  const { code, stdout, stderr } = await run(line.split(' '))
  expect([code, stderr]).toEqual([1, expect.stringContaining('(sensitive value)')])
  expect(stdout + stderr).not.toMatch(/canary|778899/)
})
