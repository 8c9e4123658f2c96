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

/** What every probe begins with: how bytes are made durable, as often as the tool did. */
export const beginning = `import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { Agent, request } from 'node:http'
const durably = async ({ file: path, sizeBytes, syncs }) => {
  const file = openSync(path, 'w')
  const part = Buffer.alloc(Math.ceil(sizeBytes / Math.max(1, syncs)), 120)
  for (let at = 0; at < syncs; at += 1) {
    writeSync(file, part)
    fsyncSync(file)
    await new Promise(setImmediate)
  }
  closeSync(file)
}
`

const program = `${beginning}const { url, token, files, asked, durable, chainMs = 0 } = JSON.parse(readFileSync(process.argv[2], 'utf8'))
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
if (durable) await durably(durable)
await Promise.all([sending, chain])
agent.destroy()
`

type Run = Awaited<ReturnType<typeof createRunner>>

/** Runs an errand as often as it is called. */
export function createProbe(run: Run, scratch: string): Promise<(errand: Errand) => Promise<Took>> {
  return programOf(run, join(scratch, 'errand'), program)
}

/** Runs a program, which is told by a file what to do, as often as it is called. */
export async function programOf(run: Run, path: string, text: string): Promise<(errand: object) => Promise<Took>> {
  await writeFile(`${path}.mjs`, text)
  return async (errand) => {
    await writeFile(`${path}.json`, JSON.stringify(errand))
    return await run([`${path}.mjs`, `${path}.json`])
  }
}
