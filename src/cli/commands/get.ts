// `iac get KIND [NAME|ID]`: objects of the service as they are now.
import { failure } from '../../base/diagnostic.ts'
import { nearest } from '../../base/nearest.ts'
import type { AnyKind } from '../../kinds/definition/kind.ts'
import { kinds } from '../../kinds/registry.ts'
import { findKind, unknownKind } from '../arguments/find-kind.ts'
import { defineCommand } from '../context/command.ts'
import type { Context } from '../context/context.ts'
import { lookAt } from '../context/listed-objects.ts'
import type { Looked } from '../context/listed-objects.ts'
import { good } from '../context/load-given.ts'
import { currentState } from '../context/state-access.ts'
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
    { text: 'get Vpc main --json', about: "the API's own objects" },
  ],
  async run(context, given) {
    const [word = '', wanted] = given.arguments
    const kind = kindOf(word)
    const { project } = good(await context.load())
    const client = await context.client(project.compat)
    const records = 'address' in project.workspace ? (await currentState(context)).folded.resources : new Map<string, { readonly id: string }>()
    const all = await lookAt({ client, compat: project.compat, kinds }, kind, {
      ref: project.workspace,
      everywhere: given.switch('all-workspaces'),
      idOf: (address) => records.get(address)?.id,
    })
    const found = wanted === undefined ? all : all.filter((one) => one.id === wanted || one.name === wanted)
    if (wanted !== undefined && found.length === 0)
      throw failure('lookup_failed', `no ${kind.name} is called ${wanted} or has that id`, { hint: hintFor(wanted, all) })
    show(context, kind, found)
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

function hintFor(wanted: string, all: readonly Looked[]): string {
  const near = nearest(
    wanted,
    all.flatMap((one) => one.name ?? []),
  )
  return near === undefined ? 'without a name all are listed' : `did you mean ${near}?`
}

function show(context: Context, kind: AnyKind, found: readonly Looked[]): void {
  if (context.globals.switch('json')) return context.print.json(found.map((one) => one.raw))
  if (found.length === 0) return context.print.note(`no ${kind.plural}`)
  context.print.result(
    objectTable(
      kind,
      found.map((one) => one.shown),
    ),
  )
}
