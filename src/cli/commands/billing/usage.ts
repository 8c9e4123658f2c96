// `iac usage [ADDRESS]`: what resources used and cost in a period, as the service metered them.
import { call } from '../../../api/calls/call.ts'
import type { Client } from '../../../api/client.ts'
import { routes } from '../../../api/routes/routes.ts'
import { failure } from '../../../base/diagnostic.ts'
import { kinds } from '../../../kinds/registry.ts'
import type { ResourceRecord } from '../../../state/record.ts'
import { onScreen } from '../../apply/renderings.ts'
import { findKind, unknownKind } from '../../arguments/find-kind.ts'
import { usageFailure } from '../../arguments/usage.ts'
import { defineCommand } from '../../context/command.ts'
import type { Context } from '../../context/context.ts'
import { workspacesOf } from '../../context/listed-objects.ts'
import { currentState } from '../../context/state-access.ts'
import { lookedIn } from '../../context/workspace-of.ts'
import { askedFor, findMeant, targetArgument } from '../../operating/find-object.ts'
import type { Meant } from '../../operating/find-object.ts'
import type { Period } from '../../operating/given/given-period.ts'
import { checkPeriod, givenPeriod, monthOf, periodFlags } from '../../operating/given/given-period.ts'
import { workspaceNames } from '../../operating/names/workspace-names.ts'
import { asRecord, billingRecords, readRecord } from '../../operating/read-billing.ts'
import type { Usage, WorkspaceUsage } from '../../render/billing/billing-records.ts'
import { usageCsv, usageDocument, usageText } from '../../render/billing/usage-text.ts'

type Records = ReadonlyMap<string, ResourceRecord>

export const usageCommand = defineCommand({
  summary: 'what resources used and cost in a period',
  about:
    'Shows what the service metered in the workspace of the project, resource by resource: this month, or the period that is named. An address shows one resource, of the state or not, --all everything that the caller pays for.',
  arguments: [{ name: 'ADDRESS', about: `${targetArgument}; * stands for anything within one name`, optional: true }],
  flags: {
    from: { ...periodFlags.from, about: `${periodFlags.from.about} (default the beginning of this month)` },
    to: { ...periodFlags.to, about: 'until when, exclusive (default now; without --from, too, the end of this month)' },
    all: { type: 'switch', about: 'every workspace that the caller pays for' },
    output: { type: 'choice', value: 'FORM', short: 'o', choices: ['table', 'csv', 'json'], about: 'the form (default table)' },
  },
  idle: ['lock-timeout', 'no-input'],
  examples: [
    { text: 'usage', about: 'this month so far' },
    { text: 'usage Instance/web --from 7d', about: 'one resource in the last week' },
    { text: 'usage --all --from 2026-10 --to 2026-11 -o csv', about: 'a whole month for a spreadsheet' },
  ],
  async run(context, given) {
    const pattern = given.arguments[0]
    const all = given.switch('all')
    if (pattern !== undefined && all) throw usageFailure('--all excludes ADDRESS')
    checkPeriod(given)
    const wanted = pattern === undefined ? undefined : await metered(context, pattern)
    const { compat, ref, idOf } = await lookedIn(context)
    const client = await context.client(compat)
    const recorded = (await currentState(context)).folded.resources
    const resources = new Map([...recorded].filter(([, one]) => isMetered(one)))
    // Its clock tells the month, once it has answered.
    const names = await workspaceNames(client)
    const wid =
      all || wanted ? '' : ((await workspacesOf(client, { ref, everywhere: false, idOf }, 'set provider.workspace in iac.yaml, or use --all'))[0] ?? '')
    const now = client.serverNow()
    const period = givenPeriod(given, now, monthOf(now))
    const found =
      wanted !== undefined
        ? await usageAt(client, resources, wanted, period)
        : all
          ? await usageOfCaller(client, resources, period)
          : await usageIn(client, resources, [wid], period)
    const workspaces = found.workspaces.map((one) => ({ ...one, workspace_name: one.workspace_name ?? names.get(one.workspace_id) ?? null }))
    show(context, given.text('output'), { ...found, workspaces })
    return 0
  },
})

/** What costs something: other kinds may have the id of what they hang on. */
function isMetered({ kind: name }: Pick<ResourceRecord, 'kind'>): boolean {
  const kind = kinds.find((one) => one.name === name)
  return kind?.price !== undefined || kind?.billed === true
}

