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
}

export interface Service {
  readonly url: string
  readonly token: string
  /** Requests since the last question, by method and path with ids left out. */
  counts(): Promise<ReadonlyMap<string, number>>
  close(): void
}

const optionsSchema = z.object({ snapshotFile: z.string(), latencyMs: z.number(), lists: z.enum(['full', 'slim']) })
const readySchema = z.object({ url: z.string(), token: z.string() })
const countsSchema = z.record(z.string(), z.number())

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
    async counts() {
      const counted = answer()
      child.send('counts')
      return new Map(Object.entries(countsSchema.parse(await counted)))
    },
    close: () => void child.kill(),
  }
}

/** The other side of `startService`; runs until it is killed. */
export async function serve(text: string): Promise<void> {
  const { snapshotFile, latencyMs, lists } = optionsSchema.parse(JSON.parse(text))
  const clock = realClock()
  const snapshot = parseJson(await readFile(snapshotFile, 'utf8'))
  const host = createHost({ base: clock, profile: 'fast', snapshot, readings: { lists }, controlToken: 'x', version: '0' })
  const counts = new Map<string, number>()
  const server = await serveSandbox({
    sandbox: {
      async handle(request) {
        const [path = ''] = request.path.split('?')
        const key = `${request.method} ${path.replaceAll(/\/\d+/g, '/{id}')}`
        counts.set(key, (counts.get(key) ?? 0) + 1)
        if (latencyMs > 0) await clock.sleep(latencyMs)
        return await host.handle(request)
      },
    },
  })
  process.on('message', () => {
    process.send?.(Object.fromEntries(counts))
    counts.clear()
  })
  process.on('disconnect', () => process.exit())
  process.send?.({ url: server.url, token: host.place.sandbox.token })
}
