// What symbols and colours of a drawing mean, and how often each is there.
import { markup } from '../text/markup.ts'
import { widthOf } from '../text/width.ts'
import type { Drawing } from './drawing.ts'
import { looks } from './thing.ts'

const meanings = {
  create: '+ create',
  update: '~ update',
  replace: '± replace',
  delete: '- destroy',
  import: '<= import',
  forget: '. forget',
  'no-op': 'unchanged',
  plain: '',
} as const

const GAP = 8
const PADDING = 7

/** A row of marks, 20 pixels high; empty where nothing happens. */
export function legendOf({ boxes, lines, relation }: Drawing, characterWidth: number): { readonly text: string; readonly width: number } {
  let x = 0
  const parts: string[] = []
  for (const look of looks) {
    const count = boxes.reduce((sum, one) => sum + (one.look === look ? one.count : 0), 0)
    if (count === 0 || meanings[look] === '') continue
    const text = `${meanings[look]} ${count}`
    const width = Math.ceil(widthOf(text) * characterWidth) + 2 * PADDING
    parts.push(`<g class="${look}"><rect x="${x}" y="0" width="${width}" height="20" rx="10"/><text x="${x + PADDING}" y="14">${markup(text)}</text></g>`)
    x += width + GAP
  }
  if (parts.length === 0) return { text: '', width: 0 }
  if (lines.length === 0) return { text: parts.join(''), width: x - GAP }
  const arrow = `→ ${relation}`
  return { text: `${parts.join('')}<text class="note" x="${x + 4}" y="14">${arrow}</text>`, width: x + 4 + widthOf(arrow) * characterWidth }
}
