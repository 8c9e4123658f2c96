// The state file's format: encode and decode one document, with its checksum and its digests.
import { createHash } from 'node:crypto'
import { compareAddresses, formatAddress, parseAddress } from '../base/address.ts'
import type { Code } from '../base/catalogue.ts'
import { Failure, failure } from '../base/diagnostic.ts'
import { canonicalJson, canonicalParts, isList, isObject, parseJson, stringifyJson } from '../base/json.ts'
import type { JsonObject, JsonValue } from '../base/json.ts'
import { readDigests, writeDigests } from './digest.ts'
import { documentSchema, firstIssue } from './record-schema.ts'
import type { ResourceRecord, StateDocument } from './record.ts'
import { withNames } from './rename.ts'
import { inClear } from './sealing.ts'
import type { Sealing } from './sealing.ts'
import { unknownHere } from './unknown-members.ts'
import { usualRecord } from './usual-record.ts'

const format = 'iac-state/v1'
/** What a document of an older format becomes, member by member and the next format among them; each step by the format that it is for. */
export type Upgrades = Readonly<Record<string, (file: JsonObject) => JsonObject>>
/** No format came before the one there is. */
const knownUpgrades: Upgrades = Object.freeze({})
/** The longest state that is read and hence written, 256 MiB. */
const maxStateBytes = 256 << 20
/** What an encrypted document is bound to, with its lineage and serial. */
const documentPlace = ['state']
/** The most values that a state holds: far more than one of 100,000 resources, and few enough to be kept. */
const maxValues = 30_000_000
/** The most that is hashed: four times what a state is written in, which no state that was written comes near. */
const longestHashed = 4 * maxStateBytes
const tooLong = 'Invalid string length'
const restoreHint = 'see `iac state history`; `iac state restore` puts the last good generation back'

/** A document that records nothing yet; serial 0 is never written. */
export function emptyDocument(about: {
  readonly project: string
  readonly environment: string | null
  readonly lineage: string
  readonly salt: string
  readonly toolVersion: string
}): StateDocument {
  const { project, environment, lineage, salt, toolVersion } = about
  return Object.freeze({ format, tool_version: toolVersion, lineage, serial: 0, salt, project, environment, resources: [], outputs: {} })
}

/**
 * The file's text (schemas/state.schema.json): resources in order of their addresses, two spaces, a final newline, the checksum over the rest.
 * Throws Failure 1 where it is longer than `longestBytes`: nobody could read it.
 */
export function encodeDocument(document: StateDocument, longestBytes: number = maxStateBytes): string {
  try {
    const text = textOf(document, longestBytes)
    if (Buffer.byteLength(text) <= longestBytes) return text
  } catch (error) {
    // Longer than texts can be.
    if (!(error instanceof RangeError && error.message === tooLong)) throw error
  }
  throw failure('state_io', `the state would be longer than ${longestBytes >> 20} MiB, the longest that can be read`, {
    hint: 'split the project: smaller ones have states of their own',
  })
}

/** The longest text of a state that is kept: encrypted it is a third longer. */
export function longestKept(sealing: Sealing): number {
  return sealing === inClear ? maxStateBytes : Math.ceil((maxStateBytes * 4) / 3) + 1024
}

/** The text as it is kept; lineage and serial stay readable. */
export function sealDocument(document: StateDocument, sealing: Sealing, longestBytes?: number): string {
  // Put together anew, a long text would be there twice.
  if (sealing === inClear) return encodeDocument(document, longestBytes)
  const { lineage, serial } = document
  return `${sealing.seal(encodeDocument(document, longestBytes).slice(0, -1), documentPlace, { lineage, serial })}\n`
}

/** The text in clear of one that is kept; Failure 9 as `Sealing.open`. */
export function openDocument(kept: string, where: string, sealing: Sealing): string {
  return sealing.open(kept, documentPlace, where)
}

