// The manifests that a project file with a mistake seems to list, so that one mistake there hides none in them.
import { isObject } from '../../base/json.ts'
import type { Meter } from '../../base/meter.ts'
import { patternProblem } from '../files/glob.ts'
import type { Turns } from '../files/turns.ts'
import { composeYaml } from '../yaml/compose.ts'
import { valueOfNode } from '../yaml/value.ts'

/** The patterns of a text that is no project file as a whole: undefined where it names none, empty where they cannot be told. */
export function* listedAnyhow(text: string, meter: Meter): Turns<readonly string[] | undefined> {
  const block = blockOf(text)
  if (block === undefined) return /\bmanifests\b/.test(text) ? [] : undefined
  const { document } = yield* composeYaml(block, meter)
  const value = document && valueOfNode(document.contents).value
  const patterns = value !== undefined && isObject(value) ? value['manifests'] : undefined
  if (!Array.isArray(patterns)) return []
  const texts = patterns.flatMap((one) => (typeof one === 'string' && patternProblem(one) === undefined ? [one] : []))
  return texts.length === patterns.length ? texts : []
}

/** The lines of `manifests`, to the next one that begins with something else. Line by line: a pattern for all lines overflows over millions. */
function blockOf(text: string): string | undefined {
  const start = /^(?:manifests|["']manifests["'])[ \t]*:/m.exec(text)?.index
  if (start === undefined) return undefined
  const next = /\n[^ \t\n-]/g
  next.lastIndex = start
  return text.slice(start, next.exec(text)?.index ?? text.length)
}
