// The machine format: what --json prints.
import { stringifyJson } from '../../../base/json.ts'
import { safeJson } from '../text/sanitise.ts'
import type { Renderer } from './report.ts'

/** Two spaces, a final line end; what a terminal or a runner would obey is escaped. */
export const jsonText: Renderer = ({ document }) => `${safeJson(stringifyJson(document(), 2))}\n`
