// Sizes, sums, times and names as people read them.

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB']

/** Bytes in the largest unit that leaves a whole part: `50 GiB`. */
export function sizeText(sizeBytes: number): string {
  const step = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, sizeBytes)) / 10)))
  const size = sizeBytes / 1024 ** step
  return `${Number.isInteger(size) ? size : size.toFixed(1)} ${UNITS[step]}`
}

/** Micro-USD as dollars, rounded to `digits` places, thousands apart: `$1,234.50`. */
export function dollarText(microUsd: string, digits = 2): string {
  const value = BigInt(microUsd)
  const unit = 10n ** BigInt(6 - digits)
  const rounded = ((value < 0n ? -value : value) + unit / 2n) / unit
  const whole = String(rounded / 10n ** BigInt(digits)).replace(/\B(?=(?:\d{3})+$)/g, ',')
  const part = String(rounded % 10n ** BigInt(digits)).padStart(digits, '0')
  return `${value < 0n && rounded > 0n ? '−' : ''}$${whole}${digits === 0 ? '' : `.${part}`}`
}

/** A length of time in its two largest units: `2 h 5 min`. */
export function durationText(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 9_950 ? 1 : 0)} s`
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 60) return joined(minutes, 'min', Math.floor(ms / 1000) % 60, 's')
  const hours = Math.floor(minutes / 60)
  return hours < 24 ? joined(hours, 'h', minutes % 60, 'min') : joined(Math.floor(hours / 24), 'd', hours % 24, 'h')
}

function joined(large: number, unit: string, small: number, smaller: string): string {
  return small === 0 ? `${large} ${unit}` : `${large} ${unit} ${small} ${smaller}`
}

/** The time of day of an instant, UTC. */
export function timeText(atMs: number): string {
  return new Date(atMs).toISOString().slice(11, 19)
}

/** The day of an instant, UTC. */
export function dayText(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10)
}

/** An instant with its day, UTC; nothing for none. */
export function momentText(atMs: number | null): string {
  return atMs === null ? '' : `${dayText(atMs)} ${timeText(atMs)} UTC`
}

/** A count with its noun: `1 disk`, `2 disks`. */
export function countText(count: number, noun: string): string {
  const plural = /(?:x|ss)$/.test(noun) ? `${noun}es` : noun.endsWith('ry') ? `${noun.slice(0, -1)}ies` : `${noun}s`
  return `${count.toLocaleString('en')} ${count === 1 ? noun : plural}`
}

/** An operation's name as words: `createInstance` as `create instance`. */
export function wordsOfName(name: string): string {
  return name
    .replace(/(?<=[a-z0-9])(?=[A-Z])/g, ' ')
    .replaceAll('_', ' ')
    .toLowerCase()
}
