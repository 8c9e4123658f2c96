// Outputs: lookups in them are made when planning, what has no value is said, and after a destroy there are none.
import { describe, expect, test } from 'vitest'
import { createWorld } from '../builders/world.ts'
import { all, files, instance, said, saved, vpc } from './stage.ts'

const output = (text: string) => `outputs:\n  one: { value: "${text}" }\n`
const size = "${lookup('Plan', 'ryzen-4').memory}"
const mixed = "${string(lookup('Plan', 'ryzen-4').memory) + ' for ' + Vpc['main'].id}"

describe('a lookup', () => {
  test('has its value in the plan and in the state', async () => {
    const world = createWorld()
    const texts = files(output(size), vpc('main'))
    expect((await world.plan(texts)).plan.outputs).toEqual({ one: { value: expect.any(Number), sensitive: false } })
    expect((await world.apply(texts)).document.outputs).toEqual({ one: { value: expect.any(Number), sensitive: false } })
  })
  test('is joined with what is known only after apply', async () => {
    const world = createWorld()
    const texts = files(output(mixed), vpc('main'))
    expect((await world.plan(texts)).plan.outputs).toEqual({ one: { expression: mixed } })
    expect((await world.apply(texts)).document.outputs).toMatchObject({ one: { value: expect.stringMatching(/^\d+ for \d+$/) } })
  })
  test('in a spec is joined as well', async () => {
    const world = createWorld()
    const done = await world.apply(all(vpc('main'), instance('web', `os_name: "${mixed}"`)))
    expect([done.exitCode, done.document.resources[0]?.spec['os_name']]).toEqual([0, expect.stringMatching(/^\d+ for \d+$/)])
  })
  test('is made again for a saved plan', async () => {
    const world = createWorld()
    const texts = files(output(mixed), vpc('main'), instance('web', `os_name: "${mixed}"`))
    const done = await world.applySaved(texts, saved((await world.plan(texts)).plan))
    expect([done.exitCode, said(done)]).toEqual([0, []])
    expect(done.document.outputs).toMatchObject({ one: { value: expect.stringMatching(/^\d+ for \d+$/) } })
    expect(done.document.resources[0]?.spec['os_name']).toMatch(/^\d+ for \d+$/)
  })
  test('that finds nothing is an error of the plan', async () => {
    const { plan } = await createWorld().plan(files(output("${lookup('Plan', 'ryzen-5').memory}"), vpc('main')))
    expect(said(plan)).toContainEqual(expect.stringMatching(/^lookup_failed output one: no Plan is called "ryzen-5"; there are (?!.*ryzen-legacy)/))
  })
})

test('an output that has no value after a whole apply is warned of', async () => {
  const done = await createWorld().apply(files(output("${Vpc['main'].description.split('-')[7]}"), vpc('main')))
  expect([done.exitCode, said(done)]).toEqual([0, [expect.stringMatching(/^advice output one has no value: .*outside of the list/)]])
})

describe('after a destroy', () => {
  const texts = files(output("${Vpc['main'].id}"), vpc('main'), vpc('other', '10.30.0.0/24'))
  const constant = files(output('always'), vpc('main'))
  test('there are none, and the plan says so', async () => {
    const world = createWorld()
    await world.apply(texts)
    const { plan } = await world.plan(texts, { destroy: true })
    expect([plan.mode, plan.outputs]).toEqual(['destroy', {}])
    expect((await world.destroy(texts)).document.outputs).toEqual({})
    await world.apply(constant)
    expect((await world.destroy(constant)).document.outputs).toEqual({})
  })
  test('of a saved plan there are none either', async () => {
    const world = createWorld()
    await world.apply(texts)
    const { plan } = await world.plan(texts, { destroy: true })
    expect((await world.applySaved(texts, saved(plan))).document).toMatchObject({ resources: [], outputs: {} })
  })
  test('of a part, those of the rest stay', async () => {
    const world = createWorld()
    await world.apply(texts)
    expect(Object.keys((await world.destroy(texts, { targets: ['Vpc/other'] })).document.outputs)).toEqual(['one'])
    expect(Object.keys((await world.destroy(texts, { targets: ['Vpc/main'] })).document.outputs)).toEqual([])
  })
  test('that was stopped half way, too', async () => {
    const world = createWorld()
    await world.apply(texts)
    world.sandbox.faults.hook = ({ operation }) => (operation === 'deleteVpc' ? { status: 422 } : undefined)
    expect(Object.keys((await world.destroy(texts)).document.outputs)).toEqual(['one'])
  })
})
