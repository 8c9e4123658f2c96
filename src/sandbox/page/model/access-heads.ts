// What is told of members, invites, API tokens and SSH keys.
import type { HeadOf } from './details-parts.ts'
import { known, lines } from './details-parts.ts'
import { momentText } from './plain-text.ts'
import { inviteState } from './state-words.ts'

/** By table. */
export const accessHeads: Readonly<Record<string, HeadOf>> = {
  members({ rows }, id) {
    const one = rows.members.get(id)
    if (!one) return undefined
    const user = rows.users.get(one.user_id)
    const facts = known([
      ['name', user?.name],
      ['access', one.access_level.toLowerCase()],
    ])
    return { kind: 'member', title: user?.email ?? one.user_id, state: undefined, facts }
  },
  invites({ rows, clock }, id) {
    const one = rows.invites.get(id)
    if (!one || one.accepted_by_id !== null) return undefined
    const state = inviteState(one, clock.now_ms)
    const facts = known([
      ['access', one.access_level.toLowerCase()],
      [state.word === 'expired' ? 'expired' : 'expires', momentText(one.expires_at_ms)],
    ])
    return { kind: 'invite', title: one.email, state, facts }
  },
  tokens({ rows }, id) {
    const one = rows.tokens.get(id)
    if (!one) return undefined
    const grants = Object.entries(one.grants).map(([kind, level]) => `${kind.toLowerCase()} ${level.toLowerCase()}`)
    return { kind: 'API token', title: one.name, state: undefined, facts: known([['grants', lines(grants)]]) }
  },
  sshKeys({ rows }, id) {
    const one = rows.sshKeys.get(id)
    return one && { kind: 'SSH key', title: one.name, state: undefined, facts: known([['of', rows.users.get(one.user_id)?.email]]) }
  },
}
