// Live objects that no new manifest is to be made of: another environment manages them, or a manifest that was never recorded describes them.
import { failure } from '../../base/diagnostic.ts'
import { few } from '../../base/words/few.ts'
import { describedObjects } from '../../engine/described.ts'
import type { Described } from '../../engine/described.ts'
import { openAdvice, standingOf, unreadDetail, unreadText } from '../../engine/model/elsewhere.ts'
import type { Elsewhere } from '../../engine/model/elsewhere.ts'
import { importCommand } from '../../engine/model/import-command.ts'
import type { Run } from '../../engine/model/run.ts'
import type { Project } from '../../project/resolving/declared.ts'
import type { Context } from '../context/context.ts'
import type { CurrentState } from '../context/state-access.ts'
import { keyOf } from './exported.ts'
import type { LiveThing, SpokenFor } from './exported.ts'

/** Of these objects those that are spoken for, by their keys. Throws a Failure 3 where all are to be taken over, and a state that may hold some of them cannot be read. */
export async function spokenFor(
  context: Context,
  project: Project,
  { document, folded }: Pick<CurrentState, 'document' | 'folded'>,
  { things, only }: { readonly things: readonly LiveThing[]; readonly only: { readonly name: string } | undefined },
): Promise<ReadonlyMap<string, SpokenFor>> {
  if (things.length === 0) return new Map()
  const elsewhere = await context.managedElsewhere()
  if (only === undefined) assertRead(elsewhere)
  else context.print.diagnostics(things.flatMap(({ kind, id }) => (elsewhere ? openAdvice(elsewhere, { address: `${kind.name}/${only.name}`, kind, id }) : [])))
  const named = new Set(things.map((one) => one.kind.name))
  const isOpen = project.resources.some((one) => named.has(one.kind.name) && one.importId === undefined && !folded.resources.has(one.address))
  const run = await context.run(project)
  const described = isOpen ? await describedObjects(run, { project, document, folded }, elsewhere) : []
  return new Map(
    things.flatMap((thing) => {
      const { words, holder } = standingOf(elsewhere, thing)
      const found: SpokenFor | undefined = holder ? { why: `it ${words}` } : describing(run, described, thing)
      return found ? [[keyOf(thing), found] as const] : []
    }),
  )
}

function assertRead(elsewhere: Elsewhere | undefined): void {
  const { unread = [] } = elsewhere ?? {}
  if (unread.length === 0) return
  throw failure('import_conflict', unreadText(unread), {
    detail: `What it manages could be taken over, too. Nothing was imported.\n${unreadDetail(unread)}`,
    hint: 'let it be read, or import one object after the other: `iac import --generate ADDRESS ID`',
  })
}

/** Which manifest an object belongs to; where several fit, none is chosen. */
function describing(run: Pick<Run, 'flags'>, described: readonly Described[], thing: LiveThing): SpokenFor | undefined {
  const key = keyOf(thing)
  const [only, ...more] = described.filter(({ objects }) => objects.some((one) => keyOf(one) === key))
  if (!only) return undefined
  if (more.length > 0) {
    const why = `each of ${few([only, ...more].map((one) => one.address))} describes it`
    return { why, hint: `take it over under one of them with: ${['iac import', ...(run.flags ?? []), 'ADDRESS', 'ID'].join(' ')}` }
  }
  const command = importCommand(run, only.address, thing.id)
  return only.objects.length === 1
    ? { why: `${only.address} describes it`, hint: `take it over with: ${command}` }
    : { why: `${only.address} describes each of several`, hint: `if it is this one, take it over with: ${command}` }
}
