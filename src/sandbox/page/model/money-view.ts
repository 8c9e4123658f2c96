// Wallets in dollars: what is left, what a month has used, what an hour and a month cost, and how long it lasts.
import type { PageModel } from './page-model.ts'
import { dollarText, durationText } from './plain-text.ts'

/** One wallet as it is shown. */
export interface WalletCard {
  readonly key: string
  readonly owner: string
  readonly balance: string
  readonly isEmpty: boolean
  readonly facts: readonly (readonly [label: string, value: string])[]
}

const HOUR_MS = 3_600_000

/** The wallet that pays for a workspace. */
export function walletOf({ rows, money }: PageModel, workspace: string): WalletCard | undefined {
  const owner = rows.workspaces.get(workspace)?.owner_id
  const wallet = money.wallets.find((one) => one.owner === owner)
  if (!wallet) return undefined
  const [balance, hourly] = [BigInt(wallet.balance), BigInt(wallet.hourly)]
  return {
    key: wallet.owner,
    owner: wallet.email,
    balance: dollarText(wallet.balance),
    isEmpty: balance <= 0n,
    facts: [
      ['per hour', dollarText(wallet.hourly, 4)],
      ['per month', dollarText(wallet.monthly)],
      ['used this month', dollarText(wallet.used, 4)],
      ['lasts', hourly <= 0n ? 'for ever: nothing is billed' : balance <= 0n ? 'no longer' : durationText((Number(balance) / Number(hourly)) * HOUR_MS)],
    ],
  }
}
