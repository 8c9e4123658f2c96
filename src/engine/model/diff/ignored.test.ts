// What ignore_changes keeps is put into maps alone: a list stays a list, a text a text.
import { expect, test } from 'vitest'
import type { JsonObject } from '../../../base/json.ts'
import { withIgnored } from './ignored.ts'

const kept = (desired: JsonObject, recorded: JsonObject, ...pointers: readonly string[]): JsonObject =>
  withIgnored(desired, { desired, recorded, seen: {}, imported: false }, pointers)

test.each([
  ['a whole field', '/vpcs', { vpcs: ['1'] }, { vpcs: ['2'] }, { vpcs: ['2'] }],
  ['a key of a map', '/env/A', { env: { A: 'x', B: 'y' } }, { env: { A: 'z' } }, { env: { A: 'z', B: 'y' } }],
  ['a key that is not there any more', '/env/A', { env: { A: 'x', B: 'y' } }, { env: { B: 'z' } }, { env: { B: 'y' } }],
  ['a key of a map that is not declared', '/env/A', {}, { env: { A: 'z', B: 'y' } }, { env: { A: 'z' } }],
  ['a key that is nowhere', '/env/A', {}, { env: { B: 'y' } }, {}],
])('%s is kept', (_, pointer, desired, there, expected) => {
  expect(kept(desired, there, pointer)).toEqual(expected)
})

test.each([
  ['an entry of a list', '/vpcs/0', { vpcs: ['1'] }, { vpcs: ['2'] }],
  ['a member of an entry', '/ports/0/host_port', { ports: [{ host_port: 1 }] }, { ports: [{ host_port: 2 }] }],
  ['an entry of a list that is not declared', '/vpcs/0', {}, { vpcs: ['2'] }],
  ['an entry of a list that is not there', '/vpcs/0', { vpcs: ['1'] }, { other: 1 }],
  ['an entry of what was a map', '/vpcs/0', { vpcs: ['1'] }, { vpcs: { 0: '2' } }],
  ['an entry of a list in a map', '/env/A/0', { env: { A: ['1'] } }, { env: { A: ['2'] } }],
  ['a part of a text', '/text/0', { text: 'a' }, { text: 'b' }],
])('%s is none that can be kept: the manifest counts', (_, pointer, desired, there) => {
  expect(kept(desired, there, pointer)).toEqual(desired)
})
