// Uncertain fields, of which requests of ours left open what the service has: which of them a plan counts with, and what it says where it sends or replaces what nobody can see.
import type { Diagnostic } from '../../base/diagnostic.ts'
import { diagnostic } from '../../base/diagnostic.ts'
import type { JsonObject } from '../../base/json.ts'
import type { Declared } from '../../project/resolving/declared.ts'
import type { UncertainFields } from '../../state/effect.ts'
import { withoutUncertain } from '../../state/effect.ts'
import type { ResourceRecord } from '../../state/record.ts'
import { isBlindlySent } from '../model/diff/diff.ts'
import type { Difference } from '../model/diff/diff.ts'
import type { LiveObject } from '../model/live.ts'
import type { Change } from '../model/plan-data.ts'
import { stepsFor } from '../model/view.ts'
import type { Situation } from '../model/view.ts'

interface Shared {
  /** What a plan counts with. */
  readonly uncertainFields: UncertainFields
  /** Fields that others may change, and of which nothing shows what they are: that they are uncertain is no reason to send those. */
  readonly leftAlone: readonly string[]
}

/** Divides the uncertain fields by `ignored`, the pointers of `ignore_changes`. */
export function divideUncertain(record: ResourceRecord | undefined, object: LiveObject | undefined, ignored: ReadonlySet<string>): Shared {
  const leftAlone = (record?.uncertain ?? []).filter((field) => object?.seen[field] === undefined && isLeftToOthers(field, ignored))
  return { leftAlone, uncertainFields: withoutUncertain(record ?? { uncertain: [] }, new Set(leftAlone)) }
}

/** Whether pointers of `ignore_changes` name a field, or a part of it: what cannot be read is sent as a whole or not at all. */
export function isLeftToOthers(field: string, ignored: ReadonlySet<string>): boolean {
  return ignored.has(`/${field}`) || [...ignored].some((pointer) => pointer.startsWith(`/${field}/`))
}

/** The uncertain fields that a plan does not count with, by what it says. */
export function leftAloneBy({ in_doubt: inDoubt = [] }: Pick<Change, 'in_doubt'>, record: ResourceRecord | undefined): ReadonlySet<string> {
  return new Set(record?.uncertain.filter((field) => !inDoubt.includes(field)))
}

interface Updating {
  readonly situation: Situation
  readonly desired: JsonObject
  readonly found: readonly Difference[]
  readonly leftAlone: readonly string[]
  /** The state stands for what is live. */
  readonly unread: boolean
}

/** What an update sends since nobody knows what is there, and what it replaces unseen. */
export function adviceOnUncertain({ address, kind, position }: Declared, updating: Updating): readonly Diagnostic[] {
  const { found, unread } = updating
  const blindly = found.filter((each) => isBlindlySent(kind, each))
  const [sent, cleared] = [true, false].map((isDeclared) => blindly.filter((each) => (each.after !== undefined) === isDeclared).map((each) => each.field))
  const replaced = replacedUnseen(updating)
  const what = (fields: readonly string[] = []): string =>
    `${address}: what it has of ${fields.join(', ')} ${unread ? 'was not' : 'cannot be'} read, and an earlier request may have left`
  const advice = (fields: readonly string[] | undefined, text: string): readonly Diagnostic[] =>
    fields && fields.length > 0 ? [diagnostic('advice', text, { address, position: position() })] : []
  return [
    ...advice(sent, `${what(sent)} it otherwise: it is sent again, as declared`),
    ...advice(cleared, `${what(cleared)} something there: it is cleared`),
    ...advice(
      replaced,
      `${address}: this update is one of all fields, and replaces ${replaced.join(', ')} by what was applied last, whatever an earlier revision or others left there`,
    ),
  ]
}

function replacedUnseen({ situation, desired, found, leftAlone }: Updating): readonly string[] {
  const steps = leftAlone.length > 0 ? stepsFor(situation, desired, found) : []
  return leftAlone.filter((field) => steps.some(({ sets, clears = [] }) => Object.hasOwn(sets, field) || clears.includes(field)))
}
