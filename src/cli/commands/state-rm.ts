// `iac state rm ADDRESS`: the state forgets a resource; the object stays.
import { defineCommand } from '../command.ts'
import { idleFlags } from '../flags.ts'
import { safeLine } from '../render/sanitise.ts'
import { assertSettled, changeState } from '../state-access.ts'
import { matching } from '../state-addresses.ts'

export const stateRmCommand = defineCommand({
  summary: 'forget a resource; its object stays',
  arguments: [{ name: 'ADDRESS', about: 'Kind/name means all its instances, * matches within a name' }],
  flags: {},
  idle: idleFlags.withoutManifests,
  examples: [{ text: 'state rm Disk/scratch', about: 'leave the disk to others' }],
  async run(context, given) {
    const gone: string[] = []
    await changeState(context, (document, folded) => {
      gone.push(...matching(folded.resources, given.arguments[0] ?? ''))
      const addresses = new Set(gone)
      assertSettled(folded, addresses)
      return { ...document, resources: document.resources.filter((one) => !addresses.has(one.address)) }
    })
    for (const address of gone) context.print.note(`forgot ${safeLine(address)}`)
    return 0
  },
})
