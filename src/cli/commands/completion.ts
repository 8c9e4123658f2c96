// `iac completion SHELL`: a script made from the table of commands, and the addresses and names that it asks for.
import { completionScript, shells } from '../arguments/completion-script.ts'
import { idleFlags } from '../arguments/flags.ts'
import { usageFailure } from '../arguments/usage.ts'
import { defineCommand } from '../context/command.ts'
import { knownAddresses } from '../operating/names/known-addresses.ts'
import { knownNames } from '../operating/names/known-names.ts'

export const completionCommand = defineCommand({
  summary: 'completion for a shell',
  about:
    'Prints a script that completes commands, flags, kinds, and the addresses of a project: `addresses` is what it asks for those. They are read from the manifests and from a state in a file, without any call. `names` is what it asks for behind `iac get KIND`: those that the service lists within a moment, none where nobody is signed in.',
  arguments: [
    { name: 'SHELL', about: 'bash, zsh or fish, or what a script asks for: addresses or names', choices: [...shells, 'addresses', 'names'] },
    { name: 'KIND', about: 'whose names; with addresses those of these kinds alone', optional: true, many: true },
  ],
  flags: {},
  idle: ['json', ...idleFlags.withoutCalls],
  examples: [
    { text: 'completion bash > /etc/bash_completion.d/iac', about: 'for every user' },
    { text: 'completion fish > ~/.config/fish/completions/iac.fish', about: 'for fish' },
  ],
  async run(context, given) {
    const [wanted = 'bash', ...asked] = given.arguments
    const [kind, more] = asked
    const shell = shells.find((one) => one === wanted)
    if (wanted === 'names' && (kind === undefined || more !== undefined)) throw usageFailure('names needs a KIND, and one alone')
    if (shell && kind !== undefined) throw usageFailure(`${wanted} takes no KIND`)
    if (shell) context.print.data(completionScript(shell, await context.completed()))
    else context.print.data((await (wanted === 'names' ? knownNames(context, kind ?? '') : knownAddresses(context, asked))).map((one) => `${one}\n`).join(''))
    return 0
  },
})