/** A generation that was found under a serial; Failure 9 for one that stands in the place of another. */
export function checkedGeneration(document: StateDocument, serial: number, where: string): StateDocument {
  if (document.serial === serial) return document
  throw damaged(where, `It has the serial ${document.serial}: another generation was put in its place.`)
}

/** A document's text as a write of today would keep it; null where it is damaged or its key is gone, undefined where it is kept so. */
export function resealedDocument(kept: string, where: string, sealing: Sealing): string | null | undefined {
  if (sealing.isCurrent(kept)) return undefined
  try {
    return sealDocument(decodeDocument(kept, where, { sealing }), sealing)
  } catch (error) {
    if (isUnreadable(error)) return null
    throw error
  }
}

/** The checksum over the rest included; resources in order of their addresses, one after another: encoded, all of them take several times what their text does. */
function textOf(document: StateDocument, longestBytes: number): string {
  const { head, project, environment, outputs } = partsOf(document)
  const texts: string[] = []
  let length = 0
  function* encoded(): Generator<string, void> {
    for (const one of document.resources.toSorted((a, b) => compareAddresses(a.address, b.address))) {
      const value = encodeResource(one)
      const text = indented(value, '    ')
      // More than memory holds would be collected first.
      if ((length += text.length) > longestBytes) throw new RangeError(tooLong)
      texts.push(text)
      yield canonicalJson(value)
    }
  }
  const checksum = checksumOf({ ...head, project, environment, outputs }, encoded())
  const start = stringifyJson({ ...head, checksum, project, environment }, 2).slice(0, -'\n}'.length)
  const resources = texts.length === 0 ? '[]' : `[\n    ${texts.join(',\n    ')}\n  ]`
  return `${start},\n  "resources": ${resources},\n  "outputs": ${indented(outputs, '  ')}\n}\n`
}

/** No text of JSON holds a line's end. */
function indented(value: JsonValue, margin: string): string {
  return stringifyJson(value, 2).replaceAll('\n', `\n${margin}`)
}

/** The same without the resources, whose canonical texts are given in order of their addresses. */
export function documentHead(document: StateDocument, texts: readonly string[]): JsonObject {
  const { head, ...rest } = partsOf(document)
  return { ...head, checksum: checksumOf({ ...head, ...rest }, texts), ...rest }
}

function partsOf({ tool_version, lineage, serial, written, moved_to, moving, salt, project, environment, outputs }: StateDocument) {
  const about = {
    ...(written ? { written: { time: written.time, command: written.command } } : {}),
    ...(moved_to === undefined ? {} : { moved_to }),
    ...(moving ? { moving } : {}),
  }
  return { head: { format, tool_version, lineage, serial, ...about, salt }, project, environment, outputs: writeDigests(outputs) }
}

/** How messages name a file, and what they advise where it is damaged; whether somebody may have edited it. */
interface Place {
  readonly where: string
  readonly hint: string
  readonly isEdited?: boolean
}

interface Decoding {
  readonly anyChecksum?: boolean
  readonly hint?: string
  readonly sealing?: Sealing
  readonly upgrades?: Upgrades
}

/** An older document in memory as one of today; what is kept stays as it is until the next write. */
function upgraded(file: JsonObject, upgrades: Upgrades): JsonObject {
  const upgrade = upgradeOf(file, upgrades)
  return upgrade ? upgraded(upgrade(file), upgrades) : file
}

function upgradeOf({ format: found }: JsonObject, upgrades: Upgrades) {
  return typeof found === 'string' && found !== format && Object.hasOwn(upgrades, found) ? upgrades[found] : undefined
}

/**
 * Reads a state file; `where` is how messages name it, `hint` the way out where it is damaged, which is to restore a generation unless told otherwise. Throws Failure 9 for whatever is no whole, unaltered document of this format.
 * With `anyChecksum` a wrong or missing checksum is accepted, and each address brought into its one form: what `state push` takes was edited by hand. Without `sealing` it must be in clear.
 */
