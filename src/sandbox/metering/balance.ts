// What is left of a wallet at an instant: its grants, drawn down by usage in order of time; computed anew whenever someone looks.
import type { GrantRow, MovementRow } from '../store/billing-rows.ts'
import type { World } from '../world.ts'
import type { Charge } from './charges.ts'
import { chargesOf, usedUntil } from './charges.ts'

/** A wallet at one instant, in micro-USD; `spent` counts from the beginning. */
export interface WalletState {
  readonly spent: bigint
  readonly balance: bigint
  readonly overage: bigint
  /** What is left of each grant that is in effect, by its id. */
  readonly remaining: ReadonlyMap<string, bigint>
}

interface Purse {
  readonly open: { readonly grant: GrantRow; left: bigint }[]
  /** What was spent beyond the grants. */
  overage: bigint
  /** What was taken out beyond them: refunds and adjustments are no spend. */
  overdrawn: bigint
}

const nothing: WalletState = Object.freeze({ spent: 0n, balance: 0n, overage: 0n, remaining: new Map<string, bigint>() })

/** The wallet at any of the instants; what happens at an instant counts. */
export function walletAt(world: World, userId: string, instants: readonly number[]): (atMs: number) => WalletState {
  const grants = world.tables.grants.by('user', userId)
  const debits = world.tables.movements.by('user', userId).filter((one) => one.amount < 0)
  const lastMs = Math.max(...instants)
  const charges = chargesOfUser(world, userId, lastMs)
  const times = new Set([...instants, ...grants.flatMap(instantsOf), ...debits.map((debit) => Date.parse(debit.createdAt))])
  const states = new Map<number, WalletState>()
  const purse: Purse = { open: [], overage: 0n, overdrawn: 0n }
  let spent = 0n
  for (const time of [...times].filter((one) => one <= lastMs).toSorted((a, b) => a - b)) {
    const total = charges.reduce((sum, one) => sum + usedUntil(one, time).cost, 0n)
    purse.overage += draw(purse, total - spent, couponsFirst)
    spent = total
    apply(purse, time, grants, debits)
    states.set(time, stateOf(purse, spent))
  }
  return (atMs) => states.get(atMs) ?? nothing
}

/** The owner of a workspace pays for what is in it. */
function chargesOfUser(world: World, userId: string, untilMs: number): readonly (readonly Charge[])[] {
  const { workspaces, subjects } = world.tables
  const owned = workspaces.all().filter((workspace) => workspace.ownerId === userId)
  return owned.flatMap(({ id }) => subjects.by('workspace', id)).map(({ id }) => chargesOf(world, id, untilMs))
}

/** Credit that expires at an instant is gone before other credit comes; this comes, and money is taken out, in the order in which it happened. */
function apply(purse: Purse, atMs: number, grants: readonly GrantRow[], debits: readonly MovementRow[]): void {
  const kept = purse.open.filter(({ grant }) => grant.expiresAtMs === null || grant.expiresAtMs > atMs)
  purse.open.splice(0, purse.open.length, ...kept)
  const events = [
    ...grants
      .filter((grant) => grant.effectiveAtMs === atMs && (grant.expiresAtMs ?? Infinity) > atMs)
      .map((grant) => ({ place: grant.movementId ?? '', happens: () => open(purse, grant) })),
    ...debits
      .filter((debit) => Date.parse(debit.createdAt) === atMs)
      .map(({ id, amount }) => ({ place: id, happens: () => (purse.overdrawn += draw(purse, BigInt(-amount), permanentFirst)) })),
  ]
  for (const event of events.toSorted((a, b) => (a.place < b.place ? -1 : 1))) event.happens()
}

/** Puts credit into a purse; what is owed is paid first. */
function open(purse: Purse, grant: GrantRow): void {
  const paid = least(purse.overage, BigInt(grant.amount))
  const returned = least(purse.overdrawn, BigInt(grant.amount) - paid)
  purse.overage -= paid
  purse.overdrawn -= returned
  purse.open.push({ grant, left: BigInt(grant.amount) - paid - returned })
}

/** Takes an amount from the grants; gives what they lack. */
function draw({ open }: Purse, amount: bigint, order: (a: GrantRow, b: GrantRow) => number): bigint {
  let due = amount
  for (const one of open.toSorted((a, b) => order(a.grant, b.grant))) {
    const taken = least(due, one.left)
    one.left -= taken
    due -= taken
  }
  return due
}

/** "coupon credit burns before permanent top-up credit"; what expires first goes first, then the oldest. */
function couponsFirst(a: GrantRow, b: GrantRow): number {
  return (a.expiresAtMs ?? Infinity) === (b.expiresAtMs ?? Infinity) ? byAge(a, b) : (a.expiresAtMs ?? Infinity) - (b.expiresAtMs ?? Infinity)
}

/** Money is given back from what was paid in. */
function permanentFirst(a: GrantRow, b: GrantRow): number {
  return Number(a.expiresAtMs !== null) - Number(b.expiresAtMs !== null) || byAge(a, b)
}

function instantsOf({ effectiveAtMs, expiresAtMs }: GrantRow): readonly number[] {
  return expiresAtMs === null ? [effectiveAtMs] : [effectiveAtMs, expiresAtMs]
}

function byAge(a: GrantRow, b: GrantRow): number {
  return a.id < b.id ? -1 : 1
}

function stateOf({ open, overage, overdrawn }: Purse, spent: bigint): WalletState {
  const left = open.reduce((sum, one) => sum + one.left, 0n)
  return { spent, balance: left - overage - overdrawn, overage, remaining: new Map(open.map((one) => [one.grant.id, one.left])) }
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}
