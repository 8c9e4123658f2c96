// Where the boxes and arrows of a drawn graph go: layers from left to right, and lanes in the layers between, so that no line runs through a box.
import type { Graph } from './graph-text.ts'

/** What a box takes, and the space between boxes and between layers. */
export interface Measures {
  readonly widthOf: (address: string) => number
  readonly height: number
  readonly rowGap: number
  readonly layerGap: number
  readonly margin: number
}

export interface Box {
  readonly address: string
  readonly x: number
  readonly y: number
  readonly width: number
}

/** One piece of a line: level from `x1` to `bendX`, then through the free space between two layers to `x2`; arrows at either end. */
export interface Piece {
  readonly x1: number
  readonly y1: number
  readonly bendX: number
  readonly x2: number
  readonly y2: number
  readonly arrow: 'none' | 'end' | 'start'
}

export interface Layout {
  readonly boxes: readonly Box[]
  readonly pieces: readonly Piece[]
  readonly width: number
  readonly height: number
}

/** What takes a place in a layer: a box, or a lane for lines that go on. */
interface Spot {
  readonly key: string
  readonly isBox: boolean
}

/** An edge from a lower layer to a higher one; one that closes a circle is turned round, and has its arrow at the beginning. */
interface Edge {
  readonly from: string
  readonly to: string
  readonly turned: boolean
}

/** Far beyond what anybody looks at: longer lines are drawn straight then. */
const MOST_LANES = 200_000

/** Boxes and lines; what several resources need is reached by one lane through each layer, which all of them join. Linear in nodes, edges and lanes. */
export function layoutOf({ nodes }: Graph, measures: Measures): Layout {
  const layer = layersOf(nodes)
  const edges = nodes.flatMap((node) => node.needs.flatMap((need) => edgeOf(node.address, need, layer)))
  const lanes = lanesOf(edges, layer)
  const rows: Spot[][] = []
  for (const { address } of nodes) (rows[layer.get(address) ?? 0] ??= []).push({ key: address, isBox: true })
  for (const [bundle, { first, last }] of lanes) for (let at = first; at <= last; at += 1) rows[at]?.push({ key: laneKey(bundle, at), isBox: false })
  const next = followers(edges, lanes, layer)
  return placed(rows, next, measures)
}

type Nodes = Graph['nodes']

/** What nobody needs stands in the first layer, everything else behind the last that needs it; where a circle leaves none that nobody needs, the first that is left begins. */
function layersOf(nodes: Nodes): ReadonlyMap<string, number> {
  const needs = new Map(nodes.map((node) => [node.address, node.needs]))
  const waiting = new Map(nodes.map((node) => [node.address, 0]))
  const neededBy = new Map<string, string[]>()
  for (const node of nodes)
    for (const need of node.needs) {
      const count = waiting.get(need)
      if (count === undefined) continue
      waiting.set(need, count + 1)
      const before = neededBy.get(need)
      if (before) before.push(node.address)
      else neededBy.set(need, [node.address])
    }
  const layer = new Map<string, number>()
  const done = new Set<string>()
  const queue = nodes.flatMap(({ address }) => (waiting.get(address) === 0 ? [address] : []))
  const behind = (address: string, own: number): void => void layer.set(address, Math.max(layer.get(address) ?? 0, own + 1))
  for (let [at, forced] = [0, 0]; done.size < nodes.length;) {
    while (at === queue.length) {
      const left = nodes[forced++]?.address ?? ''
      if (done.has(left)) continue
      for (const one of neededBy.get(left) ?? []) if (!done.has(one)) behind(one, layer.get(left) ?? 0)
      queue.push(left)
    }
    const address = queue[at++] ?? ''
    if (done.has(address)) continue
    done.add(address)
    const own = layer.get(address) ?? 0
    layer.set(address, own)
    for (const need of needs.get(address) ?? []) {
      if (!needs.has(need) || done.has(need)) continue
      behind(need, own)
      const left = (waiting.get(need) ?? 0) - 1
      waiting.set(need, left)
      if (left === 0) queue.push(need)
    }
  }
  return layer
}

function edgeOf(from: string, to: string, layer: ReadonlyMap<string, number>): Edge[] {
  const [start, end] = [layer.get(from), layer.get(to)]
  if (start === undefined || end === undefined || start === end) return []
  return [start < end ? { from, to, turned: false } : { from: to, to: from, turned: true }]
}

/** The lines to one box that go beyond the next layer share their lanes; turned ones have theirs. */
function bundleOf({ to, turned }: Edge): string {
  return `${turned ? '<' : '>'}${to}`
}

function laneKey(bundle: string, layer: number): string {
  return `${layer}${bundle}`
}

