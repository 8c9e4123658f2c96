// What no tool can do without, as a process of its own: node starts, the same files are read, the same requests are sent, the same bytes made durable.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { createRunner, Took } from './measured-process.ts'
import type { Asked } from './service.ts'

/** One request again: by the cheapest client, at most so many at once as the tool had under way. */
export interface Errand {
  readonly url: string
  readonly token: string
  /** Paths of the files that are read, absolute. */
  readonly files: readonly string[]
  readonly asked: Pick<Asked, 'requests' | 'peak'>
  readonly durable?: { readonly sizeBytes: number; readonly syncs: number; readonly file: string }
  /** What the longest chain of workflows takes, from the first request that changes something. */
  readonly chainMs?: number
}

const program = `import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { Agent, request } from 'node:http'
const { url, token, files, asked, durable, chainMs = 0 } = JSON.parse(readFileSync(process.argv[2], 'utf8'))
for (const file of files) readFileSync(file)
const agent = new Agent({ keepAlive: true, maxSockets: asked.peak })
const host = new URL(url)
const send = ({ method, path, body }) =>
  new Promise((resolve, reject) => {
    const headers = { authorization: 'Bearer ' + token, ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }) }
    const sent = request({ host: host.hostname, port: host.port, method, path, headers, agent }, (answer) => answer.on('data', () => undefined).on('end', resolve).on('error', reject))
    sent.on('error', reject).end(body)
  })
const reads = asked.requests.filter(({ method }) => method === 'GET')
const writes = asked.requests.filter(({ method }) => method !== 'GET')
await Promise.all(reads.map(send))
const chain = writes.length > 0 ? new Promise((resolve) => setTimeout(resolve, chainMs)) : undefined
const sending = Promise.all(writes.map(send))
if (durable) {
  const file = openSync(durable.file, 'w')
  const part = Buffer.alloc(Math.ceil(durable.sizeBytes / Math.max(1, durable.syncs)), 120)
  for (let at = 0; at < durable.syncs; at += 1) {
    writeSync(file, part)
    fsyncSync(file)
    await new Promise(setImmediate)
  }
  closeSync(file)
}
await Promise.all([sending, chain])
agent.destroy()
`

/** Runs an errand as often as it is called. */
export async function createProbe(run: Awaited<ReturnType<typeof createRunner>>, scratch: string): Promise<(errand: Errand) => Promise<Took>> {
  const file = join(scratch, 'errand.mjs')
  const told = join(scratch, 'errand.json')
  await writeFile(file, program)
  return async (errand) => {
    await writeFile(told, JSON.stringify(errand))
    return await run([file, told])
  }
}
