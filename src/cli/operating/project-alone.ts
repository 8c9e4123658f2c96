// The project without its manifests: operating what runs needs neither them nor variables, and works where they are wrong.
import type { Compat } from '../../api/calls/compat.ts'
import type { Project } from '../../project/resolving/declared.ts'
import type { Context } from '../context/context.ts'
import { stateOf } from '../context/load-given.ts'

/** What owns the state: a project that declares nothing. Throws Failure 3 for a project file that is wrong. */
export async function projectAlone(context: Context, compat: Compat): Promise<Project> {
  const { project: name, isNamed, environment, state } = await stateOf(context.folder, context.globals, context.surroundings)
  const nothing = {
    variables: {},
    resources: [],
    outputs: [],
    moved: [],
    removed: [],
    policies: [],
    maxMonthlyIncrease: undefined,
    hashes: {},
    environments: [],
  }
  return {
    ...nothing,
    name,
    isNamed,
    folder: context.folder,
    environment,
    workspace: { only: true },
    compat,
    state,
    maxDestroy: undefined,
    manifests: 0,
    partial: false,
    foreign: [],
  }
}
