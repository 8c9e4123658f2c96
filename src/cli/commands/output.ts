// `iac output [NAME]`: the outputs of the last apply.
import { failure } from '../../base/diagnostic.ts'
import type { JsonValue } from '../../base/json.ts'
import { stringifyJson } from '../../base/json.ts'
import { nearest } from '../../base/words/nearest.ts'
import { idleFlags } from '../arguments/flags.ts'
import { usageFailure } from '../arguments/usage.ts'
import { defineCommand } from '../context/command.ts'
import { currentState, noteAbsence } from '../context/state-access.ts'
import type { MachineDocument } from '../render/machine-shapes.ts'
import { outputLines } from '../render/output-text.ts'
import { safeJson } from '../render/text/sanitise.ts'

export const outputCommand = defineCommand({
  summary: 'the outputs of the last apply',
  about: 'Prints the outputs as the last apply recorded them. A sensitive one has no value here, since the state does not hold it.',
  arguments: [{ name: 'NAME', about: 'one output', optional: true }],
  flags: { raw: { type: 'switch', about: 'the value alone, without quotes; texts, numbers and booleans only' } },
  idle: idleFlags.withoutWriting,
  examples: [
    { text: 'output', about: 'all outputs' },
    { text: 'output --raw web_ip', about: 'one value for a script' },
  ],
  async run(context, given) {
    const state = await currentState(context)
    const { outputs } = state.folded
    const [name] = given.arguments
    if (name === undefined) {
      if (given.switch('raw')) throw usageFailure('--raw needs the name of an output')
      noteAbsence(context, state)
      const entries = Object.entries(outputs).map(([key, one]) => [key, { value: one.sensitive ? null : one.value, sensitive: one.sensitive }] as const)
      const document: MachineDocument<'output'> = Object.fromEntries(entries)
      if (context.globals.switch('json')) context.print.json(document)
      else
        context.print.result(
          outputLines(outputs)
            .map((line) => `${line}\n`)
            .join(''),
        )
      return 0
    }
    const output = Object.hasOwn(outputs, name) ? outputs[name] : undefined
    if (!output) {
      const near = nearest(name, Object.keys(outputs))
      throw failure('state_command', `no output is called ${name}`, {
        hint: near === undefined ? 'see `iac output`; the next apply records new ones' : `did you mean ${near}?`,
      })
    }
    if (given.switch('raw')) context.print.data(rawText(name, output))
    else if (context.globals.switch('json')) context.print.result(`${safeJson(stringifyJson(output.sensitive ? null : output.value))}\n`)
    else
      context.print.result(
        output.sensitive
          ? '(sensitive value)\n'
          : `${outputLines({ [name]: output })
              .join('\n')
              .slice(name.length + 3)}\n`,
      )
    return 0
  },
})

/** Exactly the value: what a script reads must not be escaped. */
function rawText(name: string, output: { readonly value: JsonValue; readonly sensitive: boolean }): string {
  const { value, sensitive } = output
  if (sensitive) throw failure('state_command', `${name} is sensitive, and the state does not hold it`)
  if (value === null || typeof value === 'object') throw usageFailure(`${name} is no text, number or boolean; use --json`)
  return String(value)
}
