// Which resources a run may touch: --target, --exclude, --replace, -f.
import { describe, expect, test } from 'vitest'
import { manifest } from '../builders/project.ts'
import { createWorld } from '../builders/world.ts'
import { all, brief, effects, instance, project, rule, said, saved, vpc } from './stage.ts'

const three = (description = 'first') =>
  all(vpc('main').replace('of main', description), vpc('other', '10.30.0.0/24').replace('of other', description), instance('web', 'vpcs: [main]'))

describe('an apply', () => {
  test('of a target takes along what it needs', async () => {
    const world = createWorld()
    const done = await world.apply(three(), { targets: ['Instance/web'] })
    expect(done.document.resources.map((one) => one.address)).toEqual(['Instance/web', 'Vpc/main'])
    expect(brief((await world.plan(three())).plan)).toEqual(['create Vpc/other (new): create'])
  })
  test('takes patterns', async () => {
    const { plan } = await createWorld().plan(three(), { targets: ['Vpc/*'] })
    expect(brief(plan)).toHaveLength(2)
  })
  test('without the excluded leaves out what needs it', async () => {
    const { plan } = await createWorld().plan(three(), { excludes: ['Vpc/main'] })
    expect(brief(plan)).toEqual(['create Vpc/other (new): create'])
  })
  test('of one half leaves the other as it is', async () => {
    const world = createWorld()
    await world.apply(three())
    const done = await world.apply(three('second'), { targets: ['Vpc/other'] })
    expect(brief(done.plan)).toEqual(['update Vpc/other (changed): update'])
    expect(brief((await world.plan(three('second'))).plan)).toEqual(['update Vpc/main (changed): update'])
  })
  test('that is told to replaces what did not change', async () => {
    const world = createWorld()
    await world.apply(three())
    const done = await world.apply(three(), { replace: ['Vpc/other'] })
    expect(brief(done.plan)).toEqual(['replace Vpc/other (requested): delete, create'])
    expect(done.outcome).toMatchObject({ added: 1, destroyed: 1 })
  })
  test('replaces every key of a for_each, or what a pattern names', async () => {
    const world = createWorld()
    const base = instance('web', 'name: "web-${each.key}"', 'for_each: [a, b]')
    await world.apply(base)
    const replaced = async (pattern: string) => (await world.plan(base, { replace: [pattern] })).plan.summary.replace
    expect([await replaced('Instance/web'), await replaced('Instance/w*'), await replaced('Instance/web["a"]')]).toEqual([2, 2, 1])
  })
  test.each(['targets', 'excludes', 'replace'] as const)('refuses %s that fit nothing, and names the nearest', async (flag) => {
    const world = createWorld()
    await world.apply(three())
    const done = await world.apply(three(), { [flag]: ['Vpc/mian'] })
    expect(done.exitCode).toBe(3)
    expect(done.plan.diagnostics).toContainEqual(expect.objectContaining({ code: 'usage', hint: 'did you mean Vpc/main?' }))
  })
})

describe('a plan', () => {
  test('names what differs and is not selected, and nothing else', async () => {
    const world = createWorld()
    await world.apply(three())
    const leftOut = async (text: string, options: object) => (await world.plan(text, options)).plan.left_out
    expect(await leftOut(three('second'), { excludes: ['Vpc/*'] })).toEqual(['Vpc/main', 'Vpc/other'])
    expect(await leftOut(three('second'), { targets: ['Vpc/other'] })).toEqual(['Vpc/main'])
    expect(await leftOut(all(three(), vpc('new', '10.40.0.0/24')), { excludes: ['Vpc/*'] })).toEqual(['Vpc/new'])
    expect(await leftOut(three(), { excludes: ['Vpc/*'] })).toBeUndefined()
    expect(await leftOut(three('second'), {})).toBeUndefined()
  })
  test('that records names what has drifted and is not selected', async () => {
    const world = createWorld()
    await world.apply(three())
    const { vpcs } = world.sandbox.world.tables
    vpcs.update(vpcs.all().find((one) => one.name === 'main-net')?.id ?? '', { description: 'by hand' })
    const { plan } = await world.plan(three(), { refreshOnly: true, excludes: ['Vpc/main'] })
    expect([plan.drift, plan.left_out]).toEqual([[], ['Vpc/main']])
    expect((await world.plan(three('second'), { refreshOnly: true, targets: ['Vpc/main'] })).plan.left_out).toBeUndefined()
  })
})

describe('what is left out', () => {
  const disk = manifest('Disk', 'old', 'size: 20GiB\nbackend: LOCAL\nregion: fra-1')
  test.each(['at once', 'by saved plans'])('keeps what it needed, in every run, %s', async (how) => {
    const world = createWorld()
    expect((await world.apply(all(disk, instance('web', '', 'depends_on: [Disk/old]')))).exitCode).toBe(0)
    const before = await world.document()
    const excludes = ['Instance/web']
    for (const _ of [1, 2]) {
      const sent = effects(world)
      const { plan } = await world.plan(instance('web'), { excludes })
      const done = how === 'at once' ? await world.apply(instance('web'), { excludes }) : await world.applySaved(instance('web'), saved(plan))
      expect([done.exitCode, brief(done.plan), sent]).toEqual([0, [], []])
    }
    expect((await world.document())?.resources).toEqual(before?.resources)
    expect(brief((await world.plan(instance('web'))).plan)).toEqual(['delete Disk/old (removed): delete'])
  })
  test('keeps what its fields held, too', async () => {
    const world = createWorld()
    await world.apply(all(vpc('main'), instance('web', 'vpcs: [main]')))
    for (const _ of [1, 2]) {
      const done = await world.apply(instance('web'), { excludes: ['Instance/web'] })
      expect([done.exitCode, brief(done.plan)]).toEqual([0, []])
    }
  })
})

