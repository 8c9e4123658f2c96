// What a project says of secrets, told to the client before the first read: a refusal may quote what an earlier run has sent.
import type { Project, Scope } from '../project/resolving/declared.ts'
import type { ResourceRecord } from '../state/record.ts'
import { hideValues, secretVariables } from './model/diff/secret-texts.ts'
import type { Digest } from './model/live.ts'
import { recordedAttribute } from './plan/scope.ts'

type Hidden = Pick<Project, 'variables' | 'resources'>
type Hiding = Parameters<typeof hideValues>[0]

/** What variables hold, and what manifests give by themselves and by what is recorded of others. */
export function hideProject(run: Hiding, project: Hidden, records: ReadonlyMap<string, ResourceRecord>, digest: Digest): void {
  hideValues(run, secretVariables(project))
  const scope: Scope = {
    attribute(address, path) {
      const record = records.get(address)
      return record ? recordedAttribute(record, path) : { is: 'unknown', sensitive: false }
    },
    lookup: () => ({ unknown: true }),
    digest,
  }
  for (const declared of project.resources) if (declared.outline?.hides !== false) hideValues(run, declared.resolve(scope).secrets.values())
}
