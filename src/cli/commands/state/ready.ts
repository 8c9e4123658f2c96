// `iac state ready ADDRESS`: takes back the mark `failed`.
import { failure } from '../../../base/diagnostic.ts'
import type { ResourceRecord } from '../../../state/record.ts'
import { idleFlags } from '../../arguments/flags.ts'
import { defineCommand } from '../../context/command.ts'
import { changeState } from '../../context/state-access.ts'
import { addressOf, recordAt } from '../../context/state-addresses.ts'
import { safeLine } from '../../render/text/sanitise.ts'

export const stateReadyCommand = defineCommand({
  summary: 'take back the mark failed',
  about: 'A resource whose create failed half way is replaced by the next plan. This says that it is usable after all.',
  arguments: [{ name: 'ADDRESS', about: 'the resource' }],
  flags: {},
  idle: idleFlags.withoutManifests,
  examples: [{ text: 'state ready Instance/web', about: 'it was repaired by hand' }],
  async run(context, given) {
    const [word = ''] = given.arguments
    const address = addressOf(word)
    await changeState(context, (document, folded) => {
      const record = recordAt(folded.resources, address)
      if (record.status !== 'failed') throw failure('state_command', `${address} is not marked failed: it is ${record.status}`, { hint: hintOn(record) })
      const resources = document.resources.map((one) => (one.address === address ? Object.freeze({ ...one, status: 'ready' as const }) : one))
      return { ...document, resources }
    })
    context.print.note(`${safeLine(address)} is ready`)
    return 0
  },
})

/** A successor that failed has no place of its own. */
function hintOn({ deposed }: ResourceRecord): string | undefined {
  const failed = deposed.filter(({ status }) => status === 'failed').map(({ id }) => id)
  return failed.length === 0
    ? undefined
    : `what failed is its successor (id ${failed.join(', ')}): the old object stands in its place, and the next apply deletes the new one`
}