/** The objects that a word means; throws a Failure 3 where nothing of it is metered. */
async function metered(context: Context, word: string): Promise<readonly Meant[]> {
  const asked = askedFor(word)
  const kind = findKind(asked.kind)
  if (!kind)
    throw unknownKind(
      asked.kind,
      kinds.map((one) => one.name),
    )
  if (!isMetered({ kind: kind.name })) throw failure('lookup_failed', `nothing of ${word} is metered: its kind costs nothing`)
  return (await findMeant(context, [asked])).meant
}

function show(context: Context, form: string | undefined, usage: Usage): void {
  if (context.globals.switch('json') || form === 'json') context.print.json(usageDocument(usage))
  else if (form === 'csv') context.print.result(usageCsv(usage))
  else context.print.result(onScreen(context, usageText(usage, context.print.palette)))
}

async function usageIn(client: Client, resources: Records, workspaceIds: readonly string[], period: Period): Promise<Usage> {
  const found = await Promise.all(
    workspaceIds.map(async (wid) => {
      const asked = call(routes.getWorkspaceUsage, { wid }, undefined, { ...period })
      const answer = await client.read(asked)
      if (answer === undefined) throw failure('lookup_failed', `there is no workspace ${wid}, or it is not visible to this caller`)
      return addressed(asRecord(asked, answer, billingRecords.workspaceUsage), resources)
    }),
  )
  return { ...period, total_cost: sumOf(found.map((one) => one.total_cost)), workspaces: found }
}

async function usageOfCaller(client: Client, resources: Records, period: Period): Promise<Usage> {
  const found = await readRecord(client, call(routes.getUserUsage, { uid: '@me' }, undefined, { ...period }), billingRecords.userUsage)
  if (!found) throw failure('lookup_failed', 'the service knows no usage of this caller', { hint: 'a token of a workspace has none: use one of a user' })
  return { ...period, total_cost: found.total_cost, workspaces: found.workspaces.map((one) => addressed(one, resources)) }
}

/** One resource is asked for alone; of several their workspaces, once each. */
async function usageAt(client: Client, resources: Records, wanted: readonly Meant[], period: Period): Promise<Usage> {
  const [only, more] = wanted
  const used = only && !more ? await usageOfOne(client, only, period) : await usageIn(client, resources, workspacesIn(wanted), period)
  const ids = new Map(wanted.flatMap(({ address, id, record }) => [id, ...(record?.deposed ?? []).map((old) => old.id)].map((one) => [one, address] as const)))
  const workspaces = used.workspaces.map((one) => {
    const kept = one.resources.flatMap((each) => (ids.has(each.resource_id) ? [{ ...each, address: ids.get(each.resource_id) ?? null }] : []))
    return { ...one, total_minutes: null, total_cost: sumOf(kept.map(({ cost }) => cost)), resources: kept }
  })
  return { ...period, total_cost: sumOf(workspaces.map((one) => one.total_cost)), workspaces }
}

async function usageOfOne(client: Client, { address, id, workspaceId: wid }: Meant, period: Period): Promise<Usage> {
  if (wid === '') throw failure('lookup_failed', `${address} stands in no workspace, and only what does is metered`)
  const found = await readRecord(client, call(routes.getResourceUsage, { wid, rid: id }, undefined, { ...period }), billingRecords.resourceUsage)
  const resources = found ? [{ ...found, address }] : []
  return { ...period, total_cost: null, workspaces: [{ workspace_id: wid, workspace_name: null, total_minutes: null, total_cost: null, resources }] }
}

function workspacesIn(wanted: readonly Meant[]): readonly string[] {
  return [...new Set(wanted.flatMap(({ workspaceId }) => (workspaceId === '' ? [] : [workspaceId])))]
}

/** With the addresses under which the state holds what was used. */
function addressed(
  usage: Omit<WorkspaceUsage, 'resources'> & { readonly resources: readonly Omit<WorkspaceUsage['resources'][number], 'address'>[] },
  resources: Records,
): WorkspaceUsage {
  const held = new Map([...resources.values()].flatMap((one) => [one.id, ...one.deposed.map((old) => old.id)].map((id) => [id, one.address] as const)))
  return { ...usage, resources: usage.resources.map((one) => ({ address: held.get(one.resource_id) ?? null, ...one })) }
}

/** What is not told counts for nothing; null where nothing is told. */
function sumOf(amounts: readonly (bigint | null)[]): bigint | null {
  const known = amounts.filter((one) => one !== null)
  return known.length === 0 && amounts.length > 0 ? null : known.reduce((sum, one) => sum + one, 0n)
}
