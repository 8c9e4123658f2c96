// Control of faults: which there are, adding and removing them one by one or by the name of a preset.
import type { JsonObject } from '../../base/json.ts'
import { nearest } from '../../base/words/nearest.ts'
import type { FaultPreset, PresetName } from '../faults/fault-presets.ts'
import { faultPresets, presetNames, switchOff, switchOn } from '../faults/fault-presets.ts'
import type { Faults, ListedFault } from '../faults/faults.ts'
import { missing, Refusal } from '../request/refusal.ts'
import type { Place } from '../time/place.ts'
import { faultBody, presetBody, wireNames } from './bodies.ts'
import type { ControlRoute } from './control-route.ts'
import { controlRoute } from './control-route.ts'

export const readFaults: readonly ControlRoute[] = [
  controlRoute('GET', '/faults', {
    about: 'the faults, in order, with the requests that each has befallen',
    respond: ({ place: { sandbox } }) => ({ json: { faults: sandbox.faults.list.map((one) => faultView(sandbox.faults, one)) } }),
  }),
  controlRoute('GET', '/faults/presets', {
    about: 'faults by name, and which are on',
    respond: ({ place: { sandbox } }) => ({ json: { presets: presetNames.map((name) => presetView(sandbox.faults, name)) } }),
  }),
]

export const writeFaults: readonly ControlRoute[] = [
  controlRoute('POST', '/faults', {
    about: 'add a fault',
    body: faultBody,
    respond({ place, body }) {
      const added = place.sandbox.faults.add(body)
      changed(place)
      return { json: faultView(place.sandbox.faults, added), status: 201 }
    },
  }),
  controlRoute('DELETE', '/faults', {
    about: 'remove all faults',
    respond({ place }) {
      place.sandbox.faults.list.splice(0)
      return changed(place)
    },
  }),
  controlRoute('DELETE', '/faults/{id}', {
    about: 'remove one fault',
    respond({ place, params }) {
      if (!place.sandbox.faults.remove(String(params['id']))) throw missing('fault')
      return changed(place)
    },
  }),
  controlRoute('POST', '/faults/presets', {
    about: 'switch a preset on',
    body: presetBody,
    respond({ place, body }) {
      const faults = switchOn(place.sandbox.faults, body.name)
      changed(place)
      return { json: { faults: faults.map((one) => faultView(place.sandbox.faults, one)) }, status: 201 }
    },
  }),
  controlRoute('DELETE', '/faults/presets/{name}', {
    about: 'switch a preset off',
    respond({ place, params }) {
      if (!switchOff(place.sandbox.faults, presetOf(String(params['name'])))) throw missing('preset that is on')
      return changed(place)
    },
  }),
]

function presetOf(text: string): PresetName {
  const known = presetNames.find((name) => name === text)
  if (known !== undefined) return known
  const near = nearest(text, presetNames)
  throw new Refusal(404, `no preset is called ${text}${near === undefined ? '' : `; did you mean ${near}?`}`)
}

function changed({ sandbox }: Place): { readonly json: JsonObject } {
  sandbox.hub.publish('faults', { count: sandbox.faults.list.length })
  return { json: {} }
}

function faultView(faults: Faults, fault: ListedFault): Readonly<Record<string, unknown>> {
  const { workflow, ...rest } = fault
  return { ...wireNames(rest), ...(workflow ? { workflow: wireNames(workflow) } : {}), hits: faults.hits(fault) }
}

function presetView(faults: Faults, name: PresetName): JsonObject {
  const { about }: FaultPreset = faultPresets[name]
  return { name, about, on: faults.list.some((one) => one.preset === name) }
}
