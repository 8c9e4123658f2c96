// `iac workflows [ID]`: what the service does and did, and one workflow with its activities.
import { itemsOf, objectOf } from '../../../api/answers/answer.ts'
import type { Call, Query } from '../../../api/calls/call.ts'
import { call } from '../../../api/calls/call.ts'
import type { Compat } from '../../../api/calls/compat.ts'
import type { Client } from '../../../api/client.ts'
import { routes } from '../../../api/routes/routes.ts'
import type { WorkflowDetails } from '../../../api/workflows/workflow-details.ts'
import { workflowDetails } from '../../../api/workflows/workflow-details.ts'
import { terminalState } from '../../../api/workflows/workflows.ts'
import { failure } from '../../../base/diagnostic.ts'
import { instantMs } from '../../../base/instant.ts'
import type { JsonValue } from '../../../base/json.ts'
import { parseDuration } from '../../../base/units.ts'
import { few } from '../../../base/words/few.ts'
import { kinds } from '../../../kinds/registry.ts'
import type { Given } from '../../arguments/flags.ts'
import { usageFailure } from '../../arguments/usage.ts'
import { defineCommand } from '../../context/command.ts'
import type { Context } from '../../context/context.ts'
import { workspacesOf } from '../../context/listed-objects.ts'
import { currentState } from '../../context/state-access.ts'
import type { LookedIn } from '../../context/workspace-of.ts'
import { lookedIn } from '../../context/workspace-of.ts'
import { findObject, targetArgument } from '../../operating/find-object.ts'
import type { Subjects } from '../../operating/names/workflow-subjects.ts'
import { createSubjects } from '../../operating/names/workflow-subjects.ts'
import { watchTable } from '../../operating/watch-table.ts'
import { workflowDocument, workflowLine, workflowLines, workflowTable, workflowText } from '../../render/workflow-text.ts'

const states = ['QUEUED', 'RUNNING', 'COMPLETED', 'FAILED', 'ABORTED', 'TIMED_OUT'] as const
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const PART = /^[0-9a-f][0-9a-f-]{0,35}$/i
const MOST = 100
const USUAL = 20
/** The default of every list, which no service can refuse ("Shared pagination"). */
const PAGE = 50
/** What is not among so many of the newest is not looked for. */
const MOST_PAGES = 10

export const workflowsCommand = defineCommand({
  summary: 'what the service does and did',
  about:
    'Lists the workflows of the workspace, the newest first, or shows one by its id with its activities and their attempts. A single one that is watched ends with 0 when it completes, with 8 when it fails.',
  arguments: [{ name: 'ID', about: 'a workflow by its id, or by as much of it as tells it from the newest others', optional: true }],
  flags: {
    watch: { type: 'switch', short: 'w', about: 'look again and again, until ^C or its end' },
    instance: { type: 'text', value: 'ADDRESS', about: `those of one instance: ${targetArgument}` },
    state: { type: 'list', value: 'STATE', completes: states, about: `those in a state: ${states.join(', ')}` },
    since: { type: 'text', value: 'D|T', about: 'all that were started in the last 2h, or since an instant' },
    limit: { type: 'integer', value: 'N', least: 1, most: MOST, about: `how many without --since (default ${USUAL})` },
    all: { type: 'switch', about: 'of all workspaces; for administrators of the service' },
  },
  idle: ['file', 'lock-timeout', 'no-input'],
  examples: [
    { text: 'workflows --state failed --since 24h', about: 'what went wrong today' },
    { text: 'workflows 0192d5a0-7c1e-7d2f-9f3a-5b6c7d8e9f00 --watch', about: 'one, until it ends' },
  ],
  async run(context, given) {
    const [id] = given.arguments
    if (given.switch('watch') && context.globals.switch('json')) throw usageFailure('--watch is for people, and --json for programs')
    return id === undefined ? await list(context, given) : await single(context, given, id)
  },
})

async function single(context: Context, given: Given, word: string) {
  if (!PART.test(word)) throw usageFailure(`"${word}" is no id of a workflow`)
  const looked = await lookedIn(context)
  const client = await context.client(looked.compat)
  const workspaceId = await workspaceOf(client, looked)
  const id = UUID.test(word) ? word : await wholeId(client, workspaceId, word)
  const subjects = await subjectsIn(context, { client, compat: looked.compat, workspaceId })
  const read = async (): Promise<WorkflowDetails> => {
    const one = workflowDetails(await client.read(call(routes.getWorkflow, { wfid: id })))
    if (one) return one
    throw failure('lookup_failed', `the service knows no workflow ${id}`, { hint: 'without an id the newest are listed' })
  }
  if (given.switch('watch'))
    return await watchTable(context, async () => {
      const one = await read()
      const state = terminalState(one)
      return { whole: workflowText(one, await subjects([one])), lines: workflowLines(one), end: state && (state === 'COMPLETED' ? 0 : 8) }
    })
  const one = await read()
  if (context.globals.switch('json')) context.print.json(workflowDocument(one))
  else context.print.result(workflowText(one, await subjects([one])))
  return 0
}

/** The one of the newest that begins so. */
async function wholeId(client: Client, wid: string, word: string): Promise<string> {
  const all = await newestOf(client, call(routes.listWorkspaceWorkflows, { wid }), MOST)
  const fitting = all.filter((one) => one.id.startsWith(word.toLowerCase()))
  const [only, more] = fitting
  if (only && !more) return only.id
  if (!only) throw failure('lookup_failed', `none of the newest ${MOST} workflows has an id that begins with ${word}`, { hint: 'give the whole id' })
  throw failure('lookup_failed', `${fitting.length} workflows have ids that begin with ${word}`, { hint: few(fitting.map((one) => one.id)) })
}

