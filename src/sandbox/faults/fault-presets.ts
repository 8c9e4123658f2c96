// Faults that belong together, by name: what an outage, a full quota or a stuck workflow looks like to a caller.
import type { Faults, ListedFault } from './faults.ts'

type PresetFault = Omit<ListedFault, 'id' | 'preset'>

/** A preset as it is described and switched on. */
export interface FaultPreset {
  readonly about: string
  readonly faults: readonly PresetFault[]
}

const always = { times: 'always' } as const
const costly = ['createInstance', 'createDisk', 'createFloatingIp'] as const

/** Every preset; what comes by chance is drawn by a seed, so that each run replays. */
export const faultPresets = {
  outage: { about: 'every request is answered 503', faults: [{ ...always, status: 503, message: 'the service is not available' }] },
  throttle: {
    about: 'every second request is refused with 429 and Retry-After',
    faults: [{ ...always, every: 2, status: 429, retryAfterSeconds: 1, message: 'rate limit hit' }],
  },
  flaky: {
    about: 'one request in ten fails: 502, a lost answer, a lost request, or a body that ends early',
    faults: [
      { ...always, probability: 0.03, seed: 1, status: 502, message: 'bad gateway' },
      { ...always, probability: 0.03, seed: 2, reset: 'after' },
      { ...always, probability: 0.02, seed: 3, reset: 'before' },
      { ...always, probability: 0.02, seed: 4, truncateBytes: 12 },
    ],
  },
  'expired-token': { about: 'every request is answered 401', faults: [{ ...always, status: 401, message: 'the token has expired' }] },
  'quota-exhausted': {
    about: 'whatever a quota limits can no longer be created: 403',
    faults: [
      {
        ...always,
        operation: [...costly, 'createVpc', 'createSshKey', 'createFirewallRule'],
        status: 403,
        message: 'the quota of the workspace is exhausted',
      },
    ],
  },
  'broke-wallet': {
    about: 'whatever costs money can no longer be created: 403',
    faults: [{ ...always, operation: costly, status: 403, message: 'the balance of the wallet does not cover this' }],
  },
  'stuck-workflow': { about: 'workflows that begin now never end', faults: [{ ...always, only: 'workflows', workflow: { outcome: 'RUNNING' } }] },
} as const satisfies Readonly<Record<string, FaultPreset>>

export type PresetName = keyof typeof faultPresets

/** The names of all presets. */
export const presetNames: readonly PresetName[] = Object.keys(faultPresets).filter((name): name is PresetName => Object.hasOwn(faultPresets, name))

/** Switches a preset on; once on, it stays as it is. */
export function switchOn(faults: Faults, name: PresetName): readonly ListedFault[] {
  const present = faults.list.filter((one) => one.preset === name)
  if (present.length > 0) return present
  const { faults: rows }: FaultPreset = faultPresets[name]
  return rows.map((one) => faults.add({ ...one, preset: name }))
}

/** Switches a preset off; false when it was not on. */
export function switchOff(faults: Faults, name: PresetName): boolean {
  const ids = faults.list.flatMap((one) => (one.preset === name && one.id !== undefined ? [one.id] : []))
  for (const id of ids) faults.remove(id)
  return ids.length > 0
}
