// Workspaces: what is in one that the caller cannot see, or is said to be in another, is never taken for gone.
import { describe, expect, test } from 'vitest'
import { Failure } from '../../src/base/diagnostic.ts'
import { manifest } from '../builders/project.ts'
import { answer } from '../builders/wire-double.ts'
import { createWorld } from '../builders/world.ts'
import type { World } from '../builders/world.ts'
import { all, brief, cluster, effects, files, instance, said, vpc } from './stage.ts'

const OTHER = '4242'

/** A second workspace, which the caller owns as well. */
function addWorkspace(world: World): void {
  const { members, workspaces, users } = world.sandbox.world.tables
  const [user] = users.all()
  for (const one of workspaces.all()) workspaces.insert({ ...one, id: OTHER, name: 'another' })
  members.insert({ workspaceId: OTHER, userId: user?.id ?? '', accessLevel: 'OWNER' })
}

/** Lets the caller see the second workspace alone, until what it answers with is called. */
function hideFirst(world: World): () => void {
  const { members, workspaces } = world.sandbox.world.tables
  const { workspaceId } = world.sandbox
  const mine = members.all().filter((one) => one.workspaceId === workspaceId)
  const ownerId = workspaces.get(workspaceId)?.ownerId ?? ''
  for (const one of mine) members.delete(one.id)
  workspaces.update(workspaceId, { ownerId: '1' })
  return () => {
    for (const one of mine) members.insert(one)
    workspaces.update(workspaceId, { ownerId })
  }
}

const at = (world: World, texts: string) => {
  const { workspaceId } = world.sandbox
  return { 'iac.yaml': `apiVersion: iac/v1\nkind: Project\nname: shop\nprovider: { workspace: { id: "${workspaceId}" } }\n`, 'main.yaml': texts }
}

describe('a workspace that nobody sees', () => {
  const named = (name: string) => ({
    'iac.yaml': `apiVersion: iac/v1\nkind: Project\nname: shop\nprovider: { workspace: { name: ${name} } }\n`,
    'main.yaml': vpc('main'),
  })
  const failureOf = async (texts: Parameters<World['plan']>[0]) => {
    const error: unknown = await createWorld()
      .plan(texts)
      .catch((thrown: unknown) => thrown)
    return error instanceof Failure
      ? error.diagnostics.map(({ summary, detail, hint, position }) => [summary, detail, hint, `${position?.file}:${position?.line}`])
      : error
  }
  const visible = expect.stringMatching(/^visible: default \(\d+\)$/)

  test('is answered with those that are visible, and where it is named', async () => {
    const missing = 'no visible workspace is called'
    expect(await failureOf(named('prod'))).toEqual([[`${missing} "prod"`, visible, undefined, 'iac.yaml:4']])
    expect(await failureOf(named('defalt'))).toEqual([[`${missing} "defalt"`, visible, 'did you mean "default"?', 'iac.yaml:4']])
    expect(await failureOf(vpc('main', '10.20.0.0/24', 'workspace: { name: prod }'))).toEqual([[`${missing} "prod"`, visible, undefined, 'main.yaml:6']])
  })
  test('and is written as an id is answered in the same way, but for one that no list shows', async () => {
    const by = (id: string) => vpc('main', '10.20.0.0/24', `workspace: { id: "${id}" }`)
    const text = 'there is no workspace 55, or it is not visible to this caller'
    expect(await failureOf(by('55'))).toEqual([[text, visible, undefined, 'main.yaml:6']])
    const project = 'apiVersion: iac/v1\nkind: Project\nname: shop\nprovider: { workspace: { id: "55" } }\n'
    const one = vpc('net', '10.9.0.0/24', 'workspace: { name: prod }')
    expect(await failureOf({ 'iac.yaml': project, 'main.yaml': vpc('main'), 'one.yaml': one })).toEqual([
      ['no visible workspace is called "prod"', visible, undefined, 'one.yaml:6'],
      [text, visible, undefined, 'iac.yaml:4'],
    ])
    const world = createWorld({
      transport: (inner) => async (request) =>
        request.path.startsWith('/v1/workspaces?') || request.path === '/v1/workspaces'
          ? answer(200, { items: [], page: 1, hasNext: false })
          : await inner(request),
    })
    expect(brief((await world.plan(by(world.sandbox.workspaceId))).plan)).toEqual(['create Vpc/main (new): create'])
  })
  test('is answered with all that are missing, each where it is named', async () => {
    const others = ['prod', 'stage', 'prod'].map((name, at) => vpc(`net${at}`, `10.${at}.0.0/24`, `workspace: { name: ${name} }`))
    const found = await failureOf({ 'one.yaml': all(...others), 'two.yaml': vpc('main') })
    expect(found).toMatchObject([
      ['no visible workspace is called "prod"', visible, undefined, 'one.yaml:6'],
      ['no visible workspace is called "stage"', visible, undefined, expect.stringMatching(/^one\.yaml:\d+$/)],
      ['no visible workspace is called "prod"', visible, undefined, expect.stringMatching(/^one\.yaml:\d+$/)],
    ])
  })
})

