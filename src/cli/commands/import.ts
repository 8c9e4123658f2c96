// `iac import ADDRESS ID`: existing objects under manifests, which it can write itself.
import type { Client } from '../../api/client.ts'
import { parseAddress } from '../../base/address.ts'
import { failure } from '../../base/diagnostic.ts'
import { few } from '../../base/words/few.ts'
import type { Run } from '../../engine/model/run.ts'
import { importObject, importObjects } from '../../engine/record-only.ts'
import type { AnyKind } from '../../kinds/definition/kind.ts'
import { kinds } from '../../kinds/registry.ts'
import { createReporter } from '../apply/reporter.ts'
import { findKind, unknownKind } from '../arguments/find-kind.ts'
import type { Given } from '../arguments/flags.ts'
import { usageFailure } from '../arguments/usage.ts'
import { defineCommand } from '../context/command.ts'
import type { Context } from '../context/context.ts'
import { good, loadGiven } from '../context/load-given.ts'
import type { GoodProject } from '../context/load-given.ts'
import { addressOf } from '../context/state-addresses.ts'
import { exportFiles } from '../export/export-files.ts'
import { mayBelong } from '../export/export-manifests.ts'
import { generate, placeManifests, withManifests, writeManifests } from '../export/generate.ts'
import type { Generated, Generating } from '../export/generate.ts'
import { mustBeWritable, tellWhatIsMissing } from '../export/print-manifests.ts'
import type { MachineDocument } from '../render/machine-shapes.ts'
import { counted } from '../render/text/counted.ts'
import { safeLine } from '../render/text/sanitise.ts'
import { tellingOfEnd } from '../surroundings/ended-at-once.ts'
import { ownerOf } from '../surroundings/owner.ts'

export const importCommand = defineCommand({
  summary: 'put existing objects under manifests',
  about:
    'Records an existing object as the one that a manifest describes. Nothing is changed at the service; the next plan shows what differs. With --generate it writes the manifest first, with --all manifests for everything that the project does not manage yet; no file is overwritten.',
  arguments: [
    { name: 'ADDRESS', about: 'a manifest that is not in the state yet; with --generate one that is not there yet', optional: true },
    { name: 'ID', about: 'the id of the object, joined by / for objects without one of their own', optional: true },
  ],
  flags: {
    generate: { type: 'switch', about: 'write the manifest, then import' },
    all: { type: 'switch', about: 'write manifests for everything live that is not managed here, and import it' },
    kind: { type: 'list', value: 'KIND', about: 'with --all: of this kind alone' },
  },
  examples: [
    { text: 'import Instance/web 9007199254740993', about: 'by id' },
    { text: 'import VpcAttachment/web-main 12/34', about: 'an object without an id of its own' },
    { text: 'import --generate Instance/web 9007199254740993', about: 'without a manifest yet' },
    { text: 'import --all --kind Vpc', about: 'every network that no manifest manages' },
  ],
  async run(context, given) {
    if (given.switch('all')) return await importAll(context, given)
    const [word, id] = given.arguments
    if (word === undefined || id === undefined || given.list('kind').length > 0)
      throw usageFailure(given.list('kind').length > 0 ? '--kind goes with --all' : `${word === undefined ? 'ADDRESS' : 'ID'} is missing`)
    const address = addressOf(word)
    const kind = kindOf(parseAddress(address)?.kind ?? '')
    if (given.switch('generate')) await generateOne(context, kind, address, id)
    else {
      const loaded = await context.project()
      await recording(context, loaded, (run, request) => importObject(run, request, address, id))
    }
    const document: MachineDocument<'import'> = { address, id }
    if (context.globals.switch('json')) context.print.json(document)
    else context.print.result(`Import successful! ${safeLine(address)} is now managed (id ${safeLine(id)}).\n`)
    return 0
  },
})

function kindOf(word: string): AnyKind {
  const names = kinds.map((one) => one.name)
  const kind = kinds.find((one) => one.name === word)
  if (!kind) throw unknownKind(word, names)
  return kind
}

type Request = Parameters<typeof importObjects>[1]

