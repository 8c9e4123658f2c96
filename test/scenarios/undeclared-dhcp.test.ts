// DHCP settings that nobody declares: a reset for a declared one would take them out as well, and is refused for it.
import { expect, test } from 'vitest'
import { manifest } from '../builders/project.ts'
import { createWorld } from '../builders/world.ts'
import { all, brief, instance, said } from './stage.ts'

const address = (name: string, type: string) => manifest('FloatingIp', name, `type: ${type}\nregion: fra-1\nddos: false\ninstance: web`)
const settings = (spec = '', on = 'web') => manifest('DhcpSettings', 'own', `instance: ${on}\n${spec}`)
const around = all(instance('web'), instance('api'), address('f4', 'IPv4'), address('f6', 'IPv6'))

async function withTheirs() {
  const world = createWorld()
  await world.apply(all(around, settings('v4: f4')))
  const { resources = [] } = (await world.document()) ?? {}
  const id = resources.find((one) => one.address === 'FloatingIp/f6')?.id ?? ''
  const { dhcpSettings } = world.sandbox.world.tables
  const row = () => dhcpSettings.all()[0]
  dhcpSettings.update(row()?.id ?? '', { v6: id })
  return { world, id, row }
}

test.each([
  ['the other address is taken out', settings(), []],
  ['they are replaced by request', settings('v4: f4'), ['DhcpSettings/own']],
])('are not wiped where %s: the plan is refused, and says what to declare', async (_, own, replace) => {
  const { world, id, row } = await withTheirs()
  const done = await world.apply(all(around, own), { replace })
  expect([done.exitCode, said(done.plan)]).toEqual([
    3,
    [`unsupported_change DhcpSettings/own: the settings would be made anew, and without v6, which is ${id} there and is not declared`],
  ])
  expect(done.plan.diagnostics[0]?.hint).toContain(`declare \`v6: { id: "${id}" }\``)
  expect(row()).toMatchObject({ v6: id })
})
test('are set again once they are declared, and can be taken out then', async () => {
  const { world, id, row } = await withTheirs()
  const declared = all(around, settings('v6: f6'))
  expect((await world.apply(declared)).exitCode).toBe(0)
  expect(row()).toMatchObject({ v4: null, v6: id })
  expect(brief((await world.plan(declared)).plan)).toEqual([])
  expect((await world.apply(all(around, settings()))).exitCode).toBe(0)
  expect(row()).toMatchObject({ v4: null, v6: null })
})
test('are left alone by what changes something else, and go with the settings that move or are deleted', async () => {
  const { world, id, row } = await withTheirs()
  expect((await world.apply(all(around, settings('v4: f4\nenabled: false')))).exitCode).toBe(0)
  expect(row()).toMatchObject({ enabled: false, v6: id })
  expect(said((await world.plan(all(around, settings('enabled: false', 'api')))).plan)).toEqual([])
  expect((await world.apply(around)).exitCode).toBe(0)
  expect(row()).toBeUndefined()
})
