// What a session may do: everything (section "Token").
import { grantKind } from '../../api/routes/fields.ts'
import type { TokenRow } from '../store/rows.ts'

/** "unrestricted grants (the full USER-scope permission map)". */
export const fullGrants: Readonly<TokenRow['grants']> = Object.fromEntries(grantKind.options.map((kind) => [kind, 'WRITE']))
