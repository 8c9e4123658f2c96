// What resources need: what they name and what their kinds imply, each once and in order.
import { expect, test } from 'vitest'
import type { AnyKind } from '../../../kinds/definition/kind.ts'
import { kinds } from '../../../kinds/registry.ts'
import type { Planned } from '../planned-resource.ts'
import { needsOf } from './needs.ts'

const workspaceId = '1'
const needing = kinds.find((one) => one.needs && !one.needsYield && one.scope === 'workspace' && !one.provides)
const [need = ''] = needing?.needs?.({}, workspaceId) ?? []
const providing = kinds.find((one) => one.provides?.({}, workspaceId).includes(need))
const yielding = kinds.find((one) => one.needsYield)
const first = kinds.find((one) => one.provides?.({}, workspaceId).some((name) => yielding?.needs?.({}, workspaceId).includes(name)))

function planned(kind: AnyKind | undefined, name: string): Planned {
  if (!kind) throw new Error('no such kind')
  const address = `${kind.name}/${name}`
  return {
    address,
    previousAddress: null,
    kind,
    declared: undefined,
    record: undefined,
    object: undefined,
    objectId: null,
    workspaceId,
    workspaceAddress: null,
    resolved: undefined,
    desired: {},
    differences: [],
    inDoubt: [],
    situation: { kind, address, id: undefined, workspaceId, recorded: {}, live: undefined, fresh: true, nowMs: 0 },
    action: 'create',
    reason: 'new',
    restart: false,
    deposed: false,
    retained: false,
    leftOut: false,
    diagnostics: [],
  }
}

test('what thousands need by their kind is one list for all of them, in order', () => {
  const providers = ['b', 'a', 'c'].map((name) => planned(providing, name))
  const needs = needsOf([...providers, planned(needing, 'one'), planned(needing, 'two')])
  const [one, two] = ['one', 'two'].map((name) => needs.get(`${needing?.name}/${name}`))
  expect(one?.requires).toEqual(['a', 'b', 'c'].map((name) => `${providing?.name}/${name}`))
  expect(new Set(one?.holds)).toEqual(new Set(one?.requires))
  expect([two?.requires, two?.holds]).toEqual([one?.requires, one?.holds])
  expect([two?.requires === one?.requires, two?.holds === one?.holds]).toEqual([true, true])
  expect(needs.get(`${providing?.name}/a`)).toEqual({ requires: [], holds: [] })
})

test('what only comes first when something is made is no need of it', () => {
  const needs = needsOf([planned(first, 'a'), planned(yielding, 'one')])
  expect(needs.get(`${yielding?.name}/one`)).toEqual({ requires: [], holds: [] })
})
