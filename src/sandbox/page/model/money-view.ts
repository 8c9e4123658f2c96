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
const MONTH_MS = (365.25 / 12) * 24 * HOUR_MS

/** The wallet that pays for a workspace. */
export function walletOf({ rows, money }: PageModel, workspace: string): WalletCard | undefined {
  const owner = rows.workspaces.get(workspace)?.owner_id
  const wallet = money.wallets.find((one) => one.owner === owner)
  if (!wallet) return undefined
  return {
    key: wallet.owner,
    owner: wallet.email,
    balance: dollarText(wallet.balance),
    isEmpty: BigInt(wallet.balance) <= 0n,
    facts: [
      ['per hour', dollarText(wallet.hourly, 4)],
      ['per month', dollarText(wallet.monthly)],
      ['used this month', dollarText(wallet.used, 4)],
      ['lasts', lastsText(Number(wallet.balance), Number(wallet.hourly), Number(wallet.monthly))],
    ],
  }
}

/** How long a balance lasts; whole months cost what a month costs, which is less than its hours. */
function lastsText(balance: number, hourly: number, monthly: number): string {
  if (hourly <= 0) return 'for ever: nothing is billed'
  if (balance <= 0) return 'no longer'
  const months = monthly > 0 ? Math.floor(balance / monthly) : 0
  return durationText(months * MONTH_MS + ((balance - months * monthly) / hourly) * HOUR_MS)
}
