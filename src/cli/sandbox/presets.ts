// What a sandbox can begin with, by name: manifests of the package, and changes behind their back.
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Failure, failure } from '../../base/diagnostic.ts'
import { checkOwnFolder, makeOwnFolder } from '../../base/files/own-files.ts'
import type { UserId } from '../../base/files/own-files.ts'
import type { World } from '../../sandbox/world.ts'
import { productionLike, smallTeam } from './preset-manifests.ts'

/** The presets, by the word for them. */
export const sandboxPresets = ['empty', 'small-team', 'production-like', 'drifted'] as const

type SandboxPreset = (typeof sandboxPresets)[number]

/** The manifests of each; none for an empty sandbox. */
export const presetManifests: Readonly<Record<SandboxPreset, string | undefined>> = {
  empty: undefined,
  'small-team': smallTeam,
  'production-like': productionLike,
  drifted: productionLike,
}

/** Does something with manifests in a file of a folder of its own, which is gone afterwards. */
export async function inFile<T>(manifests: string, work: (path: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'iac-preset-'))
  try {
    const path = join(folder, 'preset.yaml')
    await writeFile(path, manifests, { flag: 'wx' })
    return await work(path)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Writes the project whose objects the preset `drifted` changes, below a folder, anew each time; returns its own folder.
 * What it applied is its state, so that `iac drift --dir` there finds what was changed.
 */
export async function driftedProject(folder: string, userId: UserId): Promise<string> {
  const place = projectIn(folder)
  checkOwnFolder(dirname(folder), folder, userId)
  try {
    await rm(place, { recursive: true, force: true })
    makeOwnFolder(dirname(folder), place, userId)
    await writeFile(join(place, 'production-like.yaml'), productionLike, { flag: 'wx' })
    await writeFile(join(place, 'iac.yaml'), 'apiVersion: iac/v1\nkind: Project\nname: drifted\n', { flag: 'wx' })
  } catch (error) {
    if (error instanceof Failure) throw error
    throw failure('file_unwritable', `${place} cannot be written`, { detail: error instanceof Error ? error.message : '' })
  }
  return place
}

/** The folder of that project where it was written before; undefined where it was not. */
export function driftedAt(folder: string): string | undefined {
  const place = projectIn(folder)
  return existsSync(place) ? place : undefined
}

function projectIn(folder: string): string {
  return join(folder, 'preset-drifted')
}

/** What somebody changed by hand: a network's description, a rule that went, a server that was switched off, a prefix that is no longer announced. */
export function changeByHand({ tables }: World): void {
  const [vpc] = tables.vpcs.all()
  if (vpc) tables.vpcs.update(vpc.id, { description: 'changed by hand' })
  const rule = tables.firewallRules.all().at(-1)
  if (rule) tables.firewallRules.delete(rule.id)
  const [guarded] = tables.firewallRules.all()
  const instance = guarded && tables.instances.get(guarded.instanceId)
  if (instance) tables.instances.update(instance.id, { online: false, firewallEnabled: false })
  const [prefix] = tables.bgpPrefixes.all()
  if (prefix) tables.bgpPrefixes.update(prefix.id, { enabled: false })
}
