// `iac topology`: what stands in a workspace and hangs together, as a tree, a graph or a picture.
import { maskSecrets, secretMembers } from '../../../api/answers/secret-members.ts'
import { call } from '../../../api/calls/call.ts'
import { routes } from '../../../api/routes/routes.ts'
import { failure } from '../../../base/diagnostic.ts'
import { defineCommand } from '../../context/command.ts'
import { withIdTexts } from '../../context/id-texts.ts'
import { workspacesOf } from '../../context/listed-objects.ts'
import { lookedIn } from '../../context/workspace-of.ts'
import { workspaceNames } from '../../operating/names/workspace-names.ts'
import { readTopology } from '../../operating/read-topology.ts'
import { topologyDot, topologyTree } from '../../render/topology.ts'
import { loadGraphviz } from '../../surroundings/graphviz.ts'

export const topologyCommand = defineCommand({
  summary: 'what stands in a workspace, as a drawing',
  about:
    'Draws the instances of a workspace with their private networks and addresses, its dediboxes and balancers: whatever the service shows, managed or not.',
  arguments: [],
  flags: { output: { type: 'choice', value: 'FORM', short: 'o', choices: ['tree', 'json', 'dot', 'svg'], about: 'the form (default tree)' } },
  idle: ['lock-timeout', 'no-input'],
  examples: [
    { text: 'topology', about: 'a tree' },
    { text: 'topology -o svg > workspace.svg', about: 'a picture' },
  ],
  async run(context, given) {
    const form = context.globals.switch('json') ? 'json' : (given.text('output') ?? 'tree')
    const { compat, ref, idOf } = await lookedIn(context)
    const client = await context.client(compat)
    const [wid = ''] = await workspacesOf(client, { ref, everywhere: false, idOf }, 'set provider.workspace in iac.yaml')
    const answer = await client.read(call(routes.getTopology, { wid }))
    if (answer === undefined) throw failure('lookup_failed', `there is no workspace ${wid}, or it is not visible to this caller`)
    const shown = maskSecrets(answer, secretMembers(routes.getTopology), [])
    if (form === 'json') {
      context.print.json(withIdTexts(shown, new Set()))
      return 0
    }
    const name = (await workspaceNames(client)).get(wid)
    const topology = readTopology(name === undefined ? wid : `${name} (${wid})`, shown)
    if (form === 'tree') context.print.result(topologyTree(topology))
    else if (form === 'dot') context.print.result(topologyDot(topology))
    else context.print.result(await pictureOf(topologyDot(topology)))
    return 0
  },
})

/** The graph as Graphviz lays it out; it names nothing outside of itself. */
async function pictureOf(dot: string): Promise<string> {
  const svg = (await loadGraphviz())(dot, 'svg')
  return svg.replace(/^[\s\S]*?(?=<svg)/, '').replaceAll(/<!--[\s\S]*?-->\n?/g, '')
}
