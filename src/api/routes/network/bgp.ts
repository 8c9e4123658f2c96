// The BGP session of a workspace and its prefixes: section "BGP".
import * as z from 'zod'
import { lazy } from '../../../base/lazy.ts'
import { booleanQuery, cidr, filled, id, idsQuery, known, open, record, secret, summary, whole } from '../fields.ts'
import { paged } from '../pagination.ts'
import { route } from '../route.ts'

const section = 'BGP'
const source = lazy(() => z.enum(['MANUAL']))
const community = lazy(() => z.enum(['DEFAULT', 'PROTECTED']))

const configuration = lazy(() =>
  open({
    data: record({ asn: z.number().nullable(), instance: summary.nullable(), max_prefixes: z.number().nullable() }),
    live: open({ password: secret(z.string().nullable()) }).nullable(),
  }),
)
const prefix = lazy(() => record({ prefix: z.string(), source: known(source()), enabled: z.boolean(), community: known(community()) }))
const prefixBody = lazy(() => z.strictObject({ prefix: cidr, source: source(), enabled: z.boolean(), community: community() }))

export const bgp = {
  getBgp: route(section, 'GET', '/v1/workspaces/{wid}/bgp', { answer: { shape: 'object', item: configuration }, access: 'viewer' }),
  updateBgp: route(section, 'PATCH', '/v1/workspaces/{wid}/bgp', {
    body: lazy(() =>
      z.strictObject({ asn: whole.min(1).max(4_294_967_295), password: secret(filled), instance_id: id.nullable(), max_prefixes: whole.min(0) }).partial(),
    ),
    answer: { shape: 'object', item: configuration },
    access: 'administrator',
  }),
  deleteBgp: route(section, 'DELETE', '/v1/workspaces/{wid}/bgp', { answer: { shape: 'empty' }, access: 'administrator' }),
  listBgpPrefixes: route(section, 'GET', '/v1/workspaces/{wid}/bgp/prefixes', {
    ...paged(prefix, () => ({ id: idsQuery, prefix: z.string(), source: source(), enabled: booleanQuery })),
    access: 'administrator',
  }),
  createBgpPrefix: route(section, 'POST', '/v1/workspaces/{wid}/bgp/prefixes', {
    body: prefixBody,
    answer: { shape: 'object', item: prefix },
    access: 'administrator',
  }),
  updateBgpPrefix: route(section, 'PUT', '/v1/workspaces/{wid}/bgp/prefixes/{id}', {
    body: prefixBody,
    answer: { shape: 'object', item: prefix },
    access: 'administrator',
  }),
  deleteBgpPrefix: route(section, 'DELETE', '/v1/workspaces/{wid}/bgp/prefixes/{id}', { answer: { shape: 'empty' }, access: 'administrator' }),
}
