// `iac get KIND [NAME|ID]`: objects of the service as they are now.
import type { Failure } from '../../../base/diagnostic.ts'
import { failure } from '../../../base/diagnostic.ts'
import { lazy } from '../../../base/lazy.ts'
import { few } from '../../../base/words/few.ts'
import { nearest } from '../../../base/words/nearest.ts'
import type { AnyKind } from '../../../kinds/definition/kind.ts'
import { kinds, workspaceKind } from '../../../kinds/registry.ts'
import { findKind, unknownKind } from '../../arguments/find-kind.ts'
import type { Given } from '../../arguments/flags.ts'
import { usageFailure } from '../../arguments/usage.ts'
import { defineCommand } from '../../context/command.ts'
import type { Context } from '../../context/context.ts'
import { lookAt } from '../../context/listed-objects.ts'
import type { Looked, Ways } from '../../context/listed-objects.ts'
import { recordedSecretsHere } from '../../context/recorded-secrets.ts'
import { currentState } from '../../context/state-access.ts'
import { lookedIn, lookedNowhere } from '../../context/workspace-of.ts'
import { exportManifests } from '../../export/export-manifests.ts'
import { mustBeWritable, printManifests, tellWhatIsMissing } from '../../export/print-manifests.ts'
import { filteredBy, filterFlags } from '../../operating/given/list-filters.ts'
import { referenceNames } from '../../operating/names/names-of-ids.ts'
import { workspaceNames } from '../../operating/names/workspace-names.ts'
import type { Look } from '../../operating/watch-table.ts'
import { watchTable } from '../../operating/watch-table.ts'
import type { Showing } from '../../render/object-table.ts'
import { objectCells, objectTable } from '../../render/object-table.ts'
import { safeLine } from '../../render/text/sanitise.ts'

const filters = filterFlags()
const formats = ['wide', 'json', 'yaml', 'name'] as const

export const getCommand = defineCommand({
  summary: 'look at objects of the service',
  about:
    'Lists the objects of a kind in the workspace of the project by their names, or shows one by its name or id. Kinds in any case, singular or plural. Filters are those of the API. What the state of the project holds as sensitive is hidden.',
  arguments: [
    { name: 'KIND', about: 'such as Vpc, vpcs or plans' },
    { name: 'NAME', about: 'a name, an id, or what objects without a name are known by (an address, a prefix, an email address)', optional: true },
  ],
  flags: {
    'all-workspaces': { type: 'switch', about: 'in every workspace that the caller sees' },
    output: {
      type: 'choice',
      value: 'FORMAT',
      short: 'o',
      choices: formats,
      about: 'a table with everything, the objects of the API, manifests as export writes them, or addresses',
    },
    watch: { type: 'switch', short: 'w', about: 'look again and again, until ^C' },
    ...filters,
  },
  examples: [
    { text: 'get plans', about: 'what an instance can be' },
    { text: 'get Vpc main --json', about: "the API's own object, its ids as texts" },
    { text: 'get Instance web -o yaml', about: 'the manifest that takes over a server as it is' },
    { text: 'get instances --online false -o name', about: 'what does not run, as other commands take it' },
  ],
  async run(context, given) {
    const [word = ''] = given.arguments
    const kind = kindOf(word)
    const format = formatOf(context, given)
    if (format === 'yaml') mustBeWritable(kind)
    const filtered = filteredBy(kind, given, filters)
    const everywhere = given.switch('all-workspaces')
    const state = lazy(() => currentState(context))
    const { compat, ref, idOf } = everywhere || kind.scope === 'account' ? await lookedNowhere(context) : await lookedIn(context, state)
    // What is never declared is in no state.
    const secrets = kind.managed ? await recordedSecretsHere(context, state) : undefined
    const ways: Ways = { client: await context.client(compat), compat, kinds, secrets, filters: filtered }
    const look = async (): Promise<readonly Looked[]> => {
      const all = await lookAt(ways, kind, { ref, everywhere, idOf })
      return wantedOf(
        kind,
        given,
        all.filter((one) => filtered?.fits(one.shown) !== false),
      )
    }
    if (given.switch('watch'))
      return await watchTable(context, async () => {
        const found = await look()
        return lookOf(kind, found, await showingOf(context, ways, kind, found, format))
      })
    const found = await look()
    if (format === 'json') context.print.json(given.arguments[1] === undefined ? found.map((one) => one.raw) : found[0]?.raw)
    else if (found.length === 0) context.print.note(`no ${kind.plural}`)
    else if (format === 'name') context.print.result(namesText(kind, found))
    else if (format === 'yaml') await printYaml(context, { ways, kind, everywhere, format }, found)
    else await showTable(context, { ways, kind, everywhere, format }, found)
    return 0
  },
})

type Format = (typeof formats)[number] | 'table'

function formatOf({ globals }: Context, given: Given): Format {
  const format = formats.find((one) => one === given.text('output'))
  if (globals.switch('json') && format !== undefined && format !== 'json') throw usageFailure(`--json excludes --output ${format}`)
  const meant = globals.switch('json') ? 'json' : (format ?? 'table')
  if (given.switch('watch') && meant !== 'table' && meant !== 'wide')
    throw usageFailure(`--watch shows a table, and excludes ${globals.switch('json') ? '--json' : `--output ${meant}`}`)
  return meant
}

