// States in plain words, each with a tone that stands beside the word and never in its place.

/** How a state looks: its colour and the shape of its mark. */
export type Tone = 'good' | 'idle' | 'busy' | 'bad' | 'paused'

export interface StateWord {
  readonly word: string
  readonly tone: Tone
}

const tones: Readonly<Record<string, Tone>> = {
  available: 'good',
  active: 'good',
  ready: 'good',
  running: 'good',
  online: 'good',
  stopped: 'idle',
  free: 'idle',
  expired: 'idle',
  suspended: 'paused',
  invited: 'paused',
  draining: 'paused',
  failed: 'bad',
  unplaced: 'bad',
}

/** The state of a resource as it is shown; one that is not known counts as under way. */
export function stateWord(state: string): StateWord {
  const word = state.toLowerCase().replaceAll('_', ' ')
  return { word, tone: tones[word] ?? 'busy' }
}

/** An instance is online or stopped where it is available at all. */
export function instanceState({ state, online }: { readonly state: string; readonly online: boolean }): StateWord {
  return state === 'AVAILABLE' ? powerState(online) : stateWord(state)
}

/** Whether a machine is switched on. */
export function powerState(online: boolean): StateWord {
  return stateWord(online ? 'online' : 'stopped')
}

/** Whether an invite that nobody accepted still can be. */
export function inviteState({ expires_at_ms }: { readonly expires_at_ms: number | null }, nowMs: number): StateWord {
  return stateWord((expires_at_ms ?? Infinity) <= nowMs ? 'expired' : 'invited')
}

/** Whether a prefix is announced. */
export function prefixState(enabled: boolean): StateWord {
  return { word: enabled ? 'enabled' : 'disabled', tone: enabled ? 'good' : 'idle' }
}

const workflowTones: Readonly<Record<string, Tone>> = { QUEUED: 'paused', RUNNING: 'busy', COMPLETED: 'good', FAILED: 'bad', ABORTED: 'bad', TIMED_OUT: 'bad' }

/** The state of a workflow as it is shown. */
export function workflowState(state: string): StateWord {
  return { word: state.toLowerCase().replaceAll('_', ' '), tone: workflowTones[state] ?? 'busy' }
}
