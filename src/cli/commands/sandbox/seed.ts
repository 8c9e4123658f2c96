// Fills a sandbox with manifests: the engine's own apply against it, its state forgotten afterwards unless it is to be kept.
import { realpathSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { compatSchema } from '../../../api/calls/compat.ts'
import { createClient } from '../../../api/client.ts'
import { Failure } from '../../../base/diagnostic.ts'
import type { Diagnostic } from '../../../base/diagnostic.ts'
import type { Handover } from '../../../engine/model/run.ts'
import { applyProject } from '../../../engine/session.ts'
import { kinds, workspaceKind } from '../../../kinds/registry.ts'
import type { VariableInputs } from '../../../project/configuration/variables.ts'
import type { Files } from '../../../project/files/files.ts'
import { projectFileName } from '../../../project/files/find-project.ts'
import { nodeFiles } from '../../../project/files/node-files.ts'
import { loadInTurns } from '../../../project/load.ts'
import type { Project } from '../../../project/resolving/declared.ts'
import { createPlace } from '../../../sandbox/time/place.ts'
import type { Place } from '../../../sandbox/time/place.ts'
import { localStore } from '../../../state/backends/local/local-store.ts'
import { memoryFileSystem } from '../../../state/backends/local/memory-file-system.ts'
import { memoryMachine } from '../../../state/backends/local/memory-machine.ts'
import { inClear } from '../../../state/sealing.ts'
import type { StateStore } from '../../../state/store.ts'
import { usageFailure } from '../../arguments/usage.ts'
import type { Context } from '../../context/context.ts'
import { good, variablesOf } from '../../context/load-given.ts'
import { sandboxTransport } from '../../sandbox/folder.ts'
import { openStore } from '../../storage/open-store.ts'
import { handoverIn } from '../../surroundings/handover.ts'
import { ownerOf } from '../../surroundings/owner.ts'
import { projectFiles } from '../../surroundings/project-files.ts'
import { takingTurns } from '../../surroundings/taking-turns.ts'

/** Manifests without a project stand by themselves: variables and outputs of the project around them are none of theirs. */
function withoutProject(files: Files): Files {
  return { ...files, kindOf: (path) => (basename(path) === projectFileName ? undefined : files.kindOf(path)) }
}

/** Manifests for a sandbox: where they are, and what messages call that place. */
export interface Seed {
  readonly path: string
  readonly shown: string
  /** What the sandbox's readings ask of a client; goes before what the project says. */
  readonly compat: Readonly<Record<string, unknown>>
  /** Whether the folder's own state is written, as by an apply there. */
  readonly keepsState?: boolean
  /** The project that the manifests are an earlier form of: its name, environment and variables are theirs, and nothing is written for them. */
  readonly before?: Project | undefined
}

/**
 * Applies the manifests of a file or folder, or the project in that folder; throws a Failure when they are wrong or not all could be made.
 * The sandbox's clock jumps meanwhile: nothing of it is waited for, and it is ahead by what it took. Returns where the state of it is.
 */
export async function seedSandbox(context: Context, place: Place, seed: Seed): Promise<StateStore> {
  const { mode, scale } = place.clock.course
  place.clock.set('jumping')
  try {
    return await applySeed(context, place, seed)
  } finally {
    place.clock.set(mode, scale)
  }
}

async function applySeed(context: Context, { sandbox, clock }: Place, seed: Seed): Promise<StateStore> {
  const { surroundings } = context
  const { path, shown, before } = seed
  const { random, randomBytes, stop, version } = surroundings
  const files = projectFiles(surroundings)
  const what = files.kindOf(join(path, projectFileName))
    ? { files, folder: path, shown: join(shown, projectFileName), named: undefined }
    : { files: withoutProject(files), folder: context.folder, named: { paths: [{ path, shown }], stdin: undefined } }
  const environment = before?.environment ?? null
  const work = loadInTurns({ ...what, kinds, workspaceKind, environment, variables: variablesFor(context, before), sandbox: seed.keepsState !== true })
  const loaded = good(await takingTurns(work, surroundings))
  const project = before ? earlierForm(loaded.project, before) : loaded.project
  const compat = compatSchema.parse({ ...loaded.project.compat, ...seed.compat })
  const client = createClient({ transport: sandboxTransport(sandbox), token: sandbox.token, session: true, clock, random, compat, userAgent: `iac/${version}` })
  const run = {
    client,
    clock,
    compat,
    kinds,
    toolVersion: version,
    report: () => undefined,
    random,
    randomBytes,
    stop,
    parallelism: undefined,
    failFast: false,
    handover: before ? nowhere : handoverIn(path, surroundings.userId),
  }
  const store = seed.keepsState
    ? await openStore(loaded.project.state, path, surroundings)
    : localStore({ path: '/seed/state.json', fileSystem: memoryFileSystem().process(), clock, randomBytes, machine: memoryMachine().start(), sealing: inClear })
  const applied = await applyProject(run, {
    project,
    store,
    diagnostics: loaded.diagnostics,
    options: { destroy: false, refreshOnly: false, targets: [], excludes: [], replace: [] },
    owner: ownerOf(surroundings, 'seed'),
    lockTimeoutMs: 0,
    guards: { noDestroy: false, maxDestroy: undefined },
    asks: false,
    decide: async (_, problems) => problems.length === 0,
  })
  const problems = [...applied.plan.diagnostics, ...applied.diagnostics, ...(applied.outcome?.failed ?? [])].filter((one) => one.severity === 'error')
  if (applied.exitCode !== 0) throw new Failure(applied.exitCode, problems)
  return store
}

/** What is handed over is for the sandbox's time alone. */
const nowhere: Handover = { check: () => Promise.resolve(), write: () => Promise.resolve() }

/** With what the command line gives where there is a project around it; an earlier form need not declare all that a flag or a file gives. */
function variablesFor(context: Context, before: Project | undefined): VariableInputs {
  const { environment } = context.surroundings
  if (!before) return { flags: [], files: [], environment }
  const { flags, files } = variablesOf(context.globals, context)
  const given = flags.map(({ name, text }) => [`IAC_VAR_${name}`, text] as const)
  return { flags: [], files, mayGiveMore: true, environment: { ...environment, ...Object.fromEntries(given) } }
}

/** What was taken over out there was made once: here it is made. */
function earlierForm(project: Project, { name, environment }: Project): Project {
  return { ...project, name, environment, resources: project.resources.map((one) => ({ ...one, importId: undefined, importBy: undefined })) }
}

/** A service in memory that holds what manifests declare, and their state. */
export interface Seeded {
  readonly place: Place
  readonly store: StateStore
}

/** Makes a service for a plan of the project, and gives it what the manifests of a file or folder declare, an earlier form of the project. Throws a Failure 3 that says whose mistake it is. */
export async function seededFor(context: Context, project: Project, shown: string): Promise<Seeded> {
  const { clock: base, workingFolder } = context.surroundings
  const path = resolve(workingFolder, shown)
  const place = createPlace({ base, profile: 'instant' })
  try {
    if (nodeFiles.kindOf(path) === undefined) throw usageFailure(`--seed ${shown}: there is no such file or folder`)
    if (realpathSync(path) === realpathSync(context.folder))
      throw usageFailure(`--seed ${shown}: this is the project itself, which differs in nothing from itself`)
    const store = await seedSandbox(context, place, { path, shown, compat: {}, before: project })
    place.sandbox.tick()
    return { place, store }
  } catch (error) {
    place.end()
    if (!(error instanceof Failure) || context.surroundings.stop.aborted) throw error
    const isProject = nodeFiles.kindOf(join(path, projectFileName)) !== undefined
    const errors = error.diagnostics.filter((one) => one.severity === 'error')
    const named = errors.map((one) => ofSeed(one, shown, isProject))
    throw new Failure(3, named)
  }
}

/** Names the seed: its files are called as those of the project are. */
function ofSeed(one: Diagnostic, shown: string, isProject: boolean): Diagnostic {
  const { summary, position, address } = one
  if (summary.startsWith('--seed ')) return one
  const about = address === undefined || summary.includes(address) ? '' : `${address}: `
  return {
    ...one,
    summary: `--seed ${shown}: ${about}${summary}`,
    ...(position && { position: { ...position, file: isProject ? join(shown, position.file) : position.file } }),
  }
}