function kindOf(word: string): AnyKind {
  const kind = findKind(word)
  if (kind) return kind
  throw unknownKind(
    word,
    kinds.flatMap((one) => [one.name, one.plural]),
  )
}

/** By name, then by id; the one that is asked for. */
function wantedOf(kind: AnyKind, given: Given, all: readonly Looked[]): readonly Looked[] {
  const [, wanted] = given.arguments
  if (wanted === undefined) return all.toSorted((a, b) => compare(a.name ?? '', b.name ?? '') || compare(a.id, b.id))
  // What reads as an id is one, as in references.
  const byId = all.filter((one) => one.id === wanted)
  const found = byId.length === 1 ? byId : all.filter((one) => one.id === wanted || one.names.includes(wanted))
  if (found.length === 0) throw failure('lookup_failed', `no ${kind.name} is called ${wanted} or has that id`, { hint: hintFor(wanted, all) })
  if (found.length > 1) throw several(kind, wanted, found)
  return found
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** One is asked for: which of several is meant, their ids tell. */
function several(kind: AnyKind, wanted: string, found: readonly Looked[]): Failure {
  const ids = few(found.map((one) => one.id))
  return failure('lookup_failed', `${found.length} ${kind.plural} are called ${wanted}`, { hint: `name one by its id: ${ids}` })
}

function hintFor(wanted: string, all: readonly Looked[]): string {
  const near = nearest(
    wanted,
    all.flatMap((one) => one.names),
  )
  return near === undefined ? 'without a name all are listed' : `did you mean ${near}?`
}

/** Addresses as other commands take them: by the name where only one has it, else by the id. */
function namesText(kind: AnyKind, found: readonly Looked[]): string {
  const counts = new Map<string, number>()
  for (const { name = '' } of found) counts.set(name, (counts.get(name) ?? 0) + 1)
  const nameOf = ({ id, name = '' }: Looked): string => (name === '' || /^\d+$/.test(name) || (counts.get(name) ?? 0) > 1 ? id : name)
  return found.map((one) => `${safeLine(`${kind.name}/${nameOf(one)}`)}\n`).join('')
}

/** What is another object's, or on its way out, is in no manifest. */
async function printYaml(context: Context, { ways: { client, compat, secrets }, kind, everywhere }: Asked, found: readonly Looked[]): Promise<void> {
  const { clock, randomBytes } = context.surroundings
  const asked = {
    kinds: [kind],
    named: new Set([kind.name]),
    workspaceIds: [...new Set(found.map((one) => one.workspaceId))],
    all: kinds,
    workspaceKind,
    known: new Map<string, string>(),
    taken: () => [],
    these: new Set(found.map((one) => `${kind.name} ${one.id}`)),
    variables: [],
    secrets,
    isPlaced: everywhere,
    folds: false,
  }
  const exported = await exportManifests({ source: client, compat, clock }, asked, { randomBytes, nowMs: client.serverNow() })
  const others = found.filter((one) => !one.ours)
  const notOurs = 'being deleted, or belonging to the platform or to something else'
  if (others.length > 0) context.print.aside(safeLine(`${kind.name} left out: ${notOurs}: ${few(others.map((one) => one.id))}`))
  tellWhatIsMissing(context, exported)
  printManifests(
    context,
    exported,
    exported.manifests.map((one) => one.text),
    'nothing of it can be declared in a manifest',
  )
}

interface Asked {
  readonly ways: Ways
  readonly kind: AnyKind
  readonly everywhere: boolean
  readonly format: Format
}

async function showTable(context: Context, { ways, kind, everywhere, format }: Asked, found: readonly Looked[]): Promise<void> {
  const workspaces = everywhere && kind.scope !== 'account' ? await workspaceNames(ways.client) : undefined
  const rows = found.map((one) => ({ ...(workspaces && { workspace: workspaces.get(one.workspaceId) ?? one.workspaceId }), ...one.shown }))
  context.print.result(objectTable(kind, rows, await showingOf(context, ways, kind, found, format)))
}

async function showingOf({ surroundings }: Context, ways: Ways, kind: AnyKind, found: readonly Looked[], format: Format): Promise<Showing> {
  if (format === 'wide') return { wide: true }
  return { columns: surroundings.stdout.size?.columns, names: await referenceNames(ways, kind, found) }
}

/** What a look shows of a watch: the table, and each object in a line where nothing is redrawn. */
function lookOf(kind: AnyKind, found: readonly Looked[], showing: Showing): Look {
  const rows = found.map((one) => one.shown)
  const { cells } = objectCells(kind, rows, { ...showing, columns: undefined })
  const lines = found.map((one, at): [string, string] => [`${kind.name}/${one.id}`, `${(cells[at] ?? []).map(safeLine).join('  ')}\n`])
  // What is redrawn leaves the last column of a terminal free, and would lose the end of its ids there.
  const room = showing.columns === undefined ? undefined : showing.columns - 1
  const whole = found.length === 0 ? `no ${kind.plural}\n` : objectTable(kind, rows, { ...showing, columns: room })
  return { whole, lines: new Map(lines), tellsGone: true }
}
