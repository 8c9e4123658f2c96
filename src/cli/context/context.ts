// What commands share: the project, its state, the way to the API, and where words go; made of flags and surroundings.
import type { Compat } from '../../api/calls/compat.ts'
import type { Client } from '../../api/client.ts'
import type { Redactor } from '../../api/redact.ts'
import type { Diagnostic } from '../../base/diagnostic.ts'
import { diagnostic } from '../../base/diagnostic.ts'
import { sharedAnew } from '../../base/lazy.ts'
import type { Report } from '../../engine/model/events.ts'
import type { OtherEnvironments } from '../../engine/model/other-environments.ts'
import type { Handover, Run } from '../../engine/model/run.ts'
import type { VariableInputs } from '../../project/configuration/variables.ts'
import type { Files } from '../../project/files/files.ts'
import type { Project } from '../../project/resolving/declared.ts'
import type { StateStore } from '../../state/store.ts'
import type { Completed } from '../arguments/completion-script.ts'
import type { Given } from '../arguments/flags.ts'
import { placeFlags } from '../arguments/place-flags.ts'
import type { Reads } from '../storage/state-sealing.ts'
import type { Printer } from '../surroundings/printer.ts'
import { createPrinter } from '../surroundings/printer.ts'
import { projectFiles } from '../surroundings/project-files.ts'
import { folderInRepository } from '../surroundings/repository.ts'
import type { Surroundings } from '../surroundings/surroundings.ts'
import type { Address, OpenedLine } from './connection.ts'
import type { Asking } from './left-behind.ts'
import type { GoodProject, LoadedGiven } from './load-given.ts'
import { projectFolder } from './project-folder.ts'

/** What gives back what was opened, in order. */
type Closers = (() => Promise<void>)[]

/** What a run is given besides the project. */
export interface RunOptions {
  readonly report?: Report
  readonly shown?: Run['shown']
  readonly failFast?: boolean
  /** The service in place of the one that flags and environment name: no state holds what stands there. */
  readonly at?: Address
}

export interface Context {
  readonly name: string
  readonly surroundings: Surroundings
  readonly globals: Given
  readonly print: Printer
  /** Whether a question may be asked at all: not with CI, --no-input or --json. */
  readonly mayAsk: boolean
  /** Whether texts are in the words that readers of Terraform's look for (--compat terraform). */
  readonly asTerraform: boolean
  readonly folder: string
  /** What is read of the project, and of what the command line names. */
  readonly files: Files
  /** The project as the flags say, whatever is wrong with it; where a saved plan is carried out, by the variables that it was made with. */
  load(planned?: VariableInputs['planned']): Promise<LoadedGiven>
  /** The project without an error. Throws Failure 3. */
  project(): Promise<GoodProject>
  /** The store of a state; where it is said whose, one that does not exist yet is refused while the project's folder holds the former one. */
  store(project: Pick<Project, 'state'> | Asking, reads?: Reads): Promise<StateStore>
  /** The line to the service that flags and environment name. Throws a Failure 4 where nothing says who calls. */
  line(): Promise<OpenedLine>
  client(compat: Compat): Promise<Client>
  /** A client for the service at an address, whatever flags and environment say. */
  clientAt(address: Address, compat: Compat): Promise<Client>
  run(project: Pick<Project, 'compat'>, options?: RunOptions): Promise<Run>
  /** What other environments of the project manage, read once; undefined where there are none. */
  otherEnvironments(when?: 'anew'): Promise<OtherEnvironments | undefined>
  /** The files that hold a report of this run: what fails afterwards leaves them as they are. */
  readonly reported: Set<string>
  /** What a shell completes, from every command. */
  completed(): Promise<readonly Completed[]>
  /** Gives back what was opened; warnings of what could not be. */
  close(): Promise<readonly Diagnostic[]>
}

type Parts = Pick<Context, 'name' | 'globals' | 'surroundings' | 'completed' | 'asTerraform'>

