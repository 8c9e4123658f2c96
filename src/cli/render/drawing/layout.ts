// Where boxes, frames and lines of a drawing stand: what Graphviz is asked, what it answers, and rows for what no line leads to.
import * as z from 'zod'
import type { Drawing } from './drawing.ts'

/** Lays out a graph in DOT, and answers as Graphviz does in its form json. */
export type Graphviz = (dot: string) => string

export interface Size {
  readonly width: number
  readonly height: number
}

export interface Rectangle extends Size {
  readonly x: number
  readonly y: number
}

export interface Point {
  readonly x: number
  readonly y: number
}

/** In CSS pixels, from the left and the top; boxes as in the drawing, lines as Bézier curves with their two ends. */
export interface Layout extends Size {
  readonly boxes: readonly Rectangle[]
  readonly frames: readonly Rectangle[]
  readonly lines: readonly { readonly from: number; readonly to: number; readonly points: readonly Point[]; readonly tip: Point }[]
}

/** Graphviz counts in points, sizes in inches of so many. */
const INCH = 72
const GAP = 14
/** A picture of boxes alone is so wide at least, before a second row begins. */
const ROW_WIDTH = 860

/** Throws where what Graphviz answers cannot be read. */
export function layoutOf(drawing: Drawing, sizes: readonly Size[], graphviz: Graphviz): Layout {
  const joined = new Set(drawing.lines.flatMap(({ from, to }) => [from, to]))
  const isTied = (at: number): boolean => joined.has(at) || drawing.boxes[at]?.frame !== undefined
  const tied = joined.size === 0 && !drawing.boxes.some((one) => one.frame !== undefined) ? nothing : tiedLayout(drawing, sizes, graphviz, isTied)
  const top = tied.height === 0 ? 0 : tied.height + GAP
  const loose = rowsOf(
    sizes.flatMap((size, at) => (isTied(at) ? [] : [{ at, ...size }])),
    Math.max(tied.width, ROW_WIDTH),
    top,
  )
  const boxes = sizes.map((size, at) => tied.places.get(at) ?? loose.get(at) ?? { x: 0, y: 0, ...size })
  const all = [...boxes, ...tied.frames]
  return {
    boxes,
    frames: tied.frames,
    lines: tied.lines,
    width: all.reduce((most, one) => Math.max(most, one.x + one.width), tied.width),
    height: all.reduce((most, one) => Math.max(most, one.y + one.height), tied.height),
  }
}

type Tied = Size & Pick<Layout, 'frames' | 'lines'> & { readonly places: ReadonlyMap<number, Rectangle> }

const nothing: Tied = { width: 0, height: 0, frames: [], lines: [], places: new Map() }

/** Boxes without a line, in rows. */
function rowsOf(boxes: readonly (Size & { readonly at: number })[], width: number, top: number): ReadonlyMap<number, Rectangle> {
  const out = new Map<number, Rectangle>()
  let [x, y, tallest] = [0, top, 0]
  for (const { at, ...size } of boxes) {
    if (x > 0 && x + size.width > width) [x, y, tallest] = [0, y + tallest + GAP, 0]
    out.set(at, { x, y, ...size })
    x += size.width + GAP
    tallest = Math.max(tallest, size.height)
  }
  return out
}

/** Numbers in the place of names: nothing that anybody wrote reaches Graphviz. */
function questionOf({ boxes, lines }: Drawing, sizes: readonly Size[], isTied: (at: number) => boolean): string {
  const nodeOf = (at: number): string => `n${at} [width=${inches(sizes[at]?.width)}, height=${inches(sizes[at]?.height)}];`
  const frames = new Map<number, number[]>()
  const free: number[] = []
  for (const [at, { frame }] of boxes.entries()) {
    if (!isTied(at)) continue
    const before = frame === undefined ? free : frames.get(frame)
    if (before) before.push(at)
    else if (frame !== undefined) frames.set(frame, [at])
  }
  return [
    'digraph {',
    'rankdir=LR; nodesep=0.18; ranksep=0.5; newrank=true; splines=true;',
    'node [shape=box, fixedsize=true, label=""]; edge [arrowsize=0.7];',
    // From left to right Graphviz sets what comes first lowest.
    ...[...frames].toReversed().map(([frame, within]) => `subgraph cluster_${frame} { margin=10; ${within.toReversed().map(nodeOf).join(' ')} }`),
    ...free.toReversed().map(nodeOf),
    ...lines.toReversed().map(({ from, to }) => `n${from} -> n${to};`),
    '}',
  ].join('\n')
}

function inches(points = 0): string {
  return (points / INCH).toFixed(4)
}

const text = z.string()
const answer = z.object({
  bb: text,
  objects: z.array(z.object({ _gvid: z.int(), name: text, bb: text.optional(), pos: text.optional() })).default([]),
  edges: z.array(z.object({ tail: z.int(), head: z.int(), pos: text })).default([]),
})

function tiedLayout(drawing: Drawing, sizes: readonly Size[], graphviz: Graphviz, isTied: (at: number) => boolean): Tied {
  const { bb, objects, edges } = answer.parse(JSON.parse(graphviz(questionOf(drawing, sizes, isTied))))
  const [, , width = 0, height = 0] = numbersOf(bb)
  const turned = ([x = 0, y = 0]: readonly number[]): Point => ({ x, y: height - y })
  const places = new Map<number, Rectangle>()
  const frames: Rectangle[] = []
  const byId = new Map(objects.map(({ _gvid: id, name }) => [id, Number(name.slice(1))]))
  for (const { name, bb: box, pos } of objects) {
    const at = Number(name.slice(1))
    if (box !== undefined && name.startsWith('cluster')) {
      const [left = 0, low = 0, right = 0, high = 0] = numbersOf(box)
      frames.push({ x: left, y: height - high, width: right - left, height: high - low })
    } else if (pos !== undefined) {
      const size = sizes[at] ?? { width: 0, height: 0 }
      const middle = turned(numbersOf(pos))
      places.set(at, { x: middle.x - size.width / 2, y: middle.y - size.height / 2, ...size })
    }
  }
  const lines = edges.map(({ tail, head, pos }) => {
    const points = pos
      .replace(/^e,\S+ /, '')
      .split(' ')
      .map((one) => turned(numbersOf(one)))
    const end = /^e,(\S+) /.exec(pos)?.[1]
    const last = points.at(-1) ?? { x: 0, y: 0 }
    return { from: byId.get(tail) ?? 0, to: byId.get(head) ?? 0, points, tip: end === undefined ? last : turned(numbersOf(end)) }
  })
  return { places, frames, lines, width, height }
}

function numbersOf(list: string): number[] {
  return list.split(',').map(Number)
}
