// The plain value of a composed document: duplicate keys, reserved keys, aliases and numbers are checked on the way.
import { isAlias, isMap, isScalar, isSeq, type Node, type Pair, type YAMLMap } from 'yaml'
import type { JsonValue } from '../../base/json.ts'
import { tokenMarkIn } from '../../base/token.ts'
import { isInt } from '../../expressions/value.ts'
import { invisibleIn, quote } from '../findings/source.ts'
import { maxLevels } from './compose.ts'
import type { YamlMistake } from './compose.ts'
import type { PlacesBuilder } from './source-map.ts'

/** Keys that would reach into the prototypes of objects. */
const reservedKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

const maxExpanded = 10_000
// As much text as a file can hold.
const maxExpandedUnits = 16 * 1024 * 1024
const mostMistakes = 20
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]|\p{Cs}/u

interface Done {
  readonly value: JsonValue
  readonly nodes: number
  readonly units: number // of all texts in it
  readonly height: number
}

interface Pass {
  readonly mistakes: YamlMistake[]
  readonly anchors: Map<string, Done | 'open'>
  readonly places: Pick<PlacesBuilder, 'open' | 'close'>
  expanded: number
  expandedUnits: number
  exhausted: boolean // said once, however many aliases follow
}

const nothing: Done = { value: null, nodes: 1, units: 0, height: 0 }

/** A key that a value stands at, and where the key stands. */
interface Key {
  readonly name: string | undefined
  readonly offset: number
}

const noPlaces = { open: () => 0, close: () => undefined }
const noKey: Key = { name: undefined, offset: -1 }

/** The value of a node: integers are bigint, other numbers double; shared where the document has aliases. Where each value in it stands is told to `places`. */
export function valueOfNode(
  node: Node | null,
  places: Pick<PlacesBuilder, 'open' | 'close'> = noPlaces,
): { readonly value: JsonValue; readonly mistakes: readonly YamlMistake[] } {
  const pass: Pass = { mistakes: [], anchors: new Map(), places, expanded: 0, expandedUnits: 0, exhausted: false }
  return { value: convert(node, pass, 0, noKey).value, mistakes: pass.mistakes }
}

function convert(node: unknown, pass: Pass, depth: number, key: Key): Done {
  const isText = isScalar(node)
  const start = isText || isMap(node) || isSeq(node) ? (node.range?.[0] ?? -1) : -1
  const opened = pass.places.open(start, isText ? (node.range?.[1] ?? start) : -1, key.name, key.offset)
  const done = convertNode(node, pass, depth)
  pass.places.close(opened)
  return done
}

function convertNode(node: unknown, pass: Pass, depth: number): Done {
  if (isAlias(node)) return convertAlias(node.source, offsetOf(node), pass, depth)
  if (!isScalar(node) && !isMap(node) && !isSeq(node)) return nothing
  const { anchor } = node
  if (anchor !== undefined) pass.anchors.set(anchor, 'open')
  const done = isScalar(node) ? textOrNumber(scalarOf(node.value, offsetOf(node), pass)) : convertCollection(node, pass, depth)
  if (anchor !== undefined) pass.anchors.set(anchor, done)
  return done
}

function textOrNumber(value: JsonValue): Done {
  return { ...nothing, value, units: typeof value === 'string' ? value.length : 0 }
}

function convertCollection(node: Node, pass: Pass, depth: number): Done {
  const sum = { nodes: 1, units: 0, height: 0 }
  const take = (member: unknown, key: Key) => {
    const done = convert(member, pass, depth + 1, key)
    sum.nodes += done.nodes
    sum.units += done.units + (key.name?.length ?? 0)
    sum.height = Math.max(sum.height, done.height)
    return done.value
  }
  const value = isMap(node) ? mapOf(node, pass, take) : isSeq(node) ? node.items.map((item) => take(item, noKey)) : null
  return { value, nodes: sum.nodes, units: sum.units, height: sum.height + 1 }
}

function mapOf(node: YAMLMap, pass: Pass, take: (member: unknown, key: Key) => JsonValue): JsonValue {
  const out: Record<string, JsonValue> = {}
  const refused = new Set<string>()
  for (const pair of node.items) {
    const { key } = pair
    const offset = offsetOf(key) || offsetOf(node)
    const name = isScalar(key) ? key.value : undefined
    if (typeof name !== 'string') {
      add(pass, 'yaml_unsupported', offset, 'a key must be a text', 'put the key in quotes')
      continue
    }
    if ((Object.hasOwn(out, name) || refused.has(name)) && pass.mistakes.length < mostMistakes)
      pass.mistakes.push({ code: 'yaml_duplicate_key', offset, message: `the key ${quote(name)}`, unquoted: 'a key', hint: String(placeBefore(pair, node)) })
    const value = take(pair.value, { name, offset: startOf(key) })
    if (checkKey(name, offset, pass)) out[name] = value
    else refused.add(name)
  }
  return out
}

