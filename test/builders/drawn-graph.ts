// Reads a graph that was drawn as SVG: its boxes, its frames, its lines, where they run and what they lead to.
import { loadGraphviz } from '../../src/cli/surroundings/graphviz.ts'

type Corners = readonly [left: number, top: number, right: number, bottom: number]

/** Graphviz as drawings ask it. */
export async function graphvizForTests(): Promise<(dot: string) => string> {
  const layOut = await loadGraphviz()
  return (dot) => layOut(dot, 'json')
}

/** The boxes of a drawn graph, by their titles as they stand in the text. */
export function boxes(svg: string): readonly { readonly title: string; readonly look: string; readonly corners: Corners }[] {
  const pattern =
    /<g class="box ([^"]*)" transform="translate\(([-\d.]+) ([-\d.]+)\)"><title>([^<]*)<\/title><rect x="0" y="0" width="([\d.]+)" height="([\d.]+)"/g
  return [...svg.matchAll(pattern)].map(([, look = '', x, y, title = '', width, height]) => ({ title, look, corners: cornersOf(x, y, width, height) }))
}

/** The frames around what belongs together. */
export function frames(svg: string): readonly Corners[] {
  return [...svg.matchAll(/<rect class="frame" x="([-\d.]+)" y="([-\d.]+)" width="([\d.]+)" height="([\d.]+)"/g)].map(([, ...four]) => cornersOf(...four))
}

/** The size of the whole picture. */
export function sizeOf(svg: string): readonly [width: number, height: number] {
  const [, width, height] = /<svg [^>]*width="(\d+)" height="(\d+)"/.exec(svg) ?? []
  return [Number(width), Number(height)]
}

function cornersOf(x = '', y = '', width = '', height = ''): Corners {
  return [Number(x), Number(y), Number(x) + Number(width), Number(y) + Number(height)]
}

interface Line {
  readonly title: string
  /** Along the line, from its beginning to its arrow. */
  readonly points: readonly (readonly [number, number])[]
}

/** Its lines as they are drawn. */
export function lines(svg: string): readonly Line[] {
  return [...svg.matchAll(/<path class="line" d="M([^"]*)" marker-end="[^"]*"><title>([^<]*)<\/title>/g)].map(([, path = '', title = '']) => {
    const [start = '', ...curves] = path.split(/[CL]/)
    const all = [start, ...curves].map((one) => one.trim().split(' ').map(Number))
    return { title, points: all.slice(1).flatMap((numbers, at) => along((all[at] ?? []).slice(-2), numbers)) }
  })
}

/** Points of one curve, or of one straight piece. */
function along([x0 = 0, y0 = 0]: readonly number[], [x1 = 0, y1 = 0, x2 = x1, y2 = y1, x3 = x2, y3 = y2]: readonly number[]): (readonly [number, number])[] {
  return Array.from({ length: 33 }, (_, at) => at / 32).map((t) => {
    const [a, b, c, d] = [(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t ** 2 * (1 - t), t ** 3]
    return [a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3] as const
  })
}

function isWithin(x: number, y: number, [left, top, right, bottom]: Corners): boolean {
  return x > left + 1 && x < right - 1 && y > top + 1 && y < bottom - 1
}

/** Lines that run through a box: by more than the stroke of either. */
export function crossings(svg: string): readonly string[] {
  const all = boxes(svg)
  return lines(svg).flatMap(({ title, points }) =>
    all.flatMap((box) => (points.some(([x, y]) => isWithin(x, y, box.corners)) ? [`${title}, through ${box.title}`] : [])),
  )
}

/** `FROM TO` of every line by the boxes at its two ends: titles, in the direction of its arrow. */
export function followed(svg: string): readonly string[] {
  const all = boxes(svg)
  const at = ([x, y]: readonly [number, number]): string =>
    all.find(({ corners: [left, top, right, bottom] }) => x > left - 2 && x < right + 2 && y > top - 2 && y < bottom + 2)?.title ?? 'nothing'
  return lines(svg).map(({ points }) => `${at(points[0] ?? [0, 0])} ${at(points.at(-1) ?? [0, 0])}`)
}
