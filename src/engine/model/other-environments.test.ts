// Who manages an object beside this state, and what is said of it.
import { expect, test } from 'vitest'
import { intentOf, recordOf } from '../../../test/builders/journal.ts'
import type { JsonObject } from '../../base/json.ts'
import { kinds } from '../../kinds/registry.ts'
import { fold } from '../../state/fold.ts'
import { apartHint, otherEnvironmentsIn, otherManagerProblem, managedBy, unreadDetail } from './other-environments.ts'

const kindOf = (name: string) => {
  const kind = kinds.find((one) => one.name === name)
  if (!kind) throw new Error(name)
  return kind
}
const [vpc, session, address] = [kindOf('Vpc'), kindOf('BgpConfiguration'), kindOf('FloatingIp')]
const resource = recordOf('7', { address: `Vpc/it's`, deposed: [{ id: '6', spec: {}, depends_on: [] }] })
const seen = { name: 'main', description: 'd', range: '10.0.0.0/24' }
const held = { ...fold(undefined, []), resources: new Map([[resource.address, resource]]) }
const staging = { environment: 'staging', flags: ['-e staging', '--sandbox'], found: held }

test('what a state holds is found with its old halves, in its workspace alone', () => {
  const { manager } = otherEnvironmentsIn([staging])
  for (const id of ['7', '6']) expect(manager({ kind: vpc, workspaceId: '1', id })).toMatchObject({ environment: 'staging', address: `Vpc/it's` })
  expect([manager({ kind: vpc, workspaceId: '2', id: '7' }), manager({ kind: session, workspaceId: '1', id: '7' })]).toEqual([undefined, undefined])
})

test('what a create may have made whose answer is not known is found by its natural key', () => {
  const begun = (kind: typeof vpc, spec: JsonObject) =>
    intentOf(1, { kind: kind.name, address: `${kind.name}/x`, creates: true, natural_key: kind.naturalKey(spec) ?? null })
  const open = [begun(vpc, seen), begun(address, {})].map((intent) => ({ intent, workflowId: null, accepted: false, id: null, seen: new Set<string>() }))
  const { manager } = otherEnvironmentsIn([{ ...staging, found: { resources: new Map(), open } }])
  expect(manager({ kind: vpc, workspaceId: '1', id: '9', seen })?.address).toBe('Vpc/x')
  expect(manager({ kind: vpc, workspaceId: '1', id: '9', seen: { ...seen, name: 'other' } })).toBeUndefined()
  expect(manager({ kind: address, workspaceId: '1', id: '9', seen: {} })).toBeUndefined()
})

test('a create is a rival for as long as nobody knows what it made', () => {
  const intent = intentOf(1, { kind: 'Vpc', address: 'Vpc/x', creates: true, natural_key: 'key' })
  const rivalOf = (...ids: readonly (string | null)[]) => {
    const open = ids.map((id) => ({ intent, workflowId: null, accepted: true, id, seen: new Set<string>() }))
    return otherEnvironmentsIn([{ ...staging, found: { resources: new Map(), open } }]).rival(intent)?.address
  }
  expect([rivalOf(null), rivalOf('7'), rivalOf(null, '7')]).toEqual(['Vpc/x', undefined, 'Vpc/x'])
})

test('a lost create is no rival of what appeared long after it was sent, as one that was accepted is', () => {
  const sent = (seq: number, sentMs: number) => intentOf(seq, { kind: 'Vpc', address: `Vpc/${seq}`, creates: true, natural_key: 'key', sent_at: sentMs })
  const rivalSince = (sinceMs: number, ...open: readonly (readonly [sentMs: number, accepted: boolean])[]) => {
    const unfinished = open.map(([at, accepted], seq) => ({ intent: sent(seq, at), workflowId: null, accepted, id: null, seen: undefined }))
    return otherEnvironmentsIn([{ ...staging, found: { resources: new Map(), open: unfinished } }]).rival(sent(9, 0), sinceMs)?.address
  }
  expect([rivalSince(5, [5, false]), rivalSince(6, [5, false]), rivalSince(6, [5, true])]).toEqual(['Vpc/0', undefined, 'Vpc/0'])
  expect([rivalSince(6, [7, false], [5, false]), rivalSince(6, [5, false], [7, false])]).toEqual(['Vpc/0', 'Vpc/1'])
})

test('an object leaves the state that holds it by a command that leads there', () => {
  const taken = { address: 'Vpc/main', kind: vpc, id: '7' }
  const hintOf = (flags: readonly string[] | undefined, environment: string | null) => {
    const { code, summary, hint } = otherManagerProblem({ environment, flags, address: `Vpc/it's` }, taken)
    return [code, summary, hint]
  }
  expect(hintOf(staging.flags, 'staging')).toEqual([
    'import_conflict',
    'Vpc/main: the environment staging manages the Vpc with id 7',
    String.raw`to take it over here, let it go there first: iac state rm -e staging --sandbox 'Vpc/it'\''s'`,
  ])
  expect(hintOf(undefined, null).slice(1)).toEqual([
    "Vpc/main: the project's own state manages the Vpc with id 7",
    String.raw`to take it over here, take default_environment out of iac.yaml, then let it go there first: iac state rm 'Vpc/it'\''s'`,
  ])
})

test('a state that could not be read leaves it open whose an object is', () => {
  const otherEnvironments = otherEnvironmentsIn([
    { environment: 'staging', flags: [], found: { problem: 'no key' } },
    { environment: null, flags: [], found: { problem: 'damaged' } },
  ])
  expect(managedBy(otherEnvironments, { kind: vpc, workspaceId: '1', id: '7' })).toMatchObject({
    words: "is in no state of this environment (the state of the environment staging, the project's own state could not be read)",
    isOpen: true,
  })
  expect(unreadDetail(otherEnvironments.unread)).toBe("staging: no key\nthe project's own state: damaged")
  expect(managedBy(undefined, { kind: vpc, workspaceId: '1', id: '7' })).toEqual({
    words: 'is in no state of this project',
    manager: undefined,
    isOpen: false,
    detail: undefined,
  })
})

test('what tells two apart is named', () => {
  expect(apartHint(vpc)).toBe('give it another name in this environment, or each environment a workspace of its own')
  expect(apartHint(session)).toBe('give each environment a workspace of its own')
})
