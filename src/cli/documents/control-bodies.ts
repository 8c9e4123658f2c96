// What the control routes of the sandbox take, by examples.
import type { JsonObject } from '../../base/json.ts'
import { stringifyJson } from '../../base/json.ts'
import { code, table } from './markdown.ts'

export interface ControlBody {
  readonly body: JsonObject
  /** What it makes the sandbox do. */
  readonly about: string
}

/** By method and path, for every route whose body has a form of its own; a snapshot is what other routes answer. */
export const controlBodies: Readonly<Record<string, readonly ControlBody[]>> = Object.freeze({
  'PUT /clock': [
    { body: { mode: 'frozen' }, about: 'time stands until it is advanced' },
    { body: { mode: 'scaled', scale: 60 }, about: 'a minute passes in a second' },
  ],
  'POST /clock/advance': [
    { body: { ms: 60_000 }, about: 'on by a minute' },
    { body: { to: '2030-01-01T00:00:00Z' }, about: 'on to an instant' },
    { body: { until: 'idle' }, about: 'on until nothing is due' },
  ],
  'POST /faults': [
    {
      body: { operation: 'listPlans', status: 503, retry_after_seconds: 2, message: 'out of order', times: 2 },
      about: 'the next two requests of that operation are answered 503',
    },
    { body: { operation: ['createVpc', 'deleteVpc'], after: 1, reset: 'after' }, about: 'the second of these takes effect, and its answer is lost' },
    {
      body: { only: 'reads', delay_ms: 2000, times: 'always' },
      about: 'every read takes two seconds longer; `only` is also `lists`, `effects` or `workflows`',
    },
    { body: { only: 'effects', late_ms: 5000 }, about: 'the connection of the next of these is lost, and it is handled five seconds later' },
    { body: { only: 'lists', every: 2, times: 'always', stale_ms: 60_000 }, about: 'every second list is as it was a minute ago' },
    { body: { probability: 0.1, seed: 7, times: 'always', truncate_bytes: 20 }, about: 'one answer in ten ends after 20 bytes; chance needs a seed' },
    {
      body: { operation: 'createInstance', workflow: { outcome: 'FAILED', leaves: 'failed', duration_ms: 60_000, lag_ms: 1000 } },
      about:
        'its workflow fails after a minute, and a second later the instance shows it; `leaves` is also `nothing` or `done`, and only `outcome` has to be there',
    },
  ],
  'POST /faults/presets': [{ body: { name: 'flaky' }, about: 'one of the presets [below](#faults)' }],
  'POST /snapshots': [{ body: { name: 'before' }, about: 'letters, digits, `_`, `.` and `-`' }],
  'POST /tenants': [
    { body: {}, about: 'as a sandbox without flags begins' },
    {
      body: { seed: 7, profile: 'instant', clock: 'jumping', readings: { lists: 'slim' }, strains: { filters: 'ignored' }, without: ['login.locked'] },
      about: 'each member may be left out; `without` names rules that are not enforced, `snapshot` is what to begin with',
    },
  ],
})

/** The section on what is sent to the control routes. */
export function controlBodiesSection(): string {
  const rows = Object.entries(controlBodies).flatMap(([route, all]) => {
    const [method = '', path = ''] = route.split(' ')
    return all.map(({ body, about }) => [`${method} ${code(`/_sandbox${path}`)}`, code(stringifyJson(body)), about])
  })
  return [
    '## What control routes take',
    `The others take no body, but for ${code('POST /_sandbox/seed')}: a snapshot as ${code('GET /_sandbox/state')} and ${code('GET /_sandbox/snapshots/{name}')} answer it.`,
    table(['route', 'body such as', 'what comes of it'], rows),
  ].join('\n\n')
}
