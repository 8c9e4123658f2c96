// `iac completion SHELL`: a script made from the table of commands, and the addresses that it asks for.
import { completionScript, shells } from '../arguments/completion-script.ts'
import { idleFlags } from '../arguments/flags.ts'
import { defineCommand } from '../context/command.ts'
import { knownAddresses } from '../operating/known-addresses.ts'

export const completionCommand = defineCommand({
  summary: 'completion for a shell',
  about:
    'Prints a script that completes commands, flags, kinds, and the addresses of a project: `addresses` is what it asks for those. They are read from the manifests and from a state in a file, without any call.',
  arguments: [{ name: 'SHELL', about: 'bash, zsh or fish, or addresses', choices: [...shells, 'addresses'] }],
  flags: {},
  idle: ['json', ...idleFlags.withoutCalls],
  examples: [
    { text: 'completion bash > /etc/bash_completion.d/iac', about: 'for every user' },
    { text: 'completion fish > ~/.config/fish/completions/iac.fish', about: 'for fish' },
  ],
  async run(context, given) {
    const [wanted = 'bash'] = given.arguments
    const shell = shells.find((one) => one === wanted)
    context.print.data(shell ? completionScript(shell, await context.completed()) : (await knownAddresses(context)).map((one) => `${one}\n`).join(''))
    return 0
  },
})