/** Where the same key stands last before a pair. */
function placeBefore(pair: Pair, { items, range }: YAMLMap): number {
  const name = isScalar(pair.key) ? pair.key.value : undefined
  const before = items.slice(0, items.indexOf(pair)).findLast(({ key }) => isScalar(key) && key.value === name)
  return offsetOf(before?.key) || (range?.[0] ?? 0)
}

function checkKey(name: string, offset: number, pass: Pass): boolean {
  if (name === '<<') return add(pass, 'yaml_unsupported', offset, 'merge keys (<<) are not supported', 'write the keys out, or use for_each and variables')
  if (reservedKeys.has(name)) return add(pass, 'yaml_unsupported', offset, `the key ${name} is reserved`)
  const invisible = invisibleIn(name)
  if (invisible === undefined) return true
  const what = `holds the invisible character ${invisible}`
  return add(pass, 'yaml_unsupported', offset, [`the key ${quote(name)} ${what}`, `a key ${what}`])
}

function convertAlias(name: string, offset: number, pass: Pass, depth: number): Done {
  const target = pass.anchors.get(name)
  if (target === 'open')
    add(
      pass,
      'yaml_unsupported',
      offset,
      [`the alias *${name} stands inside of its own anchor`, 'an alias stands inside of its own anchor'],
      'recursive aliases are not supported',
    )
  if (target === undefined) add(pass, 'yaml_syntax', offset, [`no anchor &${name} stands before this alias`, 'no anchor of its name stands before this alias'])
  if (target === undefined || target === 'open') return nothing
  if (pass.exhausted) return nothing
  pass.expanded += target.nodes
  pass.expandedUnits += target.units
  const tooMany = pass.expanded > maxExpanded
  const tooLong = pass.expandedUnits > maxExpandedUnits
  const tooDeep = depth + target.height > maxLevels
  pass.exhausted = tooMany || tooLong || tooDeep
  if (tooMany) add(pass, 'yaml_unsupported', offset, `aliases are limited to ${maxExpanded} nodes in a document`)
  else if (tooLong) add(pass, 'yaml_unsupported', offset, 'aliases are limited to 16 MiB of text in a document')
  else if (tooDeep) add(pass, 'yaml_unsupported', offset, `nesting deeper than ${maxLevels} levels, aliases followed`)
  return pass.exhausted ? nothing : target
}

function scalarOf(value: unknown, offset: number, pass: Pass): JsonValue {
  if (typeof value === 'string') {
    const found = controls.exec(value)?.[0]
    const named = found === undefined ? '' : `U+${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`
    if (found !== undefined)
      add(
        pass,
        'yaml_unsupported',
        offset,
        `the control character ${named} is not allowed in a text`,
        tokenMarkIn(value) === undefined ? "to send such bytes, put them in a file and use ${file('path')}" : undefined,
      )
    return found === undefined ? value : ''
  }
  if (typeof value === 'bigint') {
    if (!isInt(value)) add(pass, 'yaml_unsupported', offset, 'the integer does not fit into 64 bits', 'put it in quotes if it is a text')
    return value
  }
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) add(pass, 'yaml_unsupported', offset, 'infinite numbers and .nan are not supported')
    return Number.isFinite(value) ? value : 0
  }
  return typeof value === 'boolean' ? value : null
}

/** Notes a mistake; where its words quote what stands there, the second ones do not. */
function add(pass: Pass, code: YamlMistake['code'], offset: number, words: string | readonly [string, string], hint?: string): false {
  const said = typeof words === 'string' ? { message: words } : { message: words[0], unquoted: words[1] }
  // One document cannot fill the screen.
  if (pass.mistakes.length < mostMistakes) pass.mistakes.push({ code, offset, ...said, ...(hint === undefined ? {} : { hint }) })
  return false
}

function startOf(node: unknown): number {
  return isScalar(node) ? (node.range?.[0] ?? -1) : -1
}

function offsetOf(node: unknown): number {
  return (isAlias(node) || isScalar(node) || isMap(node) || isSeq(node) ? node.range?.[0] : undefined) ?? 0
}
