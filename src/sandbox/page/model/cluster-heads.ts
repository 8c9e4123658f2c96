// What is told of the managed cluster: itself, its nodes and services, and of secrets the names alone.
import type { HeadOf } from './details-parts.ts'
import { known, lines } from './details-parts.ts'
import { nameOfInstance } from './page-model.ts'
import { stateWord } from './state-words.ts'

/** By table. */
export const clusterHeads: Readonly<Record<string, HeadOf>> = {
  clusters({ rows }, id) {
    const one = rows.clusters.get(id)
    return one && { kind: 'k3s cluster', title: one.name, state: stateWord(one.status), facts: [] }
  },
  clusterNodes(model, id) {
    const one = model.rows.clusterNodes.get(id)
    if (!one) return undefined
    return { kind: 'cluster node', title: one.node_name, state: stateWord(one.status), facts: known([['instance', nameOfInstance(model, one.instance_id)]]) }
  },
  clusterServices({ rows }, id) {
    const one = rows.clusterServices.get(id)
    if (!one) return undefined
    const facts = known([
      ['image', one.image],
      ['mode', one.mode.toLowerCase()],
      ['replicas', one.replicas === null ? null : String(one.replicas)],
      ['ports', one.ports.join(', ')],
      ['secrets', lines(one.secret_refs)],
    ])
    return { kind: 'cluster service', title: one.name, state: stateWord(one.status), facts }
  },
  clusterSecrets({ rows }, id) {
    const one = rows.clusterSecrets.get(id)
    if (!one) return undefined
    const users = [...rows.clusterServices.values()].filter((service) => service.workspace_id === one.workspace_id && service.secret_refs.includes(one.name))
    const facts = known([
      ['keys', lines(one.keys) || 'none'],
      ['used by', lines(users.map((service) => service.name))],
    ])
    return { kind: 'cluster secret', title: one.name, state: undefined, facts }
  },
}
