// Recipes: who sees and changes which, filters, replacement of commands and fields.
import { expect, test } from 'vitest'
import type { Bench } from '../../../../test/builders/sandbox-bench.ts'
import { createBench } from '../../../../test/builders/sandbox-bench.ts'

const body = { name: 'base', category: 'TOOLS', description: 'Does *this*.', commands: [{ path: '/opt/base.sh', args: ['$SVC_FIELDS_KEY'] }] }
const field = { id: 'key', label: 'Key', type: 'PASSWORD' }

function platform({ tables }: Bench): string {
  return `/v1/recipes/${tables.recipes.all().find((row) => row.ownerId === null)?.id}`
}
async function make(bench: Bench, fields: object = {}) {
  const answer = await bench.call({ method: 'POST', path: `/v1/workspaces/${bench.wid}/recipes`, body: { ...body, ...fields } })
  return { ...answer, path: `/v1/recipes/${bench.tables.recipes.all().at(-1)?.id}` }
}
async function namesAt(bench: Bench, path: string, token = bench.sandbox.token): Promise<unknown> {
  const { body: page } = await bench.call({ method: 'GET', path, token })
  return typeof page === 'object' && page !== null && 'items' in page && Array.isArray(page.items) ? page.items.map((item) => item.name) : page
}

test('a recipe of a workspace: made, read in full, listed in short, changed, deleted', async () => {
  const bench = createBench()
  const made = await make(bench, { fields: [field] })
  const full = {
    ...body,
    icon: null,
    owner: { id: bench.wid, name: 'default' },
    fields: [{ ...field, description: '', required: false }],
  }
  expect(made).toMatchObject({ status: 201, body: full })
  const { path } = made
  expect(made.body).toHaveProperty('fields', full.fields)
  expect(await bench.call({ method: 'PATCH', path, body: { fields: full.fields } })).toMatchObject({ status: 200, body: full })
  const read = { method: 'GET', path }
  expect(await bench.call(read)).toMatchObject({ status: 200, body: full })
  const list = await bench.call({ method: 'GET', path: `/v1/workspaces/${bench.wid}/recipes?name=base` })
  const { commands, fields, ...short } = full
  expect([commands, fields]).not.toEqual([])
  expect(list.body).toHaveProperty('items', [{ id: path.split('/').at(-1), ...short }])
  const next = { id: 'port', label: 'Port', description: 'd', type: 'NUMBER', required: true }
  const patch = { name: 'other', icon: 'https://example.org/i.png', category: 'AI', description: 'x', commands: [{ path: '/a' }], fields: [next] }
  expect((await bench.call({ method: 'PATCH', path, body: patch })).body).toMatchObject({ ...patch, commands: [{ path: '/a', args: [] }] })
  expect((await bench.call({ method: 'PATCH', path, body: {} })).body).toMatchObject({ name: 'other', fields: [next] })
  expect((await bench.call({ method: 'PATCH', path, body: { icon: null } })).body).toMatchObject({ icon: null, category: 'AI' })
  expect(await bench.call({ method: 'DELETE', path })).toMatchObject({ status: 200, body: { action: 'recipe.delete', subject_id: path.split('/').at(-1) } })
  expect((await bench.call(read)).status).toBe(404)
  expect((await bench.call({ method: 'DELETE', path })).status).toBe(404)
  expect((await bench.call({ method: 'PATCH', path, body: {} })).status).toBe(404)
})

