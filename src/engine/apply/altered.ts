// Outputs of what others point at, read anew once those have changed them, before anything is evaluated that reads them.
import { equalJson } from '../../base/json.ts'
import type { JsonObject } from '../../base/json.ts'
import { comparedFields } from '../model/diff/compared-fields.ts'
import { recordedOutputs } from '../model/diff/recorded-outputs.ts'
import type { Alteration } from '../model/graph/alterations.ts'
import { alterationsIn, awaitedBy } from '../model/graph/alterations.ts'
import type { Graph } from '../model/graph/graph.ts'
import type { Node } from '../model/graph/node.ts'
import { parentsOf } from '../model/graph/parents.ts'
import { toJsonObject } from '../model/live.ts'
import type { Plan } from '../model/plan-data.ts'
import type { Work } from '../operation/operation.ts'
import { refusable } from '../refresh/existence.ts'
import { readAgain } from '../refresh/observe.ts'
import { whileReadsLag } from '../refresh/reads-lag.ts'

/** What looks at those that an operation, or an output of the project, waits for. */
export interface Altered {
  before(node: Node): Promise<void>
  /** Goes by what was done, however the rest ended. */
  atEnd(plan: Plan, isDone: (id: string) => boolean): Promise<void>
}

/** What a run changes so, with what was recorded when it began. */
export function createAltered(work: Work, { nodes, after }: Graph): Altered {
  const records = work.ledger.folded().resources
  const altered = alterationsIn(nodes, records, work.kindOf)
  const first = new Map<string, JsonObject>()
  for (const { address, id, outputs } of records.values()) if (altered.has(address)) first.set(`${address} ${id}`, outputs)
  const look = async (addresses: readonly string[]): Promise<void> => {
    await Promise.all(addresses.map((address) => lookAt(work, address, altered.get(address), first)))
  }
  return {
    async before({ id, change }) {
      // Where the order gave way nothing has changed yet.
      const isChanged = (address: string): boolean => altered.get(address)?.by.some((one) => after.get(id)?.has(one.id) === true) === true
      await look(awaitedBy(change, altered).filter(isChanged))
    },
    async atEnd({ outputs }, isDone) {
      const texts = altered.size === 0 ? [] : Object.values(outputs).flatMap((one) => ('expression' in one ? [one.expression] : []))
      const isRead = ({ outputs: names, by }: Alteration): boolean =>
        by.some((one) => isDone(one.id)) && [...names].some((name) => texts.some((text) => !text.includes('${') || text.includes(name)))
      await look([...altered].flatMap(([address, one]) => (isRead(one) ? [address] : [])))
    },
  }
}

/** Reads may lag behind what was changed: what differs from what was recorded is believed at once. What cannot be read stays as it is, and the next plan tells. */
async function lookAt(work: Work, address: string, alteration: Alteration | undefined, first: Map<string, JsonObject>): Promise<void> {
  const record = work.ledger.record(address)
  if (!record || !alteration) return
  // What this run has made is recorded as it was before anything pointed at it.
  const key = `${address} ${record.id}`
  const before = first.get(key) ?? record.outputs
  first.set(key, before)
  const kind = work.kindOf(record.kind)
  const target = { kind, workspaceId: record.workspace_id ?? '', id: record.id, fields: comparedFields([], record), parents: parentsOf(kind, record.spec) }
  const read = async (): Promise<JsonObject | undefined> => {
    const object = await refusable(readAgain(work.looking, target))
    return object === undefined || object === 'refused' ? undefined : toJsonObject(kind.outputsOf(object.live))
  }
  const isSure = (seen: JsonObject | undefined): boolean =>
    seen === undefined || [...alteration.outputs].some((name) => seen[name] === undefined || !equalJson(seen[name], before[name] ?? null))
  const seen = await whileReadsLag(work.run, read, isSure)
  const now = work.ledger.record(address)
  if (!seen || now?.id !== record.id) return
  const outputs = recordedOutputs(kind, { ...now.outputs, ...seen }, now.spec)
  if (!equalJson(outputs, now.outputs)) await work.ledger.append({ t: 'record', resource: { ...now, outputs } })
}
