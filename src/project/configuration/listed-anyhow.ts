// The manifests that a project file with a mistake seems to list, so that one mistake there hides none in them.
import { isObject } from '../../base/json.ts'
import type { Meter } from '../../base/meter.ts'
import { patternProblem } from '../files/glob.ts'
import type { Turns } from '../files/turns.ts'
import { composeYaml } from '../yaml/compose.ts'
import { valueOfNode } from '../yaml/value.ts'

/** The patterns of a text that is no project file as a whole: undefined where it names none, empty where they cannot be told. */
export function* listedAnyhow(text: string, meter: Meter): Turns<readonly string[] | undefined> {
  const block = /^(?:manifests|["']manifests["'])[ \t]*:.*(?:\n(?:[ \t-].*)?)*/m.exec(text)?.[0]
  if (block === undefined) return /\bmanifests\b/.test(text) ? [] : undefined
  const { document } = yield* composeYaml(block, meter)
  const value = document && valueOfNode(document.contents).value
  const patterns = value !== undefined && isObject(value) ? value['manifests'] : undefined
  if (!Array.isArray(patterns)) return []
  const texts = patterns.flatMap((one) => (typeof one === 'string' && patternProblem(one) === undefined ? [one] : []))
  return texts.length === patterns.length ? texts : []
}
