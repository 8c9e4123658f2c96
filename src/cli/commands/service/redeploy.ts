// `iac redeploy ADDRESS`: restarts a service with its current configuration.
import { defineCommand } from '../../context/command.ts'
import { findObject, targetArgument } from '../../operating/find-object.ts'
import { operate, operatingFlags } from '../../operating/operate.ts'
import { untilRunning } from '../../operating/service-running.ts'
import { safeLine } from '../../render/text/sanitise.ts'

export const redeployCommand = defineCommand({
  summary: 'restart a service of the managed cluster',
  about:
    'Restarts a service with its current configuration, and waits until it runs: after an update of a K3sSecret, which restarts nothing by itself. Asks first.',
  arguments: [{ name: 'ADDRESS', about: targetArgument, operation: 'redeploy' }],
  flags: operatingFlags,
  idle: ['file'],
  examples: [{ text: 'redeploy K3sService/shop', about: 'its pods start anew' }],
  async run(context, given) {
    const { target, client, compat } = await findObject(context, given.arguments[0] ?? '', 'redeploy')
    return await operate({ context, client, compat, target, step: 'redeploy' }, given, async () => ({
      done: 'redeployed, and running',
      call: target.operations.redeploy?.(target.id, target.workspaceId),
      question: {
        title: `Do you really want to redeploy ${safeLine(target.address)}?`,
        lines: [`id ${safeLine(target.id)}`, 'Its pods are started anew, as it is configured now.'],
      },
      effect: { restarts: true },
      settle: () => untilRunning(context.surroundings, client, target),
    }))
  },
})
