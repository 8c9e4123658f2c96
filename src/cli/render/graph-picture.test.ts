// The picture of a graph: boxes that do not overlap, no line through a box, every need to be followed, names that cannot break out of it.
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { boxes, crossings, followed, frames, graphvizForTests, lines, sizeOf } from '../../../test/builders/drawn-graph.ts'
import { longForm } from '../../../test/builders/long-form.ts'
import { kinds } from '../../kinds/registry.ts'
import { graphPicture } from './graph-picture.ts'

let graphviz: (dot: string) => string
beforeAll(async () => {
  graphviz = await graphvizForTests()
})

const node = (address: string, ...needs: string[]) => ({ address, kind: address.split('/')[0] ?? '', needs })
const drawn = (...nodes: ReturnType<typeof node>[]): string => graphPicture({ nodes }, kinds, graphviz)

const diamond = [node('Vpc/a', 'Vpc/b', 'Vpc/c'), node('Vpc/b', 'Vpc/d'), node('Vpc/c', 'Vpc/d'), node('Vpc/d', 'Vpc/elsewhere'), node('Vpc/alone')]

test('has a box for each resource and an arrow for each need among them', () => {
  const svg = drawn(...diamond)
  expect(boxes(svg).map((one) => one.title)).toEqual(['Vpc/a', 'Vpc/b', 'Vpc/c', 'Vpc/d', 'Vpc/alone'])
  expect(followed(svg).toSorted()).toEqual(['Vpc/a Vpc/b', 'Vpc/a Vpc/c', 'Vpc/b Vpc/d', 'Vpc/c Vpc/d'])
  expect(svg).not.toContain('elsewhere')
})

/** Nodes that need others at random, circles and far ones among them. */
const graphs = fc
  .integer({ min: 1, max: 14 })
  .chain((count) => fc.array(fc.array(fc.nat(count), { maxLength: 4 }), { minLength: count, maxLength: count }))
  .map((needs) =>
    needs.map((all, at) => {
      const others = all.filter((one) => one !== at && one < needs.length)
      return node(`Vpc/n${at}${'x'.repeat((at * 7) % 30)}`, ...new Set(others.map((one) => `Vpc/n${one}${'x'.repeat((one * 7) % 30)}`)))
    }),
  )

test('no line runs through a box, no box over another or outside, and each need can be followed from its box to the other', { tags: ['longer'] }, () => {
  fc.assert(
    fc.property(graphs, (nodes) => {
      const svg = drawn(...nodes)
      expect(crossings(svg)).toEqual([])
      const wanted = nodes.flatMap(({ address, needs }) => needs.map((need) => `${address} ${need}`))
      expect(followed(svg).toSorted()).toEqual(wanted.toSorted())
      const [width, height] = sizeOf(svg)
      const all = boxes(svg)
      for (const [at, { corners }] of all.entries()) {
        expect([corners[2] <= width, corners[3] <= height]).toEqual([true, true])
        for (const { corners: other } of all.slice(at + 1))
          expect(corners[0] >= other[2] || other[0] >= corners[2] || corners[1] >= other[3] || other[1] >= corners[3]).toBe(true)
      }
    }),
    { numRuns: longForm(100, 40) },
  )
})

/** Instances with disks and rules that hang on them, networks that several need. */
const estates = fc
  .array(fc.record({ disks: fc.nat(3), rules: fc.nat(3), nets: fc.uniqueArray(fc.nat(4), { maxLength: 3 }) }), { minLength: 1, maxLength: 6 })
  .map((machines) => [
    ...Array.from({ length: 5 }, (_, at) => node(`Vpc/net${at}`)),
    ...machines.flatMap(({ disks, rules, nets }, at) => [
      node(`Instance/i${at}`, ...nets.map((net) => `Vpc/net${net}`)),
      ...Array.from({ length: disks }, (_, disk) => node(`Disk/d${at}-${disk}`, `Instance/i${at}`)),
      ...Array.from({ length: rules }, (_, rule) =>
        node(`FirewallRule/r${at}-${rule}`, `Instance/i${at}`, ...(rule > 0 ? [`FirewallRule/r${at}-${rule - 1}`] : [])),
      ),
      ...nets.map((net) => node(`VpcAttachment/a${at}-${net}`, `Instance/i${at}`, `Vpc/net${net}`)),
    ]),
  ])

test('no line runs through a box where there are frames, and no frame holds a box of another', { tags: ['longer'] }, () => {
  fc.assert(
    fc.property(estates, (nodes) => {
      const svg = drawn(...nodes)
      expect(crossings(svg)).toEqual([])
      for (const [left, top, right, bottom] of frames(svg)) {
        const within = boxes(svg).filter(({ corners }) => corners[0] < right && corners[2] > left && corners[1] < bottom && corners[3] > top)
        expect(new Set(within.map(({ title }) => /\d+/.exec(title)?.[0])).size).toBe(1)
        expect(within.some(({ title }) => title.startsWith('Vpc/'))).toBe(false)
      }
    }),
    { numRuns: longForm(100, 40) },
  )
})

test('an instance and what hangs on it stand in one frame, whatever else needs them outside', () => {
  const svg = drawn(
    node('Disk/data', 'Instance/web'),
    node('FloatingIp/ip', 'Instance/web'),
    node('Instance/web', 'Vpc/net'),
    node('Vpc/net'),
    node('Disk/free'),
  )
  const [frame = [0, 0, 0, 0]] = frames(svg)
  const within = boxes(svg).filter(({ corners: [left, top, right, bottom] }) => left >= frame[0] && top >= frame[1] && right <= frame[2] && bottom <= frame[3])
  expect(frames(svg)).toHaveLength(1)
  expect(within.map((one) => one.title)).toEqual(['Disk/data', 'FloatingIp/ip', 'Instance/web'])
})

test('instances of one for_each are one box with a count, and a line goes to it once', () => {
  const svg = drawn(node('Instance/web["a"]', 'Vpc/net'), node('Instance/web["b"]', 'Vpc/net'), node('Vpc/net'))
  expect(svg).toContain('>Instance/web[…] × 2<')
  expect(lines(svg).map((one) => one.title)).toEqual(['Instance/web[…] needs Vpc/net'])
})

test('escapes names', () => {
  const svg = drawn(node('Vpc/x["</text></style><script>&\u001b"]'))
  expect(svg).not.toMatch(/<script>|\u001b/)
  expect(svg.match(/<\/style>/g)).toHaveLength(1)
  expect(svg).toContain('<title>Vpc/x[&#34;&#60;/text&#62;&#60;/style&#62;&#60;script&#62;&#38;\\x1b&#34;]</title>')
})

test('is a picture without any resource, and of very many draws kinds', () => {
  expect(drawn()).toMatch(/^<svg [^]*<\/svg>\n$/)
  const chain = Array.from({ length: 20_000 }, (_, at) => node(`Vpc/n${at}`, `Vpc/n${at + 1}`))
  const svg = drawn(...chain)
  expect(boxes(svg)).toHaveLength(1)
  expect(svg).toContain('20000 resources are drawn by kind, since there are so many.')
})
