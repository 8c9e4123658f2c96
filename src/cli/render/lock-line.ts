// Who holds a lock and how fresh its last sign of life is, in a line (pure).
import { formatDuration } from '../../base/units.ts'
import type { Holder } from '../../state/store.ts'
import { elapsedText } from './progress/operation-words.ts'
import { counted } from './text/counted.ts'
import { safeLine } from './text/sanitise.ts'

/** The line of a lock that is held. */
export function lockLine({ operation, who, pid, created, id, heartbeat }: Holder): string {
  const held = `Lock: ${safeLine(operation)} by ${safeLine(who)}, process ${pid}, since ${safeLine(created)}, id ${safeLine(id)}`
  return `${held}\n      ${signsText(heartbeat)}`
}

function signsText({ signs, lease_ms, quiet_ms }: Holder['heartbeat']): string {
  const lease = formatDuration(lease_ms)
  if (quiet_ms === null) return `${counted(signs, 'sign')} of life so far, one is due well within each ${lease}: look again to see whether they grow`
  const last = `last sign of life ${elapsedText(quiet_ms)} ago`
  if (quiet_ms < lease_ms) return `${last}, within its lease of ${lease}`
  return `${last}, longer than its lease of ${lease}: the next run that waits takes it over`
}
