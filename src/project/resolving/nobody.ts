// What is known where nothing is asked for.
import type { Scope } from './declared.ts'

/** What only the service or another resource tells is unknown. */
export const nobody: Scope = { attribute: () => ({ is: 'unknown', sensitive: false }), lookup: () => ({ unknown: true }), digest: () => '' }
