// A drawing as SVG that stands alone: no script, nothing from outside, a title for each box and line.
import { markup } from '../text/markup.ts'
import { safeLine } from '../text/sanitise.ts'
import { cutMiddle, widthOf } from '../text/width.ts'
import type { Box, Drawing } from './drawing.ts'
import type { Graphviz, Layout, Point, Rectangle, Size } from './layout.ts'
import { layoutOf } from './layout.ts'
import { legendOf } from './legend.ts'
import { pictureStyle } from './picture-style.ts'

const CHARACTER = 7.3
const TITLE_CHARACTER = 8.6
const PADDING = 12
const MARGIN = 16
const LINE = 22
/** Of a name and of the words below it, in columns: longer ones are cut in the middle, and whole in the title. */
const WIDEST = 46

/** One document; or the same without its style and heading, for a page that has them. */
export function pictureOf(drawing: Drawing, graphviz: Graphviz, isAlone = true): string {
  const layout = layoutOf(drawing, drawing.boxes.map(sizeOf), graphviz)
  const [title, notes] = [cutMiddle(safeLine(drawing.title), 2 * WIDEST), drawing.notes.map(safeLine)]
  const legend = legendOf(drawing, CHARACTER)
  const heading = isAlone ? LINE + 6 : 0
  const top = MARGIN + heading + (legend.text === '' ? 0 : LINE + 8)
  const widest = [layout.width, legend.width, isAlone ? widthOf(title) * TITLE_CHARACTER : 0, ...notes.map((one) => widthOf(one) * CHARACTER)]
  const width = Math.ceil(Math.max(...widest)) + 2 * MARGIN
  const height = Math.ceil(top + layout.height + notes.length * LINE) + MARGIN
  const lines = [
    `<svg xmlns="http://www.w3.org/2000/svg" class="drawing" role="img" aria-labelledby="drawing-title" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<title id="drawing-title">${markup(safeLine(drawing.title))}</title>`,
    ...(isAlone ? [`<style>${pictureStyle}</style>`] : []),
    '<defs><marker id="drawing-arrow" viewBox="0 0 8 8" refX="7.5" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path class="arrow" d="M0 .5 8 4 0 7.5z"/></marker></defs>',
    '<rect class="ground" width="100%" height="100%" rx="6"/>',
    ...(isAlone ? [`<text class="title" x="${MARGIN}" y="${MARGIN + 14}">${markup(title)}</text>`] : []),
    ...(legend.text === '' ? [] : [`<g transform="translate(${MARGIN} ${MARGIN + heading})">${legend.text}</g>`]),
    `<g transform="translate(${MARGIN} ${top})">`,
    ...layout.frames.map((one) => `<rect class="frame" ${rectangle(one)} rx="8"/>`),
    ...layout.lines.map((line) => lineText(line, drawing)),
    ...layout.boxes.map((place, at) => boxText(place, drawing.boxes[at])),
    '</g>',
    ...notes.map((one, at) => `<text class="note" x="${MARGIN}" y="${fixed(top + layout.height + LINE * (at + 1))}">${markup(one)}</text>`),
    '</svg>',
  ]
  return `${lines.join('\n')}\n`
}

/** The name with its symbol and count, and the words below. */
function textsOf({ name, symbol, count, words }: Box): readonly [string, string] {
  const sign = symbol === '' ? '' : `${symbol} `
  return [`${sign}${cutMiddle(name, WIDEST)}${count > 1 ? ` × ${count}` : ''}`, cutMiddle(safeLine(words), WIDEST)]
}

function sizeOf(box: Box): Size {
  const [name, words] = textsOf(box)
  return { width: Math.ceil(Math.max(widthOf(name), widthOf(words)) * CHARACTER) + 2 * PADDING, height: words === '' ? 30 : 44 }
}

function boxText(place: Rectangle, box: Box | undefined): string {
  if (!box) return ''
  const [name, words] = textsOf(box)
  const below = words === '' ? '' : `<text class="words${box.isGrave ? ' grave' : ''}" x="${PADDING}" y="35">${markup(words)}</text>`
  const inner = `<title>${markup(box.title)}</title><rect ${rectangle({ ...place, x: 0, y: 0 })} rx="5"/><text x="${PADDING}" y="19">${markup(name)}</text>${below}`
  return `<g class="box ${box.look}${box.isGrave ? ' heavy' : ''}" transform="translate(${fixed(place.x)} ${fixed(place.y)})">${inner}</g>`
}

function lineText({ from, to, points, tip }: Layout['lines'][number], { boxes, relation }: Drawing): string {
  const [start, ...rest] = points
  if (!start) return ''
  const curves = rest.flatMap((_, at) =>
    at % 3 === 2
      ? [
          `C${rest
            .slice(at - 2, at + 1)
            .map(pair)
            .join(' ')}`,
        ]
      : [],
  )
  const title = markup(`${boxes[from]?.name ?? ''} ${relation} ${boxes[to]?.name ?? ''}`)
  return `<path class="line" d="M${pair(start)}${curves.join('')}L${pair(tip)}" marker-end="url(#drawing-arrow)"><title>${title}</title></path>`
}

function rectangle({ x, y, width, height }: Rectangle): string {
  return `x="${fixed(x)}" y="${fixed(y)}" width="${fixed(width)}" height="${fixed(height)}"`
}

function pair({ x, y }: Point): string {
  return `${fixed(x)} ${fixed(y)}`
}

function fixed(pixels: number): string {
  return String(Math.round(pixels * 10) / 10)
}