describe('with a request that an earlier run left open', () => {
  const slow = instance('web', '', 'timeouts: { create: 1m }')
  const cases = [
    { name: 'a delete that was lost', before: all(vpc('main'), vpc('other', '10.30.0.0/24')), after: vpc('main'), operation: 'deleteVpc' },
    { name: 'a create that is under way', before: vpc('main'), after: all(vpc('main'), slow), operation: undefined },
  ] as const
  test.each(cases)('whoever does not see the workspace is told so with 9, and nothing is settled: $name', async ({ before, after, operation }) => {
    const world = createWorld({ sandbox: { courses: [{ operation: 'instance.create', outcome: 'COMPLETED', durationMs: 90_000 }] } })
    await world.apply(at(world, before))
    const stop = new AbortController()
    world.sandbox.faults.hook = (request) => {
      if (request.operation !== operation) return undefined
      stop.abort()
      return { reset: 'before' }
    }
    await world.apply(at(world, after), {}, { stop: stop.signal })
    world.sandbox.faults.hook = undefined
    addWorkspace(world)
    const { folded } = await world.plan(at(world, after))
    expect(folded.open).toHaveLength(1)
    const show = hideFirst(world)
    await expect(world.apply(at(world, after))).rejects.toMatchObject({ exitCode: 9, diagnostics: [{ code: 'workspace_invisible' }] })
    show()
    const again = await world.plan(at(world, after))
    expect([again.folded.resources, again.folded.open]).toEqual([folded.resources, folded.open])
    const done = await world.apply(at(world, after))
    const { vpcs, instances } = world.sandbox.world.tables
    const ids = [...vpcs.all(), ...instances.all()].map((one) => one.id)
    expect([done.exitCode, done.document.resources.map((one) => one.id).toSorted()]).toEqual([0, ids.toSorted()])
  })
})

describe('a manifest that names another workspace than its object is in', () => {
  const within = (texts: string, workspace: string) => texts.replaceAll(/^( {2}name: (?:main|worker|db)\n)spec/gm, `$1  workspace: ${workspace}\nspec`)
  test.each([
    ['found by its id alone', vpc('main')],
    ['read within its workspace', cluster('PASSWORD: one')],
  ])('is refused (an object that is %s): it would be nobody’s', async (_, texts) => {
    const world = createWorld()
    addWorkspace(world)
    const first = await world.apply(within(texts, `{ id: "${world.sandbox.workspaceId}" }`))
    const sent = effects(world)
    const moved = within(texts, '{ name: another }')
    const { plan } = await world.plan(moved)
    expect(brief(plan)).toEqual([])
    for (const { address } of first.document.resources)
      expect(said(plan)).toContainEqual(expect.stringMatching(`^unsupported_change ${address}: its object is in workspace`))
    const done = await world.apply(moved)
    expect([done.exitCode, done.document.resources, sent]).toEqual([3, first.document.resources, []])
    expect((await world.refresh(moved)).document.resources).toEqual(first.document.resources)
    expect((await world.destroy(moved)).document.resources).toEqual([])
  })
  test('is refused where that is still to be made', async () => {
    const world = createWorld()
    await world.apply(vpc('main'))
    const done = await world.apply(all(manifest('Workspace', 'team', 'name: team-one'), within(vpc('main'), 'team')))
    expect([done.exitCode, said(done.plan)]).toEqual([
      3,
      [expect.stringMatching(/^unsupported_change Vpc\/main: .* names Workspace\/team, which is not made yet/)],
    ])
  })
})

