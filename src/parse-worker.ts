// The first file of threads that parse documents: from the last one on, until they meet whoever reads from the first.
import { workerData } from 'node:worker_threads'
import { fates } from './cli/surroundings/parse-aside.ts'
import type { AsideWork } from './cli/surroundings/parse-aside.ts'
import { lineOf } from './project/yaml/aside.ts'

const together = 16
const { texts, shared, port }: AsideWork = workerData
let lines: [number, string | undefined][] = []

function send(): void {
  port.postMessage(lines)
  for (const [at] of lines) {
    Atomics.store(shared, at + 1, fates.done)
    Atomics.notify(shared, at + 1)
  }
  lines = []
}

for (;;) {
  const at = Atomics.sub(shared, 0, 1) - 1
  if (at < 0 || Atomics.compareExchange(shared, at + 1, fates.free, fates.thread) !== fates.free) break
  lines.push([at, lineOf(texts[at] ?? '')])
  if (lines.length === together) send()
}
send()
port.close()
