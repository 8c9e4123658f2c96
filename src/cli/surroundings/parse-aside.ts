// Threads that parse documents beside the one that reads them, where the program lies in files and the machine has processors to spare.
import { availableParallelism } from 'node:os'
import { receiveMessageOnPort, Worker } from 'node:worker_threads'
import type { MessagePort } from 'node:worker_threads'
import type { Aside } from '../../project/yaml/aside.ts'

/** What a thread is given. */
export interface AsideWork {
  readonly texts: readonly string[]
  /** First how many texts nobody has begun with, from the front, then of each text what became of it. */
  readonly shared: Int32Array
  readonly port: MessagePort
}

/** What became of a text. */
export const fates = { free: 0, reader: 1, thread: 2, done: 3 } as const

/** What a thread sends: lines by the number of their text, undefined for a text that is left to the reader. */
export type AsideLines = readonly (readonly [number, string | undefined])[]

const mostThreads = 3
// A thread takes a fraction of a millisecond for a document, and none of them a second.
const patienceMs = 2000

/** Undefined where there is no second processor. Where `program` is no file, as in an executable, all is left to the reader. */
export function createAside(program: string): Aside | undefined {
  const threads = Math.min(mostThreads, availableParallelism() - 1)
  return threads > 0 ? asideBy(program, threads) : undefined
}

function asideBy(program: string, threads: number): Aside {
  let texts: readonly string[] = []
  let shared: Int32Array = new Int32Array(0)
  let ports: MessagePort[] = []
  let next = 0
  const lines = new Map<number, string | undefined>()

  function begin(given: readonly string[]): void {
    texts = given
    shared = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT * (1 + given.length)))
    shared[0] = given.length
    ports = Array.from({ length: threads }, () => startThread(program, { texts, shared })).flatMap((port) => port ?? [])
  }
  /** The number of a text from here on: they are asked for in order, and some are left out. */
  function numberOf(text: string): number | undefined {
    for (let at = next; at < texts.length; at += 1) {
      if (texts[at] !== text) continue
      next = at + 1
      return at
    }
    return undefined
  }
  function take(text: string): string | undefined {
    const at = ports.length === 0 ? undefined : numberOf(text)
    if (at === undefined || Atomics.compareExchange(shared, at + 1, fates.free, fates.reader) === fates.free) return undefined
    while (Atomics.load(shared, at + 1) === fates.thread) {
      if (Atomics.wait(shared, at + 1, fates.thread, patienceMs) !== 'timed-out') continue
      // A thread that came to nothing: from here on everything is parsed here.
      ports = []
      return undefined
    }
    for (const port of ports) collect(port)
    const line = lines.get(at)
    lines.delete(at)
    return line
  }
  function collect(port: MessagePort): void {
    for (let got = receiveMessageOnPort(port); got; got = receiveMessageOnPort(port)) {
      const sent: AsideLines = got.message
      for (const [at, line] of sent) lines.set(at, line)
    }
  }
  return Object.freeze({ begin, take })
}

/** Its port; undefined where no thread may be started. It keeps no process alive, and ends by itself. */
function startThread(program: string, { texts, shared }: Omit<AsideWork, 'port'>): MessagePort | undefined {
  const { port1, port2 } = new MessageChannel()
  const workerData: AsideWork = { texts, shared, port: port2 }
  try {
    const worker = new Worker(program, { workerData, transferList: [port2], env: {}, execArgv: [] })
    // Whoever waits for it does so for a while only.
    worker.on('error', () => undefined)
    worker.unref()
    port1.unref()
    return port1
  } catch {
    return undefined
  }
}
