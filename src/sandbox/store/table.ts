// One table of JSON rows: ids beyond 2^53, secondary indexes kept with every write, and word of every change.
import type * as z from 'zod'

/** What every row has: its id as text, and when it was made (ISO 8601). */
export interface Row {
  readonly id: string
  readonly createdAt: string
}

/** The columns that a new row needs; an id only where the table has natural ones. */
export type Fresh<R extends Row> = Omit<R, 'id' | 'createdAt'> & { readonly id?: string; readonly createdAt?: string }

/** A change of one row: `after` is absent for a row that went, `before` for one that came. `last` is the table's count of ids. */
export interface Change {
  readonly table: string
  readonly id: string
  readonly before?: Row | undefined
  readonly after?: Row | undefined
  readonly last: number
}

/** What a table is, as data. `number` is its place in every id it makes, so that no id is valid in two tables. */
export interface TableDefinition<R extends Row, I extends string> {
  readonly name: string
  readonly number: number
  readonly schema: z.ZodType<R>
  readonly ids: 'integer' | 'uuid' | 'natural'
  readonly indexes: Readonly<Record<I, (row: R) => string | undefined>>
}

/** What a table is told from outside. */
export interface TableContext {
  readonly seed: number
  readonly nowIso: () => string
  readonly changed: (change: Change) => void
}

/** Rows in order of their making, which is that of their ids. Rows are frozen; `update` puts a new one in the same place. */
export interface Table<R extends Row, I extends string> {
  insert(fields: Fresh<R>): R
  get(id: string): R | undefined
  update(id: string, patch: Partial<Omit<R, 'id' | 'createdAt'>>): R
  delete(id: string): boolean
  all(): readonly R[]
  by(index: I, key: string): readonly R[]
  first(index: I, key: string): R | undefined
}

/** What the store needs of each table, whatever its rows are. */
export interface StoredTable {
  readonly name: string
  readonly number: number
  last(): number
  setLast(last: number): void
  rows(): readonly Row[]
  read(value: unknown): Row
  put(row: Row): void
  drop(id: string): void
}

