// A manifest of which no line is shown that holds a secret, whatever else in the line is wrong.
import { isList, isObject } from '../../base/json.ts'
import type { JsonObject, JsonValue } from '../../base/json.ts'
import { pointerOf } from '../../base/pointer.ts'
import { nearest } from '../../base/words/nearest.ts'
import type { AnyKind } from '../../kinds/definition/kind.ts'
import type { YamlDocument } from './documents.ts'
import { isNameAlone } from './public-documents.ts'
import { withoutLines } from './quiet-lines.ts'
import { fieldNamesOf } from './secret-names.ts'
import type { FieldNames } from './secret-names.ts'

/** The same document, of which no place shows a line that holds what stands in a secret field, be its name misspelt or its place wrong. */
export function withoutSecretLines(document: YamlDocument, kinds: ReadonlyMap<string, AnyKind>): YamlDocument {
  return withoutLines(document, () => {
    const secret = merged(secretPlaces(document.value, kinds).map((path) => linesOf(document, pointerOf(path))))
    return (line) => isIn(secret, line)
  })
}

/** Whether a manifest may hold a secret in any place: one of a kind without secret fields holds none. */
export function mayHoldSecrets(value: JsonObject, kinds: ReadonlyMap<string, AnyKind>): boolean {
  return namesFor(value, kinds).hasSecrets
}

function namesFor({ kind }: JsonObject, kinds: ReadonlyMap<string, AnyKind>): FieldNames {
  return fieldNamesOf(typeof kind === 'string' ? kind : undefined, kinds)
}

interface Lines {
  readonly first: number
  readonly last: number
}

type Path = readonly (string | number)[]

function linesOf(document: YamlDocument, pointer: string): Lines {
  const lineOf = (end: boolean): number => document.position(pointer, { hidden: true, end }).line
  return { first: lineOf(false), last: lineOf(true) }
}

/** The same lines in order, none of them twice. */
function merged(lines: readonly Lines[]): readonly Lines[] {
  const all: Lines[] = []
  for (const one of lines.toSorted((a, b) => a.first - b.first)) {
    const before = all.at(-1)
    if (!before || before.last < one.first) all.push(one)
    else if (before.last < one.last) all[all.length - 1] = { first: before.first, last: one.last }
  }
  return all
}

function isIn(lines: readonly Lines[], line: number): boolean {
  let [low, high] = [0, lines.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((lines[middle]?.last ?? line) < line) low = middle + 1
    else high = middle
  }
  return (lines[low]?.first ?? Infinity) <= line
}

const header = ['apiVersion', 'kind', 'metadata', 'spec']

/** Where something stands that is a secret or may be: by the name of a secret field at any depth, or by one that says nothing in the spec or beside the header. */
function secretPlaces(value: JsonValue, kinds: ReadonlyMap<string, AnyKind>): readonly Path[] {
  if (!isObject(value)) return []
  const names = namesFor(value, kinds)
  if (!names.hasSecrets) return []
  const { spec } = value
  // Whatever was to be the text of a field that has none stands beside it.
  const isEmptied = isObject(spec) && Object.entries(spec).some(([name, member]) => (member === null || member === '') && names.isSecret(name))
  const isSuspect = (name: string): boolean => names.isSecret(name) || (isEmptied ? !names.isField(name) : names.isStrange(name))
  const inSpec = (member: JsonValue, path: Path): readonly Path[] => {
    if (!isObject(member) && !isList(member)) return writtenIn(member, path)
    return each(member, path, (one, below, name) => {
      if (name === undefined) return inSpec(one, below)
      return isSuspect(name) ? writtenIn(one, below) : secretNamed(one, below, names)
    })
  }
  return each(value, [], (member, path, name = '') => {
    if (names.isSecret(name)) return writtenIn(member, path)
    const block = header.includes(name) ? name : nearest(name, header)
    if (block === 'spec') return inSpec(member, path)
    return block === undefined && isSuspect(name) ? writtenIn(member, path) : secretNamed(member, path, names)
  })
}

/** What stands below by the name of a secret field. */
function secretNamed(value: JsonValue, path: Path, names: FieldNames): readonly Path[] {
  return each(value, path, (member, below, name) => (name !== undefined && names.isSecret(name) ? writtenIn(member, below) : secretNamed(member, below, names)))
}

/** The single values in one, but for those that name another value. */
function writtenIn(value: JsonValue, path: Path): readonly Path[] {
  if (isList(value) || isObject(value)) return each(value, path, writtenIn)
  return value === null || (typeof value === 'string' && isNameAlone(value)) ? [] : [path]
}

/** What is found in the members of a map, by name, or in the entries of a list; nothing in a single value. */
function each(value: JsonValue, path: Path, find: (member: JsonValue, path: Path, name: string | undefined) => readonly Path[]): readonly Path[] {
  if (isList(value)) return value.flatMap((item, index) => find(item, [...path, index], undefined))
  return isObject(value) ? Object.entries(value).flatMap(([name, member]) => find(member, [...path, name], name)) : []
}
