// A plan as a drawing: what changes, what each change waits for, and the unchanged things that changes need or hang on.
import type { Change, Plan } from '../../../engine/model/plan-data.ts'
import type { Disruption } from '../../../kinds/definition/fields.ts'
import type { AnyKind } from '../../../kinds/definition/kind.ts'
import { costsOf, costsText, isLoss, replaceCostsIn, symbolOf } from '../plan/plan-block.ts'
import { counted } from '../text/counted.ts'
import type { Drawing } from './drawing.ts'
import { drawingOf } from './drawing.ts'
import type { HolderField } from './holders.ts'
import { holderAmong, holderFields, isNamedIn } from './holders.ts'
import type { Thing } from './thing.ts'

/** The picture of a plan; `title` is its sentence. */
export function planDrawing({ changes }: Pick<Plan, 'changes'>, title: string, kinds: readonly AnyKind[]): Drawing {
  const fields = holderFields(kinds)
  const byAddress = new Map(changes.filter((one) => !one.deposed).map((one) => [one.address, one]))
  const waits = waitsOf(changes, byAddress, fields)
  const replaceCostsOf = replaceCostsIn(kinds)
  const things = changes.map((change) => {
    const holder = holderOf(change, byAddress, fields.get(change.kind))
    return thingOf(change, { costs: costsOf(change, { replaceCostsOf }), holder, needs: waits.get(change) ?? [] })
  })
  const changing = things.filter(({ look, words }) => look !== 'no-op' || words !== '')
  const near = new Set(changing.flatMap(({ address, holder, needs }) => [address, ...(holder === undefined ? [] : [holder]), ...needs]))
  const drawn = things.filter(({ address }) => near.has(address))
  const left = things.length - drawn.length
  const notes = left === 0 ? [] : [`${counted(left, 'unchanged resource')} ${left === 1 ? 'is' : 'are'} not drawn.`]
  return drawingOf(drawn, { title, relation: 'waits for', notes, shortest: true })
}

const verbs = { 'no-op': '', create: 'create', update: 'update', replace: 'replace', delete: 'destroy', import: 'import', forget: 'forget' } as const

function thingOf(change: Change, { costs, holder, needs }: Pick<Thing, 'holder' | 'needs'> & { readonly costs: readonly Disruption[] }): Thing {
  const { address, kind, action, steps, previous_address: from } = change
  const look = action === 'import' && steps.length > 0 ? 'update' : action
  const verb = action === 'import' && steps.length > 0 ? 'import and update' : verbs[action]
  const words = [verb, change.deposed ? 'old object' : '', from === null ? '' : `moved from ${from}`, costsText(costs)].filter((one) => one !== '')
  return { address, kind, look, symbol: symbolOf(change).trim(), words: words.join(', '), isGrave: costs.some(isLoss), holder, needs }
}

/** What each change waits for: what it needs; a delete for whatever recorded holds it, but where it ends with what it points at. */
function waitsOf(changes: readonly Change[], byAddress: ReadonlyMap<string, Change>, fields: ReadonlyMap<string, HolderField>): ReadonlyMap<Change, string[]> {
  const out = new Map(changes.map((one): [Change, string[]] => [one, []]))
  for (const change of changes) {
    if (change.action === 'no-op') continue
    if (change.action !== 'delete') {
      out.get(change)?.push(...change.requires)
      continue
    }
    const field = fields.get(change.kind)
    for (const address of change.depends_on) {
      const other = byAddress.get(address)
      if (other?.action !== 'delete' && other?.action !== 'replace') continue
      const endsWithIt = field?.endsWith === true && field.ref.includes(other.kind)
      if (endsWithIt) out.get(change)?.push(address)
      else out.get(other)?.push(change.address)
    }
  }
  return out
}

function holderOf(change: Change, byAddress: ReadonlyMap<string, Change>, field: HolderField | undefined): string | undefined {
  if (!field) return undefined
  const [pointer, spec] = [`/${field.field}`, change.after ?? change.before ?? {}]
  const written = change.unresolved[pointer] ?? ''
  const isMeant = (address: string): boolean => byAddress.get(address)?.id === spec[field.field] || isNamedIn(written, address)
  return holderAmong(field, [...change.requires, ...change.depends_on], isMeant)
}
