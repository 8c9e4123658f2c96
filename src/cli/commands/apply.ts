// `iac apply`: plans, asks, carries out; or carries out a saved plan.
import { failure } from '../../diagnostic.ts'
import { applyAndTell, applyFlags } from '../apply-project.ts'
import { defineCommand } from '../command.ts'
import { selectionFlags, selectionOf } from '../plan-flags.ts'

export const applyCommand = defineCommand({
  summary: 'carry out what the manifests say',
  about: 'Plans, shows the plan, asks, and carries it out under the lock. Whatever was begun is recorded; running again goes on.',
  arguments: [{ name: 'PLANFILE', about: 'a plan saved by `iac plan --out`, carried out without asking', optional: true }],
  flags: { ...selectionFlags, ...applyFlags, destroy: { type: 'switch', about: 'destroy everything; the same as `iac destroy`' } },
  examples: [
    { text: 'apply', about: 'plan, ask, apply' },
    { text: 'apply --auto-approve --no-destroy', about: 'for pipelines: refuse to delete or replace anything' },
    { text: 'apply today.plan', about: 'carry out a saved plan' },
  ],
  async run(context, given) {
    const [file] = given.arguments
    if (file !== undefined) throw failure('usage', 'saved plans cannot be carried out yet', { hint: 'run `iac apply` without a plan file' })
    return await applyAndTell(context, given, selectionOf(given, given.switch('destroy')))
  },
})
