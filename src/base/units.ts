// Durations and sizes as people write them, to milliseconds and bytes and back.

const DURATION_UNITS = [
  { suffix: 'd', ms: 86_400_000 },
  { suffix: 'h', ms: 3_600_000 },
  { suffix: 'm', ms: 60_000 },
  { suffix: 's', ms: 1000 },
] as const

const BINARY_UNITS = ['KiB', 'MiB', 'GiB', 'TiB', 'PiB'].map((suffix, index) => ({ suffix, bytes: 1024 ** (index + 1) }))
const DECIMAL_UNITS = ['KB', 'MB', 'GB', 'TB', 'PB'].map((suffix, index) => ({ suffix, bytes: 1000 ** (index + 1) }))
const SIZE_UNITS = [{ suffix: 'B', bytes: 1 }, ...BINARY_UNITS, ...DECIMAL_UNITS]

/** Milliseconds of `90s`, `20m`, `720h`, `30d`, `1h30m` or `250ms`: whole numbers, units from large to small; undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  const match = /^(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m(?!s))?(?:(\d+)s)?(?:(\d+)ms)?$/.exec(text)
  if (!match || text === '') return undefined
  let ms = Number(match[5] ?? 0)
  for (const [index, unit] of DURATION_UNITS.entries()) ms += Number(match[index + 1] ?? 0) * unit.ms
  return Number.isSafeInteger(ms) ? ms : undefined
}

/** A duration for people, `1m12s`: whole seconds, rounded down, with milliseconds only below one second. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return ms < 1 ? '0s' : `${Math.floor(ms)}ms`
  let rest = Math.floor(ms / 1000) * 1000
  let text = ''
  for (const unit of DURATION_UNITS) {
    const count = Math.floor(rest / unit.ms)
    rest -= count * unit.ms
    if (count > 0) text += `${count}${unit.suffix}`
  }
  return text
}

/** Bytes of an integer, `100GiB` or `10GB`; undefined for anything else, negative and beyond 2^53 included. */
export function parseSize(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? value : undefined
  if (typeof value === 'bigint') return parseSize(Number(value))
  const [, count, suffix] = typeof value === 'string' ? (/^(\d{1,16})([A-Za-z]{1,3})$/.exec(value) ?? []) : []
  const unit = SIZE_UNITS.find((one) => one.suffix === suffix)
  return unit && parseSize(Number(count) * unit.bytes)
}

/** A size for manifests that is exact, in the unit that needs the fewest digits: `100GiB`, `10GB`, `1500B`. */
export function formatSize(sizeBytes: number): string {
  const exact = SIZE_UNITS.filter((unit) => sizeBytes > 0 && sizeBytes % unit.bytes === 0)
  const best = exact.toSorted((a, b) => b.bytes - a.bytes)[0]
  return best ? `${sizeBytes / best.bytes}${best.suffix}` : `${sizeBytes}B`
}

/** The same for people: `100 GiB`, `1500 B`; nothing is `0`. */
export function sizeText(sizeBytes: number): string {
  return sizeBytes === 0 ? '0' : formatSize(sizeBytes).replace(/(?<=\d)(?=[A-Z])/, ' ')
}

/** How sizes that stand below each other are written for people: in one unit where all of them have few digits in it, else each by itself. */
export function alikeSizeText(all: readonly number[]): (sizeBytes: number) => string {
  const sizes = all.filter((one) => one !== 0)
  const fitting = SIZE_UNITS.map((unit) => ({ ...unit, places: sizes.reduce((most, one) => Math.max(most, placesOf(one / unit.bytes)), 0) }))
    .filter(({ places }) => places <= MOST_PLACES)
    .toSorted((a, b) => a.places - b.places || b.bytes - a.bytes)
  const [unit] = fitting
  if (!unit) return sizeText
  return (sizeBytes) => (sizeBytes === 0 ? '0' : `${sizeBytes / unit.bytes} ${unit.suffix}`)
}

const MOST_PLACES = 2

/** How many decimal places a number has; without end where it is not one that is read easily, from 1 to 1023. */
function placesOf(count: number): number {
  if (count < 1 || count > 1023) return Infinity
  return String(count).split('.')[1]?.length ?? 0
}
