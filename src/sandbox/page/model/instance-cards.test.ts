// What the card of an instance shows of all that belongs to it.
import { expect, test } from 'vitest'
import { instance, modelOf } from '../../../../test/builders/page-look.ts'
import type { RowOf } from '../view-wire.ts'
import { instanceCards } from './instance-cards.ts'
import type { PageModel } from './page-model.ts'

const words = (model: PageModel, one: RowOf<'instances'>): readonly string[] => {
  const card = instanceCards(model, 'w', new Map())(one, undefined)
  return [card.side, ...card.lines.map((line) => `${line.sign} ${line.words}`)]
}
const rule = { workspace_id: 'w', instance_id: 'a', type: 'IPv4', protocol: 'TCP', action: 'ACCEPT', port_start: 80, port_end: null, remote: '0.0.0.0/0' }
const rules = ['1', '2'].map((id) => ({ ...rule, id, priority: 1, description: null }))

test('an address of its own comes after those that float, and the disk that it starts from is left out', () => {
  const ip = { workspace_id: 'w', dns: null, instance_id: 'a', state: 'AVAILABLE' }
  const disk = { workspace_id: 'w', name: 'system', size_bytes: 20 * 1024 ** 3, instance_id: 'a', state: 'AVAILABLE' }
  const ips = [
    { ...ip, id: 'g', address: '203.0.113.7', granted_with: 'a' },
    { ...ip, id: 'f', address: '198.51.100.1', granted_with: null },
  ]
  const disks = [
    { ...disk, id: 'b', boot: true },
    { ...disk, id: 'd', name: 'data', boot: false },
  ]
  const shown = words(modelOf({ instances: [instance('a')], ips, disks }), instance('a'))
  expect(shown).toEqual(['small', 'address 198.51.100.1 floating', 'address 203.0.113.7', 'disk data 20 GiB'])
})

test('its firewall is counted, or said to be on; with neither it is not named', () => {
  const guarded = modelOf({ firewallRules: rules })
  expect(words(guarded, instance('a'))).toEqual(['small', 'firewall 2 firewall rules'])
  expect(words(guarded, instance('b', { firewall_enabled: true }))).toEqual(['small', 'firewall firewall on'])
  expect(words(guarded, instance('b'))).toEqual(['small'])
})

test('apps are named, with their state unless all is well; without a plan its size stands in its place', () => {
  const app = { workspace_id: 'w', image: 'blog:1', template_name: 'blog', instance_id: 'a', domain: null }
  const apps = [
    { ...app, id: '1', name: 'blog', state: 'AVAILABLE' },
    { ...app, id: '2', name: 'shop', state: 'FAILED' },
  ]
  expect(words(modelOf({ apps }), instance('a', { plan_id: null, cpu: 6 }))).toEqual(['6 cpu', 'app blog', 'app shop failed'])
})
