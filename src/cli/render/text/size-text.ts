// Sizes as plans show them.
import { formatSize } from '../../../base/units.ts'

/** `40 GiB`: exact, with its unit apart; bytes that make no whole unit stay the number that they are. */
export function sizeText(sizeBytes: number): string {
  const [, count = '', unit = ''] = /^(\d+)(\D+)$/.exec(formatSize(sizeBytes)) ?? []
  return unit === 'B' || unit === '' ? String(sizeBytes) : `${count} ${unit}`
}
