// The service of a benchmark as a process of its own: begins where a snapshot stood, answers late, and counts what it is asked.
import { fork } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import * as z from 'zod'
import { realClock } from '../../src/base/clock.ts'
import { parseJson } from '../../src/base/json.ts'
import { createHost } from '../../src/sandbox/host.ts'
import { serveSandbox } from '../../src/sandbox/server.ts'

/** How the service is started; `lists` is whether list items carry whole records. */
export interface ServiceOptions {
  readonly snapshotFile: string
  readonly latencyMs: number
  readonly lists: 'full' | 'slim'
  /** Whether the ids that answers tell are noted; takes time of large answers. */
  readonly noteIds?: boolean
}

/** What was asked since the last question. */
export interface Asked {
  /** Each with the ids that its answer told, where they are noted. */
  readonly requests: readonly { readonly method: string; readonly path: string; readonly body?: string | undefined; readonly told: readonly string[] }[]
  /** The most that were under way at once. */
  readonly peak: number
}

export interface Service {
  readonly url: string
  readonly token: string
  asked(): Promise<Asked>
  close(): void
}

const optionsSchema = z.object({ snapshotFile: z.string(), latencyMs: z.number(), lists: z.enum(['full', 'slim']), noteIds: z.boolean().optional() })
const readySchema = z.object({ url: z.string(), token: z.string() })
const askedSchema = z.object({
  requests: z.array(z.object({ method: z.string(), path: z.string(), body: z.string().optional(), told: z.array(z.string()) })),
  peak: z.number(),
})

/** Starts the service; `program` is the bundle that calls `serve` when its first argument is `serve`. */
export async function startService(program: string, options: ServiceOptions): Promise<Service> {
  const child = fork(program, ['serve', JSON.stringify(options)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const answer = (): Promise<unknown> =>
    new Promise((resolve, reject) => {
      child.once('message', resolve)
      child.once('exit', (code) => reject(new Error(`the service ended with ${code}`)))
    })
  const ready = readySchema.parse(await answer())
  return {
    ...ready,
    async asked() {
      const told = answer()
      child.send('asked')
      return askedSchema.parse(await told)
    },
    close: () => void child.kill(),
  }
}

/** Ids as the service writes them. */
export const idsIn = (text: string): readonly string[] => text.match(/\b\d{15,}\b/g) ?? []

/** How often each route was asked, most first: method and path with ids left out. */
export function routesOf({ requests }: Asked): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>()
  for (const { method, path } of requests) {
    const key = `${method} ${(path.split('?')[0] ?? '').replaceAll(/\/\d+/g, '/{id}')}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return [...counts].toSorted((a, b) => b[1] - a[1])
}

/** The other side of `startService`; runs until it is killed. */
export async function serve(text: string): Promise<void> {
  const { snapshotFile, latencyMs, lists, noteIds = false } = optionsSchema.parse(JSON.parse(text))
  const clock = realClock()
  const snapshot = parseJson(await readFile(snapshotFile, 'utf8'))
  const host = createHost({ base: clock, profile: 'fast', snapshot, readings: { lists }, controlToken: 'x', version: '0' })
  let requests: { method: string; path: string; body?: string; told: readonly string[] }[] = []
  let [underWay, peak] = [0, 0]
  const server = await serveSandbox({
    sandbox: {
      async handle(request) {
        const { method, path, body } = request
        const noted = { method, path, ...(body === undefined || body === '' ? {} : { body }), told: [] as readonly string[] }
        requests.push(noted)
        peak = Math.max(peak, (underWay += 1))
        try {
          if (latencyMs > 0) await clock.sleep(latencyMs)
          const answer = await host.handle(request)
          if (noteIds) noted.told = idsIn(answer.whole ?? '')
          return answer
        } finally {
          underWay -= 1
        }
      },
    },
  })
  process.on('message', () => {
    process.send?.({ requests, peak })
    requests = []
    peak = 0
  })
  process.on('disconnect', () => process.exit())
  process.send?.({ url: server.url, token: host.place.sandbox.token })
}
