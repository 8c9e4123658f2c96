// Series out of an answer whose shape the document does not show: whatever looks like instants with values.
import { instantMs } from '../../base/instant.ts'
import type { JsonValue } from '../../base/json.ts'
import { listOf, objectOf } from './answer.ts'
import { bounds } from './bounds.ts'

/** One series; a point is Unix time in seconds and its value, null where there is none. */
export interface Series {
  readonly name: string
  readonly points: readonly (readonly [number, number | null])[]
}

const DEEPEST = 8
const MOST_SERIES = 100
const MOST_POINTS = 100_000
const NAMES = ['name', 'metric', 'label', '__name__', 'id', 'key']
const TIMES = ['time', 'timestamp', 'ts', 't', 'at']
const VALUES = ['value', 'v', 'avg', 'average', 'mean']
/** Seconds have fewer digits until the year 5138. */
const FIRST_MS = 1e11

/** Every list of points in an answer, up to 100 of 100,000 points, named after what stands beside it or above it; none where nothing looks like one ("Metric series format": not shown). */
export function metricSeries(answer: JsonValue): readonly Series[] {
  const found: Series[] = []
  collect(answer, '', 0, found)
  return found
}

function collect(value: JsonValue | undefined, name: string, depth: number, found: Series[]): void {
  if (value === undefined || depth > DEEPEST || found.length >= MOST_SERIES) return
  const list = listOf(value)
  const points = list && pointsOf(list)
  if (points) return void found.push({ name: name === '' ? 'value' : name, points })
  for (const one of list ?? []) collect(one, name, depth + 1, found)
  const object = objectOf(value)
  if (!object) return
  const own = nameOf(object)
  for (const [key, one] of Object.entries(object)) collect(one, own ?? key.slice(0, bounds.wordLength), depth + 1, found)
}

/** What an object is called, itself or by the labels beside its points. */
function nameOf(object: Readonly<Record<string, JsonValue>>): string | undefined {
  for (const key of NAMES) {
    const value = object[key]
    if (typeof value === 'string' && value !== '') return value.slice(0, bounds.wordLength)
    const inner = objectOf(value)
    const nested = inner && nameOf(inner)
    if (nested !== undefined) return nested
  }
  return undefined
}

/** The points where all of a list are some, in the order of time. */
function pointsOf(list: readonly JsonValue[]): Series['points'] | undefined {
  if (list.length === 0) return undefined
  const points = list.slice(0, MOST_POINTS).map(pointOf)
  const known = points.filter((one) => one !== undefined)
  return known.length === points.length ? known.toSorted(([a], [b]) => a - b) : undefined
}

function pointOf(value: JsonValue): readonly [number, number | null] | undefined {
  const pair = listOf(value)
  const object = objectOf(value)
  const [time, amount] = pair ?? [member(object, TIMES), member(object, VALUES)]
  if (pair && pair.length !== 2) return undefined
  const seconds = secondsOf(time)
  const number = amountOf(amount)
  return seconds === undefined || number === undefined ? undefined : [seconds, number]
}

function member(object: Readonly<Record<string, JsonValue>> | undefined, names: readonly string[]): JsonValue | undefined {
  const name = names.find((one) => object?.[one] !== undefined)
  return name === undefined ? undefined : object?.[name]
}

function secondsOf(value: JsonValue | undefined): number | undefined {
  if (typeof value === 'string') {
    const ms = instantMs(value)
    return Number.isNaN(ms) ? undefined : ms / 1000
  }
  if (typeof value !== 'number' || !(value >= 0)) return undefined
  return value >= FIRST_MS ? value / 1000 : value
}

function amountOf(value: JsonValue | undefined): number | null | undefined {
  if (value === null) return null
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : typeof value === 'bigint' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : typeof value === 'string' && /^[+-]?(?:nan|inf\w*)$/i.test(value) ? null : undefined
}
