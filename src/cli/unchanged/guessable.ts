// Whether a cached run would hold a digest by which a secret could be found out: where no token is part of it, whoever reads the cache could try all short secrets.
import { resolve } from 'node:path'
import { variablePrefix } from '../../project/configuration/variables.ts'
import { projectFileName } from '../../project/files/find-project.ts'
import type { Project } from '../../project/resolving/declared.ts'
import type { Context } from '../context/context.ts'
import type { LoadedGiven } from '../context/load-given.ts'

/** Shorter ones are no key: tests and sandboxes have such. */
const SHORTEST_TOKEN = 16

/** The key that digests are made by; empty where the environment holds no token that nobody can guess at. */
export function digestKey({ surroundings: { token = '' } }: Pick<Context, 'surroundings'>): string {
  return token.length < SHORTEST_TOKEN ? '' : token
}

/** Whether all that was read could hold a secret: anything but manifests of which each is whole, and declares none. */
export function mayHoldSecrets(context: Context, loaded: LoadedGiven, project: Project): boolean {
  const { variables, resources, outputs, foreign } = project
  const { globals, surroundings } = context
  if (foreign.length > 0 || outputs.length > 0 || globals.list('var-file').length > 0) return true
  const given = Object.keys(surroundings.environment).filter((key) => key.startsWith(variablePrefix))
  if (Object.values(variables).some((one) => one.sensitive) || given.some((key) => !Object.hasOwn(variables, key.slice(variablePrefix.length)))) return true
  if (resources.some((one) => one.outline?.hides !== false) || loaded.diagnostics.some((one) => one.code === 'secret_literal')) return true
  const own = ownFiles(context, project)
  return loaded.read.some((path) => !own.has(path))
}

/** The files of manifests and policies, and the project file, as absolute paths: what is included besides may hold anything. */
function ownFiles({ folder, surroundings }: Context, { partial, resources, policies }: Project): ReadonlySet<string> {
  const from = partial ? surroundings.workingFolder : folder
  const files = new Set([...resources.map((one) => one.headPosition('')), ...policies.map((one) => one.position)].map(({ file }) => file))
  return new Set([resolve(folder, projectFileName), ...Array.from(files, (file) => resolve(from, file))])
}
