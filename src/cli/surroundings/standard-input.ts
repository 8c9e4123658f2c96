// Standard input: lines one at a time for questions, or all of it for manifests.
import type { Readable, Writable } from 'node:stream'
import type { Prompting } from './prompt.ts'
import type { Input } from './surroundings.ts'
import { createTypedLine } from './typed-line.ts'

/** Of a terminal's stream, what hands over each key as it is pressed and shows none. */
interface Terminal {
  readonly isTTY?: boolean
  setRawMode?(on: boolean): unknown
}

/** No answer is longer: whatever goes on without the end of a line would be held, and searched again, until memory ends. */
const longestLine = 1024 * 1024

/** Lines of a stream one at a time, what is not asked for stays for the next question; once all of it was read, no line is left. */
export function inputOf(stdin: Readable & Terminal, stdout?: Writable & { readonly isTTY?: boolean }): Input {
  let held = ''
  let ended = false
  const decoder = new TextDecoder()
  async function readLine(signal?: AbortSignal): Promise<string | undefined> {
    ended ||= stdin.readableEnded
    while (!held.includes('\n') && !ended && !signal?.aborted) ended = !(await readMore(signal)) || held.length > longestLine
    if (signal?.aborted) return undefined
    const at = held.indexOf('\n')
    const line = at < 0 ? held : held.slice(0, at)
    if (at < 0 && line === '') return undefined
    held = at < 0 ? '' : held.slice(at + 1)
    return line.replace(/\r$/, '')
  }
  function readMore(signal?: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const finish = (more: boolean): void => {
        stdin.off('data', onData).off('end', onEnd).off('error', onEnd).pause()
        signal?.removeEventListener('abort', onAbort)
        resolve(more)
      }
      const onData = (chunk: Uint8Array): void => {
        held += decoder.decode(chunk, { stream: true })
        finish(true)
      }
      const onEnd = (): void => finish(false)
      const onAbort = (): void => finish(true)
      signal?.addEventListener('abort', onAbort, { once: true })
      // Paused once, a stream does not go on by itself.
      stdin.on('data', onData).on('end', onEnd).on('error', onEnd).resume()
    })
  }
  async function readAll(limitBytes: number): Promise<Uint8Array> {
    const chunks: Uint8Array[] = [Buffer.from(held)]
    let size = held.length
    if (!ended)
      for await (const chunk of stdin) {
        const bytes: Uint8Array = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
        chunks.push(bytes)
        if ((size += bytes.length) > limitBytes) break
      }
    const all = Buffer.concat(chunks)
    held = ''
    ended = true
    return all
  }
  async function readSecret(signal?: AbortSignal, unseen?: () => void): Promise<string | undefined> {
    if (stdin.isTTY !== true) return await readLine(signal)
    const typed = createTypedLine()
    stdin.setRawMode?.(true)
    try {
      unseen?.()
      for (;;) {
        const { is, text, rest } = typed.take(held)
        held = rest
        if (is === 'interrupted') throw new DOMException('stopped', 'AbortError')
        if (is !== 'more' || ended || signal?.aborted) return is === 'line' ? text : undefined
        ended = !(await readMore(signal))
      }
    } finally {
      stdin.setRawMode?.(false)
    }
  }
  async function* prompt(asking: Prompting): AsyncGenerator<string> {
    const { promptLines } = await import('./prompt.ts')
    if (stdout) yield* promptLines(stdin, stdout, asking)
  }
  const isTerminal = stdin.isTTY === true
  return { isTerminal, readLine, readSecret, readAll, ...(isTerminal && stdout?.isTTY === true ? { prompt } : {}) }
}
