// The picture of a graph: boxes that do not overlap, arrows from left to right, names that cannot break out of it.
import { expect, test } from 'vitest'
import { svgText } from './graph-svg.ts'

const numbers = (text: string, pattern: RegExp): number[][] => [...text.matchAll(pattern)].map((match) => match.slice(1).map(Number))
const boxes = (svg: string) => numbers(svg, /<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"/g)
const node = (address: string, ...needs: string[]) => ({ address, kind: 'Vpc', needs })

const diamond = { nodes: [node('Vpc/a', 'Vpc/b', 'Vpc/c'), node('Vpc/b', 'Vpc/d'), node('Vpc/c', 'Vpc/d'), node('Vpc/d', 'Vpc/elsewhere')] }

test('has a box for each resource and an arrow for each need among them', () => {
  const svg = svgText(diamond)
  expect(boxes(svg)).toHaveLength(4)
  expect(numbers(svg, /<path d="M([\d.]+) [\d.]+C[^"]* ([\d.]+) [\d.]+" fill="none"/g).every(([from = 0, to = 0]) => from < to)).toBe(true)
  expect([...svg.matchAll(/marker-end/g)]).toHaveLength(4)
  expect(svg).not.toContain('elsewhere')
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
