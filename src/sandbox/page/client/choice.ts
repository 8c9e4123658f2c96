// Which tenant and which workspace are looked at: it stands in the address, so that it can be kept, shared and gone back to.

/** Nothing for the first sandbox, and for the workspace where something happens. */
interface Choice {
  readonly tenant: string
  readonly workspace: string
}

/** What the address says. */
export function choiceNow(): Choice {
  const given = new URLSearchParams(location.search)
  return { tenant: given.get('tenant') ?? '', workspace: given.get('workspace') ?? '' }
}

/** Where the paths of the tenant that is looked at begin. */
export function tenantPrefix(): string {
  const { tenant } = choiceNow()
  return tenant === '' ? '' : `/_tenants/${encodeURIComponent(tenant)}`
}

/** Writes a choice into the address: as a step that can be gone back, or in place of the one before. */
export function choose(choice: Choice, how: 'step' | 'replace' = 'step'): void {
  const given = new URLSearchParams(Object.entries(choice).filter(([, value]) => value !== ''))
  const search = given.size === 0 ? '' : `?${given}`
  if (how === 'step') history.pushState(null, '', location.pathname + search)
  else history.replaceState(null, '', location.pathname + search)
}
