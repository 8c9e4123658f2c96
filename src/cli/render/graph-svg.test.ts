// The picture of a graph: boxes that do not overlap, arrows from left to right, names that cannot break out of it.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { boxes, crossings, followed, lines, numbers } from '../../../test/builders/drawn-graph.ts'
import { svgText } from './graph-svg.ts'

const node = (address: string, ...needs: string[]) => ({ address, kind: 'Vpc', needs })

const diamond = { nodes: [node('Vpc/a', 'Vpc/b', 'Vpc/c'), node('Vpc/b', 'Vpc/d'), node('Vpc/c', 'Vpc/d'), node('Vpc/d', 'Vpc/elsewhere')] }

test('has a box for each resource and an arrow for each need among them', () => {
  const svg = svgText(diamond)
  expect(boxes(svg)).toHaveLength(4)
  expect(lines(svg).every(({ x1, x2 }) => x1 < x2)).toBe(true)
  expect([...svg.matchAll(/marker-end/g)]).toHaveLength(4)
  expect(svg).not.toContain('elsewhere')
})

/** Nodes that need others at random, circles and far ones among them. */
const drawn = fc
  .integer({ min: 1, max: 14 })
  .chain((count) => fc.array(fc.array(fc.nat(count), { maxLength: 4 }), { minLength: count, maxLength: count }))
  .map((needs) => ({
    nodes: needs.map((all, at) =>
      node(
        `Vpc/n${at}${'x'.repeat((at * 7) % 30)}`,
        ...new Set(all.filter((one) => one !== at && one < needs.length).map((one) => `Vpc/n${one}${'x'.repeat((one * 7) % 30)}`)),
      ),
    ),
  }))

test('no line runs through a box, and each need can be followed from its box to the other', () => {
  fc.assert(
    fc.property(drawn, (graph) => {
      const svg = svgText(graph)
      expect(crossings(svg)).toEqual([])
      const wanted = graph.nodes.flatMap(({ address, needs }) => needs.map((need) => `${address} ${need}`))
      expect(followed(svg).toSorted()).toEqual(wanted.toSorted())
    }),
  )
})

test('draws no box over another, and none outside', () => {
  const svg = svgText(diamond)
  const [[width = 0, height = 0] = []] = numbers(svg, /<svg [^>]*width="(\d+)" height="(\d+)"/g)
  const all = boxes(svg)
  for (const [at, [x = 0, y = 0, w = 0, h = 0]] of all.entries()) {
    expect([x + w <= width, y + h <= height]).toEqual([true, true])
    for (const [x2 = 0, y2 = 0, w2 = 0, h2 = 0] of all.slice(at + 1)) expect(x + w <= x2 || x2 + w2 <= x || y + h <= y2 || y2 + h2 <= y).toBe(true)
  }
})

test('escapes names', () => {
  const svg = svgText({ nodes: [node('Vpc/x["</text><script>&\u001b"]')] })
  expect(svg).not.toContain('<script>')
  expect(svg).not.toContain('\u001b')
  expect(svg).toContain('>Vpc/x[&#34;&#60;/text&#62;&#60;script&#62;&#38;\\x1b&#34;]')
})

test('is a picture without any resource, and takes a long chain', () => {
  expect(svgText({ nodes: [] })).toMatch(/^<svg [^]*<\/svg>\n$/)
  const chain = Array.from({ length: 20_000 }, (_, at) => node(`Vpc/n${at}`, `Vpc/n${at + 1}`))
  expect(boxes(svgText({ nodes: chain }))).toHaveLength(20_000)
})
