// `iac completion SHELL`: a script made from the table of commands.
import { completionScript, shells } from '../arguments/completion-script.ts'
import { idleFlags } from '../arguments/flags.ts'
import { defineCommand } from '../context/command.ts'

export const completionCommand = defineCommand({
  summary: 'completion for a shell',
  about: 'Prints a script that completes commands, flags and kinds.',
  arguments: [{ name: 'SHELL', about: 'bash, zsh or fish', choices: shells }],
  flags: {},
  idle: ['dir', 'json', ...idleFlags.withoutProject],
  examples: [
    { text: 'completion bash > /etc/bash_completion.d/iac', about: 'for every user' },
    { text: 'completion fish > ~/.config/fish/completions/iac.fish', about: 'for fish' },
  ],
  async run({ print, completed }, given) {
    const [shell = 'bash'] = given.arguments
    print.data(completionScript(shells.find((one) => one === shell) ?? 'bash', await completed()))
    return 0
  },
})
