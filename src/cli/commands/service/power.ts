// `iac power ADDRESS on|off|shutdown|cycle`: switches an instance or a dedibox.
import { objectOf } from '../../../api/answers/answer.ts'
import type { Compat } from '../../../api/calls/compat.ts'
import type { Client } from '../../../api/client.ts'
import type { Diagnostic } from '../../../base/diagnostic.ts'
import { diagnostic, failure } from '../../../base/diagnostic.ts'
import { settingMs } from '../../../engine/model/settings.ts'
import { lookUntil } from '../../../engine/refresh/reads-lag.ts'
import type { PowerAction } from '../../../kinds/definition/operations.ts'
import { defineCommand } from '../../context/command.ts'
import type { Context } from '../../context/context.ts'
import type { Target } from '../../operating/find-object.ts'
import { findObject, targetArgument } from '../../operating/find-object.ts'
import type { Operation } from '../../operating/operate.ts'
import { operate, operatingFlags } from '../../operating/operate.ts'
import { safeLine } from '../../render/text/sanitise.ts'

const actions = {
  on: { done: 'powered on', hurts: undefined, leaves: 'ON' },
  off: { done: 'powered off', hurts: 'It stops at once, as if its plug was pulled: what it has not written is lost.', leaves: 'OFF' },
  shutdown: { done: 'shut down', hurts: 'Its system is told to end; what it serves is not reached any more.', leaves: 'OFF' },
  cycle: { done: 'power cycled', hurts: 'It is reset at once, and starts anew: what it has not written is lost.', leaves: undefined },
} as const

const words: readonly PowerAction[] = ['on', 'off', 'shutdown', 'cycle']

export const powerCommand = defineCommand({
  summary: 'switch an instance or a dedibox on or off',
  about:
    'Switches an instance or a dedibox, and waits until it is done. Asks before all but `on`. What a manifest says of power stays said: the next plan shows the difference.',
  arguments: [
    { name: 'ADDRESS', about: targetArgument, operation: 'power' },
    { name: 'ACTION', about: 'on, off (at once), shutdown (by its own system), cycle (a hard reboot)', choices: words },
  ],
  flags: operatingFlags,
  idle: ['file'],
  examples: [
    { text: 'power Instance/web cycle', about: 'a hard reboot' },
    { text: 'power Dedibox/backup-1 on --no-wait', about: 'a dedicated server, not waited for' },
  ],
  async run(context, given) {
    const [address = '', text = ''] = given.arguments
    const word = words.find((one) => one === text) ?? 'on'
    const { target, client, compat } = await findObject(context, address, 'power')
    const asked = target.operations.power?.(target.id, word)
    if (!asked) throw failure('usage', `${target.address}: the service has no ${word} for it`, { hint: 'shut its own system down, or use off' })
    return await operate({ context, client, compat, target, step: `power ${word}` }, given, async () => {
      const isOnline = await onlineOf(client, target)
      if (isOnline === (word === 'on') && word !== 'cycle') return { done: `is ${isOnline ? 'on' : 'off'} already; nothing was sent`, call: undefined }
      context.print.diagnostics(undone(target, word))
      const { leaves } = actions[word]
      const settle = (): Promise<void> => untilShown(context, { client, compat, target, isOn: word === 'on' })
      return {
        ...operationOf(target, word),
        call: asked,
        effect: { sets: leaves === undefined ? {} : { power: leaves } },
        ...(leaves === undefined ? {} : { settle }),
      }
    })
  },
})

/** Whether it runs, undefined where the answer does not tell. Throws a Failure 3 for what is not there any more. */
async function onlineOf(client: Client, { id, address, workspaceId, operations }: Target): Promise<boolean | undefined> {
  const record = await client.read(operations.reading(id, workspaceId))
  if (record === undefined) throw failure('lookup_failed', `${address} (id ${id}) is not there any more`)
  const found = objectOf(record)
  const online = found?.['online']
  return typeof online === 'boolean' ? online : undefined
}

interface Switched {
  readonly client: Client
  readonly compat: Compat
  readonly target: Target
  readonly isOn: boolean
}

/** Waits until reads show it, as long as they may lag behind: the next command goes by what they show. What cannot be read is switched all the same. */
async function untilShown({ surroundings: { clock } }: Pick<Context, 'surroundings'>, { client, compat, target, isOn }: Switched): Promise<void> {
  const shown = (): Promise<boolean | undefined> => onlineOf(client, target).catch(() => undefined)
  await lookUntil(clock, clock.now() + settingMs(compat.read_grace), shown, (one) => one === undefined || one === isOn)
}

/** What the next plan may undo: a manifest says which it is to be. */
function undone({ address, record }: Target, word: PowerAction): readonly Diagnostic[] {
  const recorded = record?.spec['power']
  const { leaves } = actions[word]
  if (leaves === undefined || recorded === undefined) return []
  const text = `${address}: its manifest may say otherwise, and the next apply makes its power what stands there`
  return [diagnostic('advice', text, { address, hint: `write power: ${leaves} into its manifest, or leave power out of it, if it is to stay so` })]
}

function operationOf(target: Target, word: PowerAction): Omit<Operation, 'call'> {
  const { done, hurts } = actions[word]
  const title = `Do you really want to ${word === 'shutdown' ? 'shut down' : `power ${word}`} ${safeLine(target.address)}?`
  const question = hurts !== undefined ? { title, lines: [`id ${safeLine(target.id)}`, hurts] } : undefined
  return { done, question }
}