/** The context of one command: what it asks for is loaded then, since most commands need little of it. */
export function createContext(given: Parts & Partial<Pick<Context, 'files' | 'line'>>): Context {
  const { name, globals, surroundings, completed, asTerraform } = given
  const { environment } = surroundings
  const json = globals.switch('json')
  const flags = {
    json,
    colours: !globals.switch('no-color'),
    quiet: globals.switch('quiet'),
    verbose: globals.switch('verbose'),
    asTerraform,
    place: placeFlags(globals),
  }
  const print = createPrinter(surroundings, flags)
  const closers: Closers = []
  let loaded: Promise<LoadedGiven> | undefined
  let opened: Promise<OpenedLine> | undefined
  const clients = new Map<Compat, Promise<Client>>()

  const context: Context = {
    name,
    surroundings,
    globals,
    print,
    reported: new Set(),
    asTerraform,
    mayAsk: !json && !globals.switch('no-input') && !isOn(environment['CI']),
    folder: projectFolder(globals, surroundings),
    files: projectFiles(surroundings, given.files),
    load: (planned) => (loaded ??= loadOnDemand(context, planned)),
    async project() {
      const { good } = await import('./load-given.ts')
      return good(await context.load())
    },
    store: (project, reads) => storeOnDemand(context, project, reads),
    line: given.line ?? (() => (opened ??= openOnDemand(context, closers, () => loaded))),
    client(compat) {
      const known = clients.get(compat) ?? context.line().then((line) => line.client(compat))
      clients.set(compat, known)
      return known
    },
    clientAt: async (address, compat) => (await openOnDemand(context, closers, () => loaded, address)).client(compat),
    async run(project, options = {}) {
      const reached = options.at ? context.clientAt(options.at, project.compat) : context.client(project.compat)
      const [client, { kinds }, line] = await Promise.all([reached, import('../../kinds/registry.ts'), options.at ? undefined : context.line()])
      const { clock, random, randomBytes, stop, version } = surroundings
      return {
        client,
        clock,
        compat: project.compat,
        kinds,
        toolVersion: version,
        folder: folderInRepository(context.folder),
        report: options.report ?? (() => undefined),
        shown: options.shown,
        random,
        randomBytes,
        stop,
        parallelism: globals.number('parallelism'),
        failFast: options.failFast ?? false,
        ...placedBy(globals, line),
        handover: handoverOnDemand(context.folder, surroundings),
        otherEnvironments: options.at ? undefined : context.otherEnvironments,
      }
    },
    otherEnvironments: otherEnvironmentsOnDemand(() => context),
    completed,
    close: () => closeAll(closers),
  }
  return context
}

/** Which state and service a run is of. */
function placedBy(globals: Given, line: OpenedLine | undefined): Pick<Run, 'flags' | 'sandbox' | 'service'> {
  return { flags: placeFlags(globals), sandbox: globals.switch('sandbox'), service: line?.leadsTo?.baseUrl }
}

/** Few runs write into files. */
function handoverOnDemand(folder: string, { userId }: Surroundings): Handover {
  const files = async (): Promise<Handover> => (await import('../surroundings/handover.ts')).handoverIn(folder, userId)
  return { check: async (file) => (await files()).check(file), write: async (file, text) => (await files()).write(file, text) }
}

async function loadOnDemand(context: Context, planned: VariableInputs['planned']): Promise<LoadedGiven> {
  const { loadGiven } = await import('./load-given.ts')
  return await loadGiven({ ...context, planned })
}

/** Few runs find anything that another environment may manage. */
function otherEnvironmentsOnDemand(context: () => Context): Context['otherEnvironments'] {
  let read: ReturnType<Context['otherEnvironments']> | undefined
  // Many lost creates ask at the same time, and again and again.
  const look = sharedAnew(async () => (await import('./read-other-environments.ts')).readOtherEnvironments(context()))
  return (when) => {
    if (when === 'anew') read = undefined
    return (read ??= look())
  }
}

async function storeOnDemand(context: Context, project: Parameters<Context['store']>[0], reads?: Reads): Promise<StateStore> {
  const { folder, globals, surroundings, files, print } = context
  const [{ openStore }, { tellingOfLeftOut }, { tellingOfWaiting }] = await Promise.all([
    import('../storage/open-store.ts'),
    import('../storage/left-out-lines.ts'),
    import('../storage/waiting-line.ts'),
  ])
  const opened = openStore(project.state, folder, surroundings, reads).catch(async (error: unknown) => {
    throw await (await import('./placed-refusal.ts')).placedRefusal(error, project.state, context)
  })
  const tell = (one: Diagnostic): void => print.diagnostics([one])
  const store = tellingOfWaiting(tellingOfLeftOut(await opened, tell), surroundings.clock, tell)
  // The sandbox's state is always where it is.
  if (globals.switch('sandbox') || !('name' in project)) return store
  const [{ unlessLeftBehind }, { statesIn, ownFile }] = await Promise.all([import('./left-behind.ts'), import('./load-given.ts')])
  return unlessLeftBehind(store, project, { surroundings, files, declared: () => statesIn(ownFile(folder), globals, surroundings) })
}

async function openOnDemand(context: Context, closers: Closers, loaded: () => Promise<LoadedGiven> | undefined, address?: Address): Promise<OpenedLine> {
  const { openLineTo } = await import('./connection.ts')
  let hidden: Promise<void> | undefined
  const hideOwn = (secrets: Redactor): Promise<void> => (hidden ??= hideOnDemand(context, loaded(), secrets))
  return await openLineTo({ ...context, hideOwn }, closers, address)
}

/** Whoever works by the state alone has loaded nothing, and is told of refusals all the same. */
async function hideOnDemand(context: Context, loaded: Promise<LoadedGiven> | undefined, secrets: Redactor): Promise<void> {
  const { hideOwn } = await import('./hide-own.ts')
  await hideOwn(context, loaded, secrets)
}

async function closeAll(closers: Closers): Promise<readonly Diagnostic[]> {
  const problems: Diagnostic[] = []
  for (const close of closers.splice(0).toReversed()) {
    try {
      await close()
    } catch (error) {
      problems.push(diagnostic('advice', `something could not be closed: ${error instanceof Error ? error.message : 'unknown'}`))
    }
  }
  return problems
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== '0' && value !== 'false'
}
