// Whose state it is, and whether this iac knows what is in it: on another project's everything would seem to be wanted no more.
import { basename, isAbsolute, relative, resolve } from 'node:path'
import { failure } from '../../base/diagnostic.ts'
import type { AnyKind } from '../../kinds/definition/kind.ts'
import { stateBackends } from '../../project/configuration/state-backends.ts'
import { isProjectName, nameLine } from '../../project/configuration/state-places.ts'
import type { Project } from '../../project/resolving/declared.ts'
import type { StateDocument } from '../../state/record.ts'
import type { Loaded } from '../../state/store.ts'

/** Who asks for a state. */
type Owner = Pick<Project, 'name' | 'isNamed' | 'folder' | 'environment' | 'state'>

/** Throws Failure 9 where a state is another project's or environment's; `where` is how messages name it. */
export function checkOwner(project: Owner, document: StateDocument | undefined, where: string): void {
  if (!document || isOwner(project, document)) return
  const [theirs, ours] = [nameOf(document.project, document.environment), nameOf(project.name, project.environment)]
  throw failure('state_foreign', `${where} is the state of ${theirs}, and this is ${ours}`, {
    detail: 'What it holds would be destroyed, since no manifest here wants it. Nothing was read from the service or changed.',
    hint: `give each a state.${stateBackends[project.state.backend].place} of its own in iac.yaml; if it is the same one under another name: ${wayBack(project, document)}`,
  })
}

/** Throws Failure 9 where a file that is to be the state of a project says that it is another's: what is put in place so is refused by each later plan and apply. */
export function checkOwnerOfFile(project: Owner, document: StateDocument, file: string): void {
  if (isOwner(project, document)) return
  const [theirs, ours] = [nameOf(document.project, document.environment), nameOf(project.name, project.environment)]
  throw failure('state_foreign', `${file} is the state of ${theirs}, and this is ${ours}`, {
    detail: 'Nothing was written.',
    hint: `if it is the same one under another name: ${nameTaken(project, document) ?? `write ${ownMembers(project, document)} in it`}`,
  })
}

/** Whether a state is that of a project and its environment. One that names no project is anybody's. */
export function isOwner(project: Owner, document: StateDocument): boolean {
  return document.project === '' || (document.environment === project.environment && isOfProject(project, document))
}

/** How the state becomes this one's again: a project that was never named takes the name that stands in its state. */
function wayBack(project: Owner, document: StateDocument): string {
  const flags = project.environment === null ? '' : ` -e ${project.environment}`
  return nameTaken(project, document) ?? `\`iac state pull${flags} > FILE\`, write ${ownMembers(project, document)} in it, \`iac state push FILE${flags}\``
}

function nameTaken({ isNamed, environment }: Owner, document: StateDocument): string | undefined {
  const isTaken = !isNamed && document.environment === environment && isProjectName(document.project)
  return isTaken ? `write \`${nameLine(document.project)}\` into iac.yaml` : undefined
}

/** What the state would have to say to be this one's, member by member. */
function ownMembers({ name, environment }: Owner, document: StateDocument): string {
  return (['project', 'environment'] as const)
    .map((member) => ({ member, theirs: document[member], ours: member === 'project' ? name : environment }))
    .flatMap((one) => (one.theirs === one.ours ? [] : [`"${one.member}": ${JSON.stringify(one.ours)}`]))
    .join(', ')
}

/** Throws Failure 9 where state or journal hold a kind that this iac does not know: nothing could be said or done of such a resource. */
export function checkKinds(kinds: readonly AnyKind[], { document, entries }: Loaded, where: string): void {
  const known = new Set(kinds.map((kind) => kind.name))
  const recorded = (document?.resources ?? []).map((one) => one.kind)
  const noted = entries.flatMap((entry) => (entry.t === 'record' ? [entry.resource.kind] : entry.t === 'intent' || entry.t === 'seen' ? [entry.kind] : []))
  const unknown = [...recorded, ...noted].find((name) => !known.has(name))
  if (unknown === undefined) return
  throw failure('state_other', `${where} holds a resource of kind ${unknown}, which this iac does not know`, {
    detail: 'Another iac wrote it, or it was edited. Nothing was read from the service or changed.',
    hint: 'use the iac that wrote it, or take the resource out by `iac state rm`',
  })
}

/** A name that only repeats the folder's says little, since folders are moved: then the folder that the state lies in tells whose it is. */
function isOfProject({ name, isNamed, folder, state }: Owner, document: StateDocument): boolean {
  if (document.project === name) return true
  return (!isNamed || document.project === basename(folder)) && state.backend === 'local' && isWithin(folder, state.path)
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, resolve(folder, path))
  return !isAbsolute(way) && way.split(/[\\/]/)[0] !== '..'
}

function nameOf(project: string, environment: string | null): string {
  return environment === null ? `the project "${project}" without an environment` : `the environment "${environment}" of the project "${project}"`
}
