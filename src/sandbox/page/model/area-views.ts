// Areas of the map beside the networks: the cluster, BGP, what is attached to nothing, dedicated servers.
import type { Area, Card } from './map-parts.ts'
import { line, part, shortened } from './map-parts.ts'
import type { PageModel } from './page-model.ts'
import { grouped, nameOfInstance, within } from './page-model.ts'
import { countText, sizeText } from './plain-text.ts'
import type { StateWord } from './state-words.ts'
import { powerState, prefixState, stateWord } from './state-words.ts'

/** The managed cluster with its nodes, services and secrets. */
export function clusterAreas(model: PageModel, workspace: string): readonly Area[] {
  const { rows } = model
  return within(rows.clusters, workspace).map((cluster) => {
    const nodes = within(rows.clusterNodes, workspace).map((one): Card => {
      const on = nameOfInstance(model, one.instance_id)
      const lines = on === null || on === one.node_name ? [] : [line('app', `on ${on}`)]
      return { key: `clusterNodes/${one.id}`, title: one.node_name, state: stateWord(one.status), side: 'node', lines }
    })
    const services = within(rows.clusterServices, workspace).map((one): Card => {
      const copies = one.replicas === null ? one.mode.toLowerCase() : countText(one.replicas, 'replica')
      const ports = one.ports.length === 0 ? [] : [line('address', `port ${one.ports.join(', ')}`)]
      const lines = shortened([line('image', one.image), ...ports, ...one.secret_refs.map((name) => line('key', name))])
      return { key: `clusterServices/${one.id}`, title: one.name, state: stateWord(one.status), side: copies, lines }
    })
    const secrets = within(rows.clusterSecrets, workspace).map(({ id, name, keys }): Card => {
      return { key: `clusterSecrets/${id}`, title: name, state: undefined, side: 'secret', lines: shortened(keys.map((one) => line('key', one))) }
    })
    const counts = [
      countText(nodes.length, 'node'),
      countText(services.length, 'service'),
      ...(secrets.length > 0 ? [countText(secrets.length, 'secret')] : []),
    ]
    const about = ['k3s cluster', stateWord(cluster.status).word, ...counts].join(' · ')
    return { key: `clusters/${cluster.id}`, sort: 'cluster', title: cluster.name, about, cards: [...nodes, ...services, ...secrets], empty: 'No nodes yet.' }
  })
}

/** The BGP session of the workspace, with the prefixes that it announces. */
export function bgpAreas(model: PageModel, workspace: string): readonly Area[] {
  const { rows } = model
  return within(rows.bgpConfigurations, workspace).map((one) => {
    const cards = within(rows.bgpPrefixes, workspace).map(({ id, prefix, enabled, community }): Card => {
      const side = community === 'DEFAULT' ? '' : community.toLowerCase()
      return { key: `bgpPrefixes/${id}`, title: prefix, state: prefixState(enabled), side, lines: [] }
    })
    const session = one.instance_id === null ? 'no session' : `session with ${nameOfInstance(model, one.instance_id)}`
    const count = `${cards.length} of ${countText(one.max_prefixes, 'prefix')}`
    const about = [one.asn === null ? 'no AS number' : `AS ${one.asn}`, session, count].join(' · ')
    return { key: `bgpConfigurations/${one.id}`, sort: 'bgp', title: 'BGP', about, cards, empty: 'No prefixes yet.' }
  })
}

/** Addresses and disks that are attached to nothing. */
export function trayArea({ rows }: PageModel, workspace: string): readonly Area[] {
  const ips = within(rows.ips, workspace).filter((one) => one.instance_id === null)
  const disks = within(rows.disks, workspace).filter((one) => one.instance_id === null)
  const cards = [
    ...ips.map((one): Card => ({ key: `ips/${one.id}`, title: one.address, state: freeState(one.state), side: 'address', lines: [] })),
    ...disks.map((one): Card => {
      return { key: `disks/${one.id}`, title: one.name, state: freeState(one.state), side: `disk ${sizeText(one.size_bytes)}`, lines: [] }
    }),
  ]
  return part('tray', 'Unattached', countText(cards.length, 'thing'), cards)
}

/** What is available and attached to nothing is free. */
function freeState(state: string): StateWord {
  return stateWord(state === 'AVAILABLE' ? 'free' : state)
}

/** The recipes of the workspace; those of the platform are everybody's. */
export function recipesArea({ rows }: PageModel, workspace: string): readonly Area[] {
  const own = [...rows.recipes.values()].filter((one) => one.owner_id === workspace)
  const cards = own.map(({ id, name, category }): Card => {
    return { key: `recipes/${id}`, title: name, state: undefined, side: category.toLowerCase(), lines: [] }
  })
  return part('recipes', 'Recipes', countText(cards.length, 'recipe'), cards)
}

/** Dedicated servers with their addresses. */
export function metalArea({ rows }: PageModel, workspace: string): readonly Area[] {
  const ips = grouped(within(rows.dediboxIps, workspace), (one) => one.dedibox_id)
  const cards = within(rows.dediboxes, workspace).map(({ id, name, region, online }): Card => {
    const lines = shortened((ips.get(id) ?? []).map((one) => line('address', one.address)))
    return { key: `dediboxes/${id}`, title: name, state: powerState(online), side: region, lines }
  })
  return part('metal', 'Dedicated servers', countText(cards.length, 'server'), cards)
}
