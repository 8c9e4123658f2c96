// `iac state rm ADDRESS...`: the state forgets resources; their objects stay.
import type { Diagnostic } from '../../../base/diagnostic.ts'
import { diagnostic } from '../../../base/diagnostic.ts'
import type { ResourceRecord } from '../../../state/record.ts'
import { idleFlags } from '../../arguments/flags.ts'
import { defineCommand } from '../../context/command.ts'
import { assertSettled, changeState } from '../../context/state-access.ts'
import { matching } from '../../context/state-addresses.ts'
import { safeLine } from '../../render/text/sanitise.ts'

export const stateRmCommand = defineCommand({
  summary: 'forget resources; their objects stay',
  about: 'Forgets all that is named, or nothing where the state lacks any of it. The objects stay as they are, and are managed by nobody.',
  arguments: [{ name: 'ADDRESS', about: 'Kind/name means all its instances, * matches within a name', many: true }],
  flags: {},
  idle: idleFlags.withoutManifests,
  examples: [
    { text: 'state rm Disk/scratch', about: 'leave the disk to others' },
    { text: "state rm Vpc/old 'Instance/old-*'", about: 'several at once' },
  ],
  async run(context, given) {
    const gone: ResourceRecord[] = []
    await changeState(context, (document, folded) => {
      const addresses = new Set(given.arguments.flatMap((one) => matching(folded.resources, one)))
      assertSettled(folded, addresses)
      gone.push(...document.resources.filter((one) => addresses.has(one.address)))
      return { ...document, resources: document.resources.filter((one) => !addresses.has(one.address)) }
    })
    for (const one of gone) context.print.note(`forgot ${safeLine(one.address)}${one.id === '' ? '' : ` (id ${safeLine(one.id)})`}`)
    context.print.diagnostics(gone.flatMap(abandoned))
    return 0
  },
})

/** Old halves were still to be deleted: with their record goes the only thing that would have done it. */
function abandoned({ address, kind, deposed }: ResourceRecord): Diagnostic[] {
  if (deposed.length === 0) return []
  const ids = deposed.map((old) => old.id).join(', ')
  const text = `${address}: ${deposed.length === 1 ? 'its old half' : 'its old halves'} (id ${ids}) ${deposed.length === 1 ? 'was' : 'were'} still to be deleted, which nobody does now`
  return [diagnostic('advice', text, { address, hint: `delete what is left by hand, or import it: \`iac get ${kind}\` shows it` })]
}
