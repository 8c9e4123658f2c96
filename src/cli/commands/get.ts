// `iac get KIND [NAME|ID]`: objects of the service as they are now.
import type { Failure } from '../../base/diagnostic.ts'
import { failure } from '../../base/diagnostic.ts'
import { few } from '../../base/few.ts'
import { nearest } from '../../base/nearest.ts'
import type { AnyKind } from '../../kinds/definition/kind.ts'
import { kinds } from '../../kinds/registry.ts'
import { findKind, unknownKind } from '../arguments/find-kind.ts'
import { defineCommand } from '../context/command.ts'
import type { Context } from '../context/context.ts'
import { lookAt } from '../context/listed-objects.ts'
import type { Looked } from '../context/listed-objects.ts'
import { lookedIn } from '../context/workspace-of.ts'
import { objectTable } from '../render/object-table.ts'

export const getCommand = defineCommand({
  summary: 'look at objects of the service',
  about: 'Lists the objects of a kind in the workspace of the project, or shows one by its name or id. Kinds in any case, singular or plural.',
  arguments: [
    { name: 'KIND', about: 'such as Vpc, vpcs or plans' },
    { name: 'NAME', about: 'a name or an id', optional: true },
  ],
  flags: { 'all-workspaces': { type: 'switch', about: 'in every workspace that the caller sees' } },
  examples: [
    { text: 'get plans', about: 'what an instance can be' },
    { text: 'get Vpc main --json', about: "the API's own object, its ids as texts" },
  ],
  async run(context, given) {
    const [word = '', wanted] = given.arguments
    const kind = kindOf(word)
    const { compat, ref, idOf } = await lookedIn(context)
    const client = await context.client(compat)
    const all = await lookAt({ client, compat, kinds }, kind, { ref, everywhere: given.switch('all-workspaces'), idOf })
    const found = wanted === undefined ? all : all.filter((one) => one.id === wanted || one.name === wanted)
    if (wanted !== undefined && found.length === 0)
      throw failure('lookup_failed', `no ${kind.name} is called ${wanted} or has that id`, { hint: hintFor(wanted, all) })
    if (wanted !== undefined && found.length > 1) throw several(kind, wanted, found)
    show(context, kind, found, wanted !== undefined)
    return 0
  },
})

function kindOf(word: string): AnyKind {
  const kind = findKind(word)
  if (kind) return kind
  throw unknownKind(
    word,
    kinds.flatMap((one) => [one.name, one.plural]),
  )
}

/** One is asked for: which of several is meant, their ids tell. */
function several(kind: AnyKind, wanted: string, found: readonly Looked[]): Failure {
  const ids = few(found.map((one) => one.id))
  return failure('lookup_failed', `${found.length} ${kind.plural} are called ${wanted}`, { hint: `name one by its id: ${ids}` })
}

function hintFor(wanted: string, all: readonly Looked[]): string {
  const near = nearest(
    wanted,
    all.flatMap((one) => one.name ?? []),
  )
  return near === undefined ? 'without a name all are listed' : `did you mean ${near}?`
}

function show(context: Context, kind: AnyKind, found: readonly Looked[], isOne: boolean): void {
  if (context.globals.switch('json')) return context.print.json(isOne ? found[0]?.raw : found.map((one) => one.raw))
  if (found.length === 0) return context.print.note(`no ${kind.plural}`)
  context.print.result(
    objectTable(
      kind,
      found.map((one) => one.shown),
    ),
  )
}
