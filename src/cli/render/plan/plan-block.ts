// One change of a plan as a block: the comment lines, the symbol, the fields, as OpenTofu writes them.
import { parseAddress } from '../../../base/address.ts'
import type { JsonObject, JsonValue } from '../../../base/json.ts'
import { few } from '../../../base/words/few.ts'
import type { Change } from '../../../engine/model/plan-data.ts'
import { isResumedCreate } from '../../../engine/model/resumed.ts'
import type { Disruption } from '../../../kinds/definition/fields.ts'
import type { AnyKind } from '../../../kinds/definition/kind.ts'
import type { Palette } from '../text/palette.ts'
import { quoted, unknownMark } from '../text/value-text.ts'
import { attributeLines } from './attribute-lines.ts'
import type { PlanWords } from './plan-words.ts'
import { withUnknown } from './planned-values.ts'

/** An output as a create lists it. */
export interface OutputName {
  readonly name: string
  readonly sensitive: boolean
}

export interface BlockOptions {
  readonly palette: Palette
  /** The outputs of a kind, by its name. */
  readonly outputsOf: (kind: string) => readonly OutputName[]
  /** How the value of a field is shown to people, by the kind and the pointer of the field; undefined for one that is shown as it stands. */
  readonly fieldText?: ((kind: string, pointer: string, value: JsonValue) => string | undefined) | undefined
  /** What a replacement costs beside its steps, by the name of the kind; what of that is a loss, a deletion costs, too. */
  readonly replaceCostsOf?: ((kind: string) => readonly Disruption[]) | undefined
  /** The sentences; left out, iac's own. */
  readonly words?: PlanWords | undefined
}

/** `-/+` replaces destroy first, `+/-` create first. */
export function symbolOf(change: Change): string {
  if (change.action === 'replace') return change.create_before_destroy ? '+/-' : '-/+'
  if (change.action === 'import') return change.steps.length > 0 ? '~' : '<='
  return symbols[change.action]
}

const symbols = { 'no-op': ' ', create: '+', update: '~', replace: '-/+', delete: '-', import: '<=', forget: '.' } as const

/** What a change does to what runs, in words. */
const disruptionWords = {
  none: '',
  restart: 'restarts it',
  interruption: 'interrupts it',
  address_loss: 'loses its address',
  data_loss: 'loses its data',
} as const

/** All that a change costs, the worst first; empty where it costs nothing. */
export function costsOf(change: Change, { replaceCostsOf }: Pick<BlockOptions, 'replaceCostsOf'>): readonly Disruption[] {
  const costs = replaceCostsOf?.(change.kind).filter((one) => change.action === 'replace' || (change.action === 'delete' && isLoss(one))) ?? []
  return [...new Set([change.disruption, ...costs])].filter((one) => one !== 'none')
}

/** `loses its data, loses its address`; '' for no costs. */
export function costsText(costs: readonly Disruption[]): string {
  return costs.map((one) => disruptionWords[one]).join(', ')
}

function marks(change: Change, options: Pick<BlockOptions, 'replaceCostsOf'>): string {
  const words = costsText(costsOf(change, options))
  return words === '' ? '' : ` (${words})`
}

/** What a replacement costs beside its steps, by the name of a kind. */
export function replaceCostsIn(kinds: readonly Pick<AnyKind, 'name' | 'replaceCosts'>[]): NonNullable<BlockOptions['replaceCostsOf']> {
  return (name) => kinds.find((one) => one.name === name)?.replaceCosts ?? []
}

/** Whether something goes with the object, whether there is another one in its place or not. */
export function isLoss(cost: Disruption): boolean {
  return cost === 'address_loss' || cost === 'data_loss'
}

/** The block's lines, without an empty line before or after. */
export function changeBlock(change: Change, options: BlockOptions): string[] {
  const { palette } = options
  const symbol = symbolOf(change)
  const comments = commentsOf(change, options).map((line, at) => `  # ${at === 0 ? palette.bold(line) : line}`)
  const head = `${symbol.padStart(3).padEnd(4)}resource ${headOf(change.address)} {`
  return [...comments, paint(head, symbol, palette), ...fieldLines(change, options), '    }']
}

/** What was found to have changed: recorded → live. */
export function driftBlock(change: Change, options: BlockOptions): string[] {
  const { palette } = options
  const gone = change.action === 'delete'
  const comment = `  # ${palette.bold(`${change.address} has ${gone ? 'been deleted' : 'changed'}`)}`
  const head = `  ${gone ? '-' : '~'} resource ${headOf(change.address)} {`
  return [comment, paint(head, gone ? '-' : '~', palette), ...fieldLines(change, options), '    }']
}

function headOf(address: string): string {
  const parsed = parseAddress(address)
  return parsed ? `"${parsed.kind}" "${parsed.name}"` : quoted(address)
}

function commentsOf(change: Change, options: BlockOptions): string[] {
  const { address, previous_address: from } = change
  const place = placeText(change)
  const moved = [...(from === null ? [] : [`(moved from ${from})`]), ...(place === undefined ? [] : [`(${place})`])]
  const imported = change.action === 'import' && change.steps.length > 0 ? [`(imported from ${quoted(change.id ?? '')})`] : []
  if (change.action === 'no-op') return from === null ? [address] : [`${from} has moved to ${address}`]
  if (options.words?.isStrict !== true) return [headline(change, options), ...moved, ...imported, ...because(change), ...takenOff(change)]
  const costs = marks(change, options).trim()
  return [`${deposedName(change)} ${strictVerdict(change)}`, ...moved, ...imported, ...because(change), ...takenOff(change), ...(costs === '' ? [] : [costs])]
}