/** Rows of one key, and the list of them in order of their ids, which lasts until the next change. */
class Bucket<R extends Row> {
  readonly rows = new Map<string, R>()
  #list: readonly R[] | undefined
  #highest = ''
  #sorted = true
  set(row: R): void {
    if (row.id < this.#highest && !this.rows.has(row.id)) this.#sorted = false
    else if (row.id > this.#highest) this.#highest = row.id
    this.rows.set(row.id, row)
    this.#list = undefined
  }
  delete(id: string): void {
    this.rows.delete(id)
    this.#list = undefined
  }
  list(): readonly R[] {
    this.#list ??= this.#sorted ? [...this.rows.values()] : [...this.rows.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1))
    return this.#list
  }
}

/** So many rows are read faster than a schema is compiled for them: most tables of most sandboxes hold fewer. */
const FEW = 50
const uncompiled = { jitless: true } as const

type KeyOf<R> = (row: R) => string | undefined

/** Rows by a key of theirs; a row without one is not in it. */
class Index<R extends Row> {
  readonly #keyOf: KeyOf<R>
  readonly #buckets = new Map<string, Bucket<R>>()
  constructor(keyOf: KeyOf<R>) {
    this.#keyOf = keyOf
  }
  list(key: string): readonly R[] {
    return this.#buckets.get(key)?.list() ?? []
  }
  place(row: R | undefined, before: R | undefined): void {
    const key = row && this.#keyOf(row)
    const old = before && this.#keyOf(before)
    if (before && old !== undefined && old !== key) this.#take(old, before.id)
    if (row === undefined || key === undefined) return
    const bucket = this.#buckets.get(key) ?? new Bucket<R>()
    this.#buckets.set(key, bucket)
    bucket.set(row)
  }
  #take(key: string, id: string): void {
    const bucket = this.#buckets.get(key)
    bucket?.delete(id)
    if (bucket?.rows.size === 0) this.#buckets.delete(key)
  }
}

/** Makes a table. Every row that enters, by code or from a file, passes its schema; a row that does not is a bug and throws. */
export function createTable<R extends Row, I extends string>(
  definition: TableDefinition<R, I>,
  context: TableContext,
): Table<R, I> & { readonly stored: StoredTable } {
  const rows = new Bucket<R>()
  const indexes = new Map(Object.entries<KeyOf<R>>(definition.indexes).map(([name, keyOf]) => [name, new Index(keyOf)]))
  let last = 0

  function nextId(): string {
    const { seed } = context
    const { ids, number } = definition
    let id: string
    do {
      last = countAfter(seed, number, last)
      id = ids === 'uuid' ? uuidOf(seed, number, last) : integerId(number, last)
      // A snapshot may count less than it holds.
    } while (rows.rows.has(id))
    return id
  }
  function place(row: R | undefined, before: R | undefined): void {
    for (const index of indexes.values()) index.place(row, before)
    if (row) rows.set(row)
    else if (before) rows.delete(before.id)
  }
  function write(value: unknown, before: R | undefined): R {
    const row = Object.freeze(definition.schema.parse(value, rows.rows.size < FEW ? uncompiled : undefined))
    place(row, before)
    context.changed({ table: definition.name, id: row.id, before, after: row, last })
    return row
  }
  const { name } = definition
  return {
    insert: (fields) => write({ ...fields, id: fields.id ?? nextId(), createdAt: fields.createdAt ?? context.nowIso() }, undefined),
    get: (id) => rows.rows.get(id),
    update(id, patch) {
      const before = rows.rows.get(id)
      if (!before) throw new Error(`${name} has no row ${id}`)
      return write({ ...before, ...patch }, before)
    },
    delete(id) {
      const before = rows.rows.get(id)
      if (!before) return false
      place(undefined, before)
      context.changed({ table: name, id, before, last })
      return true
    },
    all: () => rows.list(),
    by: (index, key) => indexes.get(index)?.list(key) ?? [],
    first: (index, key) => indexes.get(index)?.list(key)[0],
    stored: {
      name,
      number: definition.number,
      last: () => last,
      setLast: (value) => (last = value),
      rows: () => rows.list(),
      read: (value) => definition.schema.parse(value),
      put(value) {
        const row = Object.freeze(definition.schema.parse(value))
        place(row, rows.rows.get(row.id))
      },
      drop: (id) => place(undefined, rows.rows.get(id)),
    },
  }
}

/** Makes the tables of one store whose rows get 64-bit ids. */
export function tablesIn(context: TableContext) {
  return <R extends Row, I extends string>(name: string, number: number, schema: z.ZodType<R>, indexes: TableDefinition<R, I>['indexes']) =>
    createTable<R, I>({ name, number, ids: 'integer', schema, indexes }, context)
}

/** Beyond 2^60 a double rounds to multiples of 256: who reads an id as a double gets one that is nobody's. */
const BASE = 2n ** 60n
const TABLES = 256n

/** The first ids that a table of 64-bit ids gives, by the seed and its number. */
export function firstIds(seed: number, number: number, count: number): readonly string[] {
  let last = 0
  return Array.from({ length: count }, () => integerId(number, (last = countAfter(seed, number, last))))
}

function integerId(number: number, count: number): string {
  return String(BASE + BigInt(count) * TABLES + BigInt(number))
}

/** Counts leave gaps, so that nobody can tell the next id from one. */
function countAfter(seed: number, number: number, last: number): number {
  return last + 1 + (mix(seed, number, last) % 997)
}

/** A deterministic scatter of 32 bits. */
export function mix(seed: number, stream: number, count: number): number {
  let bits = (Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(stream + 1, 0xc2b2ae35) ^ Math.imul(count + 1, 0x27d4eb2f)) >>> 0
  bits = Math.imul(bits ^ (bits >>> 15), 0x2c1b3c6d) >>> 0
  bits = Math.imul(bits ^ (bits >>> 12), 0x297a2d39) >>> 0
  return (bits ^ (bits >>> 15)) >>> 0
}

/** As in UUIDs of version 7, later ones are greater. */
function uuidOf(seed: number, stream: number, count: number): string {
  const word = (part: number): string =>
    mix(seed, stream * 8 + part, count)
      .toString(16)
      .padStart(8, '0')
  const digits = `${count.toString(16).padStart(8, '0')}${word(1)}${word(2)}${word(3)}`
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-7${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${digits.slice(20)}`
}
