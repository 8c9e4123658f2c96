// Places of states that iac.yaml leaves to the name of a folder, and those that are the sandbox's.
import { join, relative, resolve, sep } from 'node:path'
import { stringify } from 'yaml'
import type { Issue } from '../findings/issues.ts'
import { projectSchema } from './project-schema.ts'
import type { ProjectFields } from './project-schema.ts'
import { settingsUnder, stateBackends } from './state-backends.ts'
import type { StateFields } from './state-backends.ts'

/** Where the project file is, and what the project is called where that does not say it. */
export interface Around {
  readonly folder: string
  readonly called: string
}

/** The folder of the sandbox's data and states, in that of the project. */
const sandboxFolder = join('.iac', 'sandbox')

/** What is wrong with where the states of a project file lie. */
export function unfitPlaces({ name, state, environments = {} }: ProjectFields, around: Around): readonly Issue[] {
  const blocks = Object.entries(environments).flatMap(([word, block]) => (block?.state ? [{ path: ['environments', word, 'state'], own: block.state }] : []))
  const all = state ? [{ path: ['state'], own: state }, ...blocks] : blocks
  const inSandbox = all.flatMap(({ path, own }) => (own.path !== undefined && isTheSandboxs(own.path, around) ? [sandboxsOwn(path, own.path)] : []))
  // One name mends them all.
  const [nameless] = name === undefined ? all.flatMap(({ path, own }) => namelessPlace(path, own, state, around) ?? []) : []
  return nameless ? [...inSandbox, nameless] : inSandbox
}

/** The line of iac.yaml that says a project's name. */
export function nameLine(name: string): string {
  return `name: ${stringify(name).trimEnd()}`
}

/** Whether a project can be called so. */
export function isProjectName(name: string): boolean {
  return projectSchema.shape.name.safeParse(name).success
}

function isTheSandboxs(path: string, { folder }: Around): boolean {
  const way = relative(folder, resolve(folder, path)).toLowerCase()
  return way === sandboxFolder || way.startsWith(`${sandboxFolder}${sep}`)
}

function sandboxsOwn(path: readonly string[], place: string): Issue {
  const hint = 'the states of --sandbox lie there, and would be written over it; keep it elsewhere, such as in .iac/state.json'
  return { code: 'invalid_value', path: [...path, 'path'], key: false, summary: `state.path: ${place} lies in the folder of the sandbox`, hint }
}

/** Folders of other projects may have the same name, and another copy of this one a different one: where a state is shared, either is met. */
function namelessPlace(path: readonly string[], own: StateFields, project: StateFields | undefined, { called }: Around): Issue | undefined {
  const backend = own.backend ?? project?.backend ?? 'local'
  const { place, fromName, settingsOf } = stateBackends[backend]
  const fields: StateFields = backend === (project?.backend ?? 'local') ? { ...settingsUnder(project, own), ...own } : own
  if (!fromName || fields[place] !== undefined) return undefined
  const settings: Readonly<Record<string, unknown>> = { ...settingsOf(fields, null, called) }
  const line = isProjectName(called) ? nameLine(called) : `${[...path, place].join('.')}: ${stringify(settings[place]).trimEnd()}`
  return {
    code: 'missing_field',
    path,
    key: true,
    summary: `the backend ${backend} needs the name of the project, or ${place} in its settings: the state is shared, and nothing here says which one it is`,
    detail: 'A project that is new there needs a name that no other one has: two of one name have one state, and the second destroys what the first has made.',
    hint: `write \`${line}\` into iac.yaml: what was applied from this folder lies there`,
  }
}
