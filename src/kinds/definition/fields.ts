// The marks of spec fields: what a field means to the engine, found through optional, nullable, default and lists in one place.
import * as z from 'zod'

/** What a change costs, worst last: `none restart interruption address_loss data_loss`. */
export type Disruption = 'none' | 'restart' | 'interruption' | 'address_loss' | 'data_loss'

/** How two spellings of a value are made one before comparing. */
export type Form = 'cidr' | 'hostname' | 'bytes' | 'upper' | 'instant' | 'duration' | 'public_key'

/** What a number counts, in tables. */
export type Unit = 'bytes/s' | 'micro-USD' | 'micro-USD/h'

/** What a field changes of the outputs of what it points at, by pointing there and by ceasing to. */
export interface Alters {
  readonly outputs: readonly string[]
  /** Of one object whether this output changes; `own` and `there` are the outputs of what points and of what is pointed at. */
  isAltered(output: string, by: { readonly spec: Fields; readonly own: Fields; readonly there: Fields; readonly comes: boolean }): boolean
}
type Fields = Readonly<Record<string, unknown>>

export interface Marks {
  readonly immutable?: true // a change replaces the object
  readonly createOnly?: true // matters at create alone: a change is a note
  readonly secret?: true // kinds see a token in its place
  readonly computed?: true // what is sent is computed of it: it cannot be sensitive
  readonly literal?: true // of a part of what is secret: usually written in the manifest, and no warning there
  readonly unordered?: true
  readonly expand?: true // a list becomes one resource per entry
  readonly clearable?: true // removing it from the manifest is a change that the kind maps to requests
  readonly emptied?: true // left as it is where a manifest says nothing, and cleared by an empty list
  readonly local?: true // steers iac alone: no request carries it, and another value is no difference
  readonly grows?: true // more than was asked for is no difference: a service may round up, and nothing takes it back
  readonly absentSays?: true // left out it says something, as every port: an object that shows another value is not the one that a manifest without it imports
  readonly asAsked?: true // what was asked for counts, whatever live shows since: the document does not say that an answer shows it, nor how
  readonly resets?: true // clearable, but only by making the object anew
  readonly region?: true // the code of a region
  readonly confirmed?: true // takes effect once somebody has confirmed it: what was asked for counts, whatever live shows until then
  readonly shown?: true // the document names it for the record: a single read without it means null
  readonly ref?: readonly string[] // the kinds it may point at
  readonly output?: string // which output of the target stands here; default id
  readonly endsWith?: true // the object ends with the one this field points at
  readonly bound?: true // the object is gone once the one this field points at is, though a call of its own removes it as well
  readonly released?: true // the one this field points at lets go of the object before it goes itself
  readonly declarer?: true // the one this field points at may declare the object itself, as an instance its memberships and addresses
  readonly alters?: Alters
  readonly disruptive?: Disruption
  readonly form?: Form
  readonly unit?: Unit
  readonly usual?: string | number | boolean // what most objects have, and keep where a manifest says nothing: an export leaves it out
  readonly passing?: true // no sign of what is meant while the object is not ready, as a server that starts is still off: an export leaves it out then, and no object is told from another by it
  readonly by?: string // the member that tells the objects of a list apart
}

const registry = z.registry<Marks>()

// Schemas never change, so what was found once holds.
const known = new WeakMap<z.core.$ZodType, Marks>()

/** The marks of a field, found through optional, nullable, default and (for ref, output, secret, form) list elements. */
export function marksOf(schema: z.core.$ZodType): Marks {
  const before = known.get(schema)
  if (before) return before
  const found = Object.freeze(findMarks(schema))
  known.set(schema, found)
  return found
}

function findMarks(schema: z.core.$ZodType): Marks {
  const own = registry.get(schema) ?? {}
  if (schema instanceof z.ZodArray) {
    const { ref, output, secret, form } = marksOf(schema.element)
    return { ...(ref ? { ref } : {}), ...(output ? { output } : {}), ...(secret ? { secret } : {}), ...(form ? { form } : {}), ...own }
  }
  const wraps = schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault
  return wraps ? { ...marksOf(schema.unwrap()), ...own } : own
}

/** A copy of the schema that carries the marks; a shared schema keeps its own. */
export function mark<T extends z.ZodType>(schema: T, marks: Marks): T {
  const copy = schema.clone()
  registry.add(copy, { ...marksOf(schema), ...marks })
  return copy
}

export const immutable = <T extends z.ZodType>(schema: T): T => mark(schema, { immutable: true })
export const createOnly = <T extends z.ZodType>(schema: T): T => mark(schema, { createOnly: true })
export const secret = <T extends z.ZodType>(schema: T): T => mark(schema, { secret: true })
export const unordered = <T extends z.ZodType>(schema: T): T => mark(schema, { unordered: true })
export const clearable = <T extends z.ZodType>(schema: T): T => mark(schema, { clearable: true })
/** A field that points at a resource: an id in the program, a name, `{id}` or `{name}` in a manifest. */
export const ref = (...kinds: readonly string[]): z.ZodString => mark(z.string().min(1), { ref: kinds })
/** What the document calls the nodes of the workspace's own, in the place of a region: the service may show where they stand instead. */
export const privateCloud = 'PRIVATE_CLOUD'
/** The code of a region: no list holds them all, and a plan asks whether one is there. */
export const region = (): z.ZodString => mark(z.string().min(1), { region: true })
/** A number of bytes: an integer, or `100GiB` in a manifest. */
export const bytes = (): z.ZodInt => mark(z.int().positive(), { form: 'bytes' })
/** A network in CIDR form; compared by its network address. */
export const cidr = (): z.ZodString => mark(z.string(), { form: 'cidr' })

/** The default of a field, through optional and nullable; undefined where it has none. */
export function defaultOf(schema: z.core.$ZodType): unknown {
  if (schema instanceof z.ZodDefault) return schema.def.defaultValue
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable ? defaultOf(schema.unwrap()) : undefined
}
