// The look by hand takes only what the schema takes, and as the schema does.
import { expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../base/json.ts'
import { documentSchema } from './record-schema.ts'
import { usualRecord } from './usual-record.ts'

const usual: JsonObject = {
  address: 'Vpc/main["a"]',
  kind: 'Vpc',
  id: '12',
  workspace_id: '7',
  status: 'ready',
  spec: { name: 'main' },
  outputs: { id: '12' },
  depends_on: ['Workspace/main'],
  protected: false,
  on_remove: 'delete',
  deposed: [],
  origins: {},
}

function bySchema(record: JsonValue): unknown {
  const head = { format: 'iac-state/v1', tool_version: '1', lineage: 'x', serial: 1, salt: 'AAAA', outputs: {} }
  const parsed = documentSchema.safeParse({ ...head, resources: [record] })
  return parsed.success ? parsed.data.resources[0] : undefined
}

test.each([{}, { workspace_id: null }, { depends_on: [] }, { protected: true }])('a usual record with %j is what the schema makes of it', (change) => {
  const record = { ...usual, ...change }
  expect(usualRecord(record)).toEqual(bySchema(record))
  expect(usualRecord(record)).toBeDefined()
})

test.each(Object.keys(usual))('none without %s', (key) => {
  const { [key]: _, ...rest } = usual
  expect([usualRecord(rest), bySchema(rest)]).toEqual([undefined, undefined])
})

test.each([
  { address: 'Vpc' },
  { address: 'SshKey/main' },
  { kind: '' },
  { id: '' },
  { id: 12 },
  { workspace_id: '' },
  { status: 'gone' },
  { spec: [] },
  { outputs: null },
  { depends_on: [1] },
  { protected: 'no' },
  { on_remove: 'keep' },
  { deposed: {} },
  { origins: [] },
  { more: 1 },
])('none with %j, which the schema refuses', (change) => {
  const record = { ...usual, ...change }
  expect([usualRecord(record), bySchema(record)]).toEqual([undefined, undefined])
})

test.each([
  { status: 'creating' },
  { on_remove: 'retain' },
  { uncertain: ['name'] },
  { blind: ['name'] },
  { deposed: [{ id: '1', spec: {}, depends_on: [] }] },
  { origins: { '/name': { address: 'Vpc/a', id: '1', output: 'x' } } },
])('what is rare is left to the schema: %j', (change) => {
  const record = { ...usual, ...change }
  expect(usualRecord(record)).toBeUndefined()
  expect(bySchema(record)).toBeDefined()
})
