// Live objects that no new manifest is to be made of: another environment manages them, a manifest that was never recorded describes them, or theirs could not stand beside what is managed.
import { failure } from '../../base/diagnostic.ts'
import { few } from '../../base/words/few.ts'
import { matchingManifests } from '../../engine/matching-manifests.ts'
import type { MatchingManifest } from '../../engine/matching-manifests.ts'
import { importCommand } from '../../engine/model/import-command.ts'
import { openAdvice, managedBy, unreadDetail, unreadText } from '../../engine/model/other-environments.ts'
import type { OtherEnvironments } from '../../engine/model/other-environments.ts'
import type { Run } from '../../engine/model/run.ts'
import type { Project } from '../../project/resolving/declared.ts'
import type { Context } from '../context/context.ts'
import type { CurrentState } from '../context/state-access.ts'
import { clashing } from './clashing.ts'
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
  const otherEnvironments = await context.otherEnvironments()
  if (only === undefined) assertRead(otherEnvironments)
  else
    context.print.diagnostics(
      things.flatMap(({ kind, id }) => (otherEnvironments ? openAdvice(otherEnvironments, { address: `${kind.name}/${only.name}`, kind, id }) : [])),
    )
  const named = new Set(things.map((one) => one.kind.name))
  const isOpen = project.resources.some((one) => named.has(one.kind.name) && one.importId === undefined && !folded.resources.has(one.address))
  const run = await context.run(project)
  const matching = isOpen ? await matchingManifests(run, { project, document, folded }, otherEnvironments) : []
  const clashes = clashing([...folded.resources.values()], things)
  return new Map(
    things.flatMap((thing) => {
      const { words, manager } = managedBy(otherEnvironments, thing)
      const why = clashes.get(keyOf(thing))
      const found: SpokenFor | undefined = manager ? { why: `it ${words}` } : (describing(run, matching, thing) ?? (why === undefined ? undefined : { why }))
      return found ? [[keyOf(thing), found] as const] : []
    }),
  )
}

function assertRead(otherEnvironments: OtherEnvironments | undefined): void {
  const { unread = [] } = otherEnvironments ?? {}
  if (unread.length === 0) return
  throw failure('import_conflict', unreadText(unread), {
    detail: `What it manages could be taken over, too. Nothing was imported.\n${unreadDetail(unread)}`,
    hint: 'let it be read, or import one object after the other: `iac import --generate ADDRESS ID`',
  })
}

/** Which manifest an object belongs to; where several fit, none is chosen. */
function describing(run: Pick<Run, 'flags'>, matching: readonly MatchingManifest[], thing: LiveThing): SpokenFor | undefined {
  const key = keyOf(thing)
  const [only, ...more] = matching.filter(({ objects }) => objects.some((one) => keyOf(one) === key))
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
