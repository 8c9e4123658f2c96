// Which resources a run may touch: --target, --exclude, --replace, -f.
import { describe, expect, test } from 'vitest'
import { createWorld } from '../world.ts'
import { all, brief, instance, project, vpc } from './stage.ts'

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
  test('with destroy destroys those of the files', async () => {
    const world = createWorld()
    await world.apply(texts)
    const done = await world.apply(texts, { destroy: true }, {}, { only: ['b.yaml'] })
    expect(brief(done.plan)).toEqual(['delete Vpc/other (requested): delete'])
    expect(done.document.resources.map((one) => one.address)).toEqual(['Vpc/main'])
  })
})
