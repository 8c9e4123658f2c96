// The wallet of who pays for the workspace.
import { walletOf } from '../model/money-view.ts'
import { byId, el, keep, say } from './elements.ts'
import type { Part } from './screen.ts'

/** Draws the wallet. */
export function walletPart(): Part {
  const balance = byId('wallet-balance', HTMLElement)
  return {
    draw({ model, workspace }) {
      const wallet = walletOf(model, workspace)
      say(byId('wallet-owner', HTMLElement), wallet?.owner ?? '')
      say(balance, wallet?.balance ?? 'No wallet pays for this workspace.')
      balance.classList.toggle('bad', wallet?.isEmpty === true)
      const parts = (wallet?.facts ?? []).flatMap(([label, value]) => [
        { key: `${label}?`, tag: 'dt' as const, text: label },
        { key: label, tag: 'dd' as const, text: value },
      ])
      keep(byId('wallet-facts', HTMLElement), parts, { key: (one) => one.key, make: (one) => el(one.tag), fill: (element, one) => say(element, one.text) })
    },
  }
}
