// `iac state rm ADDRESS...`: the state forgets resources; their objects stay.
import type { Diagnostic } from '../../../base/diagnostic.ts'
import { diagnostic } from '../../../base/diagnostic.ts'
import { withPlace } from '../../../base/placed-commands.ts'
import { readable } from '../../../base/token.ts'
import { addressed } from '../../../engine/model/import-command.ts'
import type { Folded, Unfinished } from '../../../state/fold.ts'
import type { ResourceRecord } from '../../../state/record.ts'
import { withoutMade } from '../../../state/slot.ts'
import { isApproved, unapprovedCode } from '../../apply/question.ts'
import { idleFlags } from '../../arguments/flags.ts'
import type { Given } from '../../arguments/flags.ts'
import { placeFlags } from '../../arguments/place-flags.ts'
import { defineCommand } from '../../context/command.ts'
import type { Context } from '../../context/context.ts'
import { assertSettled, changeState } from '../../context/state-access.ts'
import { matching } from '../../context/state-addresses.ts'
import { safeLine } from '../../render/text/sanitise.ts'

export const stateRmCommand = defineCommand({
  summary: 'forget resources; their objects stay',
  about:
    'Forgets all that is named, or nothing where the state lacks any of it. The objects stay as they are, and are managed by nobody. What is under way is for `iac apply` to settle; where that cannot, it is forgotten, too, after a question: what it makes or changes nobody knows of. Where something else is being created beside what stands at an address, as its replacement is, that create alone is forgotten, and the next run of the command forgets what stands.',
  arguments: [{ name: 'ADDRESS', about: 'Kind/name means all its instances, * matches within a name', many: true }],
  flags: { 'auto-approve': { type: 'switch', about: 'do not ask, which it does of what is under way alone' } },
  idle: idleFlags.withoutManifests,
  examples: [
    { text: 'state rm Disk/scratch', about: 'leave the disk to others' },
    { text: "state rm Vpc/old 'Instance/old-*'", about: 'several at once' },
  ],
  async run(context, given) {
    const { print, surroundings } = context
    let forgotten: Forgotten = { addresses: new Set(), records: [], kept: new Map(), open: [] }
    let isDeclined = false
    surroundings.graceful(true)
    try {
      await changeState(
        context,
        async (document, folded) => {
          forgotten = named(folded, given.arguments)
          isDeclined = !(await mayForget(context, given, folded, forgotten))
          if (isDeclined) return undefined
          return {
            ...document,
            resources: document.resources.flatMap((one) => (forgotten.addresses.has(one.address) ? (forgotten.kept.get(one.address) ?? []) : one)),
          }
        },
        (intent) => (forgotten.open.some((one) => one.intent.seq === intent.seq) ? undefined : intent),
      )
    } finally {
      surroundings.graceful(false)
    }
    if (isDeclined) return unapprovedCode(context)
    for (const line of linesOf(forgotten)) print.note(line)
    print.diagnostics([...forgotten.records.flatMap(abandoned), ...forgotten.open.map((one) => unfollowed(one, forgotten.kept.has(one.intent.address)))])
    return 0
  },
})

interface Forgotten {
  readonly addresses: ReadonlySet<string>
  /** Forgotten as a whole. */
  readonly records: readonly ResourceRecord[]
  /** What stands at those of the addresses where a create alone is forgotten. */
  readonly kept: ReadonlyMap<string, ResourceRecord>
  readonly open: readonly Unfinished[]
}

/** What patterns mean: a create of which no id is known has an address, and no record of its own. */
function named({ resources, open }: Folded, patterns: readonly string[]): Forgotten {
  const all = new Map<string, unknown>([...resources, ...open.map((one) => [one.intent.address, one] as const)])
  const addresses = new Set(patterns.flatMap((one) => matching(all, one)))
  const records = [...resources.values()].filter((one) => addresses.has(one.address))
  const kept = new Map(
    records.flatMap((one) => {
      const creates = open.filter(({ intent }) => intent.creates && intent.address === one.address)
      const left = creates.length === 0 ? undefined : withoutMade(one, new Set(creates.flatMap(({ id }) => id ?? [])))
      return left ? [[one.address, left] as const] : []
    }),
  )
  return {
    addresses,
    kept,
    records: records.filter((one) => !kept.has(one.address)),
    // What else is under way on what stays is for its next apply.
    open: open.filter(({ intent }) => addresses.has(intent.address) && (intent.creates || !kept.has(intent.address))),
  }
}

