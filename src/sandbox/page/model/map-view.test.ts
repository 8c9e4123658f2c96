// What stands where on the map, and what each card says.
import { describe, expect, test } from 'vitest'
import { instance, modelOf, NOW_MS } from '../../../../test/builders/page-look.ts'
import { line } from './map-parts.ts'
import { mapOf } from './map-view.ts'

const vpcs = ['x', 'y'].map((id) => ({ id, workspace_id: 'w', name: id, range: '10.0.0.0/24' }))
const ip = { id: 'i', workspace_id: 'w', address: '198.51.100.1', dns: null, granted_with: null, state: 'AVAILABLE' }
const disk = { id: 'd', workspace_id: 'w', name: 'data', size_bytes: 50 * 1024 ** 3, boot: false, state: 'AVAILABLE' }

describe('the map', () => {
  test('is empty without resources', () => {
    expect(mapOf(modelOf({}), 'w')).toEqual({ areas: [], counts: '', isEmpty: true })
  })
  test('puts an instance into its first VPC, and as a guest into others', () => {
    const memberships = ['x', 'y'].map((vpc, index) => ({ id: `m${index}`, vpc_id: vpc, instance_id: 'a', address: `10.0.${index}.2` }))
    const { areas } = mapOf(modelOf({ vpcs, memberships, instances: [instance('a'), instance('b')] }), 'w')
    expect(areas.map((one) => [one.title, one.cards.map((card) => `${card.key} ${card.side}`)])).toEqual([
      ['x', ['instances/a small']],
      ['y', ['memberships/m1 in x']],
      ['In no VPC', ['instances/b small']],
    ])
    expect(areas[0]?.cards[0]?.lines).toEqual([{ sign: 'network', words: '10.0.0.2' }])
  })
  test('shows what is attached on the card, and the rest in the tray', () => {
    const attached = mapOf(modelOf({ instances: [instance('a')], ips: [{ ...ip, instance_id: 'a' }], disks: [{ ...disk, instance_id: 'a' }] }), 'w')
    expect(attached.areas.flatMap((one) => one.cards).map((card) => card.lines.map((one) => one.words))).toEqual([['198.51.100.1 floating', 'data 50 GiB']])
    const free = mapOf(modelOf({ ips: [{ ...ip, instance_id: null }], disks: [{ ...disk, instance_id: null }] }), 'w')
    expect(free.areas.map((one) => [one.sort, one.cards.map((card) => `${card.title} ${card.state?.word}`)])).toEqual([
      ['tray', ['198.51.100.1 free', 'data free']],
    ])
  })
  test('says how many lines it leaves out', () => {
    const ips = [1, 2, 3, 4, 5].map((id) => ({ ...ip, id: String(id), instance_id: 'a' }))
    const lines = mapOf(modelOf({ instances: [instance('a')], ips }), 'w').areas[0]?.cards[0]?.lines
    expect(lines?.map((one) => one.words).slice(-2)).toEqual(['198.51.100.1 floating', 'and 2 more'])
    expect(lines).toHaveLength(4)
  })
  test('tells states by word', () => {
    const states = [instance('a', { online: false }), instance('b', { state: 'FAILED' }), instance('c', { state: 'PENDING' })]
    const cards = mapOf(modelOf({ instances: states }), 'w').areas.flatMap((one) => one.cards)
    expect(cards.map(({ state }) => `${state?.word} ${state?.tone}`)).toEqual(['stopped idle', 'failed bad', 'pending busy'])
  })
  test('shows nothing of another workspace', () => {
    expect(mapOf(modelOf({ instances: [instance('a', { workspace_id: 'other' })] }), 'w').isEmpty).toBe(true)
  })
  test('draws the cluster with its nodes and services', () => {
    const clusters = [{ id: 'k', workspace_id: 'w', name: 'prod', status: 'ACTIVE' }]
    const clusterNodes = [{ id: 'n', workspace_id: 'w', node_name: 'node-1', instance_id: 'a', status: 'READY' }]
    const shop = { id: 's', workspace_id: 'w', name: 'shop', status: 'RUNNING', mode: 'SPREAD', image: 'shop:1', replicas: 2, ports: [80], secret_refs: ['db'] }
    const { areas } = mapOf(modelOf({ instances: [instance('a')], clusters, clusterNodes, clusterServices: [shop] }), 'w')
    expect(areas.at(-1)).toMatchObject({ sort: 'cluster', about: 'k3s cluster · active · 1 node · 1 service' })
    expect(areas.at(-1)?.cards.map((card) => [card.title, card.side, card.lines.map((one) => one.words)])).toEqual([
      ['node-1', 'node', ['on a']],
      ['shop', '2 replicas', ['shop:1', 'port 80', 'db']],
    ])
  })
  test('shows of a secret the names of its keys', () => {
    const clusters = [{ id: 'k', workspace_id: 'w', name: 'prod', status: 'ACTIVE' }]
    const clusterSecrets = [{ id: 's', workspace_id: 'w', name: 'db', keys: ['URL', 'USER'] }]
    const [area] = mapOf(modelOf({ clusters, clusterSecrets }), 'w').areas
    expect(area?.about).toBe('k3s cluster · active · 0 nodes · 0 services · 1 secret')
    expect(area?.cards).toEqual([{ key: 'clusterSecrets/s', title: 'db', state: undefined, side: 'secret', lines: [line('key', 'URL'), line('key', 'USER')] }])
  })
  test('draws the BGP session with its prefixes', () => {
    const bgpConfigurations = [{ id: 'b', workspace_id: 'w', asn: 64_512, instance_id: 'a', max_prefixes: 4 }]
    const prefix = { workspace_id: 'w', enabled: true, community: 'DEFAULT' }
    const bgpPrefixes = [
      { ...prefix, id: 'p', prefix: '198.51.100.0/24' },
      { ...prefix, id: 'q', prefix: '2001:db8::/48', enabled: false, community: 'PROTECTED' },
    ]
    const area = mapOf(modelOf({ instances: [instance('a')], bgpConfigurations, bgpPrefixes }), 'w').areas.at(-1)
    expect([area?.key, area?.about]).toEqual(['bgpConfigurations/b', 'AS 64512 · session with a · 2 of 4 prefixes'])
    expect(area?.cards.map(({ title, state, side }) => [title, state?.word, side])).toEqual([
      ['198.51.100.0/24', 'enabled', ''],
      ['2001:db8::/48', 'disabled', 'protected'],
    ])
    const bare = modelOf({ bgpConfigurations: [{ id: 'b', workspace_id: 'w', asn: null, instance_id: null, max_prefixes: 1 }] })
    expect(mapOf(bare, 'w').areas[0]?.about).toBe('no AS number · no session · 0 of 1 prefix')
  })
  test.each([
    [{ enabled: true, v4: 'i', v6: null }, 'DHCP 198.51.100.1'],
    [{ enabled: true, v4: null, v6: null }, 'DHCP automatic'],
    [{ enabled: false, v4: 'i', v6: null }, 'DHCP off'],
  ])('tells DHCP settings %j on the card of their instance', (settings, words) => {
    const rows = { instances: [instance('a')], ips: [{ ...ip, instance_id: null }], dhcpSettings: [{ id: 'd', instance_id: 'a', ...settings }] }
    expect(mapOf(modelOf(rows), 'w').areas[0]?.cards[0]?.lines.at(-1)).toEqual(line('dhcp', words))
  })
  test('tells who may come in: not the owner, no sign-in, no invite that was taken, nothing of another workspace', () => {
    const member = { workspace_id: 'w', user_id: 'v' }
    const invite = { workspace_id: 'w', access_level: 'EDITOR', expires_at_ms: NOW_MS }
    const token = { origin: 'API', workspace_id: null, user_id: 'u', grants: {} }
    const rows = {
      users: [{ id: 'v', name: 'Ada', email: 'ada@example.test' }],
      members: [
        { ...member, id: '1', user_id: 'u', access_level: 'OWNER' },
        { ...member, id: '2', access_level: 'VIEWER' },
      ],
      invites: [
        { ...invite, id: '1', email: 'open@example.test', accepted_by_id: null },
        { ...invite, id: '2', email: 'taken@example.test', accepted_by_id: 'v' },
      ],
      tokens: [
        { ...token, id: '1', name: 'own' },
        { ...token, id: '2', name: 'of the workspace', workspace_id: 'w', user_id: null },
        { ...token, id: '3', name: 'sign-in', origin: 'SESSION' },
        { ...token, id: '4', name: 'elsewhere', workspace_id: 'x' },
      ],
      sshKeys: [{ id: '1', workspace_id: 'w', name: 'laptop', user_id: 'u' }],
    }
    const [area] = mapOf(modelOf(rows), 'w').areas
    expect([area?.title, area?.about]).toEqual(['Access', '5 entries'])
    expect(area?.cards.map(({ title, side }) => `${title}: ${side}`)).toEqual([
      'ada@example.test: viewer',
      'open@example.test: editor',
      'own: API token',
      'of the workspace: API token',
      'laptop: SSH key',
    ])
    expect(area?.cards[1]?.state).toEqual({ word: 'expired', tone: 'idle' })
  })
  test('shows recipes of the workspace, and dedicated servers, which alone leave it empty', () => {
    const dediboxes = [{ id: 'm', workspace_id: 'w', name: 'metal', region: 'fra-1', plan_id: 'p', online: false }]
    const dediboxIps = [{ id: 'i', workspace_id: 'w', dedibox_id: 'm', address: '203.0.113.5' }]
    const recipes = [null, 'w', 'x'].map((owner_id, index) => ({ id: String(index), name: `r${index}`, owner_id, category: 'DEVOPS' }))
    const metal = mapOf(modelOf({ dediboxes, dediboxIps }), 'w')
    expect([metal.isEmpty, metal.areas[0]?.cards[0]]).toEqual([
      true,
      { key: 'dediboxes/m', title: 'metal', state: { word: 'stopped', tone: 'idle' }, side: 'fra-1', lines: [line('address', '203.0.113.5')] },
    ])
    const both = mapOf(modelOf({ dediboxes, recipes }), 'w')
    expect([both.isEmpty, both.areas.map((one) => one.cards.map((card) => card.title))]).toEqual([false, [['r1'], ['metal']]])
  })
})
