// Fills a sandbox with manifests: the engine's own apply against it, its state forgotten afterwards unless it is to be kept.
import { basename, join } from 'node:path'
import { createClient } from '../../../api/client.ts'
import { compatSchema } from '../../../api/compat.ts'
import { Failure } from '../../../base/diagnostic.ts'
import { applyProject } from '../../../engine/session.ts'
import { kinds, workspaceKind } from '../../../kinds/registry.ts'
import type { Files } from '../../../project/files/files.ts'
import { projectFileName } from '../../../project/files/find-project.ts'
import { nodeFiles } from '../../../project/files/node-files.ts'
import { loadInTurns } from '../../../project/load.ts'
import type { Place } from '../../../sandbox/time/place.ts'
import { localStore } from '../../../state/backends/local/local-store.ts'
import { memoryFileSystem } from '../../../state/backends/local/memory-file-system.ts'
import { memoryMachine } from '../../../state/backends/local/memory-machine.ts'
import { inClear } from '../../../state/sealing.ts'
import type { Context } from '../../context/context.ts'
import { good } from '../../context/load-given.ts'
import { sandboxTransport } from '../../sandbox/folder.ts'
import { openStore } from '../../storage/open-store.ts'
import { handoverIn } from '../../surroundings/handover.ts'
import { ownerOf } from '../../surroundings/owner.ts'
import { takingTurns } from '../../surroundings/taking-turns.ts'

/** Manifests without a project stand by themselves: variables and outputs of the project around them are none of theirs. */
const withoutProject: Files = { ...nodeFiles, kindOf: (path) => (basename(path) === projectFileName ? undefined : nodeFiles.kindOf(path)) }

/** Manifests for a sandbox: where they are, and what messages call that place. */
export interface Seed {
  readonly path: string
  readonly shown: string
  /** What the sandbox's readings ask of a client; goes before what the project says. */
  readonly compat: Readonly<Record<string, unknown>>
  /** Whether the folder's own state is written, as by an apply there. */
  readonly keepsState?: boolean
}

/**
 * Applies the manifests of a file or folder, or the project in that folder; throws a Failure when they are wrong or not all could be made.
 * The sandbox's clock jumps meanwhile: nothing of it is waited for, and it is ahead by what it took.
 */
export async function seedSandbox(context: Context, place: Place, seed: Seed): Promise<void> {
  const { mode, scale } = place.clock.course
  place.clock.set('jumping')
  try {
    await applySeed(context, place, seed)
  } finally {
    place.clock.set(mode, scale)
  }
}

async function applySeed(context: Context, { sandbox, clock }: Place, seed: Seed): Promise<void> {
  const { surroundings } = context
  const { path, shown } = seed
  const { random, randomBytes, stop, version } = surroundings
  const variables = { flags: [], files: [], environment: surroundings.environment }
  const what = nodeFiles.kindOf(join(path, projectFileName))
    ? { files: nodeFiles, folder: path, named: undefined }
    : { files: withoutProject, folder: context.folder, named: { paths: [{ path, shown }], stdin: undefined } }
  const work = loadInTurns({ ...what, kinds, workspaceKind, environment: null, variables, sandbox: seed.keepsState !== true })
  const loaded = good(await takingTurns(work, surroundings))
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
    handover: handoverIn(path, surroundings.userId),
  }
  const store = seed.keepsState
    ? await openStore(loaded.project.state, path, surroundings)
    : localStore({ path: '/seed/state.json', fileSystem: memoryFileSystem().process(), clock, randomBytes, machine: memoryMachine().start(), sealing: inClear })
  const applied = await applyProject(run, {
    project: loaded.project,
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
}