export function decodeDocument(
  bytes: Uint8Array | string,
  where: string,
  { anyChecksum = false, hint = restoreHint, sealing = inClear, upgrades = knownUpgrades }: Decoding = {},
): StateDocument {
  const place = { where, hint, isEdited: anyChecksum }
  if (bytes.length === 0) throw damaged(where, 'The file is empty.', hint)
  const file = readObject(openDocument(textOfBytes(bytes, place), where, sealing), place)
  const older = upgradeOf(file, upgrades)
  if (!older) checkFormat(file['format'], place)
  if (!anyChecksum && !fitsChecksum(file)) throw altered(place)
  const document = readDocument(older ? upgraded(file, upgrades) : file, place)
  return anyChecksum ? checked({ ...document, resources: document.resources.map((one) => withNames(one, inOneForm)) }, place) : document
}

/** A key may be escaped as JSON allows; the state has one form for it, and under any other nothing would find it. */
function inOneForm(address: string): string {
  const parsed = parseAddress(address)
  return parsed ? formatAddress(parsed) : address
}

/** The failure for what is not as it was written, exit code 9. */
export function altered({ where, hint = restoreHint }: { readonly where: string; readonly hint?: string }): Failure {
  const detail = 'The file was altered or only a part of it was written. By hand it is edited through `iac state pull` and `iac state push`.'
  return failure('state_damaged', `${where}: the checksum does not fit`, { detail, hint })
}

/** The same of what was read from a place that is no file, and whose checksum is known to fit. */
export function readDocument(file: JsonObject, about: Partial<Place> & Pick<Place, 'where'>): StateDocument {
  const place = { hint: restoreHint, ...about }
  checkFormat(file['format'], place)
  const { checksum: _, ...rest } = file
  return checked(documentOf(openDigests(rest, place), place), place)
}

/** Its resources in the order of their addresses; throws where one stands in it twice. */
function checked(document: StateDocument, { where, hint }: Place): StateDocument {
  if (holdsTwice(document.resources.map((one) => one.address))) throw damaged(where, 'an address stands in it twice', hint)
  const objects = document.resources.flatMap(({ kind, id, deposed }) => [id, ...deposed.map((old) => old.id)].map((one) => `${kind} ${one}`))
  // Whichever went first would take the other's object along.
  if (holdsTwice(objects)) throw damaged(where, 'an object stands in it twice', hint)
  return { ...document, resources: document.resources.toSorted((a, b) => compareAddresses(a.address, b.address)) }
}

/** The document that a file's members are; its schema is asked for all of them only where a resource is no usual one. */
function documentOf(members: JsonObject, { where, hint, isEdited = false }: Place): StateDocument {
  const { resources } = members
  const records = isList(resources) ? resources.flatMap((one) => usualRecord(one) ?? []) : []
  const isUsual = isList(resources) && records.length === resources.length
  const parsed = documentSchema.safeParse(isUsual ? { ...members, resources: [] } : members)
  if (!parsed.success) {
    const unknown = isEdited ? undefined : unknownHere(where, parsed.error, true, members['tool_version'])
    throw unknown ?? damaged(where, firstIssue(parsed.error), hint)
  }
  const { checksum: _, ...document } = parsed.data
  return isUsual ? { ...document, resources: records } : document
}

function holdsTwice(texts: readonly string[]): boolean {
  return new Set(texts).size < texts.length
}

/** The failure for a file of the state that cannot be what was written, exit code 9. */
export function damaged(where: string, detail: string, hint = restoreHint): Failure {
  return failure('state_damaged', `${where} is damaged`, { detail, hint })
}

/** Whether an error says that what is kept is damaged, or in clear where it is to be encrypted: it can be replaced by what is neither. */
export function isDamage(error: unknown): error is Failure {
  return isOf(error, 'state_damaged') || isInClear(error)
}

/** Whether an error says that what is kept is in clear where it is to be encrypted: it can be read, and nothing tells who wrote it. */
export function isInClear(error: unknown): boolean {
  return isOf(error, 'state_unsealed')
}

