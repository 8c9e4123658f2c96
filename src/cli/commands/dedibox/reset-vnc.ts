// `iac dedibox reset-vnc ADDRESS`: gives the console of a dedibox a new token.
import { kinds } from '../../../kinds/registry.ts'
import { defineCommand } from '../../context/command.ts'
import { findObject } from '../../operating/find-object.ts'
import { operate, operatingFlags } from '../../operating/operate.ts'

export const dediboxResetVncCommand = defineCommand({
  summary: 'give the console of a dedibox a new token',
  about:
    'Resets the VNC console of a dedicated server: its token of before is good no more. The new one is printed nowhere; `iac api GET /v1/dedibox/ID` shows it.',
  arguments: [{ name: 'ADDRESS', about: 'a name, an id, or Dedibox/NAME', operation: 'resetConsole' }],
  flags: { 'no-wait': operatingFlags['no-wait'] },
  idle: ['file'],
  examples: [{ text: 'dedibox reset-vnc metal-1', about: 'whoever had the token of before is locked out' }],
  async run(context, given) {
    const [word = ''] = given.arguments
    const { target, client, compat } = await findObject(context, word.includes('/') ? word : `${kindWithConsole()}/${word}`, 'resetConsole')
    return await operate({ context, client, compat, target, step: 'reset VNC' }, given, async () => ({
      done: 'its console has a new token',
      call: target.operations.resetConsole?.(target.id),
    }))
  },
})

function kindWithConsole(): string {
  return kinds.find(({ operations }) => operations?.resetConsole)?.name ?? ''
}
