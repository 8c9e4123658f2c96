// `iac state mv A B`: a resource gets another address.
import { parseAddress } from '../../../base/address.ts'
import { failure } from '../../../base/diagnostic.ts'
import type { ResourceRecord } from '../../../state/record.ts'
import { withNames } from '../../../state/rename.ts'
import { idleFlags } from '../../arguments/flags.ts'
import { usageFailure } from '../../arguments/usage.ts'
import { defineCommand } from '../../context/command.ts'
import { assertSettled, changeState } from '../../context/state-access.ts'
import { addressOf, recordAt } from '../../context/state-addresses.ts'
import { safeLine } from '../../render/text/sanitise.ts'

export const stateMvCommand = defineCommand({
  summary: 'give a recorded resource another address',
  arguments: [
    { name: 'FROM', about: 'the address it has; of a for_each that of all its keys' },
    { name: 'TO', about: 'the address it gets, of the same kind' },
  ],
  flags: {},
  idle: idleFlags.withoutManifests,
  examples: [{ text: 'state mv Instance/web Instance/frontend', about: 'after renaming the manifest' }],
  async run(context, given) {
    const [first = '', second = ''] = given.arguments
    const [from, to] = [addressOf(first), addressOf(second)]
    if (parseAddress(from)?.kind !== parseAddress(to)?.kind) throw usageFailure('a resource cannot become another kind')
    let moves: ReadonlyMap<string, string> = new Map()
    const renamed = (address: string): string => moves.get(address) ?? address
    await changeState(
      context,
      (document, folded) => {
        moves = movesOf(folded.resources, from, to)
        for (const one of [to, ...moves.values()]) if (folded.resources.has(one)) throw failure('state_command', `the state already holds ${one}`)
        assertSettled(folded, new Set([...moves].flat()))
        return { ...document, resources: document.resources.map((one) => withNames(one, renamed)) }
      },
      (intent) => withNames(intent, renamed),
    )
    for (const [old, now] of moves) context.print.note(`${safeLine(old)} is now ${safeLine(now)}`)
    return 0
  },
})

/** An address and its new one; of a whole for_each those of all its keys. Throws a Failure 3 where the state holds none. */
function movesOf(resources: ReadonlyMap<string, ResourceRecord>, from: string, to: string): ReadonlyMap<string, string> {
  const isWhole = !resources.has(from) && [from, to].every((one) => parseAddress(one)?.key === undefined)
  const keyed = [...resources.keys()].filter((one) => isWhole && one.startsWith(`${from}[`))
  if (keyed.length === 0) return new Map([[recordAt(resources, from).address, to]])
  return new Map(keyed.map((one) => [one, `${to}${one.slice(from.length)}`]))
}
