// What readings ask of a client: the settings of `provider.compat` that stand beside them, as one object.
import { assumptions } from './assumptions.ts'
import type { Settings } from './questions.ts'

interface Asking {
  readonly section: string
  readonly compat?: Readonly<Record<string, Settings>>
}

/** The settings of `provider.compat` that readings (by their names) ask for; one that is left out, or that is no reading, asks for nothing. */
export function compatFor(readings: Readonly<Record<string, unknown>>): Settings {
  const rows: Readonly<Record<string, Asking>> = assumptions
  let asked: Settings = {}
  for (const [name, value] of Object.entries(readings)) asked = merged(asked, rows[name]?.compat?.[String(value)] ?? {})
  return asked
}

/** Two readings may fill one setting: the names of its members come together. */
function merged(before: Settings, more: Settings): Settings {
  const both = Object.entries(more).map(([name, value]) => {
    const other = before[name]
    return [name, typeof value === 'object' && typeof other === 'object' ? { ...other, ...value } : value] as const
  })
  return { ...before, ...Object.fromEntries(both) }
}
