// What the `data` of a workflow that created something holds: open in the document, so the readings choose.
import type { JsonObject } from '../../base/json.ts'
import type { World } from '../world.ts'

/** The id of the new resource as workflow data; `word` is the kind's word, such as `instance`. */
export function dataOf({ readings }: World, word: string, id: string): JsonObject {
  if (readings.workflowData === 'none') return {}
  return readings.workflowData === 'id' ? { id } : { [`${word}_id`]: id }
}
