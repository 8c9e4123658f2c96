// Waiting for an abort: however many wait for one signal, it holds a single listener.

const waiting = new WeakMap<AbortSignal, Set<() => void>>()

/** Calls `action` once, when the signal is aborted or at once where it was; the result takes it back. */
export function onAbort(signal: AbortSignal, action: () => void): () => void {
  if (signal.aborted) {
    action()
    return () => undefined
  }
  const actions = waiting.get(signal) ?? listening(signal)
  // Of its own, so that one action given twice is called twice.
  const own = (): void => action()
  actions.add(own)
  return () => void actions.delete(own)
}

function listening(signal: AbortSignal): Set<() => void> {
  const actions = new Set<() => void>()
  waiting.set(signal, actions)
  signal.addEventListener(
    'abort',
    () => {
      for (const action of actions) action()
      actions.clear()
    },
    { once: true },
  )
  return actions
}
