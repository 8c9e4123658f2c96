// The graph of dependencies as a picture: layers from left to right, an arrow from each resource to what it needs.
import type { Box, Piece } from './graph-layout.ts'
import { layoutOf } from './graph-layout.ts'
import type { Graph } from './graph-text.ts'
import { safeLine } from './text/sanitise.ts'
import { widthOf } from './text/width.ts'

const CHARACTER = 7.3
const HEIGHT = 28
const GAP = 72

const measures = {
  widthOf: (address: string): number => Math.ceil(widthOf(safeLine(address)) * CHARACTER) + 20,
  height: HEIGHT,
  rowGap: 16,
  layerGap: GAP,
  margin: 16,
}

/** `graph --format svg`: one document that stands alone. */
export function svgText(graph: Graph): string {
  const { boxes, pieces, width, height } = layoutOf(graph, measures)
  const lines = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="ui-monospace, monospace" font-size="12">`,
    '  <title>dependencies</title>',
    '  <defs><marker id="to" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse"><path d="M0 0 8 4 0 8z" fill="#667"/></marker></defs>',
    '  <rect width="100%" height="100%" fill="#fff"/>',
    ...pieces.map(pieceText),
    ...boxes.map(boxText),
    '</svg>',
  ]
  return `${lines.join('\n')}\n`
}

function pieceText({ x1, y1, bendX, x2, y2, arrow }: Piece): string {
  const bend = GAP / 2
  const marker = arrow === 'none' ? '' : ` marker-${arrow}="url(#to)"`
  return `  <path d="M${x1} ${y1}H${bendX}C${bendX + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}" fill="none" stroke="#99a"${marker}/>`
}

function boxText({ address, x, y, width }: Box): string {
  const text = xmlText(safeLine(address))
  return `  <g><title>${text}</title><rect x="${x}" y="${y}" width="${width}" height="${HEIGHT}" rx="5" fill="#f4f6fb" stroke="#556"/><text x="${x + 10}" y="${y + 18}" fill="#112">${text}</text></g>`
}

function xmlText(text: string): string {
  return text.replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`)
}
