// `iac sandbox env`: the variables with which a shell reaches the running sandbox.
import * as z from 'zod'
import { failure } from '../../../base/diagnostic.ts'
import { parseJson } from '../../../base/json.ts'
import { tokenPattern } from '../../../sandbox/people/callers.ts'
import { idleFlags } from '../../arguments/flags.ts'
import { defineCommand } from '../../context/command.ts'
import { isAnswering, leftRunning, runningFile } from '../../sandbox/running.ts'
import { checkOwnPlace } from '../../storage/own-places.ts'

const schema = z.object({
  url: z.url().regex(/^http:\/\/127\.0\.0\.1:\d+$/),
  token: z.string().regex(tokenPattern),
  operator_token: z.string().regex(/^[A-Za-z0-9]+$/),
  control_token: z.string().regex(/^[\w-]+$/),
})

export const sandboxEnvCommand = defineCommand({
  summary: 'the variables for a shell',
  about: 'Prints export lines for the sandbox that runs for this project.',
  arguments: [],
  flags: {},
  idle: [...idleFlags.withoutProject, 'quiet', 'verbose', 'no-color'],
  examples: [{ text: 'sandbox env', about: 'use it as eval "$(iac sandbox env)"' }],
  async run({ folder, print, globals, surroundings }) {
    const file = runningFile(folder)
    checkOwnPlace(surroundings, folder, file)
    const text = leftRunning(file, surroundings.userId)
    if (text === undefined) throw failure('usage', 'no sandbox runs for this project', { hint: 'start one with `iac sandbox`' })
    const left = addressIn(text)
    const { url, token } = left
    if (!(await isAnswering(left, surroundings.clock))) {
      const detail = `One was at ${url} and does not answer there any more.`
      throw failure('usage', 'no sandbox runs for this project', { detail, hint: 'start one with `iac sandbox`' })
    }
    if (globals.switch('json')) print.json({ url, token, operator_token: left.operator_token })
    else print.result(`export IAC_BASE_URL=${url}\nexport IAC_TOKEN=${token}\n`)
    return 0
  },
})

function addressIn(text: string): z.output<typeof schema> {
  try {
    return schema.parse(parseJson(text))
  } catch {
    throw failure('usage', 'what a sandbox left behind here is damaged', { hint: 'start one with `iac sandbox`' })
  }
}
