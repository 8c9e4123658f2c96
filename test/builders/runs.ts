// Runs of the engine as the commands make them, each like a process of its own, against one service and one disk.
import type { Compat } from '../../src/api/calls/compat.ts'
import { createClient } from '../../src/api/client.ts'
import type { Transport } from '../../src/api/transport/wire.ts'
import type { Clock } from '../../src/base/clock.ts'
import type { Diagnostic } from '../../src/base/diagnostic.ts'
import { failure } from '../../src/base/diagnostic.ts'
import { applySaved } from '../../src/engine/apply-saved.ts'
import type { Event } from '../../src/engine/model/events.ts'
import type { Plan } from '../../src/engine/model/plan-data.ts'
import type { Options } from '../../src/engine/model/planned-resource.ts'
import type { Handover, Run } from '../../src/engine/model/run.ts'
import { importObject, refreshState } from '../../src/engine/record-only.ts'
import type { Applied } from '../../src/engine/session.ts'
import { applyProject, preparePlan } from '../../src/engine/session.ts'
import type { AnyKind } from '../../src/kinds/definition/kind.ts'
import { kinds as registered, workspaceKind } from '../../src/kinds/registry.ts'
import { loadProject } from '../../src/project/load.ts'
import type { Project } from '../../src/project/resolving/declared.ts'
import { localStore } from '../../src/state/backends/local/local-store.ts'
import type { MemoryFileSystem } from '../../src/state/backends/local/memory-file-system.ts'
import type { Machine } from '../../src/state/process-identity.ts'
import type { StateDocument } from '../../src/state/record.ts'
import { inClear } from '../../src/state/sealing.ts'
import type { Owner } from '../../src/state/store.ts'
import { checkJustMade } from './just-made.ts'
import { memoryFiles } from './project.ts'

/** Files by their path in the project; a bare text is `main.yaml`. */
export type Texts = string | Readonly<Record<string, string>>

export interface Surroundings {
  readonly clock: Clock
  readonly transport: Transport
  readonly token: string
  readonly fileSystem: MemoryFileSystem
  readonly compat: Compat
  readonly random: () => number
  readonly machine: (pid: number) => Machine
  /** Values of variables, as `IAC_VAR_name` gives them. */
  readonly variables?: Readonly<Record<string, string>> | undefined
  /** False where nothing tells whether the token is a login session's. */
  readonly knowsSession?: boolean | undefined
  readonly unwritable?: ((file: string, when: 'check' | 'write') => string | undefined) | undefined
  /** What other environments of the project manage. */
  readonly otherEnvironments?: Run['otherEnvironments']
  /** In place of the registry's. */
  readonly kinds?: readonly AnyKind[] | undefined
}

interface ApplyOptions {
  readonly noDestroy?: boolean
  readonly maxDestroy?: number
  readonly stop?: AbortSignal
  readonly failFast?: boolean
  /** Most operations at a time. */
  readonly parallelism?: number
  /** Answers the question; yes without it. */
  readonly decide?: () => Promise<boolean>
}

/** How a project is loaded: `-f` paths, variables in place of the surroundings' own, and the environment. */
export interface Loading {
  readonly only?: readonly string[]
  readonly variables?: Readonly<Record<string, string>>
  readonly environment?: string
}

export interface Runs {
  readonly events: Event[]
  /** What was written into files of the project, by their paths. */
  readonly delivered: ReadonlyMap<string, string>
  load(texts: Texts, loading?: Loading): { readonly project: Project; readonly diagnostics: readonly Diagnostic[] }
  plan(texts: Texts, options?: Partial<Options>, loading?: Loading): ReturnType<typeof preparePlan>
  apply(texts: Texts, options?: Partial<Options>, more?: ApplyOptions, loading?: Loading): Promise<Applied>
  destroy(texts?: Texts, options?: Partial<Options>): Promise<Applied>
  applySaved(texts: Texts, plan: Plan, loading?: Loading, stop?: AbortSignal): Promise<Applied>
  importObject(texts: Texts, address: string, id: string, loading?: Loading): Promise<StateDocument>
  refresh(texts: Texts, options?: Partial<Options>, loading?: Loading, decide?: ApplyOptions['decide']): Promise<Applied>
  document(): Promise<StateDocument | undefined>
  /** The run's surroundings, as a new process would have them. */
  run(stop?: AbortSignal): Run
}

const folder = '/project'
const none: Options = { destroy: false, refreshOnly: false, targets: [], excludes: [], replace: [] }

