// The graph of dependencies as mermaid, DOT or JSON.
import { stringifyJson } from '../../base/json.ts'
import type { MachineDocument } from './machine-shapes.ts'
import { safeJson, safeLine } from './text/sanitise.ts'

/** Resources by address, with what each needs. */
export interface Graph {
  readonly nodes: readonly { readonly address: string; readonly kind: string; readonly needs: readonly string[] }[]
}

/** `graph --format mermaid`: an arrow leads from a resource to what it needs. */
export function mermaidText(graph: Graph): string {
  const numbers = new Map(graph.nodes.map((node, at) => [node.address, at]))
  const nodes = graph.nodes.map((node, at) => `  n${at}["${mermaidLabel(node.address)}"]`)
  return `${['flowchart LR', ...nodes, ...edgesOf(graph, numbers, (from, to) => `  n${from} --> n${to}`)].join('\n')}\n`
}

/** `graph --format dot`, for Graphviz. */
export function dotText(graph: Graph): string {
  const numbers = new Map(graph.nodes.map((node, at) => [node.address, at]))
  const nodes = graph.nodes.map((node, at) => `  n${at} [label=${dotLabel(node.address)}];`)
  return `${['digraph iac {', '  rankdir=LR;', '  node [shape=box];', ...nodes, ...edgesOf(graph, numbers, (from, to) => `  n${from} -> n${to};`), '}'].join('\n')}\n`
}

/** `graph --format json`: nodes and edges by address. */
export function graphJson(graph: Graph): string {
  const known = new Set(graph.nodes.map((node) => node.address))
  const nodes = graph.nodes.map(({ address, kind }) => ({ address, kind }))
  const edges = graph.nodes.flatMap((node) => node.needs.filter((need) => known.has(need)).map((need) => ({ from: node.address, to: need })))
  const document: MachineDocument<'graph'> = { nodes, edges }
  return `${safeJson(stringifyJson(document, 2))}\n`
}

function edgesOf(graph: Graph, numbers: ReadonlyMap<string, number>, line: (from: number, to: number) => string): string[] {
  return graph.nodes.flatMap((node, from) =>
    node.needs.flatMap((need) => {
      const to = numbers.get(need)
      return to === undefined ? [] : [line(from, to)]
    }),
  )
}

function mermaidLabel(text: string): string {
  return safeLine(text).replace(/[&<>"#[\]{}|`]/g, (one) => `#${one.charCodeAt(0)};`)
}

function dotLabel(text: string): string {
  return `"${safeLine(text).replace(/["\\]/g, '\\$&')}"`
}
