// What the service says of usage and wallets, as commands show it: money in micro-USD, exact; null for what it does not tell.

/** What one resource used in a period; the address, where the state holds it. */
export interface ResourceUsage {
  readonly address: string | null
  readonly resource_id: string
  readonly resource_kind: string | null
  readonly resource_name: string | null
  readonly minutes: number | null
  readonly cost: bigint | null
}

/** What a workspace used; without totals where single resources were asked for. */
export interface WorkspaceUsage {
  readonly workspace_id: string
  readonly workspace_name: string | null
  readonly total_minutes: number | null
  readonly total_cost: bigint | null
  readonly resources: readonly ResourceUsage[]
}

/** What was used in a period, inclusive and exclusive. */
export interface Usage {
  readonly from: string
  readonly to: string
  readonly total_cost: bigint | null
  readonly workspaces: readonly WorkspaceUsage[]
}

/** A wallet now. */
export interface Balance {
  readonly balance: bigint | null
  readonly usage: bigint | null
  readonly overage: bigint | null
}

/** Credit that was given. */
export interface CreditGrant {
  readonly id: string
  readonly type: string | null
  readonly amount: bigint | null
  readonly effective_at: string | null
  readonly expires_at: string | null
  readonly code: string | null
  readonly payment_ref: string | null
}

/** A window of the past: what was used in it, and what was left at its end. */
export interface Segment {
  readonly from: string
  readonly to: string
  readonly usage: bigint | null
  readonly balance: bigint | null
}

/** Money that came or went. */
export interface Movement {
  readonly id: string
  readonly type: string | null
  readonly amount: bigint | null
  readonly memo: string | null
  readonly reference: string | null
  readonly created_at: string | null
}

/** A wallet as far as it was asked for: null is what was not. */
export interface Wallet {
  readonly balance: Balance | null
  readonly grants: readonly CreditGrant[] | null
  readonly history: readonly Segment[] | null
  readonly movements: readonly Movement[] | null
}