/** What workflows are about, by the state and what is live in a workspace. */
async function subjectsIn(context: Context, { client, compat, workspaceId }: Listed): Promise<Subjects> {
  return createSubjects({ client, compat, kinds }, (await currentState(context)).folded.resources.values(), workspaceId)
}

async function workspaceOf(client: Client, { ref, idOf }: Pick<LookedIn, 'ref' | 'idOf'>): Promise<string> {
  const [wid = ''] = await workspacesOf(client, { ref, everywhere: false, idOf }, 'set provider.workspace in iac.yaml')
  return wid
}

async function list(context: Context, given: Given) {
  const words = given.list('state').map((word) => word.toUpperCase())
  const wrong = words.find((word) => !states.some((one) => one === word))
  if (wrong !== undefined) throw usageFailure(`--state ${wrong}: a state is one of ${states.join(', ')}`)
  const since = sinceOf(given)
  const found = await listed(context, given)
  const { client, listing } = found
  const subjects = await subjectsIn(context, found)
  const look = async (): Promise<readonly WorkflowDetails[]> =>
    since === undefined
      ? await newestOf(client, listing, given.number('limit') ?? USUAL, words)
      : await allSince(client, listing, await startOf(client, since), words)
  if (given.switch('watch'))
    return await watchTable(context, async () => {
      const all = await look()
      const addresses = await subjects(all)
      return {
        whole: all.length === 0 ? 'no workflows\n' : workflowTable(all, addresses, context.surroundings.stdout.size?.columns),
        lines: new Map(all.toReversed().map((one) => [one.id, workflowLine(one, addresses)])),
      }
    })
  const all = await look()
  if (context.globals.switch('json')) context.print.json(all.map(workflowDocument))
  else if (all.length === 0) context.print.note('no workflows')
  else context.print.result(workflowTable(all, await subjects(all), context.surroundings.stdout.size?.columns))
  return 0
}

/** Where workflows are listed; a workspace is not known where all are meant. */
interface Listed {
  readonly client: Client
  readonly compat: Compat
  readonly workspaceId: string | undefined
}

/** The listing that is meant: of an instance, of all workspaces, or of the project's. */
async function listed(context: Context, given: Given): Promise<Listed & { readonly listing: Call }> {
  const instance = given.text('instance')
  if (instance !== undefined && given.switch('all')) throw usageFailure('--instance excludes --all')
  if (instance !== undefined) {
    const { target, client, compat } = await findObject(context, instance, 'workflows')
    const listing = target.operations.workflows?.(target.id, target.workspaceId)
    if (listing) return { client, compat, listing, workspaceId: target.workspaceId }
  }
  const looked = await lookedIn(context)
  const { compat } = looked
  const client = await context.client(compat)
  if (given.switch('all')) return { client, compat, listing: call(routes.listWorkflows, {}), workspaceId: undefined }
  const wid = await workspaceOf(client, looked)
  return { client, compat, listing: call(routes.listWorkspaceWorkflows, { wid }), workspaceId: wid }
}

/** So many of the newest that are in one of the states, or in any. */
async function newestOf(client: Client, listing: Call, most: number, states: readonly string[] = []): Promise<readonly WorkflowDetails[]> {
  const found = new Map<string, WorkflowDetails>()
  const limit = states.length === 0 ? Math.min(most, PAGE) : PAGE
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const answer = await client.read({ ...listing, query: { ...filterOf(states), limit, ...(page > 1 && { page }) } })
    const items = itemsOf(answer) ?? []
    const hasNext = objectOf(answer)?.['hasNext'] ?? items.length >= limit
    for (const one of inStates(items, states)) found.set(one.id, one)
    if (found.size >= most || items.length === 0 || hasNext !== true) break
  }
  return [...found.values()].slice(0, most)
}

async function allSince(client: Client, listing: Call, instant: string, states: readonly string[]): Promise<readonly WorkflowDetails[]> {
  return inStates(await client.all({ ...listing, query: { ...filterOf(states), started_after: instant } }), states)
}

/** "Filtering workflow lists by `QUEUED` alone has no effect": with another state it has. */
function filterOf(states: readonly string[]): Query {
  if (states.length === 0) return {}
  return { status: states.every((one) => one === 'QUEUED') ? ['RUNNING', 'QUEUED'] : states }
}

/** The service may pass over a filter. */
function inStates(items: readonly JsonValue[], states: readonly string[]): readonly WorkflowDetails[] {
  const wanted = new Set(states)
  return items.flatMap((item) => workflowDetails(item) ?? []).filter((one) => wanted.size === 0 || wanted.has(one.state.toUpperCase()))
}

type Since = { readonly backMs: number } | { readonly at: string }

function sinceOf(given: Given): Since | undefined {
  const text = given.text('since')
  if (text === undefined) return undefined
  if (given.number('limit') !== undefined) throw usageFailure('--since excludes --limit')
  const backMs = parseDuration(text)
  if (backMs !== undefined) return { backMs }
  if (Number.isNaN(instantMs(text))) throw usageFailure(`--since ${text}: write a duration such as 2h, or an instant such as 2026-01-31T12:00:00Z`)
  return { at: text }
}

/** By the service's clock, as far as it is known. */
async function startOf(client: Client, since: Since): Promise<string> {
  return 'at' in since ? since.at : new Date(client.serverNow() - since.backMs).toISOString()
}