/** In which workspace something is done; undefined where there is no other one. */
export function placeText({ workspace_id: id, workspace_address: address, workspace_name: name }: Change): string | undefined {
  if (address !== null) return `in workspace ${address}`
  if (name === undefined) return undefined
  return name === id ? `in workspace ${name}` : `in workspace ${quoted(name)}, id ${id ?? ''}`
}

/** What is taken off an object before it goes: it stays, and belongs to nothing then. */
function takenOff({ steps }: Change): string[] {
  const off = steps.flatMap((step) => (step.startsWith('detach ') ? [step.slice('detach '.length)] : []))
  return off.length === 0 ? [] : [`(before that ${few(off)} ${off.length === 1 ? 'is' : 'are'} detached)`]
}

/** A verdict that readers of Terraform's text know. */
function strictVerdict(change: Change): string {
  if (change.action === 'replace' && change.reason === 'failed') return 'is tainted, so must be replaced'
  return isResumedCreate(change) ? verdicts.create : verdict(change)
}

/** `Vpc/main will be updated in-place (interrupts it)`: what becomes of it, and what that costs. */
export function headline(change: Change, options: Pick<BlockOptions, 'replaceCostsOf'>): string {
  return `${deposedName(change)} ${verdict(change)}${marks(change, options)}`
}

function deposedName(change: Change): string {
  return change.deposed ? `${change.address} (deposed object ${change.id ?? ''})` : change.address
}

/** What is done about a change: `will be created`. */
export function verdict(change: Change): string {
  if (change.action === 'replace') return replaceVerdict(change)
  if (isResumedCreate(change)) return 'will be completed'
  return change.action === 'import' && change.steps.length > 0 ? verdicts.update : verdicts[change.action]
}

const verdicts = {
  'no-op': 'stays as it is',
  create: 'will be created',
  update: 'will be updated in-place',
  delete: 'will be destroyed',
  forget: 'will be removed from the state but will not be destroyed',
  import: 'will be imported',
} as const

function replaceVerdict(change: Change): string {
  if (change.reason === 'requested') return 'will be replaced, as requested'
  if (change.reason === 'trigger') return 'will be replaced due to changes in replace_triggered_by'
  if (change.reason === 'failed') return 'has failed, so must be replaced'
  return 'must be replaced'
}

/** Why, in brackets; empty where the verdict says it. */
export function because(change: Change): string[] {
  const why = change.reason === null ? undefined : reasons[change.reason]
  if (why !== undefined && change.action !== 'forget') return [`(because ${why})`]
  return change.action === 'delete' && change.reason === 'removed' && !change.deposed ? [`(because ${change.address} is not in the manifests)`] : []
}

const reasons: Readonly<Record<string, string>> = {
  drifted: 'it was changed outside of iac',
  missing: 'it is gone',
  expiring: 'it expires soon',
  secret_lost: 'its value is needed and is known only when it is made',
  resumed: 'an earlier run began it',
}

function fieldLines(change: Change, { palette, outputsOf, fieldText }: BlockOptions): string[] {
  const told = fieldText && ((pointer: string, value: JsonValue) => fieldText(change.kind, pointer, value))
  const made = change.action === 'create' || change.action === 'replace'
  const after = change.after === null ? undefined : withUnknown(change.after, change)
  const outputs = made && after !== undefined ? outputValues(after, outputsOf(change.kind)) : {}
  const before = change.before === null ? undefined : { ...change.outputs_before, ...change.before }
  const [was, is] = change.action === 'create' ? [undefined, { ...outputs, ...after }] : [before, after && { ...outputs, ...after }]
  const identified = change.id === null || made ? {} : { id: change.id }
  const held = was && { ...(change.action === 'replace' && change.id !== null ? { id: change.id } : identified), ...was }
  // What is forgotten stays as it is.
  if (change.action === 'forget') return attributeLines({ before: held, after: held, touched: [], forcing: [], palette, told })
  return attributeLines({
    before: held,
    after: change.action === 'delete' || is === undefined ? undefined : { ...identified, ...is },
    touched: change.patch.map((operation) => operation.path),
    forcing: change.replace_paths,
    palette,
    told,
  })
}

function outputValues(after: JsonObject, outputs: readonly OutputName[]): Record<string, JsonValue> {
  const shown = outputs.filter(({ name }) => !Object.hasOwn(after, name))
  return Object.fromEntries(shown.map(({ name, sensitive }) => [name, sensitive ? { $sensitive: true } : unknownMark]))
}

function paint(line: string, symbol: string, palette: Palette): string {
  const at = line.indexOf(symbol)
  const around = (inner: string): string => line.slice(0, at) + inner + line.slice(at + symbol.length)
  // What is made and what goes, each in its colour.
  if (symbol === '+/-' || symbol === '-/+') return around(symbol.replace('+', palette.green).replace('-', palette.red))
  const colour = symbol === '+' ? palette.green : symbol === '-' ? palette.red : symbol === '~' ? palette.yellow : palette.cyan
  return around(colour(symbol))
}
