// What no value of an output's type gets through is refused when planning, before anything is made; what may go well is planned.
import { expect, test } from 'vitest'
import { manifest } from '../builders/project.ts'
import { createWorld } from '../builders/world.ts'
import { all, instance, said, vpc } from './stage.ts'

/** A VPC that says something made of the outputs of another, which is new as well. */
const other = (description: string, metadata = ''): string =>
  manifest('Vpc', 'other', `name: other-net\ndescription: ${JSON.stringify(description)}\nrange: 10.21.0.0/24`, metadata)

test.each([
  ["${Vpc['main'].vlan + 'a'}", '`+` does not fit int and string; string(x) makes text'],
  ["${string(Instance['web'].ips)}", 'string(list) does not exist; json(x) gives its text'],
  ["${'a' in Vpc['main'].id ? 'b' : 'c'}", '`in` needs a list or a map, not string'],
  ["${Vpc['main'].id[0]}", 'string cannot be indexed'],
  ["${cidr_host('10.0.0.0/24', Vpc['main'].id)}", 'cidr_host needs string, int, not string, string'],
  ["${Vpc['main'].id ? 'a' : 'b'}", '?: needs a bool, not string'],
  ["ips ${Instance['web'].ips}", 'a list cannot stand in text; write json(…)'],
])('%s is refused before anything is made', async (description, message) => {
  const world = createWorld()
  const texts = all(vpc('main'), instance('web'), other(description))
  const done = await world.apply(texts)
  expect([done.exitCode, [...said(done), ...said(done.plan)]]).toEqual([3, expect.arrayContaining([expect.stringContaining(message)])])
  expect(world.sandbox.world.tables.vpcs.all()).toEqual([])
})

test.each([
  "${string(Vpc['main'].vlan + 1)} of ${Vpc['main'].id}",
  "${Vpc['main'].vlan > 1 && Vpc['main'].id != '' ? 'a' : 'b'}",
  "${json(Instance['web'].ips)} ${size(Instance['web'].ips)} ${Instance['web'].ip4.split('.')[0]}",
  "${has(Vpc['main'].vlan) || Vpc['main'].vlan + 'a' == 'b' ? 'a' : 'b'}",
  "${Vpc['main'].id.startsWith('x') ? Vpc['main'].vlan + 'a' : 'b'}",
])('%s is planned and applied', async (description) => {
  const world = createWorld()
  const done = await world.apply(all(vpc('main'), instance('web'), other(description)))
  expect([done.exitCode, said(done).filter((one) => one.startsWith('expression'))]).toEqual([0, []])
})

test('what an apply would not evaluate is not refused: a field that is ignored, or what is left out', async () => {
  const world = createWorld()
  await world.apply(other('before'))
  const ignored = other("${Vpc['main'].vlan + 'a'}", 'lifecycle: { ignore_changes: [/description] }')
  expect((await world.apply(all(vpc('main'), ignored))).exitCode).toBe(0)
  const apart = createWorld()
  expect((await apart.apply(all(vpc('main'), other("${Vpc['main'].vlan + 'a'}")), { targets: ['Vpc/main'] })).exitCode).toBe(0)
})
