// `iac state history`: the generations of the state that are kept.
import { defineCommand } from '../command.ts'
import { storeOf } from '../state-access.ts'

export const stateHistoryCommand = defineCommand({
  summary: 'the generations of the state that are kept',
  arguments: [],
  flags: {},
  examples: [{ text: 'state history', about: 'serials, the newest first' }],
  async run(context) {
    const serials = await (await storeOf(context)).history()
    if (context.globals.switch('json')) context.print.json(serials.map((serial) => ({ serial })))
    else context.print.result(serials.map((serial) => `${serial}\n`).join(''))
    return 0
  },
})
