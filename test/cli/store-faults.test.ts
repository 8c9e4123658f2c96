// A whole apply whose store of states fails at any one of its requests, for once or from there on: it ends well or says that it did not, and the next one finds everything, once.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createSandbox } from '../../src/sandbox/sandbox.ts'
import { serveSandbox } from '../../src/sandbox/server.ts'
import { startHttpStates } from '../builders/http-state-server.ts'
import { testUser } from '../builders/http-states.ts'
import { drawn, turnOf } from '../builders/long-form.ts'
import { bucketName, startS3, testKeys } from '../builders/s3-server.ts'
import { newFolder, runCli, testsClock } from './run-cli.ts'

const faults = ['fails before', 'fails after', 'lost before', 'lost after'] as const
type Fault = (typeof faults)[number]

/** A store of states that fails when it is told to. */
interface Store {
  readonly settings: string
  readonly environment: Readonly<Record<string, string>>
  fail(met: ((at: number) => Fault | undefined) | undefined): void
  asked(): number
  close(): Promise<void>
}

async function openBucket(): Promise<Store> {
  const server = await startS3()
  return {
    settings: `{ backend: s3, bucket: ${bucketName}, key: shop/state.json, endpoint: '${server.origin}' }`,
    environment: { AWS_ACCESS_KEY_ID: testKeys.accessKeyId, AWS_SECRET_ACCESS_KEY: testKeys.secretAccessKey, IAC_STATE_HOST: new URL(server.origin).host },
    fail: (met) => void (server.hook = met && (({ at }) => met(at))),
    asked: () => server.requests.length,
    close: () => server.close(),
  }
}

async function openServer(manner: 'plain' | 'gitlab'): Promise<Store> {
  const server = await startHttpStates(manner)
  const { origin, state } = server.address('shop')
  const methods = manner === 'gitlab' ? ', lock_method: POST, unlock_method: DELETE' : ''
  const lock = `${origin}${state}${manner === 'gitlab' ? '/lock' : ''}`
  return {
    settings: `{ backend: http, address: '${origin}${state}', lock_address: '${lock}', unlock_address: '${lock}'${methods} }`,
    environment: { TF_HTTP_USERNAME: testUser.username, TF_HTTP_PASSWORD: testUser.password, IAC_STATE_HOST: new URL(origin).host },
    fail: (met) => void (server.hook = met && (({ at }) => met(at))),
    asked: () => server.requests.length,
    close: () => server.close(),
  }
}

const stores = [
  ['a bucket', openBucket],
  ['a server', () => openServer('plain')],
  ["a server in GitLab's manner", () => openServer('gitlab')],
] as const

const manifest = `apiVersion: iac/v1
kind: Vpc
metadata: { name: net, for_each: [a, b] }
spec: { name: "net-\${each.key}", description: "", range: 10.2.0.0/24 }
---
apiVersion: iac/v1
kind: Vpc
metadata: { name: last, depends_on: ["Vpc/net[\\"a\\"]", "Vpc/net[\\"b\\"]"] }
spec: { name: net-c, description: "", range: 10.3.0.0/24 }
`

/** What is wrong after an apply that met this, and one after it; `asked` is how many requests the first one sent to the store. */
async function lived(open: () => Promise<Store>, met: ((at: number) => Fault | undefined) | undefined) {
  const sandbox = createSandbox({ clock: testsClock, profile: 'instant' })
  const [api, store, folder] = [await serveSandbox({ sandbox }), await open(), newFolder()]
  try {
    writeFileSync(join(folder, 'iac.yaml'), `apiVersion: iac/v1\nkind: Project\nname: shop\nstate: ${store.settings}\n`)
    writeFileSync(join(folder, 'main.yaml'), manifest)
    const environment = { IAC_BASE_URL: api.url, IAC_LOCK_LEASE: '10s', ...store.environment }
    const run = (...words: string[]) => runCli(words, { folder, environment, token: sandbox.token })
    const names = (): string =>
      sandbox.world.tables.vpcs
        .all()
        .flatMap((one) => (one.name.startsWith('net-') ? [one.name] : []))
        .toSorted()
        .join(' ')
    store.fail(met)
    const first = await run('apply', '--auto-approve')
    const asked = store.asked()
    store.fail(undefined)
    const made = names()
    const next = await run('apply', '--auto-approve', '--lock-timeout', '60s')
    const plan = await run('plan', '--detailed-exitcode')
    const wrong = [
      // 9 is for what was not begun.
      ...([0, 8].includes(first.code) || (first.code === 9 && made === '') ? [] : [`the first ended with ${first.code}: ${first.stderr}`]),
      ...(next.code === 0 ? [] : [`the next ended with ${next.code}: ${next.stderr}`]),
      ...(plan.code === 0 ? [] : [`the plan after it: ${plan.code} ${plan.stdout}`]),
      ...(names() === 'net-a net-b net-c' ? [] : [`there are ${names()}`]),
    ]
    return { wrong, asked }
  } finally {
    await Promise.all([api.close(), store.close()])
  }
}

describe.each(drawn(stores, 1, 'stores that fail'))('beside %s', { tags: ['longer'] }, (title, open) => {
  test('that fails at any one request, or from there on', { timeout: 600_000 }, async () => {
    const { asked, wrong } = await lived(open, undefined)
    expect(wrong).toEqual([])
    const all = Array.from({ length: asked }, (_, index) => index + 1)
    const turn = turnOf(`faults beside ${title}`, faults.length)
    const cases = drawn(all, 4, `requests to ${title}`).map((at) => ({
      at,
      fault: faults[(at + turn) % faults.length] ?? 'lost after',
      lasts: at % 5 === turn,
    }))
    const problems: string[] = []
    const left = [...cases]
    const worker = async (): Promise<void> => {
      for (let one = left.shift(); one; one = left.shift()) {
        const { at, fault, lasts } = one
        const found = await lived(open, (number) => (number === at || (lasts && number > at) ? fault : undefined))
        problems.push(...found.wrong.map((text) => `request ${at}${lasts ? ' and all after it' : ''}, ${fault}: ${text}`))
      }
    }
    await Promise.all(Array.from({ length: 8 }, worker))
    expect(problems).toEqual([])
  })
})
