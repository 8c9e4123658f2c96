// The policies of a run: those of the project, and those of the files that the command line and the environment name.
import { delimiter, resolve } from 'node:path'
import type { Diagnostic } from '../../base/diagnostic.ts'
import { Failure } from '../../base/diagnostic.ts'
import type { PolicySet } from '../../engine/plan/checks/policies.ts'
import { policyFile } from '../../project/declarations/policies.ts'
import { policyVariables } from '../../project/load.ts'
import type { Project, Variable } from '../../project/resolving/declared.ts'
import type { NamedPolicy, Policy } from '../../project/resolving/policy.ts'
import { doubledPolicies } from '../../project/resolving/policy.ts'
import type { Given } from '../arguments/flags.ts'
import { usageFailure } from '../arguments/usage.ts'
import type { Context } from '../context/context.ts'
import { readingInTurns } from '../surroundings/taking-turns.ts'

type Read = Pick<Project, 'policies' | 'variables' | 'environment'>

/** Every policy of a run. Throws Failure 3 for a file that holds none, for an expression that is wrong, and for an override of a policy that is not there. */
export async function policiesOf(context: Context, given: Given, project: Read, takesOverrides = true): Promise<PolicySet> {
  const { surroundings } = context
  const fromEnvironment = (surroundings.environment['IAC_POLICIES'] ?? '').split(delimiter).filter((one) => one !== '')
  const named = [...new Set([...fromEnvironment, ...given.list('policy')].map((file) => resolve(surroundings.workingFolder, file)))]
  const policies: Policy[] = [...project.policies]
  const all: NamedPolicy[] = [...project.policies]
  const problems: Diagnostic[] = []
  // A saved plan brings its variables with it, and is judged by those of the run all the same.
  const variables = Object.fromEntries(Object.entries(project.variables).map(([name, one]) => [name, asGiven(one)]))
  const reading = { files: context.files, folder: context.folder, variables: policyVariables({ shown: variables }) }
  for (const path of named) {
    const read = await readingInTurns(({ whole }) => policyFile({ path, shown: path, root: undefined }, { ...reading, meter: whole }), surroundings)
    policies.push(...read.policies)
    all.push(...read.named)
    problems.push(...read.problems)
  }
  problems.push(...doubledPolicies(all))
  if (problems.length > 0) throw new Failure(3, problems)
  const overrides = takesOverrides ? overridesOf(given, policies) : new Map<string, string>()
  return { policies, variables, environment: project.environment, overrides }
}

function asGiven(one: Variable): Variable {
  return one.given === undefined ? one : { ...one, value: one.given }
}

function overridesOf(given: Given, policies: readonly Policy[]): ReadonlyMap<string, string> {
  const [names, reason] = [given.list('override'), given.text('reason')?.trim() ?? '']
  if (names.length > 0 && reason === '') throw usageFailure('--override needs --reason TEXT: it is kept with it')
  if (names.length === 0 && reason !== '') throw usageFailure('--reason goes with --override NAME')
  const known = policies.map((one) => one.name)
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined) throw usageFailure(`--override ${unknown}: no policy is called so${known.length > 0 ? `; there are: ${known.join(', ')}` : ''}`)
  return new Map(names.map((name) => [name, reason]))
}

/** What the history of a state tells of a run: the command, and what was overridden in it, by whom and why. */
export function operationOf(command: string, given: Given, who: string): string {
  const names = given.list('override')
  return names.length === 0 ? command : `${command} (${who} overrides ${names.join(', ')}: ${given.text('reason') ?? ''})`
}