/** Runs what writes the state and changes nothing at the service. */
async function recording(context: Context, { project, diagnostics }: GoodProject, work: (run: Run, request: Request) => Promise<unknown>): Promise<void> {
  const store = await context.store(project)
  const reporter = createReporter(context)
  let client: Client | undefined
  const keepQuiet = tellingOfEnd(
    context.surroundings,
    () => client,
    () => 'an import changes nothing at the service; `iac status` shows whether the lock was left',
  )
  context.surroundings.graceful(true)
  try {
    const run = await context.run(project, { report: reporter.report, shown: reporter.shown })
    client = run.client
    const owner = ownerOf(context.surroundings, 'import')
    await work(run, { project, store, diagnostics, owner, lockTimeoutMs: context.globals.number('lock-timeout') ?? 0 })
  } finally {
    context.surroundings.graceful(false)
    reporter.stop()
    keepQuiet()
  }
}

async function generateOne(context: Context, kind: AnyKind, address: string, id: string): Promise<void> {
  const { name = '', key } = parseAddress(address) ?? {}
  const { project } = await context.project()
  if (key !== undefined) throw usageFailure('--generate makes a manifest without for_each: the address takes no key')
  if (project.resources.some((one) => one.address === address || one.address.startsWith(`${address}[`)))
    throw failure('import_conflict', `${address} has a manifest already`, { hint: 'import without --generate' })
  mustBeWritable(kind)
  const made = await generated(context, project, { kinds: [kind], named: new Set([kind.name]), only: { kind: kind.name, id, name } })
  if (made.exported.manifests.length === 0) {
    const [left] = made.exported.leftOut
    throw failure('import_conflict', `${address}: ${left?.why ?? `there is no ${kind.name} with id ${id}`}`, { hint: left?.hint })
  }
  await made.take(`${kind.name.toLowerCase()}-${name}.yaml`)
}

/** Manifests that are made but not written yet; `take` writes them, into one file if it is named, and imports what they describe. */
async function generated(context: Context, project: GoodProject['project'], wanted: Generating) {
  const { folder, globals, surroundings, files } = context
  const exported = await generate(context, project, wanted)
  const addresses = exported.manifests.flatMap((one) => one.addresses.map(([, address]) => address))
  const take = async (file?: string): Promise<void> => {
    const whole = exportFiles(exported, 'kind')
    const placed = await placeManifests(context, file === undefined ? whole : new Map([[file, [...whole.values()].join('---\n')]]))
    const loaded = good(await loadGiven({ folder, globals, surroundings, files: withManifests(files, folder, placed) }))
    // The client that read is the one that goes on: settings are told apart by the object that they are.
    const same = { ...loaded, project: { ...loaded.project, compat: project.compat } }
    // Under the lock, and for good: another run may have read them by the time anything fails, and the next apply destroys what is recorded and has no manifest.
    const write = async (): Promise<void> => {
      await writeManifests(folder, placed)
      for (const path of placed.keys()) context.print.note(`wrote ${safeLine(path)}`)
    }
    await recording(context, same, (run, request) => importObjects(run, request, addresses, write))
  }
  return { exported, addresses, take }
}

async function importAll(context: Context, given: Given): Promise<0> {
  if (given.arguments.length > 0 || given.switch('generate')) throw usageFailure('--all takes neither an address nor --generate')
  const chosen = given.list('kind').map((word) => findKind(word) ?? kindOf(word))
  for (const kind of chosen) mustBeWritable(kind)
  const { project } = await context.project()
  const wanted = chosen.length > 0 ? chosen : kinds.filter((one) => one.managed && one.readable && one.scope !== 'account')
  const made = await generated(context, project, { kinds: wanted, named: new Set(chosen.map((one) => one.name)) })
  tellWhatIsMissing(context, made.exported, 'import --all')
  if (made.addresses.length > 0) await made.take()
  const imported = made.exported.manifests.flatMap((one) => one.addresses.map(([{ thing }, address]) => ({ address, id: thing.id })))
  const { unrecorded, leftOut } = made.exported
  const left = leftOut.map(({ thing, why, hint }) => ({ left_out: { kind: thing.kind.name, id: thing.id, why, hint: hint ?? null } }))
  if (unrecorded.length > 0) context.print.note(`left to \`iac apply\`, since manifests of their own import them: ${safeLine(few(unrecorded))}`)
  if (context.globals.switch('json')) context.print.json([...imported, ...left])
  else
    context.print.result(
      imported.length === 0 ? `Nothing to import: ${restOf(made.exported)}.\n` : `Import successful! ${counted(imported.length, 'object')} now managed.\n`,
    )
  return 0
}

/** What is said of all that was not imported. */
function restOf({ unrecorded, leftOut }: Generated): string {
  if (leftOut.some((one) => one.why !== mayBelong)) return 'what is not managed here is left out'
  return `everything live ${unrecorded.length === 0 ? 'is managed' : 'has a manifest'} here`
}
