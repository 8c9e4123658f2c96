// `iac comment FORGE --plan FILE`: one comment with a plan on a pull or merge request, kept up to date.
import { resolve } from 'node:path'
import { checkSense } from '../../engine/saved/saved-plan.ts'
import { kinds } from '../../kinds/registry.ts'
import { nodeFiles } from '../../project/files/node-files.ts'
import { readPlanFile } from '../apply/plan-file.ts'
import { planReport } from '../apply/show-plan.ts'
import { idleFlags } from '../arguments/flags.ts'
import { usageFailure } from '../arguments/usage.ts'
import { defineCommand } from '../context/command.ts'
import type { Context } from '../context/context.ts'
import { marked } from '../forges/comment-mark.ts'
import type { Wanted } from '../forges/comment-steps.ts'
import { commentModes } from '../forges/comment-steps.ts'
import { forgeNames, forgePlace } from '../forges/forge-place.ts'
import type { Done, Kept } from '../forges/keep-comment.ts'
import { keepComment } from '../forges/keep-comment.ts'
import { withForge } from '../forges/open-forge.ts'
import { keysOf } from '../forges/project-keys.ts'
import { markdown } from '../render/formats/markdown.ts'
import type { MachineDocument } from '../render/machine-shapes.ts'
import { safeText } from '../render/text/sanitise.ts'

/** An event holds whole pull requests. */
const mostEventBytes = 32 << 20
const longestTag = 200
const verbs: Readonly<Record<Done['action'], string>> = { create: 'created', update: 'updated', hide: 'hidden', remove: 'removed' }

export const commentCommand = defineCommand({
  summary: 'keep a comment with a plan on a pull or merge request',
  about:
    "Keeps one comment per project, environment and tag on the pull or merge request that the forge's own variables name. Touches only comments that bear its mark and that the token's own user wrote. A plan that is older than the one told there changes nothing, nor does one of a commit that the request is not at any more.",
  arguments: [{ name: 'FORGE', about: forgeNames.join(', '), choices: forgeNames }],
  flags: {
    plan: { type: 'text', value: 'FILE', about: 'a plan saved by `iac plan --out`' },
    tag: { type: 'text', value: 'T', about: 'keeps comments of several pipelines apart (default: default)' },
    mode: { type: 'choice', value: 'M', choices: commentModes, about: 'change the comment that is there, write a new one, or hide the earlier ones, too' },
    'dry-run': { type: 'switch', about: 'print what would be written, and send nothing' },
  },
  idle: idleFlags.withoutWriting,
  examples: [
    { text: 'comment github --plan today.plan', about: 'in a job of a pull request, with GITHUB_TOKEN' },
    { text: 'comment gitlab --plan today.plan --tag nightly --mode hide-and-new', about: 'a new note; earlier ones with this tag are folded' },
    { text: 'comment gitea --plan today.plan --dry-run', about: 'what it would say' },
  ],
  async run(context, given) {
    const { surroundings, print } = context
    const name = forgeNames.find((one) => one === given.arguments[0])
    if (name === undefined) throw usageFailure(`the forge is one of ${forgeNames.join(', ')}`)
    const about = await wantedComment(context, given.text('plan'), given.text('tag') ?? 'default', given.text('mode'))
    const place = forgePlace(name, surroundings.environment, (path) => readEvent(context, path))
    const { commit } = place
    const wanted: Wanted = commit === undefined ? about : { ...about, commit, text: `${about.text.trimEnd()}\n\nPlanned at commit ${commit}.\n` }
    const isDry = given.switch('dry-run')
    const kept: Kept = isDry
      ? { done: [], isOutdated: false }
      : await withForge(name, place, surroundings, (forge) => keepComment(forge, wanted, surroundings.clock))
    const { repository, number } = place
    const body = marked(wanted.mark, wanted.text)
    if (context.globals.switch('json')) {
      const document: MachineDocument<'comment'> = { forge: name, repository, number, dry_run: isDry, outdated: kept.isOutdated, done: [...kept.done], body }
      print.json(document)
      return 0
    }
    const request = `${repository}${name === 'gitlab' ? '!' : '#'}${number}`
    if (isDry) {
      print.note(`nothing was sent; mode ${wanted.mode}, on ${request} at ${place.apiUrl}:`)
      print.result(safeText(`${body.trimEnd()}\n`))
      return 0
    }
    const why = kept.head === undefined ? 'a later plan is told there' : `the plan is of ${commit}, and the request is at ${kept.head}`
    const left = kept.isOutdated ? `was left as it is: ${why}` : 'is up to date'
    print.result(kept.done.map(({ action, id }) => `comment ${id} on ${request} ${verbs[action]}\n`).join('') || `the comment on ${request} ${left}\n`)
    return 0
  },
})

async function wantedComment(context: Context, file: string | undefined, tag: string, mode: string | undefined): Promise<Wanted> {
  if (file === undefined) throw usageFailure('--plan FILE is needed: a plan saved by `iac plan --out`')
  if (tag === '' || tag.length > longestTag) throw usageFailure(`--tag is a text of 1 to ${longestTag} characters`)
  const plan = await readPlanFile(context, file, false)
  checkSense(plan, kinds, context.surroundings.version)
  const { project, environment, folder, created_at: createdAt } = plan
  const run = Buffer.from(context.surroundings.randomBytes(16)).toString('hex')
  const mark = { ...keysOf({ project, environment, tag }, context.folder, folder), run, planMs: Math.max(0, Date.parse(createdAt)), isHidden: false }
  return { mode: commentModes.find((one) => one === mode) ?? 'update', mark, text: markdown(planReport(context, plan)) }
}

function readEvent({ surroundings }: Context, path: string): string | undefined {
  const { bytes } = nodeFiles.read(resolve(surroundings.workingFolder, path), { limitBytes: mostEventBytes })
  return bytes === undefined ? undefined : Buffer.from(bytes).toString('utf8')
}
