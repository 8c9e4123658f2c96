// Which tenants know a token, kept up with every change: thousands of them are not asked one by one at each request.
import type { TokenRow } from '../store/rows.ts'
import type { Change, Row } from '../store/table.ts'

/** Tenants by the hashes of the codes that they know. */
export interface TokenHolders {
  /** Follows changes of a tenant's rows. */
  changed(tenant: string, changes: readonly Change[]): void
  /** These are all tokens of a tenant; none when it is gone. */
  replaced(tenant: string, tokens: readonly TokenRow[]): void
  of(codeHash: string): readonly string[]
}

/** No tenants yet. */
export function createTokenHolders(): TokenHolders {
  const holders = new Map<string, Set<string>>()
  const known = new Map<string, Set<string>>()
  function add(tenant: string, codeHash: string): void {
    addTo(holders, codeHash, tenant)
    addTo(known, tenant, codeHash)
  }
  function remove(tenant: string, codeHash: string): void {
    removeFrom(holders, codeHash, tenant)
    removeFrom(known, tenant, codeHash)
  }
  return {
    changed(tenant, changes) {
      for (const { table, before, after } of changes) {
        if (table !== 'tokens' || hashIn(before) === hashIn(after)) continue
        if (before) remove(tenant, hashIn(before))
        if (after) add(tenant, hashIn(after))
      }
    },
    replaced(tenant, tokens) {
      for (const codeHash of known.get(tenant) ?? []) remove(tenant, codeHash)
      for (const { codeHash } of tokens) add(tenant, codeHash)
    },
    of: (codeHash) => [...(holders.get(codeHash) ?? [])],
  }
}

/** The hash in a row of the table of tokens. */
function hashIn(row: Row | undefined): string {
  return row && 'codeHash' in row && typeof row.codeHash === 'string' ? row.codeHash : ''
}

function addTo(sets: Map<string, Set<string>>, key: string, member: string): void {
  sets.set(key, (sets.get(key) ?? new Set<string>()).add(member))
}

function removeFrom(sets: Map<string, Set<string>>, key: string, member: string): void {
  const set = sets.get(key)
  set?.delete(member)
  if (set?.size === 0) sets.delete(key)
}
