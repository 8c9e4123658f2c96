// `iac destroy`: `apply --destroy`.
import { applyAndTell, applyFlags } from '../apply/apply-project.ts'
import { destroySelectionFlags, destroySelectionOf } from '../arguments/plan-flags.ts'
import { defineCommand } from '../context/command.ts'

export const destroyCommand = defineCommand({
  summary: 'destroy everything that is managed',
  about:
    'Destroys everything that the state holds; the same as `iac apply --destroy`. With -f those of the files alone. What has `on_remove: retain` stays and is forgotten, with all that it needs, such as the server that a disk is attached to, which goes on costing.',
  arguments: [],
  flags: { ...destroySelectionFlags, ...applyFlags },
  streams: true,
  examples: [
    { text: 'destroy', about: 'show what goes, ask, destroy' },
    { text: 'destroy --target Instance/web', about: 'this one, with what needs it' },
  ],
  run: (context, given) => applyAndTell(context, given, destroySelectionOf(given)),
})
