// `iac graph`: the dependencies between the manifests, without any call.
import type { Declared } from '../../project/resolving/declared.ts'
import { idleFlags } from '../arguments/flags.ts'
import { defineCommand } from '../context/command.ts'
import { svgText } from '../render/graph-svg.ts'
import { dotText, graphJson, mermaidText } from '../render/graph-text.ts'
import type { Graph } from '../render/graph-text.ts'

export const graphCommand = defineCommand({
  summary: 'the graph of dependencies',
  about: 'Shows which resource needs which, by references and depends_on, without any call. An arrow leads to what is needed.',
  arguments: [],
  flags: { format: { type: 'choice', value: 'F', choices: ['svg', 'mermaid', 'dot', 'json'], about: 'the form (default mermaid)' } },
  idle: idleFlags.withoutCalls,
  examples: [
    { text: 'graph --format svg > graph.svg', about: 'a picture' },
    { text: 'graph --format dot', about: 'for Graphviz' },
  ],
  async run(context, given) {
    const { project, diagnostics } = await context.project()
    context.print.diagnostics(diagnostics)
    const graph = graphOf(project.resources)
    const format = context.globals.switch('json') ? 'json' : (given.text('format') ?? 'mermaid')
    context.print.result((renderers[format] ?? mermaidText)(graph))
    return 0
  },
})

const renderers: Readonly<Record<string, (graph: Graph) => string>> = { svg: svgText, mermaid: mermaidText, dot: dotText, json: graphJson }

function graphOf(resources: readonly Declared[]): Graph {
  return {
    nodes: resources.map((one) => {
      const workspace = one.workspace && 'address' in one.workspace ? [one.workspace.address] : []
      const needs = new Set([...one.references, ...one.dependsOn, ...workspace])
      needs.delete(one.address)
      return { address: one.address, kind: one.kind.name, needs: [...needs].toSorted() }
    }),
  }
}
