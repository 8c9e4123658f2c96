// The BGP session of a workspace and its prefixes: section "BGP".
import { normaliseCidr } from '../../../base/cidr.ts'
import type { JsonObject } from '../../../base/json.ts'
import { area } from '../../request/area.ts'
import { defined } from '../../request/defined.ts'
import type { RecordReply } from '../../request/exchange.ts'
import { listing } from '../../request/exchange.ts'
import { among, contains, equals, filtered } from '../../request/lists/filters.ts'
import { found } from '../../request/refusal.ts'
import { NOT_ALLOWED, rule } from '../../request/rules.ts'
import { summaryOrNull } from '../../request/summaries.ts'
import type { BgpPrefixRow } from '../../store/rows.ts'
import type { World } from '../../world.ts'

const DEFAULT_MAX_PREFIXES = 10
/** The first of the 32-bit numbers for private use (RFC 6996). */
const FIRST_PRIVATE_ASN = 4_200_000_000

const rules = [
  rule({
    id: 'bgp.instance',
    section: 'Errors',
    quote: 'resource missing or not visible to the workspace',
    assumed: true,
    routes: ['updateBgp'],
    status: 404,
    open: 'reference',
    field: 'instance_id',
    message: 'the instance is not in the workspace',
    broken: ({ world, params: { wid }, body: { instance_id: id } }) => typeof id === 'string' && world.tables.instances.get(id)?.workspaceId !== wid,
  }),
  rule({
    id: 'bgp.instance-state',
    section: 'Errors',
    quote: NOT_ALLOWED,
    assumed: true,
    routes: ['updateBgp'],
    status: 409,
    field: 'instance_id',
    message: 'the instance is not available',
    broken: ({ world, body: { instance_id: id } }) => typeof id === 'string' && (world.tables.instances.get(id)?.state ?? 'AVAILABLE') !== 'AVAILABLE',
  }),
  rule({
    id: 'bgp.max-prefixes',
    section: 'BGP configuration and prefix',
    quote: '`max_prefixes` (integer)',
    assumed: true,
    routes: ['createBgpPrefix'],
    status: 409,
    message: 'max_prefixes is reached',
    broken: ({ world, params: { wid } }) => prefixesOf(world, wid).length >= (configurationOf(world, wid)?.maxPrefixes ?? Infinity),
  }),
  rule({
    id: 'bgp.prefix-twice',
    section: 'Errors',
    quote: NOT_ALLOWED,
    assumed: true,
    routes: ['createBgpPrefix', 'updateBgpPrefix'],
    status: 409,
    open: 'taken',
    message: 'the prefix is announced already',
    broken: ({ world, params, body }) =>
      prefixesOf(world, params.wid).some((one) => one.prefix === normaliseCidr(body.prefix) && !('id' in params && params.id === one.id)),
  }),
]

/** The configuration, one per workspace, and the prefixes that it announces. */
export const bgpArea = area(
  {
    getBgp: ({ world, params }) => configurationReply(world, params.wid),
    updateBgp({ world, params, body }) {
      const { bgpConfigurations } = world.tables
      const { id } =
        configurationOf(world, params.wid) ??
        bgpConfigurations.insert({ workspaceId: params.wid, asn: freeAsn(world), password: null, instanceId: null, maxPrefixes: DEFAULT_MAX_PREFIXES })
      bgpConfigurations.update(id, defined({ asn: body.asn, password: body.password, instanceId: body.instance_id, maxPrefixes: body.max_prefixes }))
      return configurationReply(world, params.wid)
    },
    deleteBgp({ world, params }) {
      world.tables.bgpConfigurations.delete(found(configurationOf(world, params.wid), 'BGP configuration').id)
      for (const { id } of prefixesOf(world, params.wid)) world.tables.bgpPrefixes.delete(id)
      return undefined
    },
    listBgpPrefixes({ world, params, query }) {
      const rows = filtered(prefixesOf(world, params.wid), [
        among(query.id, (row) => row.id),
        contains(query.prefix, (row) => row.prefix),
        equals(query.source, (row) => row.source),
        equals(query.enabled, (row) => row.enabled),
      ])
      return listing('bgp_prefix', rows, prefixView, 'oldest')
    },
    createBgpPrefix({ world, params, body }) {
      found(configurationOf(world, params.wid), 'BGP configuration')
      const row = world.tables.bgpPrefixes.insert({ ...body, workspaceId: params.wid, prefix: found(normaliseCidr(body.prefix), 'prefix') })
      return { kind: 'record', view: prefixView(row) }
    },
    updateBgpPrefix({ world, params, body }) {
      return { kind: 'record', view: prefixView(world.tables.bgpPrefixes.update(params.id, { ...body, prefix: found(normaliseCidr(body.prefix), 'prefix') })) }
    },
    deleteBgpPrefix({ world, params }) {
      world.tables.bgpPrefixes.delete(params.id)
      return undefined
    },
  },
  { rules },
)

function configurationOf(world: World, workspaceId: string) {
  return world.tables.bgpConfigurations.first('workspace', workspaceId)
}

/** The lowest private number that no configuration has: "`asn` (integer)" leaves no room for none. */
function freeAsn({ tables }: World): number {
  const taken = new Set(tables.bgpConfigurations.all().map(({ asn }) => asn))
  let asn = FIRST_PRIVATE_ASN
  while (taken.has(asn)) asn += 1
  return asn
}

function prefixesOf(world: World, workspaceId: string): readonly BgpPrefixRow[] {
  return world.tables.bgpPrefixes.by('workspace', workspaceId)
}

function configurationReply(world: World, workspaceId: string): RecordReply {
  const { id, asn, password, instanceId, maxPrefixes } = found(configurationOf(world, workspaceId), 'BGP configuration')
  const instance = summaryOrNull(world.tables.instances, instanceId)
  return { kind: 'record', view: { data: { id, asn, instance, max_prefixes: maxPrefixes }, live: { password } } }
}

/** Ids are integers here, beyond 2^53 as everywhere. */
function prefixView({ id, prefix, source, enabled, community }: BgpPrefixRow): JsonObject {
  return { id: BigInt(id), prefix, source, enabled, community }
}
