// The stream of events while somebody looks: opened anew where it was lost, let go where the page is not to be seen.
import { listen } from './service.ts'

/** What is told of the stream; `lost` is given what was thrown, also where it could not be opened. */
export interface Listener {
  opened(): void
  happened(): void
  lost(error: unknown): void
}

/** Until another look or stream is tried after one that failed. */
export const RETRY_MS = 1000

/** Listens until the signal: a browser has six connections to an address for all tabs, so a hidden one keeps none. */
export async function keepListening(stopped: AbortSignal, { opened, happened, lost }: Listener): Promise<void> {
  let stream = new AbortController()
  stopped.addEventListener('abort', () => stream.abort())
  const left = (): void => (document.hidden ? stream.abort() : undefined)
  document.addEventListener('visibilitychange', left, { signal: stopped })
  while (!stopped.aborted) {
    while (document.hidden) await turned(stopped)
    stream = new AbortController()
    const error = await listen(stream, opened, happened).catch((thrown: unknown) => thrown)
    if (stopped.aborted) return
    lost(error)
    if (!document.hidden) await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
  }
}

/** Waits until the page is shown or hidden. */
function turned(stopped: AbortSignal): Promise<unknown> {
  return new Promise((resolve) => document.addEventListener('visibilitychange', resolve, { once: true, signal: stopped }))
}
