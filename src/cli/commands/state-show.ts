// `iac state show ADDRESS`: what is recorded of one resource.
import type { JsonValue } from '../../json.ts'
import { isList, isObject } from '../../json.ts'
import { writeDigests } from '../../state/digest.ts'
import { defineCommand } from '../command.ts'
import { attributeLines } from '../render/attribute-lines.ts'
import { noColours } from '../render/palette.ts'
import { safeLine } from '../render/sanitise.ts'
import { currentState } from '../state-access.ts'
import { recordAt } from '../state-addresses.ts'

export const stateShowCommand = defineCommand({
  summary: 'what is recorded of one resource',
  arguments: [{ name: 'ADDRESS', about: 'Kind/name, or Kind/name["key"]' }],
  flags: {},
  examples: [{ text: 'state show Instance/web', about: 'spec and outputs as last applied' }],
  async run(context, given) {
    const { folded } = await currentState(context)
    const record = recordAt(folded.resources, given.arguments[0] ?? '')
    const written = writeDigests(record)
    if (context.globals.switch('json')) context.print.json(written)
    else {
      const shown = hideDigests(written)
      const lines = attributeLines({ before: undefined, after: isObject(shown) ? shown : {}, touched: [], forcing: [], palette: noColours }, 2)
      context.print.result(`# ${safeLine(record.address)}\n${lines.map((line) => `${line.replace(/^( *)\+ /, '$1').slice(2)}\n`).join('')}`)
    }
    return 0
  },
})

/** Digests are of no use to people. */
function hideDigests(value: JsonValue): JsonValue {
  if (isList(value)) return value.map(hideDigests)
  if (!isObject(value)) return value
  if (Object.hasOwn(value, '$digest')) return { $sensitive: true }
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, hideDigests(one)]))
}
