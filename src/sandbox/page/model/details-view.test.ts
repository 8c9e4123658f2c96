// What is told of a selection: facts, firewall in the order of its evaluation, price and workflows.
import { describe, expect, test } from 'vitest'
import { instance, modelOf, workflow } from '../../../../test/builders/page-look.ts'
import { detailsOf } from './details-view.ts'

const rule = {
  workspace_id: 'w',
  instance_id: 'a',
  type: 'IPv4',
  protocol: 'TCP',
  action: 'ACCEPT',
  port_start: 80,
  port_end: 90,
  remote: '0.0.0.0/0',
  description: null,
}
const rules = [
  { ...rule, id: 'low', priority: 1 },
  { ...rule, id: 'high', priority: 100, port_start: null },
]

describe('details', () => {
  test('of an instance hold its firewall, the highest priority first', () => {
    const firewall = detailsOf(modelOf({ instances: [instance('a', { firewall_enabled: true })], firewallRules: rules }), 'instances/a')?.firewall
    expect(firewall?.rules.map((one) => [one.key, one.ports])).toEqual([
      ['high', 'all'],
      ['low', '80–90'],
    ])
    expect(firewall?.rest).toBe('Everything else is dropped.')
  })
  test('name one port where there is one', () => {
    const single = [null, 443].map((port_end, index) => ({ ...rule, id: String(index), priority: 2 - index, port_start: 443, port_end }))
    const details = detailsOf(modelOf({ instances: [instance('a')], firewallRules: single }), 'instances/a')
    expect(details?.firewall?.rules.map((one) => one.ports)).toEqual(['443', '443'])
  })
  test.each([
    [true, 'No rules: everything passes.'],
    [false, 'The firewall is off: everything passes.'],
  ])('say what becomes of all else where the firewall is %s', (firewall, rest) => {
    expect(detailsOf(modelOf({ instances: [instance('a', { firewall_enabled: firewall })] }), 'instances/a')?.firewall?.rest).toBe(rest)
  })
  test('tell price and workflows', () => {
    const model = modelOf({ instances: [instance('a')], workflows: [workflow('x', 100, 50)] }, { money: { wallets: [], prices: { a: '15000' } } })
    const details = detailsOf(model, 'instances/a')
    expect(details?.facts).toContainEqual(['price', '$0.0150 an hour'])
    expect(details?.workflows).toEqual(['11:59:59 instance.create: completed'])
  })
  test('of a guest are those of its instance; of what went there are none', () => {
    const model = modelOf({ instances: [instance('a')], memberships: [{ id: 'm', vpc_id: 'x', instance_id: 'a', address: '10.0.0.2' }] })
    expect(detailsOf(model, 'memberships/m')?.key).toBe('instances/a')
    expect(detailsOf(model, 'instances/gone')).toBeUndefined()
  })
  test('of an instance tell its DHCP settings, keys and apps', () => {
    const app = { id: 'p', workspace_id: 'w', name: 'blog', image: 'blog:1', template_name: 'blog', instance_id: 'a', domain: 'blog.example.test' }
    const rows = {
      instances: [instance('a')],
      dhcpSettings: [{ id: 'd', instance_id: 'a', enabled: false, v4: null, v6: null }],
      installedKeys: [{ id: 'k', instance_id: 'a', keys: [{ name: 'laptop' }, { name: 'desk' }] }],
      apps: [{ ...app, state: 'PENDING' }],
    }
    const facts = new Map(detailsOf(modelOf(rows), 'instances/a')?.facts)
    expect(['DHCP', 'SSH keys', 'apps'].map((label) => facts.get(label))).toEqual(['off', 'laptop\ndesk', 'blog blog:1 blog.example.test pending'])
  })
  const shop = { id: 's', workspace_id: 'w', name: 'shop', status: 'RUNNING', mode: 'SPREAD', image: 'shop:1', replicas: 2, ports: [], secret_refs: ['db'] }
  const others = modelOf({
    bgpConfigurations: [{ id: 'b', workspace_id: 'w', asn: 64_512, instance_id: 'gone', max_prefixes: 4 }],
    bgpPrefixes: [{ id: 'p', workspace_id: 'w', prefix: '198.51.100.0/24', enabled: true, community: 'PROTECTED' }],
    clusterSecrets: [{ id: 'c', workspace_id: 'w', name: 'db', keys: ['URL'] }],
    clusterServices: [shop],
    dediboxes: [{ id: 'm', workspace_id: 'w', name: 'metal', region: 'fra-1', plan_id: 'p', online: true }],
    tokens: [{ id: 't', name: 'ci', origin: 'API', workspace_id: 'w', user_id: null, grants: { INSTANCE: 'WRITE' } }],
    recipes: [{ id: 'r', name: 'tune', owner_id: 'w', category: 'DEVOPS' }],
  })
  test.each([
    ['bgpConfigurations/b', 'BGP configuration', ['AS number', '64512'], ['session with', 'gone']],
    ['bgpPrefixes/p', 'BGP prefix', ['community', 'protected']],
    ['clusterSecrets/c', 'cluster secret', ['keys', 'URL'], ['used by', 'shop']],
    ['clusterServices/s', 'cluster service', ['secrets', 'db']],
    ['dediboxes/m', 'dedicated server', ['plan', 'small'], ['region', 'fra-1']],
    ['tokens/t', 'API token', ['grants', 'instance write']],
    ['recipes/r', 'recipe', ['category', 'devops']],
  ])('of %s say what it is', (key, kind, ...facts) => {
    const details = detailsOf(others, key)
    expect(details?.kind).toBe(kind)
    expect(details?.facts).toEqual(expect.arrayContaining(facts))
  })
})
