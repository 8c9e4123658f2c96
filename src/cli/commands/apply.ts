// `iac apply`: plans, asks, carries out; or carries out a saved plan.
import { checkSignature } from '../../engine/saved/plan-signature.ts'
import { applyAndTell, applyFlags, applySavedAndTell, assertReviewed } from '../apply/apply-project.ts'
import { planKeyOf, readPlanFile } from '../apply/plan-file.ts'
import { selectionFlags, selectionOf } from '../arguments/plan-flags.ts'
import { usageFailure } from '../arguments/usage.ts'
import { defineCommand } from '../context/command.ts'

export const applyCommand = defineCommand({
  summary: 'carry out what the manifests say',
  about: 'Plans, shows the plan, asks, and carries it out under the lock. Whatever was begun is recorded; running again goes on.',
  arguments: [
    {
      name: 'PLANFILE',
      about: 'a plan saved by `iac plan --out`, carried out without asking; signed by the key in IAC_PLAN_KEY where that is set',
      optional: true,
    },
  ],
  flags: {
    ...selectionFlags,
    ...applyFlags,
    destroy: { type: 'switch', about: 'destroy everything; the same as `iac destroy`' },
    'expect-review': { type: 'text', value: 'HASH', about: 'go on only if the plan has this review, as the one that was looked at; it is not asked then' },
  },
  streams: true,
  examples: [
    { text: 'apply', about: 'plan, ask, apply' },
    { text: 'apply --auto-approve --no-destroy', about: 'for pipelines: refuse to delete or replace anything' },
    { text: 'apply today.plan', about: 'carry out a saved plan' },
    { text: 'apply --expect-review "$IAC_REVIEW"', about: 'plan again, and go on only if it is what was reviewed' },
  ],
  async run(context, given) {
    const [file] = given.arguments
    const options = selectionOf(given, given.switch('destroy'))
    const review = reviewed(given.text('expect-review'))
    if (file === undefined) return await applyAndTell(context, given, options, review)
    const selected = given.switch('destroy') || options.refreshOnly || [options.targets, options.excludes, options.replace].some((one) => one.length > 0)
    if (selected) throw usageFailure('a saved plan is carried out as it is: it takes no selection flags')
    const plan = await readPlanFile(context, file, true)
    const key = planKeyOf(context.surroundings)
    checkSignature(plan, key)
    if (review !== undefined) assertReviewed(plan, review)
    // Whoever can alter a plan that nobody signed could have what is secret written where they like by the variables of a text.
    await context.load(key === undefined ? undefined : plan)
    return await applySavedAndTell(context, given, plan)
  },
})

/** Throws a Failure 3 for what is no review: an empty variable of a pipeline must approve nothing. */
function reviewed(text: string | undefined): string | undefined {
  if (text === undefined || /^[0-9a-f]{64}$/.test(text)) return text
  throw usageFailure('--expect-review takes the review of a plan: 64 hexadecimal digits, as `iac plan --json` has them')
}
