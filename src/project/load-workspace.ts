// The workspace of a project from its project file alone, where an expression names it.
import { Exhausted } from '../base/meter.ts'
import { environmentOf } from './configuration/environments.ts'
import type { ProjectFile } from './configuration/project-file.ts'
import { lengthOf, resolveVariables } from './configuration/variables.ts'
import { workspaceByDefault } from './declarations/workspaces.ts'
import { createBudget } from './files/budget.ts'
import { createIncludes } from './files/included-files.ts'
import type { Turns } from './files/turns.ts'
import type { LoadOptions } from './load.ts'
import type { WorkspaceRef } from './resolving/declared.ts'
import { createNames } from './resolving/names.ts'
import { createTemplates } from './resolving/templates.ts'

type Options = Pick<LoadOptions, 'files' | 'folder' | 'kinds' | 'workspaceKind' | 'environment' | 'variables'>

// A full load tells what is wrong.
const report = (): undefined => undefined

/** What `provider.workspace` names by the variables that it needs, whatever is wrong with others; undefined where that cannot be told. */
export function* workspaceOfFile(file: ProjectFile, options: Options): Turns<WorkspaceRef | undefined> {
  const { files, folder, workspaceKind } = options
  const environment = environmentOf(options.environment, file.fields)
  if (environment !== null && !Object.hasOwn(file.fields.environments ?? {}, environment)) return undefined
  const budget = createBudget()
  budget.admit(file.bytes.length + lengthOf(options.variables))
  try {
    const variables = yield* resolveVariables(file, environment, options.variables, report, budget.whole)
    const kinds = new Map(options.kinds.map((kind) => [kind.name, kind]))
    const names = createNames(kinds, new Map(), variables.names, { all: true, broken: new Set() })
    const inputs = { variables: variables.values, meter: budget, file: createIncludes({ files, folder, hashes: {}, report, admit: budget.admit }) }
    return workspaceByDefault(file, workspaceKind, { names, templates: createTemplates(budget), inputs, budget, report, leaveOut: report })
  } catch (error) {
    if (error instanceof Exhausted) return undefined
    throw error
  }
}
