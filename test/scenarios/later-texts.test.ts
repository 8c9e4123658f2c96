// Texts that are evaluated only while a plan is carried out: they give what was written, and what they hold of secrets is in no plan.
import { describe, expect, test } from 'vitest'
import { manifest } from '../builders/project.ts'
import { createWorld } from '../builders/world.ts'
import { brief, cluster, effects, files, project, said, saved, vpc } from './stage.ts'

const described = (name: string, text: string, metadata = '') => vpc(name, '10.30.0.0/24', metadata).replace(`of ${name}`, () => JSON.stringify(text))
const secretOf = (name: string, data: string) => manifest('K3sSecret', name, `data:\n  ${data}`)

test.each([
  ['an escape', 'echo $${HOME} $$${X}', 'echo ${HOME} $${X}'],
  ['a file', "${file('motd.txt')}", 'welcome ${you}'],
  ['a long variable', '${vars.long.size()}', '20000'],
  ['an index that a variable gives', "${Vpc[vars.names['one']].description}", 'of main'],
])('%s beside what is not known yet is written as it is', async (_, text, written) => {
  const world = createWorld({ variables: { long: 'x'.repeat(20_000) } })
  const iac = 'variables: { long: {}, names: { default: { one: main } } }'
  const wanted = { ...files(iac, vpc('main'), described('other', `${text} \${Vpc['main'].vlan}`)), 'motd.txt': 'welcome ${you}' }
  const done = await world.applySaved({ 'iac.yaml': project(iac) }, saved((await world.plan(wanted)).plan))
  expect([done.exitCode, said(done)]).toEqual([0, []])
  expect(world.sandbox.world.tables.vpcs.all().map((one) => one.description)).toContainEqual(expect.stringMatching(/ \d+$/))
  expect(world.sandbox.world.tables.vpcs.all().some((one) => one.description.startsWith(`${written} `))).toBe(true)
})

describe('of a saved plan', () => {
  const known = { variables: { password: 'first secret' } }
  const nothing = { 'iac.yaml': project() }
  test.each([
    ['what is recorded of another resource', "x ${Vpc['main'].vlan}"],
    ['what the plan makes of another resource', "x ${Vpc['next'].description}"],
    ['what is made of the secret of another resource', "x ${K3sSecret['other'].data.A}"],
  ])('resolves again %s', async (_, value) => {
    const world = createWorld()
    await world.apply(files('', vpc('main'), cluster('A: b')))
    const wanted = files('', vpc('main'), vpc('next', '10.30.0.0/24'), cluster(`A: "${value}"`), secretOf('other', 'A: "y ${Vpc[\'next\'].description}"'))
    expect((await world.applySaved(wanted, saved((await world.plan(wanted)).plan))).exitCode).toBe(0)
    expect(brief((await world.plan(wanted)).plan)).toEqual([])
  })
  test.each([
    ['beside what is not known yet', described('one', "${vars.password} ${Vpc['main'].vlan}")],
    ['as each.value', described('one', "${each.value} ${Vpc['main'].vlan}", 'for_each: "${{\'a\': vars.password}}"')],
    ['deciding on what is not known yet', described('one', "${vars.password == 'x' ? 'a' : string(Vpc['main'].vlan)}")],
  ])('finds another %s: 6', async (_, text) => {
    const world = createWorld()
    const wanted = files('variables: { password: { type: string, sensitive: true } }', vpc('main'), text)
    const one = saved((await world.plan(wanted, {}, known)).plan)
    await expect(world.applySaved(wanted, one, { variables: { password: 'second secret' } })).rejects.toMatchObject({ exitCode: 6 })
    await expect(world.applySaved(nothing, one)).rejects.toMatchObject({ exitCode: 3 })
    expect((await world.applySaved(wanted, one, known)).exitCode).toBe(0)
    expect(brief((await world.plan(wanted, {}, known)).plan)).toEqual([])
  })
  test('finds another text around what is not known yet: 6', async () => {
    const world = createWorld()
    const wanted = (text: string) => files('', vpc('main'), cluster(`URL: "postgres://shop:${text}@\${Vpc['main'].id}/x"`))
    const one = saved((await world.plan(wanted('first-secret'))).plan)
    await expect(world.applySaved(wanted('second-secret'), one)).rejects.toMatchObject({ exitCode: 6 })
    const bodies: string[] = []
    effects(world, (body) => bodies.push(JSON.stringify(body)))
    expect((await world.applySaved(wanted('first-secret'), one)).exitCode).toBe(0)
    expect(bodies.join()).toMatch(/postgres:\/\/shop:first-secret@\d+\/x/)
  })
})
