// What stands where on the map, and what each card says.
import { describe, expect, test } from 'vitest'
import { instance, modelOf } from '../../../../test/builders/page-look.ts'
import { mapOf } from './map-view.ts'

const vpcs = ['x', 'y'].map((id) => ({ id, workspace: 'w', name: id, range: '10.0.0.0/24' }))
const ip = { id: 'i', workspace: 'w', address: '198.51.100.1', dns: null, floating: true, state: 'AVAILABLE' }
const disk = { id: 'd', workspace: 'w', name: 'data', size_bytes: 50 * 1024 ** 3, boot: false, state: 'AVAILABLE' }

describe('the map', () => {
  test('is empty without resources', () => {
    expect(mapOf(modelOf({}), 'w')).toEqual({ areas: [], counts: '', isEmpty: true })
  })
  test('puts an instance into its first VPC, and as a guest into others', () => {
    const memberships = ['x', 'y'].map((vpc, index) => ({ id: `m${index}`, vpc, instance: 'a', address: `10.0.${index}.2` }))
    const { areas } = mapOf(modelOf({ vpcs, memberships, instances: [instance('a'), instance('b')] }), 'w')
    expect(areas.map((one) => [one.title, one.cards.map((card) => `${card.key} ${card.side}`)])).toEqual([
      ['x', ['instances/a small']],
      ['y', ['memberships/m1 in x']],
      ['In no VPC', ['instances/b small']],
    ])
    expect(areas[0]?.cards[0]?.lines).toEqual([{ sign: 'network', words: '10.0.0.2' }])
  })
  test('shows what is attached on the card, and the rest in the tray', () => {
    const attached = mapOf(modelOf({ instances: [instance('a')], ips: [{ ...ip, instance: 'a' }], disks: [{ ...disk, instance: 'a' }] }), 'w')
    expect(attached.areas.flatMap((one) => one.cards).map((card) => card.lines.map((one) => one.words))).toEqual([['198.51.100.1 floating', 'data 50 GiB']])
    const free = mapOf(modelOf({ ips: [{ ...ip, instance: null }], disks: [{ ...disk, instance: null }] }), 'w')
    expect(free.areas.map((one) => [one.sort, one.cards.map((card) => `${card.title} ${card.state.word}`)])).toEqual([
      ['tray', ['198.51.100.1 free', 'data free']],
    ])
  })
  test('says how many lines it leaves out', () => {
    const ips = [1, 2, 3, 4, 5].map((id) => ({ ...ip, id: String(id), instance: 'a' }))
    const lines = mapOf(modelOf({ instances: [instance('a')], ips }), 'w').areas[0]?.cards[0]?.lines
    expect(lines?.map((one) => one.words).slice(-2)).toEqual(['198.51.100.1 floating', 'and 2 more'])
    expect(lines).toHaveLength(4)
  })
  test('tells states by word', () => {
    const states = [instance('a', { online: false }), instance('b', { state: 'FAILED' }), instance('c', { state: 'PENDING' })]
    const cards = mapOf(modelOf({ instances: states }), 'w').areas.flatMap((one) => one.cards)
    expect(cards.map(({ state }) => `${state.word} ${state.tone}`)).toEqual(['stopped idle', 'failed bad', 'pending busy'])
  })
  test('shows nothing of another workspace', () => {
    expect(mapOf(modelOf({ instances: [instance('a', { workspace: 'other' })] }), 'w').isEmpty).toBe(true)
  })
  test('draws the cluster with its nodes and services', () => {
    const clusters = [{ id: 'k', workspace: 'w', name: 'prod', status: 'ACTIVE' }]
    const clusterNodes = [{ id: 'n', workspace: 'w', name: 'node-1', instance: 'a', status: 'READY' }]
    const shop = { id: 's', workspace: 'w', name: 'shop', status: 'RUNNING', mode: 'SPREAD', image: 'shop:1', replicas: 2, ports: [80] }
    const { areas } = mapOf(modelOf({ instances: [instance('a')], clusters, clusterNodes, clusterServices: [shop] }), 'w')
    expect(areas.at(-1)).toMatchObject({ sort: 'cluster', about: 'k3s cluster · active · 1 node · 1 service' })
    expect(areas.at(-1)?.cards.map((card) => [card.title, card.side, card.lines.map((one) => one.words)])).toEqual([
      ['node-1', 'node', ['on a']],
      ['shop', '2 replicas', ['shop:1', 'port 80']],
    ])
  })
})
