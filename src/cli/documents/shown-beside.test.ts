// What the documents show beside an example: what it needs, and nothing that whoever copies it would pay for in vain.
import { expect, test } from 'vitest'
import type { Example } from '../../kinds/definition/kind.ts'
import { kinds } from '../../kinds/registry.ts'
import { shownBeside } from './shown-beside.ts'

function shown(name: string, example?: Example): readonly string[][] {
  const kind = kinds.find((one) => one.name === name)
  if (!kind) throw new Error(`no kind is called ${name}`)
  return (example ? [example] : kind.examples).map((one) => shownBeside(kinds, kind, one).map((other) => `${other.kind}/${other.name}`))
}

test('what the walk changes a reference to is not shown', () => {
  for (const name of ['App', 'Disk', 'FloatingIp', 'FirewallRule', 'ApiToken'])
    expect([name, shown(name)[name === 'ApiToken' ? 1 : 0]]).toEqual([name, ['Instance/web']])
  expect(shown('Instance')[0]).toEqual(['Vpc/main'])
  expect(shown('VpcAttachment')).toEqual([['Instance/web', 'Vpc/main']])
})

test('what a shown one points at is, and what kinds need without a reference', () => {
  expect(shown('DhcpSettings')[0]).toEqual(['Instance/web', 'FloatingIp/mail', 'FloatingIp/mail-6'])
  expect(shown('K3sService')).toEqual([
    ['K3sCluster/main', 'Instance/worker', 'K3sNode/worker', 'K3sSecret/database'],
    ['K3sCluster/main', 'Instance/worker', 'K3sNode/worker'],
  ])
})

test('an expression points, too', () => {
  const vpc = (name: string) => ({ kind: 'Vpc', name, spec: { range: '10.20.0.0/24' } })
  const example = { title: 'x', spec: { description: "beside ${Vpc['main'].range}" }, beside: [vpc('main'), vpc('data')] }
  expect(shown('Vpc', example)).toEqual([['Vpc/main']])
})
