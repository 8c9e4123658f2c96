// DHCP settings: an empty answer means there are none, and a call names what changes alone.
import { expect, test } from 'vitest'
import { cannedAt, cannedReader } from '../../test/builders/canned-reader.ts'
import { wantedView } from '../../test/builders/wanted-view.ts'
import { DhcpSettings } from './dhcp-settings.ts'

const desired = { instance: '5', enabled: true, v4: '7' }

test.each([
  ['an empty object', {}],
  ['null', null],
  ['empty members', { enabled: null, v4: null, v6: null }],
  ['an instance that is gone', undefined],
])('%s is the automatic mode', async (_, answer) => {
  const reader = cannedReader(answer === undefined ? {} : { '/v1/instances/5/dhcp': answer })
  expect(await DhcpSettings.read(reader, '5', cannedAt())).toBeUndefined()
  expect(await DhcpSettings.list(reader, { ...cannedAt(), parents: ['5'] })).toEqual([])
})
test('are read by their instance, addresses as ids or summaries', async () => {
  const reader = cannedReader({ '/v1/instances/5/dhcp': { enabled: false, v4: { id: '7' }, v6: null } })
  const one = await DhcpSettings.read(reader, '5', cannedAt())
  expect(one && [DhcpSettings.id(one), DhcpSettings.toSpec(one)]).toEqual(['5', { instance: '5', enabled: false, v4: '7', v6: null }])
})
test('are not made anew where that would take out what nobody declares', () => {
  const there = { ...desired, v6: '9' }
  const lost = (more: { wanted?: object; recorded?: object; live?: typeof there | undefined }) => {
    const { wanted = { v4: undefined }, recorded = {}, live = there } = more
    return DhcpSettings.loses?.(wantedView(DhcpSettings, { desired: { ...desired, ...wanted }, recorded: { ...desired, ...recorded }, live })).map(
      ({ path }) => path,
    )
  }
  expect(lost({})).toEqual([['v6']])
  expect(lost({ wanted: { v4: undefined, v6: '9' } })).toEqual([])
  expect(lost({ recorded: { v6: '9' } })).toEqual([])
  expect(lost({ wanted: { instance: '6' } })).toEqual([])
})
test('are made whole, and changed by what changed', () => {
  const body = (wanted: object, live?: { instance: string; enabled: boolean; v4: string }) =>
    DhcpSettings.steps(wantedView(DhcpSettings, { desired: { ...desired, ...wanted }, recorded: desired, live })).map(({ name, call }) => [name, call.body])
  expect(body({})).toEqual([['create', { enabled: true, v4: '7' }]])
  expect(body({}, desired)).toEqual([])
  expect(body({ v4: '8', v6: '9' }, desired)).toEqual([['update', { v4: '8', v6: '9' }]])
})
