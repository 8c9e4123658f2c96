// What stands in a workspace: a tree for the terminal, and a drawing in DOT.
import { safeLine } from './text/sanitise.ts'

/** What the service shows of a workspace, read leniently: what it does not tell is empty or null. */
export interface Topology {
  readonly workspace: string
  readonly instances: readonly { readonly id: string; readonly name: string; readonly online: boolean | null; readonly state: string | null }[]
  readonly ips: readonly { readonly id: string; readonly address: string; readonly instance: string | null; readonly protected: boolean | null }[]
  readonly vpcs: readonly { readonly id: string; readonly name: string; readonly range: string | null; readonly members: readonly Member[] }[]
  readonly dediboxes: readonly { readonly id: string; readonly name: string; readonly online: boolean | null }[]
  readonly balancers: readonly { readonly id: string; readonly name: string; readonly members: readonly Member[] }[]
}

/** An instance in a private network or behind a balancer, with its address there. */
interface Member {
  readonly instance: string
  readonly address: string | null
}

interface Branch {
  readonly text: string
  readonly below: readonly Branch[]
}

type Instance = Topology['instances'][number]

/** Private networks with their instances and addresses, then what stands in none, free addresses, dediboxes and balancers. */
export function topologyTree(topology: Topology): string {
  const { instances, ips, vpcs, dediboxes, balancers } = topology
  const byId = new Map(instances.map((one) => [one.id, one]))
  const shown = new Set<string>()
  function instanceBranch({ instance, address }: Member): Branch {
    const known = byId.get(instance)
    const words = [known ? instanceText(known) : `instance ${instance}`, address ?? ''].filter((one) => one !== '').join('  ')
    const isFirst = !shown.has(instance)
    shown.add(instance)
    return { text: words, below: isFirst ? ips.filter((ip) => ip.instance === instance).map((ip) => ({ text: addressText(ip), below: [] })) : [] }
  }
  const networks = vpcs.map((one) => ({ text: `vpc ${one.name}${one.range === null ? '' : `  ${one.range}`}`, below: one.members.map(instanceBranch) }))
  const behind = balancers.map((one) => ({ text: `balancer ${one.name}`, below: one.members.map(instanceBranch) }))
  const alone = instances.filter((one) => !shown.has(one.id)).map(({ id }) => instanceBranch({ instance: id, address: null }))
  const free = ips.filter((one) => one.instance === null).map((one) => ({ text: addressText(one), below: [] }))
  const boxes = dediboxes.map((one) => ({ text: `dedibox ${one.name}${onlineText(one.online)}`, below: [] }))
  const all = [...networks, ...behind, ...alone, ...boxes, ...(free.length === 0 ? [] : [{ text: 'addresses of nothing', below: free }])]
  return `${[safeLine(`workspace ${topology.workspace}`), ...branchLines(all, '')].join('\n')}\n`
}

function branchLines(branches: readonly Branch[], indent: string): string[] {
  return branches.flatMap(({ text, below }, at) => {
    const isLast = at === branches.length - 1
    return [`${indent}${isLast ? '└─' : '├─'} ${safeLine(text)}`, ...branchLines(below, `${indent}${isLast ? '   ' : '│  '}`)]
  })
}

function instanceText({ name, online, state }: Instance): string {
  return `instance ${name}${onlineText(online)}${state === null || state === 'AVAILABLE' ? '' : `  ${state}`}`
}

function onlineText(online: boolean | null): string {
  return online === null ? '' : online ? '  on' : '  off'
}

function addressText(ip: Topology['ips'][number]): string {
  return `${ip.address}${ip.protected === true ? '  protected' : ''}`
}

/** The same as a graph for Graphviz: lines lead from private networks and balancers to instances, and from these to their addresses. */
export function topologyDot({ workspace, instances, ips, vpcs, dediboxes, balancers }: Topology): string {
  const known = new Set(instances.map((one) => one.id))
  const joined = (kind: string, id: string, members: readonly Member[]): string[] =>
    members.flatMap((one) =>
      known.has(one.instance)
        ? [`  ${quoted(`${kind} ${id}`)} -- ${quoted(`instance ${one.instance}`)}${one.address === null ? '' : ` [label=${quoted(one.address)}]`};`]
        : [],
    )
  const node = (id: string, label: string, look: string): string => `  ${quoted(id)} [label=${quoted(label)}, ${look}];`
  const lines = [
    ...vpcs.map((one) =>
      node(`vpc ${one.id}`, [one.name, one.range ?? ''].filter(Boolean).join('\n'), 'shape=box, style="rounded,filled", fillcolor="#dbe7ff"'),
    ),
    ...balancers.map((one) => node(`balancer ${one.id}`, one.name, 'shape=hexagon, style=filled, fillcolor="#fff1cc"')),
    ...instances.map((one) => node(`instance ${one.id}`, one.name, `shape=box, style=filled, fillcolor="${one.online === false ? '#e4e4e4' : '#d9f2dd'}"`)),
    ...ips.map((one) => node(`ip ${one.id}`, one.address, `shape=box, style="rounded${one.protected === true ? ',bold' : ''}"`)),
    ...dediboxes.map((one) => node(`dedibox ${one.id}`, one.name, `shape=box3d, style=filled, fillcolor="${one.online === false ? '#e4e4e4' : '#d9f2dd'}"`)),
    ...vpcs.flatMap((one) => joined('vpc', one.id, one.members)),
    ...balancers.flatMap((one) => joined('balancer', one.id, one.members)),
    ...ips.flatMap((one) =>
      one.instance !== null && known.has(one.instance) ? [`  ${quoted(`instance ${one.instance}`)} -- ${quoted(`ip ${one.id}`)};`] : [],
    ),
  ]
  const look = [
    '  rankdir=LR;',
    `  label=${quoted(`workspace ${workspace}`)};`,
    '  labelloc=t;',
    '  fontname="Helvetica";',
    '  node [fontname="Helvetica", margin="0.2,0.08"];',
    '  edge [fontname="Helvetica", fontsize=10, color="#556677"];',
  ]
  return `${['graph topology {', ...look, ...lines, '}'].join('\n')}\n`
}

/** A text as DOT quotes it; its line ends are centred lines. */
function quoted(text: string): string {
  return `"${text
    .split('\n')
    .map((line) => safeLine(line).replace(/["\\]/g, '\\$&').replaceAll('&', '&amp;'))
    .join('\\n')}"`
}
