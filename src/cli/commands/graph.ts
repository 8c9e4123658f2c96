// `iac graph`: the dependencies between the manifests, without any call.
import { givenWay, push } from '../../engine/model/graph/needs.ts'
import { kinds } from '../../kinds/registry.ts'
import { workspaceKey } from '../../project/declarations/workspaces.ts'
import type { Declared } from '../../project/resolving/declared.ts'
import { nobody } from '../../project/resolving/nobody.ts'
import { idleFlags } from '../arguments/flags.ts'
import { defineCommand } from '../context/command.ts'
import { graphPicture } from '../render/graph-picture.ts'
import { dotText, graphJson, mermaidText } from '../render/graph-text.ts'
import type { Graph } from '../render/graph-text.ts'
import { loadGraphviz } from '../surroundings/graphviz.ts'

export const graphCommand = defineCommand({
  summary: 'the graph of dependencies',
  about: 'Shows which resource needs which, by references, depends_on and what kinds imply, without any call. An arrow leads to what is needed.',
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
    context.print.result(format === 'svg' ? await pictureOf(graph) : (renderers[format] ?? mermaidText)(graph))
    return 0
  },
})

const renderers: Readonly<Record<string, (graph: Graph) => string>> = { mermaid: mermaidText, dot: dotText, json: graphJson }

async function pictureOf(graph: Graph): Promise<string> {
  const layOut = await loadGraphviz()
  return graphPicture(graph, kinds, (dot) => layOut(dot, 'json'))
}

/** The edges of a plan: references, what is written, the workspace, and what kinds imply. */
function graphOf(resources: readonly Declared[]): Graph {
  const specs = new Map(resources.map((one) => [one, one.resolve(nobody).spec]))
  const providers = new Map<string, string[]>()
  for (const [one, spec] of specs) for (const name of one.kind.provides?.(spec, workspaceKey(one.workspace)) ?? []) push(providers, name, one.address)
  const required = new Map<string, Set<string>>()
  const yielding = new Map<string, readonly string[]>()
  for (const one of resources) {
    const workspace = one.workspace && 'address' in one.workspace ? [one.workspace.address] : []
    const implied = (one.kind.needs?.(specs.get(one) ?? {}, workspaceKey(one.workspace)) ?? []).flatMap((name) => providers.get(name) ?? [])
    if (one.kind.needsYield) yielding.set(one.address, implied)
    const needs = new Set([...one.references, ...one.dependsOn, ...one.lifecycle.redeployTriggeredBy, ...workspace, ...implied])
    needs.delete(one.address)
    required.set(one.address, needs)
  }
  for (const [address, given] of givenWay(required, yielding)) for (const one of given) required.get(address)?.delete(one)
  return { nodes: resources.map(({ address, kind }) => ({ address, kind: kind.name, needs: [...(required.get(address) ?? [])].toSorted() })) }
}
