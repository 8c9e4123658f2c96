// What is told of a selection: facts, firewall in the order of its evaluation, price and workflows.
import { describe, expect, test } from 'vitest'
import { instance, modelOf, workflow } from '../../../../test/builders/page-look.ts'
import { detailsOf } from './details-view.ts'

const rule = {
  workspace: 'w',
  instance: 'a',
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
    const firewall = detailsOf(modelOf({ instances: [instance('a', { firewall: true })], firewallRules: rules }), 'instances/a')?.firewall
    expect(firewall?.rules.map((one) => [one.key, one.ports])).toEqual([
      ['high', 'all'],
      ['low', '80–90'],
    ])
    expect(firewall?.rest).toBe('Everything else is dropped.')
  })
  test.each([
    [true, 'No rules: everything passes.'],
    [false, 'The firewall is off: everything passes.'],
  ])('say what becomes of all else where the firewall is %s', (firewall, rest) => {
    expect(detailsOf(modelOf({ instances: [instance('a', { firewall })] }), 'instances/a')?.firewall?.rest).toBe(rest)
  })
  test('tell price and workflows', () => {
    const model = modelOf({ instances: [instance('a')], workflows: [workflow('x', 100, 50)] }, { money: { wallets: [], prices: { a: '15000' } } })
    const details = detailsOf(model, 'instances/a')
    expect(details?.facts).toContainEqual(['price', '$0.0150 an hour'])
    expect(details?.workflows).toEqual(['11:59:59 instance.create: completed'])
  })
  test('of a guest are those of its instance; of what went there are none', () => {
    const model = modelOf({ instances: [instance('a')], memberships: [{ id: 'm', vpc: 'x', instance: 'a', address: '10.0.0.2' }] })
    expect(detailsOf(model, 'memberships/m')?.key).toBe('instances/a')
    expect(detailsOf(model, 'instances/gone')).toBeUndefined()
  })
})
