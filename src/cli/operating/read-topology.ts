// Reads what the service shows of a workspace: the document names its lists, and hardly what stands in them.
import { listOf, objectOf } from '../../api/answers/answer.ts'
import type { JsonObject, JsonValue } from '../../base/json.ts'
import type { Topology } from '../render/topology.ts'

/** A topology object; what is not told, or is something else, is left out. */
export function readTopology(workspace: string, answer: JsonValue): Topology {
  const top = objectOf(answer) ?? {}
  return {
    workspace,
    instances: recordsIn(top['instances']).map((one) => ({ ...named(one), online: flagOf(one['online']), state: textOf(one['state']) })),
    ips: recordsIn(top['ips']).map((one) => ({
      id: idOf(one['id']) ?? '',
      address: textOf(one['address']) ?? '-',
      instance: instanceOf(one) ?? null,
      protected: flagOf(one['protected']),
    })),
    vpcs: recordsIn(top['vpcs']).map((one) => ({ ...named(one), range: textOf(one['range']), members: membersOf(one) })),
    dediboxes: recordsIn(top['dediboxes']).map((one) => ({ ...named(one), online: flagOf(one['online']) })),
    balancers: recordsIn(top['net_balancers']).map((one) => ({ ...named(one), members: membersOf(one) })),
  }
}

/** Objects with an id. */
function recordsIn(value: JsonValue | undefined): readonly JsonObject[] {
  return (listOf(value) ?? []).flatMap((one) => {
    const object = objectOf(one)
    return object && idOf(object['id']) !== undefined ? [object] : []
  })
}

function named(record: JsonObject): { readonly id: string; readonly name: string } {
  const id = idOf(record['id']) ?? ''
  return { id, name: textOf(record['name']) ?? id }
}

/** Associations with instances: objects that name one, summaries of them, or ids. */
function membersOf(record: JsonObject): Topology['vpcs'][number]['members'] {
  const all = listOf(record['instances']) ?? listOf(record['members']) ?? []
  return all.flatMap((one) => {
    const object = objectOf(one)
    const instance = object ? (instanceOf(object) ?? idOf(object['id'])) : idOf(one)
    return instance === undefined
      ? []
      : [{ instance, address: object ? (textOf(object['address']) ?? textOf(object['private_ip']) ?? textOf(object['ip'])) : null }]
  })
}

function instanceOf(record: JsonObject): string | undefined {
  return idOf(record['instance_id']) ?? idOf(record['instance']) ?? idOf(objectOf(record['instance'])?.['id'])
}

function idOf(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value
  return typeof value === 'bigint' || (typeof value === 'number' && Number.isSafeInteger(value)) ? String(value) : undefined
}

function textOf(value: JsonValue | undefined): string | null {
  return typeof value === 'string' ? value : null
}

function flagOf(value: JsonValue | undefined): boolean | null {
  return typeof value === 'boolean' ? value : null
}