interface Lane {
  readonly first: number
  readonly last: number
}

/** The layers in which each bundle has a lane. */
function lanesOf(edges: readonly Edge[], layer: ReadonlyMap<string, number>): ReadonlyMap<string, Lane> {
  const lanes = new Map<string, Lane>()
  for (const edge of edges) {
    const [first, last] = [(layer.get(edge.from) ?? 0) + 1, (layer.get(edge.to) ?? 0) - 1]
    if (first > last) continue
    const bundle = bundleOf(edge)
    lanes.set(bundle, { first: Math.min(first, lanes.get(bundle)?.first ?? first), last })
  }
  let left = MOST_LANES
  return new Map([...lanes].filter(([, { first, last }]) => (left -= last - first + 1) >= 0))
}

interface Step {
  readonly to: string
  readonly arrow: Piece['arrow']
}

/** What the line from a box or lane leads to next: a lane of the next layer, or the box itself. */
function followers(edges: readonly Edge[], lanes: ReadonlyMap<string, Lane>, layer: ReadonlyMap<string, number>): ReadonlyMap<string, readonly Step[]> {
  const next = new Map<string, Step[]>()
  const add = (from: string, step: Step): void => {
    const before = next.get(from)
    if (before) before.push(step)
    else next.set(from, [step])
  }
  const ends = new Map<string, Edge>()
  for (const edge of edges) {
    const [bundle, own] = [bundleOf(edge), layer.get(edge.from) ?? 0]
    const isFar = lanes.has(bundle) && own + 1 < (layer.get(edge.to) ?? 0)
    if (isFar) ends.set(bundle, edge)
    if (isFar) add(edge.from, { to: laneKey(bundle, own + 1), arrow: edge.turned ? 'start' : 'none' })
    else add(edge.from, { to: edge.to, arrow: edge.turned ? 'start' : 'end' })
  }
  for (const [bundle, { to, turned }] of ends) {
    const { first, last } = lanes.get(bundle) ?? { first: 0, last: -1 }
    for (let at = first; at < last; at += 1) add(laneKey(bundle, at), { to: laneKey(bundle, at + 1), arrow: 'none' })
    add(laneKey(bundle, last), { to, arrow: turned ? 'none' : 'end' })
  }
  return next
}

/** Each layer in the order of the middle of what leads to it, and beside it where there is room: lines are short, and few cross. */
function placed(rows: readonly (readonly Spot[])[], next: ReadonlyMap<string, readonly Step[]>, measures: Measures): Layout {
  const { height, rowGap, layerGap, margin } = measures
  const boxes = new Map<string, Box>()
  const spots = new Map<string, { readonly left: number; readonly right: number; readonly bendX: number; readonly middle: number }>()
  const sums = new Map<string, { readonly sum: number; readonly count: number }>()
  let [x, lowest] = [margin, 0]
  for (const row of rows) {
    const middleOf = (key: string): number => {
      const { sum, count } = sums.get(key) ?? { sum: 0, count: 0 }
      return count === 0 ? Infinity : sum / count
    }
    const sorted = row.map((spot) => ({ ...spot, wanted: middleOf(spot.key) })).toSorted((a, b) => (a.wanted === b.wanted ? 0 : a.wanted - b.wanted))
    const widest = sorted.reduce((most, { key, isBox }) => Math.max(most, isBox ? measures.widthOf(key) : 0), 0)
    let top = margin
    for (const { key, wanted, isBox } of sorted) {
      const tall = isBox ? height : 0
      const y = wanted === Infinity ? top : Math.max(top, Math.round(wanted - tall / 2))
      top = y + tall + rowGap
      lowest = Math.max(lowest, y + tall)
      const width = isBox ? measures.widthOf(key) : 0
      if (isBox) boxes.set(key, { address: key, x, y, width })
      const middle = y + tall / 2
      spots.set(key, { left: x, right: x + width, bendX: x + widest, middle })
      for (const { to } of next.get(key) ?? []) {
        const { sum, count } = sums.get(to) ?? { sum: 0, count: 0 }
        sums.set(to, { sum: sum + middle, count: count + 1 })
      }
    }
    x += widest + layerGap
  }
  const pieces = [...next].flatMap(([from, steps]) =>
    steps.flatMap(({ to, arrow }): Piece[] => {
      const [start, end] = [spots.get(from), spots.get(to)]
      return start && end ? [{ x1: start.right, y1: start.middle, bendX: start.bendX, x2: end.left, y2: end.middle, arrow }] : []
    }),
  )
  return { boxes: [...boxes.values()], pieces, width: boxes.size === 0 ? 2 * margin : x - layerGap + margin, height: lowest + margin }
}
