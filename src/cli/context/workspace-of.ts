// The workspace that a project looks into, from the project file alone where that says it: looking at objects needs neither manifests nor variables.
import type { Compat } from '../../api/calls/compat.ts'
import { compatSchema } from '../../api/calls/compat.ts'
import { formatAddress, parseAddress } from '../../base/address.ts'
import type { Diagnostic, Position } from '../../base/diagnostic.ts'
import { Failure } from '../../base/diagnostic.ts'
import type { JsonValue } from '../../base/json.ts'
import { isObject, stringifyJson } from '../../base/json.ts'
import { kinds, workspaceKind } from '../../kinds/registry.ts'
import { readProjectFileInTurns } from '../../project/configuration/project-file.ts'
import type { ProjectFile, ProjectRead } from '../../project/configuration/project-file.ts'
import type { Budget } from '../../project/files/budget.ts'
import { projectFileName } from '../../project/files/find-project.ts'
import type { WorkspaceRef } from '../../project/resolving/declared.ts'
import { projectFiles } from '../surroundings/project-files.ts'
import { readingInTurns, takingTurns } from '../surroundings/taking-turns.ts'
import type { Context } from './context.ts'
import { pathFromHere } from './project-folder.ts'
import { currentState } from './state-access.ts'
import type { CurrentState } from './state-access.ts'

/** Where objects are looked for, and how the service is called. */
export interface LookedIn {
  readonly ref: WorkspaceRef
  readonly compat: Compat
  /** The id of a Workspace manifest, if it was applied. */
  readonly idOf: (address: string) => string | undefined
}

/** How the service is called where no single workspace is looked into; nothing but iac.yaml is needed for that. Throws a Failure 3 where that is wrong. */
export async function lookedNowhere(context: Context): Promise<LookedIn> {
  const found = await projectFile(context)
  mustBeRight(found)
  return { ref: { only: true }, compat: compatOf(found), idOf: () => undefined }
}

function mustBeRight({ problems }: ProjectRead): void {
  if (problems.some((one) => one.severity === 'error')) throw new Failure(3, problems)
}

/** No workspace of a resource by that of another. */
type NamedWorkspace = Exclude<WorkspaceRef, { readonly beside: string }>

/** How the service is called by what iac.yaml says, where there is one that can be read; else as by default. */
export async function compatHere(context: Context): Promise<Compat> {
  return compatOf(await projectFile(context))
}

function projectFile({ folder, surroundings }: Context): Promise<ProjectRead> {
  const place = { folder, shown: pathFromHere(folder, surroundings) }
  return readingInTurns(({ whole }: Budget) => readProjectFileInTurns(projectFiles(surroundings), place, whole), surroundings)
}

function compatOf({ file }: ProjectRead): Compat {
  return file?.fields.provider?.compat ?? compatSchema.parse({})
}

/** Reads iac.yaml; what only variables or manifests tell is loaded with them, and the state where it tells the id. Throws a Failure 3 where they are needed and wrong. */
export async function lookedIn(context: Context, state: () => Promise<Pick<CurrentState, 'folded'>> = () => currentState(context)): Promise<LookedIn> {
  const found = await projectFile(context)
  mustBeRight(found)
  const { file } = found
  const root = file?.document.value
  const provider = isObject(root) && isObject(root['provider']) ? root['provider'] : {}
  const position = (): Position => file?.document.position('/provider/workspace') ?? { file: projectFileName, line: 1, column: 1 }
  const ref = plainRef(provider['workspace'] ?? null, position) ?? (file && (await evaluatedRef(context, file)))
  if (ref && !('address' in ref)) return { ref, compat: compatOf(found), idOf: () => undefined }
  const { resources } = (await state()).folded
  const idOf = (address: string): string | undefined => resources.get(address)?.id
  if (ref && idOf(ref.address) !== undefined) return { ref, compat: compatOf(found), idOf }
  const { project, diagnostics } = await context.load()
  if (project) return { ref: project.workspace, compat: project.compat, idOf }
  const own = diagnostics.filter((one) => one.severity === 'error' && isAt(one, position()))
  if (ref && own.length === 0) return { ref, compat: compatOf(found), idOf }
  throw new Failure(3, own.length > 0 ? own : diagnostics)
}

function isAt({ position }: Diagnostic, { file, line }: Position): boolean {
  return position?.file === file && position.line === line
}

/** Throws a Failure 3 where the workspace, or a variable in it, is wrong or missing. */
async function evaluatedRef({ folder, globals, surroundings, files }: Context, file: ProjectFile): Promise<NamedWorkspace | undefined> {
  const [{ workspaceOfFile }, { variablesOf }] = await Promise.all([import('../../project/load-workspace.ts'), import('./load-given.ts')])
  const variables = variablesOf(globals, { folder, surroundings, files })
  const work = workspaceOfFile(file, { files, folder, kinds, workspaceKind, environment: globals.text('env') ?? null, variables })
  const { workspace, problems } = await takingTurns(work, surroundings)
  const errors = problems.filter((one) => one.severity === 'error')
  if (errors.length > 0) throw new Failure(3, errors)
  return workspace && 'beside' in workspace ? undefined : workspace
}

/** What a value names by itself; undefined where it holds an expression, or is nothing that names a workspace. */
function plainRef(value: JsonValue, position: () => Position): NamedWorkspace | undefined {
  if (value === null) return { only: true }
  if (stringifyJson(value).includes('${')) return undefined
  if (isObject(value)) {
    const { id, name } = value
    if (typeof id === 'string' || typeof id === 'number' || typeof id === 'bigint') return /^[1-9]\d*$/.test(String(id)) ? { id: String(id) } : undefined
    return typeof name === 'string' ? { name, position } : undefined
  }
  const text = typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' ? String(value) : ''
  if (/^[1-9]\d*$/.test(text)) return { id: text }
  const address = formatAddress({ kind: workspaceKind, name: text })
  return parseAddress(address) ? { address } : undefined
}
