// What the flags of `iac sandbox` say about its service: time, readings, faults.
import type { Failure } from '../../base/diagnostic.ts'
import { failure } from '../../base/diagnostic.ts'
import { presetNames } from '../../sandbox/faults/fault-presets.ts'
import { tokenPattern } from '../../sandbox/people/callers.ts'
import type { GivenReadings, GivenStrains } from '../../sandbox/readings/assumptions.ts'
import type { Mistake } from '../../sandbox/readings/readings-given.ts'
import { checkReadings, checkStrains, drawReadings } from '../../sandbox/readings/readings-given.ts'
import { profiles } from '../../sandbox/time/durations.ts'
import type { ClockMode } from '../../sandbox/time/sandbox-clock.ts'
import { clockModes, scales } from '../../sandbox/time/sandbox-clock.ts'
import type { Flags, Given } from '../arguments/flags.ts'
import { usageFailure } from '../arguments/usage.ts'
import { sandboxPresets } from './presets.ts'

/** The flags of `iac sandbox`. */
export const sandboxFlags = {
  port: { type: 'integer', value: 'N', least: 0, most: 65_535, about: 'the port (default: a free one)' },
  token: { type: 'text', value: 'TOKEN', about: "the owner's token, for tests (default: drawn at random, and kept with the data)" },
  data: { type: 'text', value: 'FOLDER', about: 'where its data is kept: it survives a kill of the process, not a loss of power' },
  seed: { type: 'text', value: 'PATH', about: 'manifests to begin with: a file or folder' },
  preset: { type: 'choice', value: 'NAME', choices: sandboxPresets, about: 'manifests of the package to begin with' },
  catalogue: { type: 'text', value: 'FILE', about: 'plans, images, regions, nodes, prices and quotas (default: catalogue.yaml beside the seed)' },
  profile: { type: 'choice', value: 'NAME', choices: profiles, about: 'how long operations take (default fast)' },
  clock: { type: 'choice', value: 'MODE', choices: clockModes, about: 'how time passes (default real)' },
  'time-scale': { type: 'integer', value: 'N', ...scales, about: 'how many seconds pass in one' },
  latency: { type: 'duration', value: 'D', about: 'how much later each answer comes' },
  reading: { type: 'list', value: 'NAME=VALUE', about: 'how the sandbox reads what the API document leaves open; schemas/reference/assumptions.md names all' },
  strain: {
    type: 'list',
    value: 'NAME=VALUE',
    about: 'an answer that the API document excludes, to see what a client makes of it; schemas/reference/assumptions.md names all',
  },
  'readings-seed': { type: 'integer', value: 'N', least: 0, most: 2_147_483_647, about: 'draw all readings by this seed, and print them' },
  fault: { type: 'list', value: 'PRESET', completes: presetNames, about: `begin with faults: ${presetNames.join(', ')}` },
} as const satisfies Flags

/** How time passes; throws a Failure where two flags exclude each other. */
export function clockOf(given: Given): { readonly mode: ClockMode; readonly scale?: number } {
  const scale = given.number('time-scale')
  const mode = clockModes.find((one) => one === given.text('clock'))
  if (scale !== undefined && mode !== undefined && mode !== 'scaled') throw usageFailure(`--time-scale does not go with --clock ${mode}`)
  if (scale !== undefined) return { mode: 'scaled', scale }
  return { mode: mode ?? 'real' }
}

/** The token that was fixed; throws a Failure for one that a shell or a header would not take as it is. */
export function tokenGiven(given: Given): string | undefined {
  const token = given.text('token')
  if (token !== undefined && !tokenPattern.test(token)) throw usageFailure('--token takes 1 to 200 letters, digits, - and _')
  return token
}

/** The readings that were drawn or given; throws a Failure with the nearest right word. */
export function readingsGiven(given: Given): GivenReadings {
  const seed = given.number('readings-seed')
  const checked = checkReadings(pairsOf(given, 'reading'))
  if ('readings' in checked) return { ...(seed === undefined ? {} : drawReadings(seed)), ...checked.readings }
  throw wrongWord(checked)
}

/** The strains that were given; throws like `readingsGiven`. */
export function strainsGiven(given: Given): GivenStrains {
  const checked = checkStrains(pairsOf(given, 'strain'))
  if ('strains' in checked) return checked.strains
  throw wrongWord(checked)
}

function pairsOf(given: Given, flag: 'reading' | 'strain'): readonly (readonly [string, string])[] {
  return given.list(flag).map((text) => {
    const [name = '', value] = text.split(/=(.*)/s)
    if (value === undefined) throw usageFailure(`--${flag} ${name} needs a value: NAME=VALUE`)
    return [name, value]
  })
}

function wrongWord({ mistake, nearest, names }: Mistake): Failure {
  const hint = nearest === undefined ? names && `known: ${names.join(', ')}` : `did you mean ${nearest}?`
  return failure('usage', mistake, hint === undefined ? {} : { hint })
}
