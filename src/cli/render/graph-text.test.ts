// Graphs in every form, with names that could break out of it.
import { expect, test } from 'vitest'
import { dotText, graphJson, mermaidText } from './graph-text.ts'

const graph = {
  nodes: [
    { address: 'Vpc/main', kind: 'Vpc', needs: [] },
    { address: 'Instance/web["a\\"];"]', kind: 'Instance', needs: ['Vpc/main', 'Vpc/elsewhere'] },
  ],
}

test('mermaid', () => {
  expect(mermaidText(graph)).toBe('flowchart LR\n  n0["Vpc/main"]\n  n1["Instance/web#91;#34;a\\#34;#93;;#34;#93;"]\n  n1 --> n0\n')
})
test('dot', () => {
  expect(dotText(graph)).toBe(
    'digraph iac {\n  rankdir=LR;\n  node [shape=box];\n  n0 [label="Vpc/main"];\n  n1 [label="Instance/web[\\"a\\\\\\"];\\"]"];\n  n1 -> n0;\n}\n',
  )
})
test('JSON', () => {
  expect(JSON.parse(graphJson(graph))).toEqual({
    nodes: [
      { address: 'Vpc/main', kind: 'Vpc' },
      { address: 'Instance/web["a\\"];"]', kind: 'Instance' },
    ],
    edges: [{ from: 'Instance/web["a\\"];"]', to: 'Vpc/main' }],
  })
})