test('what no call deletes is not replaced: what is in it would be nobody’s', async () => {
  const world = createWorld()
  const texts = all(manifest('Workspace', 'team', 'name: team-one'), vpc('main', '10.20.0.0/24', 'workspace: team'))
  const { document } = await world.apply(texts)
  const sent = effects(world)
  const done = await world.apply(texts, { replace: ['Workspace/team'] })
  expect([done.exitCode, sent, done.document.resources]).toEqual([3, [], document.resources])
  expect(said(done.plan)).toEqual(['unsupported_change Workspace/team would be replaced, and the service has no call that deletes a Workspace'])
})

describe('a workspace that is destroyed with what stands in it', () => {
  const team = all(manifest('Workspace', 'team', 'name: team-one'), vpc('main', '10.20.0.0/24', 'workspace: team'))
  const named = (world: World) => world.sandbox.world.tables.workspaces.all().filter((one) => one.name === 'team-one')

  test('is forgotten last: a destroy cut short and an apply after it make no second one', async () => {
    const world = createWorld()
    const first = await world.apply(team)
    const stop = new AbortController()
    world.sandbox.faults.hook = ({ operation }) => {
      if (operation !== 'deleteVpc') return undefined
      stop.abort()
      return { status: 409 }
    }
    const cut = await world.apply(team, { destroy: true }, { stop: stop.signal })
    expect([cut.exitCode, cut.document.resources.map((one) => one.address)]).toEqual([130, ['Vpc/main', 'Workspace/team']])
    world.sandbox.faults.hook = undefined
    const again = await world.apply(team)
    expect([again.exitCode, named(world).length, again.document.resources]).toEqual([0, 1, first.document.resources])
    expect((await world.destroy(team)).document.resources).toEqual([])
  })
  test('stays where something in it could not be deleted', async () => {
    const world = createWorld()
    await world.apply(team)
    world.sandbox.faults.list.push({ operation: 'deleteVpc', status: 422 })
    const done = await world.destroy(team)
    expect([done.exitCode, done.outcome?.forgotten, done.document.resources.length]).toEqual([8, 0, 2])
    expect(brief((await world.plan(team)).plan)).toEqual([])
  })
  test('stays until what the service has only scheduled is gone', async () => {
    const world = createWorld({ sandbox: { readings: { deletion: 'scheduled', scheduledDeletionMs: 3_600_000 } } })
    const texts = all(manifest('Workspace', 'team', 'name: team-one'), instance('web', '', 'workspace: team'))
    await world.apply(texts)
    const done = await world.destroy(texts)
    expect([done.exitCode, done.outcome]).toEqual([0, expect.objectContaining({ destroyed: 1, forgotten: 0 })])
    expect(done.document.resources.map((one) => [one.address, one.status])).toEqual([
      ['Instance/web', 'deleting'],
      ['Workspace/team', 'ready'],
    ])
    const sent = effects(world)
    await world.clock.advance(3_700_000)
    const again = await world.apply(texts)
    expect([again.exitCode, sent, named(world).length]).toEqual([0, ['createInstance'], 1])
    await world.destroy(texts)
    await world.clock.advance(3_700_000)
    const last = await world.destroy(texts)
    expect([last.exitCode, last.outcome?.forgotten, last.document.resources]).toEqual([0, 1, []])
  })
})

