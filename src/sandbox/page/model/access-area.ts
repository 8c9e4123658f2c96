// Who and what may come in: members beside the owner, open invites, API tokens, SSH keys.
import type { RowOf } from '../view-wire.ts'
import type { Area, Card } from './map-parts.ts'
import { part } from './map-parts.ts'
import type { PageModel } from './page-model.ts'
import { within } from './page-model.ts'
import { countText } from './plain-text.ts'
import { inviteState } from './state-words.ts'

/** The area of access; none while the owner is alone and there is no key. */
export function accessArea(model: PageModel, workspace: string): readonly Area[] {
  const { rows, clock } = model
  const members = within(rows.members, workspace).filter((one) => one.access_level !== 'OWNER')
  const invites = within(rows.invites, workspace).filter((one) => one.accepted_by_id === null)
  const cards = [
    ...members.map(({ id, user_id, access_level }): Card => {
      return { key: `members/${id}`, title: rows.users.get(user_id)?.email ?? user_id, state: undefined, side: access_level.toLowerCase(), lines: [] }
    }),
    ...invites.map((one): Card => {
      return { key: `invites/${one.id}`, title: one.email, state: inviteState(one, clock.now_ms), side: one.access_level.toLowerCase(), lines: [] }
    }),
    ...apiTokens(model, workspace).map(({ id, name }): Card => ({ key: `tokens/${id}`, title: name, state: undefined, side: 'API token', lines: [] })),
    ...within(rows.sshKeys, workspace).map(({ id, name }): Card => ({ key: `sshKeys/${id}`, title: name, state: undefined, side: 'SSH key', lines: [] })),
  ]
  return part('access', 'Access', countText(cards.length, 'entry'), cards)
}

/** Tokens of the workspace and of its owner; those of sign-ins come and go by themselves. */
function apiTokens({ rows }: PageModel, workspace: string): readonly RowOf<'tokens'>[] {
  const owner = rows.workspaces.get(workspace)?.owner_id
  const ours = ({ workspace_id, user_id }: RowOf<'tokens'>): boolean => workspace_id === workspace || (workspace_id === null && user_id === owner)
  return [...rows.tokens.values()].filter((one) => one.origin === 'API' && ours(one))
}
