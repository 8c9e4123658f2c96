// Reads a graph that was drawn as SVG: its boxes, its lines, where they run and what they lead to.

/** The numbers that a pattern finds, match by match. */
export const numbers = (text: string, pattern: RegExp): number[][] => [...text.matchAll(pattern)].map((match) => match.slice(1).map(Number))
/** The boxes of a drawn graph: x, y, width, height. */
export const boxes = (svg: string) => numbers(svg, /<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"/g)
interface Line {
  readonly x1: number
  readonly y1: number
  readonly bendX: number
  readonly x2: number
  readonly y2: number
  readonly arrow: string
}

/** Its lines, piece by piece. */
export function lines(svg: string): readonly Line[] {
  const found = [...svg.matchAll(/<path d="M([\d.]+) ([\d.]+)H([\d.]+)C[^"]* ([\d.]+) ([\d.]+)" fill="none" stroke="#99a"(?: marker-(\w+))?/g)]
  return found.map(([, ...parts]) => {
    const [x1 = 0, y1 = 0, bendX = 0, x2 = 0, y2 = 0] = parts.map(Number)
    return { x1, y1, bendX, x2, y2, arrow: parts[5] ?? '' }
  })
}

/** Points along a line as it is drawn: level up to the bend, then a curve with level ends. */
function points({ x1, y1, bendX, x2, y2 }: Line): readonly (readonly [number, number])[] {
  const steps = Array.from({ length: 41 }, (_, at) => at / 40)
  const level = steps.map((part) => [x1 + (bendX - x1) * part, y1] as const)
  const [c1, c2] = [bendX + 36, x2 - 36]
  const curve = steps.map((t) => {
    const [a, b, c, d] = [(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t ** 2 * (1 - t), t ** 3]
    return [a * bendX + b * c1 + c * c2 + d * x2, a * y1 + b * y1 + c * y2 + d * y2] as const
  })
  return [...level, ...curve]
}

/** Points of lines that lie within a box. */
export function crossings(svg: string): readonly string[] {
  const all = boxes(svg)
  const isWithin = (x: number, y: number): boolean =>
    all.some(([left = 0, top = 0, width = 0, height = 0]) => x > left && x < left + width && y > top && y < top + height)
  return lines(svg).flatMap((line) => points(line).flatMap(([x, y]) => (isWithin(x, y) ? [`${x} ${y}`] : [])))
}

/** `FROM TO` of every way from one box to another, along lines that meet, in the direction of its one arrow. */
export function followed(svg: string): readonly string[] {
  const named = [...svg.matchAll(/<title>([^<]+)<\/title><rect x="(\d+)" y="(\d+)" width="(\d+)" height="(\d+)"/g)].map(([, name = '', ...rest]) => {
    const [x = 0, y = 0, width = 0, height = 0] = rest.map(Number)
    return { name, into: `${x} ${y + height / 2}`, out: `${x + width} ${y + height / 2}` }
  })
  const all = lines(svg)
  const targets = new Map(named.map(({ name, into }) => [into, name]))
  const walk = (at: string, arrow: string): readonly string[] =>
    all
      .filter(({ x1, y1 }) => `${x1} ${y1}` === at)
      .flatMap((line) => {
        const end = `${line.x2} ${line.y2}`
        const arrows = arrow + line.arrow
        const target = targets.get(end)
        return target === undefined ? walk(end, arrows) : [`${arrows} ${target}`]
      })
  return named.flatMap(({ name, out }) =>
    walk(out, '').map((way) => {
      const [arrow, target] = way.split(' ')
      return arrow === 'start' ? `${target} ${name}` : arrow === 'end' ? `${name} ${target}` : way
    }),
  )
}
