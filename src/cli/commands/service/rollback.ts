// `iac rollback ADDRESS`: puts the previous revision of a service back.
import { diagnostic } from '../../../base/diagnostic.ts'
import { defineCommand } from '../../context/command.ts'
import { findObject, targetArgument } from '../../operating/find-object.ts'
import { operate, operatingFlags } from '../../operating/operate.ts'
import { untilRunning } from '../../operating/service-running.ts'
import { safeLine } from '../../render/text/sanitise.ts'

export const rollbackCommand = defineCommand({
  summary: 'put the previous revision of a service back',
  about:
    'Reverts a service of the managed cluster to its previous revision, and waits until it runs. Its manifest still says the newer one: the next plan shows the difference.',
  arguments: [{ name: 'ADDRESS', about: targetArgument, operation: 'rollback' }],
  flags: operatingFlags,
  idle: ['file'],
  examples: [{ text: 'rollback K3sService/shop', about: 'the image of yesterday, while its manifest is mended' }],
  async run(context, given) {
    const { target, client, compat } = await findObject(context, given.arguments[0] ?? '', 'rollback')
    return await operate({ context, client, compat, target, step: 'rollback' }, given, async () => {
      if (target.record) {
        const text = `${target.address}: its manifest still says the newer revision, and the next apply puts that in place again`
        context.print.diagnostics([diagnostic('advice', text, { address: target.address, hint: 'put the earlier values back into the manifest, too' })])
      }
      return {
        done: 'rolled back to its previous revision, and running',
        call: target.operations.rollback?.(target.id, target.workspaceId),
        question: {
          title: `Do you really want to roll back ${safeLine(target.address)}?`,
          lines: [`id ${safeLine(target.id)}`, 'Its pods are exchanged for those of the previous revision.'],
        },
        effect: { restores: true },
        settle: () => untilRunning(context.surroundings, client, target),
      }
    })
  },
})
