// Control of rows: beginning anew, beginning where a snapshot stands, and snapshots by name.
import * as z from 'zod'
import type { JsonObject } from '../../base/json.ts'
import { found, Refusal } from '../request/refusal.ts'
import { misfitOf } from '../store/snapshot-head.ts'
import { printSnapshot } from '../store/store.ts'
import type { Place } from '../time/place.ts'
import { isoOf } from '../world.ts'
import { snapshotBody } from './bodies.ts'
import type { Shelf } from './context.ts'
import type { ControlRoute } from './control-route.ts'
import { controlRoute } from './control-route.ts'

const MOST_SNAPSHOTS = 100

export const snapshotRoutes: readonly ControlRoute[] = [
  controlRoute('POST', '/reset', {
    about: 'begin anew, or where the seed had led: rows, requests, faults',
    respond({ place }) {
      place.sandbox.reset()
      return { json: { workspace: place.sandbox.workspaceId } }
    },
  }),
  controlRoute('POST', '/seed', { about: 'begin where a snapshot stands', body: z.unknown(), respond: ({ place, body }) => load(place, body) }),
  controlRoute('GET', '/snapshots', {
    about: 'the snapshots that were saved',
    respond: ({ place, control }) => ({ json: { snapshots: [...control.shelfOf(place)].map(([name, one]) => shelved(name, one)) } }),
  }),
  controlRoute('POST', '/snapshots', {
    about: 'save a snapshot by name, until the process ends',
    body: snapshotBody,
    respond({ place, control, body: { name } }) {
      const shelf = control.shelfOf(place)
      if (!shelf.has(name) && shelf.size >= MOST_SNAPSHOTS) throw new Refusal(409, `at most ${MOST_SNAPSHOTS} snapshots are kept`)
      const one = { at: isoOf(place.clock.wall()), text: printSnapshot(place.sandbox.snapshot()) }
      shelf.set(name, one)
      return { json: shelved(name, one), status: 201 }
    },
  }),
  controlRoute('GET', '/snapshots/{name}', {
    about: 'a snapshot: versioned JSON, sorted, a row per line',
    respond: ({ place, control, params }) => ({ text: savedIn(control.shelfOf(place), params).text }),
  }),
  controlRoute('POST', '/snapshots/{name}/load', {
    about: 'begin where a saved snapshot stands',
    respond({ place, control, params }) {
      const value: unknown = JSON.parse(savedIn(control.shelfOf(place), params).text)
      return load(place, value)
    },
  }),
  controlRoute('DELETE', '/snapshots/{name}', {
    about: 'forget a snapshot',
    respond({ place, control, params }) {
      savedIn(control.shelfOf(place), params)
      control.shelfOf(place).delete(String(params['name']))
      return { json: {} }
    },
  }),
]

function savedIn(shelf: Shelf, params: Readonly<Record<string, string>>): { readonly at: string; readonly text: string } {
  return found(shelf.get(String(params['name'])), 'snapshot')
}

function shelved(name: string, { at, text }: { readonly at: string; readonly text: string }): JsonObject {
  return { name, at, bytes: Buffer.byteLength(text) }
}

/** A snapshot that does not fit changes nothing. */
function load({ sandbox }: Place, snapshot: unknown): { readonly json: JsonObject } {
  try {
    sandbox.load(snapshot)
  } catch (error) {
    throw new Refusal(400, `the snapshot does not fit: ${misfitOf(snapshot, error)}`)
  }
  return { json: { workspace: sandbox.workspaceId } }
}
