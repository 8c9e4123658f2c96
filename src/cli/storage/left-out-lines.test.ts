// What is told of lines that are left out, and how somebody ends it.
import { expect, test } from 'vitest'
import { storeAt } from '../../../test/builders/left-lines.ts'
import type { Diagnostic } from '../../base/diagnostic.ts'
import { tellingOfLeftOut } from './left-out-lines.ts'

test('lines that can be delivered no more are told once, with the command that ends it', async () => {
  const told: Diagnostic[] = []
  const undeliverable = [{ path: "/pro ject/it's.journal", objects: ['Vpc/net (being made, its id not known yet)'] }]
  const store = { ...(await storeAt('/nowhere/state.json')), read: async () => ({ document: undefined, entries: [], torn: false, undeliverable }) }
  const telling = tellingOfLeftOut(store, (one) => told.push(one))
  await telling.read()
  await telling.read()
  expect(told).toMatchObject([{ code: 'advice', detail: expect.stringContaining('its id not known yet') }])
  expect(told[0]?.hint).toMatch(/ end this with: rm '\/pro ject\/it'\\''s\.journal'$/)
})
