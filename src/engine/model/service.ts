// The service that a plan is for, as far as a file may tell it: digests of its address, and of the workspaces that were seen there.
import type { Digest } from './live.ts'
import type { Plan } from './plan-data.ts'

interface Seen {
  /** Undefined for one that has none. */
  readonly address: string | undefined
  readonly workspaceIds: Iterable<string>
  readonly digest: Digest
}

/** What a plan says of the service that it was made against; of workspaces only where it makes one, since all else stands in one that it names by its id. */
export function serviceOf({ changes }: Pick<Plan, 'changes'>, { address, workspaceIds, digest }: Seen): Pick<Plan, 'service'> {
  const makesWorkspace = changes.some((one) => one.workspace_address !== null)
  const workspaces = makesWorkspace ? [...workspaceIds].map(digest).toSorted() : []
  const service = { ...(address === undefined ? {} : { address: digest(address) }), ...(workspaces.length === 0 ? {} : { workspaces }) }
  return Object.keys(service).length === 0 ? {} : { service }
}

/** Whether a plan was made at another address than this one. */
export function isElsewhere({ service }: Pick<Plan, 'service'>, address: string | undefined, digest: Digest): boolean {
  return service?.address !== undefined && address !== undefined && service.address !== digest(address)
}

/** Whether none of the workspaces that a plan was made in view of is seen by now. */
export function seesNoneOf({ service }: Pick<Plan, 'service'>, workspaceIds: Iterable<string>, digest: Digest): boolean {
  const then = new Set(service?.workspaces)
  return then.size > 0 && ![...workspaceIds].some((id) => then.has(digest(id)))
}