export function createRuns(around: Surroundings): Runs {
  const { clock, transport, token, fileSystem, compat, random, machine, kinds = registered, knowsSession = true } = around
  const events: Event[] = []
  const delivered = new Map<string, string>()
  let processes = 0

  function run(stop: AbortSignal = new AbortController().signal): Run {
    return {
      client: createClient({ transport, token, session: knowsSession || undefined, clock, random, compat, userAgent: 'iac-test' }),
      clock,
      compat,
      kinds,
      toolVersion: '0.0.0',
      report: (event) => events.push(event),
      random,
      randomBytes: (count) => Uint8Array.from({ length: count }, () => Math.floor(random() * 256)),
      stop,
      parallelism: undefined,
      failFast: false,
      handover: filesOf(delivered, around.unwritable),
      otherEnvironments: around.otherEnvironments,
    }
  }
  function store() {
    processes += 1
    return localStore({
      path: `${folder}/.iac/state.json`,
      fileSystem: fileSystem.process(),
      clock,
      randomBytes: run().randomBytes,
      machine: machine(processes),
      sealing: inClear,
    })
  }
  const load: Runs['load'] = (texts, loading) => loadTexts({ ...around, kinds }, texts, loading)
  const locking = () => ({ store: store(), owner: owner(processes), lockTimeoutMs: 0 })
  const apply: Runs['apply'] = async (texts, selection = {}, more = {}, loading = {}) => {
    const loaded = load(texts, loading)
    return applyProject(
      { ...run(more.stop), failFast: more.failFast ?? false, parallelism: more.parallelism },
      {
        ...loaded,
        ...locking(),
        options: { ...none, ...selection },
        guards: { noDestroy: more.noDestroy ?? false, maxDestroy: more.maxDestroy ?? loaded.project.maxDestroy },
        ...answering(more.decide),
      },
    )
  }
  return {
    events,
    delivered,
    run,
    load,
    apply,
    plan: async (texts, selection = {}, loading = {}) => {
      const here = run()
      return checkJustMade(here, await preparePlan(here, { ...load(texts, loading), store: store(), options: { ...none, ...selection }, preflight: 'plan' }))
    },
    destroy: (texts = '', selection = {}) => apply(texts, { ...selection, destroy: true }),
    applySaved: async (texts, plan, loading = {}, stop) => {
      const { project } = load(texts, loading)
      return applySaved(run(stop), { ...locking(), project, plan, guards: { noDestroy: false, maxDestroy: project.maxDestroy } })
    },
    importObject: async (texts, address, id, loading = {}) => importObject(run(), { ...load(texts, loading), ...locking() }, address, id),
    refresh: async (texts, selection = {}, loading = {}, decide) =>
      refreshState(run(), { ...load(texts, loading), ...locking(), options: { ...none, ...selection, refreshOnly: true } }, answering(decide).decide),
    document: async () => (await store().read()).document,
  }
}

type Found = ReturnType<Runs['load']>

/** What was loaded last, by the kinds and by all else that loading depends on: plans and applies after each other are of the same files. */
const loadedBefore = new WeakMap<readonly AnyKind[], Map<string, Found>>()
const MOST_KEPT = 20

/** The project that these texts are; throws what is wrong with it, in words. */
function loadTexts({ variables: given = {}, kinds = registered }: Pick<Surroundings, 'variables' | 'kinds'>, texts: Texts, loading: Loading = {}): Found {
  const full = { variables: given, ...loading }
  const all = typeof texts === 'string' ? { 'main.yaml': texts } : texts
  const known = loadedBefore.get(kinds) ?? new Map<string, Found>()
  loadedBefore.set(kinds, known)
  const key = JSON.stringify([all, full])
  const found = known.get(key) ?? loadAnew(kinds, all, full)
  // What was asked for last is kept longest.
  known.delete(key)
  known.set(key, found)
  for (const oldest of known.keys()) if (known.size > MOST_KEPT) known.delete(oldest)
  return found
}

function loadAnew(kinds: readonly AnyKind[], all: Exclude<Texts, string>, { only, variables = {}, environment }: Loading): Found {
  const loaded = loadProject({
    files: memoryFiles(Object.fromEntries(Object.entries(all).map(([path, text]) => [`${folder}/${path}`, text]))),
    folder,
    kinds,
    workspaceKind,
    environment: environment ?? null,
    variables: { flags: [], files: [], environment: Object.fromEntries(Object.entries(variables).map(([name, text]) => [`IAC_VAR_${name}`, text])) },
    named: only && { paths: only.map((path) => ({ path: `${folder}/${path}`, shown: path })), stdin: undefined },
    sandbox: true,
  })
  if (!loaded.project) throw new Error(loaded.diagnostics.map((one) => `${one.summary} ${one.detail ?? ''} ${one.hint ?? ''}`).join('\n'))
  return { project: loaded.project, diagnostics: loaded.diagnostics }
}

/** Somebody is asked only where a test answers. */
function answering(decide?: () => Promise<boolean>) {
  return { asks: decide !== undefined, decide: decide ?? (async () => true) }
}

function owner(pid: number): Owner {
  return { id: `run-${pid}`, operation: 'apply', who: 'test@here', host: 'here', pid, created: '2026-01-01T00:00:00.000Z', run_url: null }
}

/** Files that are kept in memory; some of them cannot be written. */
function filesOf(delivered: Map<string, string>, unwritable: Surroundings['unwritable']): Handover {
  const refuse = (file: string, when: 'check' | 'write'): void => {
    const why = unwritable?.(file, when)
    if (why !== undefined) throw failure('file_unwritable', why)
  }
  return {
    check: async (file) => refuse(file, 'check'),
    write: async (file, text) => {
      refuse(file, 'write')
      delivered.set(file, text)
    },
  }
}