describe('a destroy', () => {
  test('of a target takes along what needs it, and nothing else', async () => {
    const world = createWorld()
    await world.apply(three())
    const done = await world.destroy(three(), { targets: ['Vpc/main'] })
    expect(brief(done.plan)).toEqual(['delete Instance/web (requested): delete', 'delete Vpc/main (requested): delete'])
    expect(done.document.resources.map((one) => one.address)).toEqual(['Vpc/other'])
  })
  test('of what needs others leaves those', async () => {
    const world = createWorld()
    await world.apply(three())
    const done = await world.destroy(three(), { targets: ['Instance/web'] })
    expect(brief(done.plan)).toEqual(['delete Instance/web (requested): delete'])
  })
  test('without the excluded leaves what that needs', async () => {
    const world = createWorld()
    await world.apply(three())
    const done = await world.destroy(three(), { excludes: ['Instance/web'] })
    expect(brief(done.plan)).toEqual(['delete Vpc/other (requested): delete'])
  })
})

describe('-f', () => {
  const texts = { 'iac.yaml': project(), 'a.yaml': vpc('main'), 'b.yaml': vpc('other', '10.30.0.0/24') }
  test('leaves resources of other files alone', async () => {
    const world = createWorld()
    await world.apply(texts)
    const changed = { ...texts, 'a.yaml': vpc('main').replace('of main', 'changed') }
    const done = await world.apply(changed, {}, {}, { only: ['a.yaml'] })
    expect(brief(done.plan)).toEqual(['update Vpc/main (changed): update'])
    expect(done.document.resources).toHaveLength(2)
  })
  test('leaves old halves of other files alone, too', async () => {
    const world = createWorld()
    const kept = vpc('main', '10.20.0.0/24', 'lifecycle: { create_before_destroy: true }')
    await world.apply({ ...texts, 'a.yaml': kept })
    world.sandbox.faults.list.push({ operation: 'deleteVpc', status: 422 })
    const next = { ...texts, 'a.yaml': kept.replace('10.20', '10.21') }
    expect((await world.apply(next)).exitCode).toBe(8)
    for (const destroy of [false, true])
      expect(brief((await world.plan(next, { destroy }, { only: ['b.yaml'] })).plan)).toEqual(destroy ? ['delete Vpc/other (requested): delete'] : [])
    expect(brief((await world.plan(next)).plan)).toEqual(['delete Vpc/main (resumed): delete'])
  })
  test('with destroy destroys those of the files', async () => {
    const world = createWorld()
    await world.apply(texts)
    const done = await world.apply(texts, { destroy: true }, {}, { only: ['b.yaml'] })
    expect(brief(done.plan)).toEqual(['delete Vpc/other (requested): delete'])
    expect(done.document.resources.map((one) => one.address)).toEqual(['Vpc/main'])
  })
  test('resolves references to other files from the state', async () => {
    const world = createWorld()
    const metadata = 'workspace: team\ndepends_on: [Vpc/other]'
    const parts = {
      'iac.yaml': project('provider: { workspace: team }'),
      'a.yaml': all(manifest('Workspace', 'team', 'name: team'), vpc('main'), vpc('other', '10.30.0.0/24'), instance('db', '', 'workspace: { name: default }')),
      'b.yaml': all(
        instance('web', 'vpcs: [main]\nos_name: "${Vpc[\'other\'].name}"', metadata),
        rule('db', 'action: ACCEPT').replace('instance: web', 'instance: db'),
      ),
    }
    const first = await world.apply({ ...parts, 'b.yaml': '' })
    expect(first.exitCode).toBe(0)
    const done = await world.apply(parts, {}, {}, { only: ['b.yaml'] })
    expect(done.exitCode).toBe(0)
    const at = (address: string) => done.document.resources.find((one) => one.address === address)
    expect(at('Instance/web')).toMatchObject({ workspace_id: at('Workspace/team')?.id, spec: { vpcs: [at('Vpc/main')?.id], os_name: 'other-net' } })
    expect(at('Instance/web')?.depends_on).toEqual(['Vpc/main', 'Vpc/other', 'Workspace/team'])
    expect(at('FirewallRule/db')?.workspace_id).toBe(at('Instance/db')?.workspace_id)
    const sent = effects(world)
    await world.apply(parts)
    expect(sent).toEqual([])
  })
  test('refuses references that neither the files nor the state hold', async () => {
    const world = createWorld()
    await world.apply(texts)
    const more = { ...texts, 'c.yaml': instance('web', 'vpcs: [mian]', 'depends_on: [Vpc/nothing]') }
    const done = await world.apply(more, {}, {}, { only: ['c.yaml'] })
    expect(done.exitCode).toBe(3)
    expect(said(done.plan)).toEqual([
      'unknown_reference Instance/web: Vpc/mian stands neither in these files nor in the state',
      'unknown_reference Instance/web: Vpc/nothing stands neither in these files nor in the state',
    ])
    expect(done.plan.diagnostics.map((one) => one.position?.text?.trim())).toEqual(['vpcs: [mian]', 'depends_on: [Vpc/nothing]'])
  })
})