test('a workspace and what is in it move to other addresses at once', async () => {
  const world = createWorld()
  const texts = (name: string, key: string, lines = '') =>
    files(
      lines,
      manifest('Workspace', name, 'name: prod-a'),
      vpc(key, '10.20.0.0/24', `workspace: ${name}`).replace(`${key}-net`, 'main-net').replace(`of ${key}`, 'of main'),
    )
  await world.apply(texts('prod', 'net'))
  const sent = effects(world)
  const moved = (key: string) => `moved: [{ from: Workspace/prod, to: Workspace/live }, ${key}]`
  const alone = await world.plan(texts('live', 'net', 'moved: [{ from: Workspace/prod, to: Workspace/live }]'))
  expect([brief(alone.plan), alone.plan.diagnostics.filter((one) => one.severity === 'error')]).toEqual([[], []])
  const done = await world.apply(texts('live', 'main', moved('{ from: Vpc/net, to: Vpc/main }')))
  expect([done.exitCode, sent, done.document.resources.map((one) => one.address)]).toEqual([0, [], ['Vpc/main', 'Workspace/live']])
  expect(brief((await world.plan(texts('live', 'main'))).plan)).toEqual([])
})

describe('a reference into another workspace', () => {
  const side = manifest('Workspace', 'side', 'name: shop-side')
  const disk = (metadata = '') => manifest('Disk', 'data', 'name: data\nsize: 10GiB\nbackend: LOCAL\nregion: fra-1\ninstance: web', metadata)
  const web = instance('web', '', 'workspace: side')
  const crossing = 'conflict Disk/data refers to Instance/web, which is in another workspace'
  const named = (...texts: readonly string[]) => files('provider: { workspace: { name: default } }', side, ...texts)

  test.each([
    ['while that is to be made', []],
    ['once it is there', [side]],
    ['once what it points at is there', [side, web]],
  ])('is refused by the plan, which knows them by their ids: %s', async (_, before) => {
    const world = createWorld()
    if (before.length > 0) expect((await world.apply(files('provider: { workspace: { name: default } }', ...before))).exitCode).toBe(0)
    const sent = effects(world)
    const done = await world.apply(named(web, disk()))
    expect([done.exitCode, sent]).toEqual([3, []])
    expect(said(done.plan)).toContainEqual(crossing)
    const found = done.plan.diagnostics.find((one) => one.code === 'conflict')
    expect([found?.position?.file, found?.address]).toEqual(['main.yaml', 'Disk/data'])
  })
  test.each([['{ id: "${Instance[\'web\'].id}" }'], ["\"${Instance['web'].id + ''}\""], ["\"${vars.far ? Instance['web'].id : Instance['near'].id}\""]])(
    'is refused where an expression makes it, once its value is known or not: %s',
    async (on) => {
      const world = createWorld()
      const lines = 'provider: { workspace: { name: default } }\nvariables: { far: { type: bool, default: true } }'
      const texts = (...more: readonly string[]) => files(lines, side, web, instance('near'), ...more)
      const far = disk().replace('instance: web', `instance: ${on}`)
      expect(said((await world.plan(texts(far))).plan)).toContainEqual(crossing)
      expect((await world.apply(texts())).exitCode).toBe(0)
      expect(said((await world.plan(texts(far))).plan)).toContainEqual(crossing)
      const near = { ...texts(far), 'iac.yaml': texts()['iac.yaml'].replace('default: true', 'default: false') }
      if (on.includes('near')) expect((await world.apply(near)).exitCode).toBe(0)
    },
  )
  test('is refused in a change, too', async () => {
    const world = createWorld()
    const loose = disk().replace(/\n\s*instance: web/, '')
    expect((await world.apply(named(web, loose))).exitCode).toBe(0)
    const done = await world.apply(named(web, disk()))
    expect([done.exitCode, said(done.plan)]).toEqual([3, expect.arrayContaining([crossing])])
  })
  test('is none where one workspace is written in two ways', async () => {
    const world = createWorld()
    const two = files('provider: { workspace: { name: default } }', instance('web', '', `workspace: { id: "${world.sandbox.workspaceId}" }`), disk())
    expect((await world.apply(two)).exitCode).toBe(0)
    const made = createWorld()
    expect((await made.apply(named(web, disk('workspace: side')))).exitCode).toBe(0)
    const again = named(web, disk('workspace: { name: shop-side }'))
    expect(brief((await made.plan(again)).plan)).toEqual([])
  })
})
