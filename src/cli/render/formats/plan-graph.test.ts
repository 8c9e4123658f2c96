// A plan's graph as readers take it: Graphviz reads the DOT, no name breaks out of any form, pictures keep light and dark.
import { beforeAll, expect, test } from 'vitest'
import { cpuTime } from '../../../../test/builders/cpu-time.ts'
import { boxes, crossings, frames, graphvizForTests } from '../../../../test/builders/drawn-graph.ts'
import { changeOf, planOf, reportOf } from '../../../../test/builders/plan-data.ts'
import type { Change } from '../../../engine/model/plan-data.ts'
import { kinds } from '../../../kinds/registry.ts'
import { planDot, planMermaid, planSvg } from './plan-graph.ts'

let graphviz: (dot: string) => string
beforeAll(async () => {
  graphviz = await graphvizForTests()
})

const created = (address: string, ...requires: string[]): Change =>
  changeOf({ address, kind: address.split('/')[0] ?? '', action: 'create', id: null, after: {}, requires })
const machine = [created('Vpc/net'), created('Instance/web', 'Vpc/net'), created('Disk/data', 'Instance/web')]
const spiteful = created('Vpc/x["\\"];\u001b]</style><script>alert(1)</script>&quot;&#34;"]')
const report = (...changes: readonly Change[]) => reportOf(planOf(changes))

test('DOT is read by Graphviz, in clusters, and says what the picture says', () => {
  const { objects } = JSON.parse(graphviz(planDot(kinds)(report(...machine, spiteful))))
  const labels = objects.flatMap((one: { readonly label?: string; readonly nodes?: unknown }) => (one.nodes === undefined ? [one.label] : []))
  expect(labels.slice(0, 2)).toEqual(['+ Instance/web\\ncreate', '+ Disk/data\\ncreate'])
  expect(objects.filter((one: { readonly name: string }) => one.name.startsWith('cluster'))).toHaveLength(1)
  expect(labels).toHaveLength(4)
})

test('mermaid holds a class for each action, a subgraph for what hangs together, and no sign that ends a label', () => {
  expect(planMermaid(kinds)(report(...machine))).toBe(`flowchart LR
  classDef create fill:#e8f6ec,stroke:#2c8a45,color:#12522a
  classDef frame fill:none,stroke:#7c8896,stroke-dasharray:3 3
  subgraph f1[" "]
    direction LR
    n1["+ Instance/web<br>create"]
    n2["+ Disk/data<br>create"]
  end
  class f1 frame
  n0["+ Vpc/net<br>create"]
  n1 --> n0
  n2 --> n1
  class n0,n1,n2 create
`)
  const [label = ''] = /n0\["(.*)"\]\n/.exec(planMermaid(kinds)(report(spiteful)))?.slice(1) ?? []
  expect(label.replaceAll('<br>', '').replaceAll(/#\d+;/g, '')).toMatch(/^[\w+/ .-]+$/)
})

test('SVG frames what hangs together, crosses no box, and has no script, handler or address of elsewhere', () => {
  const svg = planSvg(kinds, graphviz)(report(...machine, spiteful))
  expect(boxes(svg).map((one) => one.look)).toEqual(['create', 'create', 'create', 'create'])
  expect(frames(svg)).toHaveLength(1)
  expect(crossings(svg)).toEqual([])
  expect(svg).toContain('prefers-color-scheme:dark')
  expect(svg.match(/<\/?(?:script|style|image|use|foreignObject|a)\b/g)).toEqual(['<style', '</style'])
  expect(svg.replace('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:|href|\son\w+=|\u001b/)
  expect(svg).toContain('>Plan: 4 to add, 0 to change, 0 to destroy.</title>')
})

test('what is not drawn is counted in every form', () => {
  const near = report(...machine, changeOf({ address: 'Vpc/same', action: 'no-op' }))
  for (const text of [planDot(kinds)(near), planMermaid(kinds)(near), planSvg(kinds, graphviz)(near)])
    expect(text).toContain('1 unchanged resource is not drawn.')
})

test('SVG of nothing says so', () => {
  expect(planSvg(kinds, graphviz)(report())).toContain('>No changes. Your infrastructure matches the manifests.</title>')
})

test('a thousand changes are drawn in two seconds', () => {
  const many = Array.from({ length: 250 }, (_, at) => {
    const [net, web] = [`Vpc/n${at % 40}`, `Instance/i${at}`]
    return [created(net), created(web, net, `Vpc/n${(at * 7) % 40}`), created(`Disk/d${at}`, web), created(`FirewallRule/r${at}`, web)]
  }).flat()
  const { result, spentMs } = cpuTime(() => planSvg(kinds, graphviz)(report(...many)))
  expect(spentMs).toBeLessThan(2000)
  expect(boxes(result).length).toBeLessThanOrEqual(120)
})
