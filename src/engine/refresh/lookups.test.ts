// Which attributes of what is looked up are not to be seen.
import { expect, test } from 'vitest'
import { compatSchema } from '../../api/calls/compat.ts'
import type { JsonValue } from '../../base/json.ts'
import { tokenText } from '../../base/token.ts'
import { AppTemplate } from '../../kinds/app-template.ts'
import type { AnyKind } from '../../kinds/definition/kind.ts'
import { Disk } from '../../kinds/disk.ts'
import { Plan } from '../../kinds/plan.ts'
import { kinds } from '../../kinds/registry.ts'
import { Vpc } from '../../kinds/vpc.ts'
import type { ResourceRecord } from '../../state/record.ts'
import { createReader } from '../model/live.ts'
import { fetchLists, lookedUp, secretFields } from './lookups.ts'

async function found(kind: AnyKind, workspaceId: string, ...records: readonly JsonValue[]) {
  const source = { read: async () => undefined, all: async () => records, text: async () => '' }
  return await fetchLists(createReader(source, compatSchema.parse({})), [{ kind, workspaceId }], kinds, 0)
}

test('what the kind calls secret, in whatever project', async () => {
  const lists = await found(AppTemplate, '', { id: '7', name: 'shop', environment: [{ key: 'TOKEN', value: 'hunter2' }] })
  const answer = lookedUp(lists, 'AppTemplate', 'shop', '')
  expect(answer).toMatchObject({ id: '7', attributes: { environment: [{ value: 'hunter2' }] }, sensitive: ['environment'] })
})

test('what the state holds by its digest of this very object, of an old half too', async () => {
  const hidden = tokenText({ is: 'digest', digest: 'hmac-sha256:00' })
  const lists = await found(Vpc, '1', { id: '7', name: 'main', description: 'hunter2', range: '10.0.0.0/24' })
  const spec = { name: 'main', description: hidden }
  const sensitive = (record: Pick<ResourceRecord, 'kind' | 'id' | 'spec'>, deposed: ResourceRecord['deposed'] = []) => {
    const answer = lookedUp(lists, 'Vpc', 'main', '1', secretFields([{ ...record, deposed }]))
    return 'problem' in answer ? answer.problem : answer.sensitive
  }
  expect(sensitive({ kind: 'Vpc', id: '7', spec })).toEqual(['description'])
  expect(sensitive({ kind: 'Vpc', id: '8', spec: {} }, [{ id: '7', spec, depends_on: [] }])).toEqual(['description'])
  expect(sensitive({ kind: 'Vpc', id: '8', spec })).toEqual([])
  expect(sensitive({ kind: 'Disk', id: '7', spec })).toEqual([])
})

test('what nothing new can be made of is found, and not offered', async () => {
  const lists = await found(Plan, '', { id: '1', name: 'old', disabled: true }, { id: '2', name: 'tiny', disabled: false })
  expect(lookedUp(lists, 'Plan', 'old', '')).toMatchObject({ id: '1' })
  expect(lookedUp(lists, 'Plan', 'tyni', '')).toEqual({ problem: 'no Plan is called "tyni"; there are tiny' })
})

test('a name is that of what stays, beside what is on its way out', async () => {
  const [old, now] = ['DELETING', 'AVAILABLE'].map((state, at) => ({ id: `${at}`, name: 'db', state }))
  const lists = await found(Disk, '1', old ?? null, now ?? null)
  expect(lookedUp(lists, 'Disk', 'db', '1')).toMatchObject({ id: '1' })
  expect(lookedUp(await found(Disk, '1', old ?? null), 'Disk', 'db', '1')).toMatchObject({ problem: expect.stringContaining('db') })
})
