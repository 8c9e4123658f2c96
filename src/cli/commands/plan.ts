// `iac plan`: what would change; writes nothing but what --out and --format name.
import { formatFlag } from '../apply/formats.ts'
import { ciFlag, compatFlag, maxDestroyFlag, policyFlags, selectionFlags } from '../arguments/plan-flags.ts'
import { defineCommand } from '../context/command.ts'
import type { Context } from '../context/context.ts'
import type { Concluded } from '../unchanged/looking.ts'
import { unlessUnchanged } from '../unchanged/unchanged.ts'

export const planCommand = defineCommand({
  summary: 'show what would change',
  about:
    'Reads live state and shows what apply would do. Takes no lock and writes nothing but what --out and --format name. What apply would refuse ends with its exit code, and --out writes nothing.',
  arguments: [],
  flags: {
    ...selectionFlags,
    out: { type: 'text', value: 'FILE', about: 'save the plan, to be applied as it is; signed where IAC_PLAN_KEY is set, encrypted where the state is' },
    'max-destroy': maxDestroyFlag,
    ...policyFlags,
    ...ciFlag,
    'detailed-exitcode': { type: 'switch', about: 'exit with 2 when there is a difference' },
    destroy: { type: 'switch', about: 'plan the destruction of everything' },
    refresh: { type: 'choice', value: 'BOOL', choices: ['true', 'false'], about: 'false plans against the state without reading what is live (default true)' },
    seed: {
      type: 'text',
      value: 'PATH',
      about:
        'with --sandbox: plan against a service of its own that first gets what these manifests declare, such as those of the base branch; a file or folder',
    },
    needs: { type: 'switch', about: 'print the smallest API token that carries the plan out, as a manifest; with --json the calls behind it' },
    format: formatFlag('plan'),
    compat: compatFlag,
    'json-into': { type: 'text', value: 'FILE', about: 'write the machine format into a file beside what is shown' },
  },
  examples: [
    { text: 'plan --sandbox', about: 'plan against the embedded service' },
    { text: 'plan --out today.plan --format json=today.json', about: 'save the plan, and a copy for machines' },
    { text: "plan --target 'Instance/web-*'", about: 'only these instances, with what they need' },
  ],
  async run(context, given) {
    const running = async (one: Context): Promise<Concluded> => (await import('./planning/plan-project.ts')).planProject(one, given)
    return await unlessUnchanged(context, { flags: planCommand.flags, given, tellsActions: true, running })
  },
})
