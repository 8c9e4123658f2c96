// What commands share: the project, its state, the way to the API, and where words go; made of flags and surroundings.
import { resolve } from 'node:path'
import type { Client } from '../api/client.ts'
import { createClient } from '../api/client.ts'
import type { Compat } from '../api/compat.ts'
import { fetchTransport, createDispatcher } from '../api/fetch-transport.ts'
import type { TraceEvent } from '../api/exchange.ts'
import type { Transport } from '../api/wire.ts'
import type { Diagnostic } from '../diagnostic.ts'
import { diagnostic } from '../diagnostic.ts'
import type { Report } from '../engine/events.ts'
import type { Run } from '../engine/run.ts'
import { kinds } from '../kinds/registry.ts'
import type { Project } from '../project/declared.ts'
import type { Loaded } from '../project/load.ts'
import type { StateStore } from '../state/store.ts'
import type { Completed } from './completion-script.ts'
import { findCredentials } from './credentials.ts'
import type { Given } from './flags.ts'
import { good, loadGiven, projectFolder } from './load-given.ts'
import type { GoodProject } from './load-given.ts'
import { openStore } from './open-store.ts'
import type { Printer } from './printer.ts'
import { createPrinter } from './printer.ts'
import { safeLine } from './render/sanitise.ts'
import { openSandbox, sandboxTransport } from './sandbox-folder.ts'
import type { Surroundings } from './surroundings.ts'

/** What a run is given besides the project. */
export interface RunOptions {
  readonly report?: Report
  readonly failFast?: boolean
}

export interface Context {
  readonly name: string
  readonly surroundings: Surroundings
  readonly globals: Given
  readonly print: Printer
  /** Whether a question may be asked at all: not with CI, --no-input or --json. */
  readonly mayAsk: boolean
  readonly folder: string
  /** The project as the flags say, whatever is wrong with it. */
  load(): Promise<Loaded>
  /** The project without an error. Throws Failure 3. */
  project(): Promise<GoodProject>
  store(project: Pick<Project, 'state'>): Promise<StateStore>
  client(compat: Compat): Promise<Client>
  run(project: Pick<Project, 'compat'>, options?: RunOptions): Promise<Run>
  /** What a shell completes, from every command. */
  completed(): Promise<readonly Completed[]>
  /** Gives back what was opened; warnings of what could not be. */
  close(): Promise<readonly Diagnostic[]>
}

/** The context of one command. */
export function createContext(given: Pick<Context, 'name' | 'globals' | 'surroundings' | 'completed'>): Context {
  const { name, globals, surroundings, completed } = given
  const { environment } = surroundings
  const json = globals.switch('json')
  const print = createPrinter(surroundings, { json, colours: !globals.switch('no-color'), quiet: globals.switch('quiet') })
  const closers: (() => Promise<void>)[] = []
  let loaded: Promise<Loaded> | undefined
  const clients = new Map<Compat, Promise<Client>>()

  const context: Context = {
    name,
    surroundings,
    globals,
    print,
    mayAsk: !json && !globals.switch('no-input') && !isOn(environment['CI']),
    folder: projectFolder(globals, surroundings),
    load: () => (loaded ??= loadGiven(context.folder, globals, surroundings)),
    project: async () => good(await context.load()),
    store: (project) => openStore(project.state, context.folder, surroundings),
    client(compat) {
      const known = clients.get(compat) ?? connect(context, compat, closers)
      clients.set(compat, known)
      return known
    },
    async run(project, options = {}) {
      const client = await context.client(project.compat)
      const { clock, random, randomBytes, stop, version } = surroundings
      const parallelism = globals.number('parallelism')
      return {
        client,
        clock,
        compat: project.compat,
        kinds,
        toolVersion: version,
        report: options.report ?? (() => undefined),
        random,
        randomBytes,
        stop,
        parallelism,
        failFast: options.failFast ?? false,
      }
    },
    completed,
    close: () => closeAll(closers),
  }
  return context
}

async function connect(context: Context, compat: Compat, closers: (() => Promise<void>)[]): Promise<Client> {
  const { surroundings, globals } = context
  const verbose = globals.switch('verbose')
  const shared = {
    clock: surroundings.clock,
    random: surroundings.random,
    compat,
    userAgent: `iac/${surroundings.version}`,
    parallelism: globals.number('parallelism'),
    onTrace: (event: TraceEvent): void => {
      if (verbose) surroundings.stderr.write(`  ${safeLine(`${event.request} ${event.status ?? event.why ?? ''}`)} ${Math.round(event.ms)} ms\n`)
    },
  }
  const { transport, token } = globals.switch('sandbox') ? await sandboxWay(context, closers) : await networkWay(surroundings, closers)
  return createClient({ ...shared, transport, token })
}

interface Way {
  readonly transport: Transport
  readonly token: string
}

async function sandboxWay(context: Context, closers: (() => Promise<void>)[]): Promise<Way> {
  const opened = await openSandbox(context.surroundings, resolve(context.folder, '.iac/sandbox'))
  closers.push(opened.close)
  return { transport: sandboxTransport(opened.sandbox), token: opened.sandbox.token }
}

async function networkWay(surroundings: Surroundings, closers: (() => Promise<void>)[]): Promise<Way> {
  const { baseUrl, token } = await findCredentials(surroundings)
  const { environment } = surroundings
  const dispatcher = createDispatcher({
    httpsProxy: environment['HTTPS_PROXY'] ?? environment['https_proxy'],
    noProxy: environment['NO_PROXY'] ?? environment['no_proxy'],
  })
  closers.push(() => dispatcher.destroy())
  return { transport: fetchTransport({ baseUrl, dispatcher }), token }
}

async function closeAll(closers: (() => Promise<void>)[]): Promise<readonly Diagnostic[]> {
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
