// What is shown in many forms: everything that a rendering may read, and nothing that it could ask for.
import type { DiagnosticDocument } from '../../../base/diagnostic.ts'
import type { Plan } from '../../../engine/model/plan-data.ts'
import type { driftDocument } from '../drift-json.ts'
import type { OutputChanges } from '../plan/output-changes.ts'
import type { BlockOptions } from '../plan/plan-block.ts'
import type { Palette } from '../text/palette.ts'

/** What a report is about: what would change, what was changed outside of iac, or what stands in the files. */
export type Subject = 'plan' | 'drift' | 'validate'

/** A place in a file, as readers of reports name it: `file` relative to the repository's root, else to the working directory; line and column count from 1. */
export interface Place {
  readonly file: string
  readonly line: number
  readonly column: number
}

/** One report. Its data is the plan's (or the drift's, or what validate found); no sensitive value is in it. */
export interface Report {
  readonly subject: Subject
  readonly toolVersion: string
  /** When it was made, RFC 3339 in UTC. */
  readonly createdAt: string
  readonly project: string | null
  readonly environment: string | null
  /** Null where only the files were looked at. */
  readonly plan: Plan | null
  /** Null where nobody asked for it; a plan's own `drift` says the same without what is unmanaged. */
  readonly drift: ReturnType<typeof driftDocument> | null
  /** The plan's, or what validate found; at most some thousands. */
  readonly diagnostics: readonly DiagnosticDocument[]
  /** Where something was found; null where it has no place. */
  readonly placeOf: (range: DiagnosticDocument['range']) => Place | null
  /** Where a resource is declared; null of a saved plan, whose manifests are not read, and of what no manifest declares. */
  readonly declaredAt: (address: string) => Place | null
  /** What the plan changes in the outputs; of a saved plan against what was recorded when it was made. */
  readonly outputs: OutputChanges
  /** How people are shown the value of a field: a size, the name that the plan has for an id. */
  readonly fieldText: NonNullable<BlockOptions['fieldText']>
  /** What a replacement costs beside its steps, by the name of the kind. */
  readonly replaceCostsOf: NonNullable<BlockOptions['replaceCostsOf']>
  /** Whether there is anything that an apply would change, or that drifted. */
  readonly differs: boolean
  /** The machine format. */
  readonly document: () => unknown
  /** For people; in the words that OpenTofu's readers look for where --compat asks for them. */
  readonly text: (palette: Palette) => string
}

/** Makes one form of a report: pure, of its data alone. */
export type Renderer = (report: Report) => string