test('a workspace sees its own and the platform-wide ones, staff all', async () => {
  const bench = createBench()
  await make(bench)
  const other = await bench.call({ method: 'POST', path: '/v1/workspaces', body: { name: 'other' } })
  const otherId = bench.tables.workspaces.all().at(-1)?.id
  expect(other.status).toBe(201)
  await bench.call({ method: 'POST', path: `/v1/workspaces/${otherId}/recipes`, body: { ...body, name: 'theirs' } })
  const wide = ['docker', 'postgresql', 'wireguard']
  expect(await namesAt(bench, `/v1/workspaces/${bench.wid}/recipes`)).toEqual([...wide, 'base'])
  expect(await namesAt(bench, `/v1/workspaces/${otherId}/recipes`)).toEqual([...wide, 'theirs'])
  const { operatorToken } = bench.sandbox
  expect(await namesAt(bench, '/v1/recipes', operatorToken)).toEqual([...wide, 'base', 'theirs'])
  expect(await namesAt(bench, `/v1/recipes?owner=${otherId}`, operatorToken)).toEqual(['theirs'])
  const theirs = `/v1/recipes/${bench.tables.recipes.all().at(-1)?.id}`
  expect((await bench.call({ method: 'GET', path: theirs, token: bench.member('OWNER') })).status).toBe(404)
  expect((await bench.call({ method: 'GET', path: platform(bench), token: bench.member(undefined) })).body).toMatchObject({ owner: null })
})

test('a platform-wide one can be read with any token, one of a workspace by its grants alone', async () => {
  const bench = createBench()
  const { path: own } = await make(bench)
  const ofInstance = { subject: 'RESOURCE', subjectId: bench.instance().id, userId: null, workspaceId: bench.wid } as const
  const statusOf = async (method: string, path: string, token: string): Promise<number> =>
    (await bench.call({ method, path, token, ...(method === 'PATCH' ? { body: {} } : {}) })).status
  for (const [fields, status] of [
    [{}, 403],
    [ofInstance, 404],
  ] as const) {
    const token = bench.token({ ...fields, grants: { INSTANCE: 'WRITE' } })
    expect([await statusOf('GET', platform(bench), token), await statusOf('GET', own, token)]).toEqual([200, status])
    expect([await statusOf('PATCH', platform(bench), token), await statusOf('GET', `/v1/workspaces/${bench.wid}/recipes`, token)]).toEqual([403, status])
  }
})

test('filters: name, text, category, id', async () => {
  const bench = createBench()
  const list = `/v1/workspaces/${bench.wid}/recipes`
  const id = bench.tables.recipes.all()[1]?.id
  for (const query of ['name=gres', 'description=SUPERUSER', 'category=DATABASES', 'q=database', `id=${id}`, `q=${id}`])
    expect(await namesAt(bench, `${list}?${query}`)).toEqual(['postgresql'])
  expect(await namesAt(bench, `${list}?owner=${bench.wid}`)).toEqual([])
})

test('platform-wide recipes are for administrators; users get 400', async () => {
  const bench = createBench()
  expect((await bench.call({ method: 'POST', path: '/v1/recipes', body })).status).toBe(400)
  expect((await bench.call({ method: 'GET', path: '/v1/recipes' })).status).toBe(400)
  const token = bench.sandbox.operatorToken
  expect(await bench.call({ method: 'POST', path: '/v1/recipes', body, token })).toMatchObject({ status: 201, body: { owner: null } })
  expect((await bench.call({ method: 'PATCH', path: platform(bench), body: { name: 'new' }, token })).body).toMatchObject({ name: 'new' })
  expect((await bench.call({ method: 'DELETE', path: platform(bench), token })).status).toBe(200)
})

test.each(['name', 'category', 'description', 'commands'])('%s is required, and never null', async (name) => {
  const bench = createBench()
  expect((await make(bench, { [name]: undefined })).status).toBe(400)
  const { path } = await make(bench)
  expect((await bench.call({ method: 'PATCH', path, body: { [name]: null } })).status).toBe(400)
})

test.each([
  { category: 'OTHER' },
  { commands: [{ path: 'base.sh' }] },
  { fields: [{ ...field, type: 'DATE' }] },
  { fields: [{ ...field, id: '' }] },
  { icon: 'no address' },
  { owner: '1' },
])('refused: %j', async (wrong) => {
  expect((await make(createBench(), wrong)).status).toBe(400)
})
