// Field types of the wire: ids that are integers there and strings here, CIDRs, names with limits, query text, lenient answers.
import * as z from 'zod'
import { parseCidr } from '../../base/cidr.ts'
import { INSTANT_FORM, instantMs } from '../../base/instant.ts'

const digits = /^[1-9]\d{0,18}$/

/** A 64-bit id as text, here and on the wire ("Identifiers": `template_id`, query values); what is none goes no further, since it would be made a number. */
export const idText = z.string().regex(digits, { error: 'an id: a positive whole number', abort: true })

/** A 64-bit id: an integer literal on the wire, a string of digits in the program ("Identifiers"). */
export const id = z.codec(
  z.union([z.bigint().positive().meta({ type: 'integer', format: 'int64', minimum: 1 }), z.int().positive()], 'a 64-bit id, as an integer'),
  idText,
  {
    decode: (wire) => String(wire),
    encode: (text) => BigInt(text),
  },
)

/** An id inside an answer: a string in the document, a number in some answers; always a string here. */
export const idOut = z.union([z.string(), z.bigint().meta({ type: 'integer', format: 'int64' }), z.number()]).transform(String)

/** A name with the document's limits. */
export function name(min: number, max: number): z.ZodString {
  return z.string().min(min).max(max)
}

/** A text that must not be empty: codes, passwords, names without limits of their own. */
export const filled = z.string().min(1)

const hasAny = (value: unknown, names: readonly string[]): boolean => typeof value === 'object' && value !== null && names.some((name) => name in value)

/** "exactly one of": a body of one of two forms without a member in common. */
export function exactlyOne<A extends z.ZodObject, B extends z.ZodObject>(a: A, b: B) {
  const forms = [a, b].map(({ shape }) => Object.keys(shape))
  const words = `exactly one of ${forms.map((names) => `{${names.join(', ')}}`).join(' and ')}`
  // Where one form is meant, what is wrong with it says more.
  return z.union([a, b], { error: ({ input }) => (forms.filter((names) => hasAny(input, names)).length === 1 ? undefined : words) })
}

/** An instant or a day of ISO 8601; UTC where no zone is named, its beginning where no more than a minute or day is ("timestamps are ISO 8601 strings"). */
export const timestamp = z
  .string()
  .regex(INSTANT_FORM, { error: 'an ISO 8601 instant such as 2026-01-31T12:00:00Z', abort: true })
  .refine((text) => !Number.isNaN(instantMs(text)), 'a date that the calendar has')

/** A whole number; one beyond those that JSON numbers say exactly comes as a bigint, and is too large for all but ids. */
export const whole = z.int({
  error: ({ input }) => (typeof input === 'bigint' ? `a whole number from -${Number.MAX_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}` : undefined),
})

/** A positive amount that is a whole number: bytes, bytes per second, cores, micro-USD. */
export const amount = whole.positive()

/** An email address, by the rule that browsers follow. */
export const email = z.email({ pattern: z.regexes.html5Email })

/** A hostname of at least one label, with or without the trailing dot; a label neither begins nor ends with a hyphen, and the last is no number: that would be an address. */
export const hostname = z
  .string()
  .max(254)
  .regex(/^(?!(?:.*\.)?\d+\.?$)(?!.*-(?:\.|$))(?!-)[\w-]{1,63}(?:\.(?!-)[\w-]{1,63})*\.?$/, 'a hostname such as host.example.com')

/** A container image with a tag, perhaps with a digest behind it. */
export const image = z.string().regex(/^[^\s@]*[^\s@/:]:\w[\w.-]{0,127}(?:@sha256:[0-9a-f]{64})?$/, 'an image with a tag, such as nginx:1.29')

/** A TCP or UDP port. */
export const port = whole.min(1).max(65535)

/** A range of either family; bits beyond its prefix may be set. */
export const cidr = z
  .string()
  .refine((text) => parseCidr(text) !== undefined, 'a range such as 10.0.0.0/16 or 2001:db8::/32')
  .meta({ format: 'cidr' })

const secrets = z.registry<{ readonly secret: true }>()

/** A member whose value goes nowhere but where it is used: neither into what is printed nor into what is kept. */
export function secret<T extends z.ZodType>(schema: T): T {
  const copy = schema.clone()
  secrets.add(copy, { secret: true })
  return copy
}

/** Whether a schema itself carries the mark. */
export function isSecret(schema: z.core.$ZodType): boolean {
  return secrets.has(schema)
}

// Words that stand in more than one area.
export const family = z.enum(['IPv4', 'IPv6'])
export const direction = z.enum(['UPLOAD', 'DOWNLOAD'])
export const instanceGroup = z.enum(['LIGHTNING', 'RYZEN', 'DEDICATED'])
export const diskBackend = z.enum(['LOCAL', 'CEPH'])
export const transport = z.enum(['TCP', 'UDP'])
export const resourceState = z.enum(['PENDING', 'AVAILABLE', 'FAILED', 'SUSPENDED', 'DELETING', 'UNPLACED'])
export const grantKind = z.enum(['WORKSPACE', 'INSTANCE', 'DEDIBOX', 'APP', 'IMAGE', 'NET_BALANCER', 'FLOATING_IP', 'DISK'])

// Query values are text on the wire; each reads from it and writes to it.

/** An integer of at least `min`. */
export function integerQuery(min: number) {
  return z.codec(z.string().regex(/^\d{1,15}$/, `a whole number of at least ${min}`), z.int().min(min), { decode: Number, encode: String })
}

/** `true` or `false`. */
export const booleanQuery = z.codec(z.enum(['true', 'false']), z.boolean(), {
  decode: (word) => word === 'true',
  encode: (value) => (value ? 'true' : 'false'),
})

/** A flag: its name alone is enough; the document shows no values for it. */
export const flagQuery = z.codec(z.enum(['', 'true', 'false', '1', '0']), z.boolean(), {
  decode: (word) => word !== 'false' && word !== '0',
  encode: (value) => (value ? 'true' : 'false'),
})

/** A parameter that may be repeated; a single value comes as text alone. */
export function listQuery<T extends string>(item: z.ZodType<T, T>) {
  return z.codec(z.union([item, z.array(item)]), z.array(item), {
    decode: (wire) => (typeof wire === 'string' ? [wire] : wire),
    encode: (items) => items,
  })
}

/** `integer[]` of a query: ids. */
export const idsQuery = listQuery(idText)

// Answers are read leniently: every member that the document shows may be missing, and more may come.

/** An object of an answer. */
export function open<S extends z.ZodRawShape>(shape: S) {
  return z.looseObject(shape).partial()
}

/** An object of an answer that has an id. */
export function record<S extends z.ZodRawShape>(shape: S) {
  return z.looseObject({ id: idOut, ...z.looseObject(shape).partial().shape })
}

/** A word of an answer: the values that the document lists, and whatever comes later. */
export function known(words: z.ZodType<string, string>) {
  return z.union([words, z.string()])
}

/** `{id, name}` as summaries carry it; more members may come. */
export const summary = z.looseObject({ id: idOut, name: z.string().optional() })