/** Whether nobody can read it who has these keys and this iac: what is kept of the past may be so for good. */
export function isUnreadable(error: unknown): boolean {
  return isDamage(error) || isOf(error, 'state_key') || isOf(error, 'state_other')
}

function isOf(error: unknown, code: Code): boolean {
  return error instanceof Failure && error.diagnostics[0]?.code === code
}

function textOfBytes(bytes: Uint8Array | string, { where, hint }: Place): string {
  try {
    return typeof bytes === 'string' ? bytes : new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw damaged(where, 'The file is not UTF-8.', hint)
  }
}

function readObject(text: string, { where, hint }: Place): JsonObject {
  let value: JsonValue
  try {
    value = parseJson(text, { maxValues })
  } catch (error) {
    throw damaged(where, error instanceof SyntaxError ? error.message : 'unreadable', hint)
  }
  if (typeof value !== 'object' || value === null || isList(value)) throw damaged(where, 'The file holds no JSON object.', hint)
  return value
}

/** Throws Failure 9 for a document of another format. */
export function checkFormat(found: JsonValue | undefined, { where, hint }: Place): void {
  if (found === format) return
  const version = typeof found === 'string' ? /^iac-state\/v([1-9][0-9]{0,5})$/.exec(found)?.[1] : undefined
  // Of a file that is given the caller says what to do.
  if (found === undefined && (hint === undefined || hint === restoreHint))
    throw failure('state_other', `${where} holds something else`, {
      detail: `The file does not say that it is ${format}: another tool may have written it. It is never written over.`,
      hint: 'give the state another place; where it was a state, put what stands there aside, and see `iac state restore`',
    })
  if (version === undefined) throw damaged(where, `The file does not say that it is ${format}.`, hint)
  const detail = 'A newer iac wrote it. Nothing was changed.'
  throw failure('state_other', `${where} is of the format iac-state/v${version}, this iac knows ${format}`, { detail, hint: 'use the newer iac' })
}

function openDigests(rest: JsonObject, { where, hint }: Place): JsonObject {
  try {
    const open = readDigests(rest)
    return isObject(open) ? open : rest
  } catch (error) {
    throw damaged(where, error instanceof Error ? error.message : 'unreadable', hint)
  }
}

/** Whether a document is as it was written: all of it, or what stands beside the resources with the canonical texts of those. */
export function fitsChecksum({ checksum, ...rest }: JsonObject, texts?: Iterable<string>): boolean {
  // Numbers may be written shorter than they are hashed: what is longer than texts can be fits nothing.
  try {
    return checksum === checksumOf(rest, texts)
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

function checksumOf(rest: JsonObject, texts?: Iterable<string>): string {
  const hash = createHash('sha256')
  let length = 0
  for (const part of canonicalParts(rest, texts ? { resources: texts } : {})) {
    length += part.length
    // In the words that V8 has for a value whose own text is too long.
    if (length > longestHashed) throw new RangeError(tooLong)
    hash.update(part)
  }
  return `sha256:${hash.digest('hex')}`
}

/** A resource as the file holds it; two that say the same give equal values. */
export function encodeResource(one: ResourceRecord): JsonValue {
  const { address, kind, id, workspace_id, status, spec, outputs, depends_on, deposed, origins, uncertain } = one
  const { restored = [], blind = [], restarts = {}, triggered = {}, awaited } = one
  const known = { address, kind, id, workspace_id, status, spec, outputs, depends_on, protected: one.protected, on_remove: one.on_remove, deposed, origins }
  const hidden = {
    ...(uncertain.length > 0 ? { uncertain } : {}),
    ...(restored.length > 0 ? { restored } : {}),
    ...(blind.length > 0 ? { blind } : {}),
    ...(Object.keys(restarts).length > 0 ? { restarts } : {}),
    ...(Object.keys(triggered).length > 0 ? { triggered } : {}),
    ...(awaited === undefined ? {} : { awaited }),
  }
  return writeDigests({ ...known, ...hidden })
}
