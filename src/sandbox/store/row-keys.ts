// The keys by which rows of more than one table are found.

interface Kept {
  readonly workspaceId: string
}
interface Named extends Kept {
  readonly name: string
}

/** Its workspace. */
export function workspace({ workspaceId }: Kept): string {
  return workspaceId
}

/** Its name, which is unique in its workspace. */
export function nameInWorkspace({ workspaceId, name }: Named): string {
  return `${workspaceId}/${name}`
}

/** Its user. */
export function user({ userId }: { readonly userId: string }): string {
  return userId
}

/** The instance that it belongs to. */
export function instance({ instanceId }: { readonly instanceId: string }): string {
  return instanceId
}

/** The instance that it is attached to, if it is. */
export function attached({ instanceId }: { readonly instanceId: string | null }): string | undefined {
  return instanceId ?? undefined
}
