// `iac state rm ADDRESS`: the state forgets a resource; the object stays.
import type { Diagnostic } from '../../../base/diagnostic.ts'
import { diagnostic } from '../../../base/diagnostic.ts'
import type { ResourceRecord } from '../../../state/record.ts'
import { idleFlags } from '../../arguments/flags.ts'
import { defineCommand } from '../../context/command.ts'
import { assertSettled, changeState } from '../../context/state-access.ts'
import { matching } from '../../context/state-addresses.ts'
import { safeLine } from '../../render/text/sanitise.ts'

export const stateRmCommand = defineCommand({
  summary: 'forget a resource; its object stays',
  arguments: [{ name: 'ADDRESS', about: 'Kind/name means all its instances, * matches within a name' }],
  flags: {},
  idle: idleFlags.withoutManifests,
  examples: [{ text: 'state rm Disk/scratch', about: 'leave the disk to others' }],
  async run(context, given) {
    const gone: ResourceRecord[] = []
    await changeState(context, (document, folded) => {
      const addresses = new Set(matching(folded.resources, given.arguments[0] ?? ''))
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
  return [diagnostic('advice', text, { address, hint: `delete what is left by hand, or import it: iac get ${kind} shows it` })]
}