/** Throws a Failure 3 where something is under way and nobody may be asked about it. */
async function mayForget(context: Context, given: Given, folded: Folded, { addresses, kept, open }: Forgotten): Promise<boolean> {
  if (open.length === 0) return true
  if (!context.mayAsk && !given.switch('auto-approve'))
    assertSettled(folded, addresses, 'where no apply can, --auto-approve forgets it, and whatever it makes or changes nobody knows of')
  const lines = [
    ...open.map((one) => `${requestText(one)}.`),
    ...(open.some((one) => one.intent.creates)
      ? ['What is being created may exist, or appear yet: nobody would know of it, and the next apply would make another one.']
      : []),
    ...[...kept.values()].map((one) => `${safeLine(one.address)} (id ${safeLine(one.id)}) stays in the state, until the same command is run again.`),
    withPlace('`iac apply` settles what can be settled: this is for what it cannot.', placeFlags(context.globals)),
  ]
  return await isApproved(context, given, { title: 'Do you really want to forget what is under way?', lines }, 'Nothing was forgotten.')
}

/** A request without an end, and what was answered. */
function requestText({ intent, accepted, workflowId, id }: Unfinished): string {
  const ids = [...(id === null ? [] : [`id ${id}`]), ...(workflowId === null ? [] : [`workflow ${workflowId}`])].join(', ')
  const told = accepted ? 'was accepted' : 'has no answer that is known'
  const sent = `sent ${new Date(intent.sent_at).toISOString()}`
  return safeLine(`${intent.address}: ${readable(intent.step)}, ${sent}, ${told}${ids === '' ? '' : ` (${ids})`}`)
}

function linesOf({ addresses, records, kept }: Forgotten): readonly string[] {
  const ids = new Map(records.map((one) => [one.address, one.id]))
  return [...addresses].map((address) => {
    const stays = kept.get(address)
    if (stays) return `forgot the create of ${safeLine(address)}; it stays in the state with id ${safeLine(stays.id)}, until the same command is run again`
    const id = ids.get(address) ?? ''
    return `forgot ${safeLine(address)}${id === '' ? '' : ` (id ${safeLine(id)})`}`
  })
}

/** Old halves were still to be deleted: with their record goes the only thing that would have done it. */
function abandoned({ address, kind, deposed }: ResourceRecord): Diagnostic[] {
  if (deposed.length === 0) return []
  const ids = deposed.map((old) => old.id).join(', ')
  const text = `${address}: ${deposed.length === 1 ? 'its old half' : 'its old halves'} (id ${ids}) ${deposed.length === 1 ? 'was' : 'were'} still to be deleted, which nobody does now`
  return [diagnostic('advice', text, { address, hint: `delete what is left by hand, or import it: \`iac get ${kind}\` shows it` })]
}

/** With its intent goes the only thing that would have told what became of a request. */
function unfollowed(one: Unfinished, isBeside: boolean): Diagnostic {
  const { address, kind, step, creates } = one.intent
  const follow = one.workflowId === null ? '' : `, \`iac workflows ${one.workflowId}\` how it goes on`
  const takesOver = isBeside ? '; what it made is to be deleted by hand' : `, and \`iac import ${addressed(address)} ID\` takes it over`
  const [what, way] = creates
    ? ['what it made may exist, or appear yet', `${takesOver}; the next apply would make it once more`]
    : ['may still be carried out', '']
  return diagnostic('advice', `${address}: its ${readable(step)} is forgotten, and ${what}`, {
    address,
    detail: `${requestText(one)}.`,
    hint: `\`iac get ${kind}\` shows what is there${follow}${way}`,
  })
}
