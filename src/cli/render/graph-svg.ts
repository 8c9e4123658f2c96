// The graph of dependencies as a picture: layers from left to right, an arrow from each resource to what it needs.
import type { Graph } from './graph-text.ts'
import { safeLine } from './text/sanitise.ts'
import { widthOf } from './text/width.ts'

const CHARACTER = 7.3
const HEIGHT = 28
const ROW = 44
const GAP = 72
const MARGIN = 16

interface Box {
  readonly label: string
  readonly x: number
  readonly y: number
  readonly width: number
}

/** `graph --format svg`: one document that stands alone; linear in nodes and edges. */
export function svgText(graph: Graph): string {
  const layers = layersOf(graph)
  const boxes = boxesOf(layers)
  const size = sizeOf([...boxes.values()])
  const edges = graph.nodes.flatMap((node) => node.needs.flatMap((need) => edgeText(boxes.get(node.address), boxes.get(need))))
  const lines = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}" viewBox="0 0 ${size.width} ${size.height}" font-family="ui-monospace, monospace" font-size="12">`,
    '  <title>dependencies</title>',
    '  <defs><marker id="to" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 8 4 0 8z" fill="#667"/></marker></defs>',
    '  <rect width="100%" height="100%" fill="#fff"/>',
    ...edges,
    ...[...boxes.values()].map(boxText),
    '</svg>',
  ]
  return `${lines.join('\n')}\n`
}

/** What nobody needs stands in the first layer, everything else behind the last that needs it; each layer near what it hangs on. */
function layersOf({ nodes }: Graph): readonly (readonly string[])[] {
  const known = new Map(nodes.map((node) => [node.address, node.needs]))
  const waiting = new Map(nodes.map((node) => [node.address, 0]))
  for (const { needs } of nodes) for (const need of needs) if (known.has(need)) waiting.set(need, (waiting.get(need) ?? 0) + 1)
  const layer = new Map<string, number>()
  const queue = nodes.flatMap(({ address }) => (waiting.get(address) === 0 ? [address] : []))
  for (const address of queue) {
    const own = layer.get(address) ?? 0
    layer.set(address, own)
    for (const need of known.get(address) ?? []) {
      if (!known.has(need)) continue
      layer.set(need, Math.max(layer.get(need) ?? 0, own + 1))
      const left = (waiting.get(need) ?? 0) - 1
      waiting.set(need, left)
      if (left === 0) queue.push(need)
    }
  }
  const layers: string[][] = []
  for (const { address } of nodes) (layers[layer.get(address) ?? 0] ??= []).push(address)
  return inRows(layers, known)
}

/** Each layer in the order of the middle of those that need it: fewer lines cross. */
function inRows(layers: readonly (readonly string[])[], needs: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const sums = new Map<string, { readonly sum: number; readonly count: number }>()
  const middle = (address: string): number => {
    const { sum, count } = sums.get(address) ?? { sum: 0, count: 0 }
    return count === 0 ? Infinity : sum / count
  }
  return layers.map((addresses) => {
    const row = addresses.toSorted((a, b) => (middle(a) === middle(b) ? 0 : middle(a) - middle(b)))
    for (const [at, address] of row.entries())
      for (const need of needs.get(address) ?? []) {
        const { sum, count } = sums.get(need) ?? { sum: 0, count: 0 }
        sums.set(need, { sum: sum + at, count: count + 1 })
      }
    return row
  })
}

function boxesOf(layers: readonly (readonly string[])[]): ReadonlyMap<string, Box> {
  const boxes = new Map<string, Box>()
  let x = MARGIN
  for (const row of layers) {
    let widest = 0
    for (const [at, address] of row.entries()) {
      const label = safeLine(address)
      const width = Math.ceil(widthOf(label) * CHARACTER) + 20
      widest = Math.max(widest, width)
      boxes.set(address, { label, x, y: MARGIN + at * ROW, width })
    }
    x += widest + GAP
  }
  return boxes
}

function sizeOf(boxes: readonly Box[]): { readonly width: number; readonly height: number } {
  let [width, height] = [0, 0]
  for (const box of boxes) {
    width = Math.max(width, box.x + box.width)
    height = Math.max(height, box.y + HEIGHT)
  }
  return { width: width + MARGIN, height: height + MARGIN }
}

function edgeText(from: Box | undefined, to: Box | undefined): string[] {
  if (!from || !to) return []
  const [x1, y1, x2, y2] = [from.x + from.width, from.y + HEIGHT / 2, to.x, to.y + HEIGHT / 2]
  const bend = Math.max(GAP / 2, (x2 - x1) / 2)
  return [`  <path d="M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}" fill="none" stroke="#99a" marker-end="url(#to)"/>`]
}

function boxText({ label, x, y, width }: Box): string {
  const text = xmlText(label)
  return `  <g><title>${text}</title><rect x="${x}" y="${y}" width="${width}" height="${HEIGHT}" rx="5" fill="#f4f6fb" stroke="#556"/><text x="${x + 10}" y="${y + 18}" fill="#112">${text}</text></g>`
}

function xmlText(text: string): string {
  return text.replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`)
}
