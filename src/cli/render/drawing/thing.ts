// What may be drawn: one resource, what happens to it, what it hangs on and what it needs.

/** What happens to a thing; `plain` where nothing does. */
export const looks = ['create', 'update', 'replace', 'delete', 'import', 'forget', 'no-op', 'plain'] as const
export type Look = (typeof looks)[number]

/** What may be drawn, with what it needs or waits for: addresses, of which only those that are drawn get a line. */
export interface Thing {
  readonly address: string
  readonly kind: string
  readonly look: Look
  /** As plans write the action: `+`, `-/+`; empty where nothing happens. */
  readonly symbol: string
  /** What happens, in words; empty where nothing does. */
  readonly words: string
  readonly isGrave: boolean
  /** The address of what it hangs on, as a disk on its instance. */
  readonly holder: string | undefined
  readonly needs: readonly string[]
}
