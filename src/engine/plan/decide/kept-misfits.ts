// What `ignore_changes` keeps, held against what the manifest says beside it: found before anything goes for a request that could not be sent.
import * as z from 'zod'
import type { Diagnostic } from '../../../base/diagnostic.ts'
import { diagnostic } from '../../../base/diagnostic.ts'
import type { JsonObject, JsonValue } from '../../../base/json.ts'
import { pointerOf } from '../../../base/pointer.ts'
import { readable } from '../../../base/token.ts'
import { holdsToken } from '../../../kinds/definition/token.ts'
import type { Declared } from '../../../project/resolving/declared.ts'
import { problemsOf } from '../../../project/resolving/kind-rules.ts'
import { toJson } from '../../model/live.ts'
import type { Planned } from '../../model/planned-resource.ts'
import { stepsFor } from '../../model/view.ts'
import type { AnyStep, Situation } from '../../model/view.ts'
import { isMade } from './judged.ts'

/** A spec with what is kept of the object that is there. */
interface Kept {
  /** What is asked for, with what is kept. */
  readonly desired: JsonObject
  /** The same with what the manifest says of fields of which nothing tells what is there: what is kept of those breaks no rule. */
  readonly whole: JsonObject
  /** What the manifest says. */
  readonly written: JsonObject
  readonly secrets: ReadonlyMap<string, JsonValue>
  readonly situation: Situation
}

/** An error for each rule that only the kept values break, and for a request that they leave unfit, where anything is sent. */
export function keptMisfits(
  declared: Declared,
  { desired, whole, written, secrets, situation }: Kept,
  { action, differences }: Pick<Planned, 'action' | 'differences'>,
): readonly Diagnostic[] {
  if (!isMade(action) && action !== 'update') return []
  const { address, kind, positionOf } = declared
  const steps = isMade(action) ? stepsFor({ ...situation, live: undefined, recorded: {} }, desired, []) : stepsFor(situation, desired, differences)
  const before = new Set(problemsOf(kind, written, secrets).map(({ path }) => pointerOf(path)))
  const broken = problemsOf(kind, whole, secrets).filter(({ path }) => !before.has(pointerOf(path)))
  const said = broken.map(({ path, message }) => [pointerOf(path), readable(message)] as const)
  const found = said.length > 0 ? said : steps.flatMap(unfit).map((message) => ['/', message] as const)
  const hint = 'write the value that is there, or take the field out of lifecycle.ignore_changes'
  return found.map(([pointer, message]) =>
    diagnostic('unsupported_change', `${address}: with what ignore_changes keeps, ${message}`, { address, position: positionOf(pointer), hint }),
  )
}

/** What keeps a step from being sent, where all that it sends is known. */
function unfit({ name, call: { route, body } }: AnyStep): readonly string[] {
  if (!route.body || body === undefined || holdsToken(toJson(body))) return []
  const result = z.safeEncode(route.body(), body)
  return result.success
    ? []
    : [`${readable(name)} cannot be sent: ${result.error.issues.map((issue) => [...issue.path.map(String), issue.message].join(': ')).join('; ')}`]
}
