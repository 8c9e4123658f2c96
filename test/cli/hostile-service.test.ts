// Commands against a service that means harm: each ends with the route in its error, and nothing that it says reaches a terminal or another path.
import { writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Ran } from './run-cli.ts'
import { newFolder, runCli } from './run-cli.ts'

type Serve = (url: URL, response: ServerResponse, count: number) => void

interface Talk {
  readonly run: (...words: string[]) => Promise<Ran>
  readonly asked: readonly string[]
}

const manifest = 'apiVersion: iac/v1\nkind: Vpc\nmetadata: { name: main, workspace: { id: "1" } }\nspec: { range: 10.0.0.0/24, description: net }\n'

/** Commands in a project of one VPC, against a server on loopback for the time of `use`. */
async function against(serve: Serve, use: (talk: Talk) => Promise<void>): Promise<void> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://host')
    serve(url, response, asked.push(`${request.method} ${request.url}`))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const folder = newFolder()
  writeFileSync(join(folder, 'vpc.yaml'), manifest)
  const environment = { IAC_BASE_URL: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}` }
  try {
    await use({ run: (...words) => runCli(words, { folder, environment, token: 'a-token-of-tests' }), asked })
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

function json(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(typeof value === 'string' ? value : JSON.stringify(value))
}

const workspaces = { items: [{ id: '1', name: 'default' }], hasNext: false, after: null }
const isWorkspaces = ({ pathname }: URL): boolean => pathname === '/v1/workspaces'

describe('lists', () => {
  const commands = [['plan'], ['get', 'Vpc', '--all-workspaces'], ['api', 'GET', '/v1/workspaces/1/vpcs', '--paginate'], ['drift', '--unmanaged']]

  test('of pages of a million small values without end end a plan with the route', async () => {
    const junk = `[${'0,'.repeat(1_900_000)}0]`
    await against(
      (url, response, count) => {
        if (isWorkspaces(url)) return json(response, workspaces)
        const object = `{"id":"${count}","name":"n${count}","range":"10.0.0.0/24","junk":${junk}}`
        json(response, `{"items":[${object}],"hasNext":true,"after":"c${count}","before":null}`)
      },
      async ({ run, asked }) => {
        const { code, stderr } = await run('plan')
        expect([code, stderr]).toEqual([
          1,
          expect.stringMatching(/error: the service answered 200 to GET \/v1\/.*: (this list|what is read here) takes more than half of the memory/),
        ])
        expect(asked.length).toBeLessThan(200)
      },
    )
  })

  test.each(commands)('that hold a number of a million digits end %s with the route', async (...words) => {
    await against(
      (url, response) => json(response, isWorkspaces(url) ? workspaces : `{"items":[{"id":${'9'.repeat(1_000_000)}}]}`),
      async ({ run }) => {
        const { user } = process.cpuUsage()
        const { code, stderr } = await run(...words)
        expect([code, stderr]).toEqual([1, expect.stringMatching(/GET \/v1\/.*a number of more than 1100 digits/)])
        expect(process.cpuUsage().user - user).toBeLessThan(15_000_000)
      },
    )
  })
})

test('a hundred thousand workspaces of one name are told by the first of them', async () => {
  const items = Array.from({ length: 100_000 }, (_, at) => ({ id: String(at + 1), name: 'default' }))
  await against(
    (_, response) => json(response, items),
    async ({ run }) => {
      const { code, stderr } = await run('get', 'Vpc')
      expect([code, stderr]).toEqual([3, expect.stringContaining('default (20) and 99980 more')])
      expect(stderr.length).toBeLessThan(1000)
    },
  )
})

test.each(['..', '../../users/@me', '%2e%2e', 'a/b', '1?x=1', '1#', '1\n2', '\u001b[2J', '__proto__', '１', '1'.repeat(30)])(
  'the id %j of a workspace or a VPC leads nowhere',
  async (id) => {
    await against(
      (url, response) => {
        if (isWorkspaces(url)) return json(response, { items: [{ id, name: 'default' }], hasNext: false, after: null })
        json(response, { items: [{ id, name: 'a', range: '10.0.0.0/24' }], hasNext: false, after: null })
      },
      async ({ run, asked }) => {
        const { code, stderr } = await run('get', 'Vpc', '--all-workspaces')
        expect([code, stderr]).toEqual([1, expect.stringContaining('GET /v1/workspaces/{wid}/vpcs cannot be sent: {wid}: not an id')])
        await run('drift', '--unmanaged')
        await run('get', 'VpcAttachment')
        expect(asked.every((one) => /^GET \/v1\/(?:workspaces(?:\/1(?:\/[\w/-]+)?)?|users\/@me[\w/-]*|[\w-]+)(?:\?|$)/.test(one))).toBe(true)
      },
    )
  },
)

test('what a service says forges nothing on a terminal', async () => {
  const evil = '\u001b]0;x\u0007\u001b[2J\u202e\r\n::add-mask::x\n##[error]y\u009b1m'
  const object = { id: '7', name: evil, range: '10.0.0.0/24', description: evil, status: evil, [evil]: evil }
  await against(
    (url, response) => {
      if (isWorkspaces(url)) return json(response, { items: [{ ...object, id: '1' }], hasNext: false, after: null })
      if (url.pathname.endsWith('/vpcs')) return json(response, { items: [object], hasNext: false, after: null })
      response.writeHead(422, { 'content-type': 'application/json', 'x-message': 'no\tgood' }).end(JSON.stringify({ errors: [{ path: evil, message: evil }] }))
    },
    async ({ run }) => {
      for (const words of [
        ['get', 'Vpc'],
        ['get', 'Vpc', '--json'],
        ['get', 'Workspace'],
        ['drift', '--unmanaged'],
        ['get', 'Instance'],
        ['plan', '--verbose'],
      ]) {
        const { stdout, stderr } = await run(...words)
        expect(stdout.length + stderr.length).toBeGreaterThan(0)
        // oxlint-disable-next-line no-control-regex -- they are what must not be there
        expect(`${stdout}${stderr}`).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]|^::|##\[/m)
      }
    },
  )
})
