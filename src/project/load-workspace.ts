// The workspace of a project from its project file alone, where an expression names it.
import type { Diagnostic } from '../base/diagnostic.ts'
import { isObject, stringifyJson } from '../base/json.ts'
import { Exhausted } from '../base/meter.ts'
import { environmentOf, unknownEnvironment } from './configuration/environments.ts'
import type { ProjectFile } from './configuration/project-file.ts'
import { lengthOf, resolveVariables } from './configuration/variables.ts'
import { workspaceByDefault } from './declarations/workspaces.ts'
import { createBudget, tooMuch } from './files/budget.ts'
import { createIncludes } from './files/included-files.ts'
import type { Turns } from './files/turns.ts'
import type { LoadOptions } from './load.ts'
import type { WorkspaceRef } from './resolving/declared.ts'
import { createNames } from './resolving/names.ts'
import { createTemplates } from './resolving/templates.ts'

type Options = Pick<LoadOptions, 'files' | 'folder' | 'kinds' | 'workspaceKind' | 'environment' | 'variables'>

/** What a project file says of its workspace; without one it is not known yet, or wrong. */
interface Named {
  readonly workspace: WorkspaceRef | undefined
  readonly problems: readonly Diagnostic[]
}

/** What `provider.workspace` names by the variables that it needs, whatever is wrong with others. */
export function* workspaceOfFile(file: ProjectFile, options: Options): Turns<Named> {
  const { files, folder, workspaceKind } = options
  const problems: Diagnostic[] = []
  const report = (one: Diagnostic): void => void problems.push(one)
  const environment = environmentOf(options.environment, file.fields)
  const environments = Object.keys(file.fields.environments ?? {})
  if (environment !== null && !environments.includes(environment)) report(unknownEnvironment(environment, environments))
  const budget = createBudget()
  budget.admit(file.bytes.length + lengthOf(options.variables))
  try {
    const variables = yield* resolveVariables(file, environment, options.variables, report, budget.whole, variablesIn(file))
    const kinds = new Map(options.kinds.map((kind) => [kind.name, kind]))
    const names = createNames(kinds, new Map(), variables.names, { all: true, broken: new Set() })
    const { values, secretTexts } = variables
    const inputs = { variables: values, meter: budget, file: createIncludes({ files, folder, hashes: {}, report, admit: budget.admit, secretTexts }) }
    const workspace = workspaceByDefault(file, workspaceKind, { names, templates: createTemplates(budget), inputs, budget, report, leaveOut: () => undefined })
    return { workspace, problems }
  } catch (error) {
    if (!(error instanceof Exhausted)) throw error
    return { workspace: undefined, problems: [tooMuch(error, budget.place())] }
  }
}

/** The variables that the workspace is made of. */
function variablesIn({ document }: ProjectFile): ReadonlySet<string> {
  const root = document.value
  const provider = isObject(root) && isObject(root['provider']) ? root['provider'] : {}
  return new Set(Array.from(stringifyJson(provider['workspace'] ?? null).matchAll(/\bvars\.(\w+)/g), ([, name = '']) => name))
}
