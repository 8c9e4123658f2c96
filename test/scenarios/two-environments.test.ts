// Two environments of one project in one workspace, with objects of the same names: what a lost create of one made is not looked for among the other's.
import { expect, test } from 'vitest'
import { otherEnvironmentsIn } from '../../src/engine/model/other-environments.ts'
import { manifest } from '../builders/project.ts'
import type { Runs } from '../builders/runs.ts'
import { createWorld } from '../builders/world.ts'
import type { World } from '../builders/world.ts'
import { all, attachment, brief, effects, instance, rule, said, saved, vpc } from './stage.ts'

const texts = vpc('main')
const both = all(texts, instance('web'))

/** Two states beside each other, of which the first is told of what the second holds, or that it cannot be read. */
function environments(problem?: string): { readonly ours: World; readonly theirs: Runs } {
  const ours = createWorld({
    otherEnvironments: async () =>
      otherEnvironmentsIn([{ environment: 'theirs', flags: ['-e', 'theirs'], found: problem === undefined ? (await theirs.plan('')).folded : { problem } }]),
  })
  const theirs = ours.beside()
  return { ours, theirs }
}

/** Applies while every request that makes one is lost before it arrives, so that the last one stays open. */
async function losing(world: World, runs: Runs, made = texts, lost = 'createVpc'): Promise<void> {
  world.sandbox.faults.hook = ({ operation }) => (operation === lost ? { reset: 'before' } : undefined)
  const done = await runs.apply(made)
  world.sandbox.faults.hook = undefined
  expect(done.outcome?.failed.map((one) => one.code)).toEqual(['operation_unknown'])
}

/** A membership of a server in a VPC that neither of them manages. */
async function membership(world: World): Promise<string> {
  await world.beside().apply(both)
  const [server, network] = [world.sandbox.world.tables.instances.all()[0]?.id ?? '', idsOf(world)[0] ?? '']
  return attachment('web', `"${server}"`, `"${network}"`)
}

const idsOf = (world: World) => world.sandbox.world.tables.vpcs.all().map((one) => one.id)
const recorded = async (runs: Runs): Promise<readonly string[]> => ((await runs.document())?.resources ?? []).map((one) => one.id ?? '')

test('what the other one made since is not taken over', async () => {
  const { ours, theirs } = environments()
  await losing(ours, ours)
  await theirs.apply(texts)
  expect((await ours.apply(texts)).exitCode).toBe(0)
  const [[first], [second]] = [await recorded(theirs), await recorded(ours)]
  expect([idsOf(ours).length, new Set([first, second]).size]).toEqual([2, 2])
  expect((await ours.destroy()).exitCode).toBe(0)
  expect([idsOf(ours), brief((await theirs.plan(texts)).plan)]).toEqual([[first], []])
})

test('nor what it makes while ours is still looked for', async () => {
  const { ours, theirs } = environments()
  ours.sandbox.faults.hook = ({ operation, count }) => (operation === 'createVpc' && count === 1 ? { reset: 'before' } : undefined)
  const applying = ours.apply(texts)
  await ours.clock.sleep(2000)
  expect((await theirs.apply(texts)).exitCode).toBe(0)
  expect((await applying).exitCode).toBe(0)
  expect(idsOf(ours).toSorted()).toEqual([...(await recorded(theirs)), ...(await recorded(ours))].toSorted())
})

test('what either may have made is left to people, until the other one is settled', async () => {
  const { ours, theirs } = environments()
  await losing(ours, theirs)
  await losing(ours, ours)
  await ours.beside().apply(texts)
  const made = idsOf(ours)
  expect(await ours.apply(texts)).toMatchObject({ exitCode: 8, outcome: { added: 0, failed: [{ code: 'ambiguous_adoption', address: 'Vpc/main' }] } })
  expect(idsOf(ours)).toEqual(made)
  expect((await theirs.apply(texts)).exitCode).toBe(0)
  expect((await ours.apply(texts)).exitCode).toBe(0)
  expect([await recorded(theirs), idsOf(ours).length]).toEqual([made, 2])
})

test('one that is destroyed leaves the other as it is', async () => {
  const { ours, theirs } = environments()
  await theirs.apply(both)
  await ours.apply(both)
  expect((await ours.destroy()).exitCode).toBe(0)
  expect(brief((await theirs.plan(both)).plan)).toEqual([])
})

test('what is known beforehand by its id is not taken over either', async () => {
  const { ours, theirs } = environments()
  const joined = await membership(ours)
  await losing(ours, ours, joined, 'joinVpc')
  expect((await theirs.apply(joined)).exitCode).toBe(0)
  const { exitCode, plan } = await ours.apply(joined)
  expect([exitCode, said(plan).find((one) => one.startsWith('exists VpcAttachment/web: '))]).toEqual([
    3,
    expect.stringContaining('is managed by the environment theirs'),
  ])
  expect([await recorded(ours), (await recorded(theirs)).length]).toEqual([[], 1])
  await ours.destroy()
  expect(brief((await theirs.plan(joined)).plan)).toEqual([])
})

test('what a state that cannot be read may hold is left to people, who take it over', async () => {
  const { ours, theirs } = environments('no credentials')
  await losing(ours, ours)
  await theirs.apply(texts)
  const [made = ''] = idsOf(ours)
  expect(await ours.apply(texts)).toMatchObject({
    exitCode: 8,
    outcome: {
      failed: [
        {
          code: 'ambiguous_adoption',
          address: 'Vpc/main',
          detail: 'theirs: no credentials',
          hint: expect.stringContaining(`iac import 'Vpc/main' ${made}`),
        },
      ],
    },
  })
  expect(await recorded(ours)).toEqual([])
  await ours.importObject(texts, 'Vpc/main', made)
  expect((await ours.apply(texts)).exitCode).toBe(0)
  expect([await recorded(ours), idsOf(ours)]).toEqual([[made], [made]])
})

test('and so is what is known beforehand by its id', async () => {
  const { ours } = environments('no credentials')
  const joined = await membership(ours)
  ours.sandbox.faults.hook = ({ operation }) => (operation === 'joinVpc' ? { reset: 'after' } : undefined)
  const done = await ours.apply(joined)
  ours.sandbox.faults.hook = undefined
  expect(done.outcome?.failed).toMatchObject([{ code: 'ambiguous_adoption', address: 'VpcAttachment/web' }])
  const [id = ''] = ours.sandbox.world.tables.memberships.all().map((one) => `${one.instanceId}/${one.vpcId}`)
  await ours.importObject(joined, 'VpcAttachment/web', id)
  expect([(await ours.apply(joined)).exitCode, await recorded(ours)]).toEqual([0, [id]])
})

test('a state that cannot be read keeps nothing from being made anew', async () => {
  const { ours } = environments('no credentials')
  await losing(ours, ours)
  const done = await ours.apply(texts)
  expect([done.exitCode, said(done), await recorded(ours)]).toEqual([0, [], idsOf(ours)])
})

/** Applies while the answers of these requests are lost, each of which has made something, and then in peace. */
async function unanswered(runs: Runs, { sandbox }: World, made: string, lost: readonly string[]): Promise<Awaited<ReturnType<Runs['apply']>>> {
  sandbox.faults.hook = ({ operation }) => (lost.some((one) => one === operation) ? { reset: 'after' } : undefined)
  await runs.apply(made)
  sandbox.faults.hook = undefined
  return runs.apply(made)
}

test.each([
  ['what ends with a server', all(instance('web'), vpc('main')), rule('ssh', 'port_start: 22\naction: ACCEPT'), 'createFirewallRule'],
  ['what joins a network', all(instance('web'), vpc('main')), attachment('web', 'web', 'main'), 'joinVpc'],
  ['what goes with a cluster', manifest('K3sCluster', 'main', ''), manifest('K3sSecret', 'db', 'name: db\ndata: { A: one }'), 'createK3sSecret'],
  ['what stands in a workspace', manifest('Workspace', 'own', 'name: own-prod'), vpc('main', '10.20.0.0/24', 'workspace: own'), 'createVpc'],
])('a state that cannot be read leaves a doubt of %s that is ours: it may be named there by its id', async (_, base = '', more = '', lost = '') => {
  const { ours } = environments('no credentials')
  expect((await ours.apply(base)).exitCode).toBe(0)
  const { exitCode, outcome } = await unanswered(ours, ours, all(base, more), [lost])
  expect([exitCode, outcome?.failed.map((one) => one.code)]).toEqual([8, ['ambiguous_adoption']])
})

test('what is in doubt fails alone, with what needs it', async () => {
  const { ours } = environments('no credentials')
  const needing = all(texts, instance('web'), attachment('web', 'web', 'main'), vpc('other', '10.30.0.0/24'))
  const { exitCode, outcome } = await unanswered(ours, ours, texts, ['createVpc']).then(() => ours.apply(needing))
  expect([exitCode, outcome?.failed.map((one) => [one.code, one.address])]).toEqual([8, [['ambiguous_adoption', 'Vpc/main']]])
  const document = await ours.document()
  expect(document?.resources.map((one) => one.address)).toEqual(['Instance/web', 'Vpc/other'])
  expect(idsOf(ours).length).toBe(2)
  const sent = effects(ours)
  expect([(await ours.apply(needing)).exitCode, sent]).toEqual([8, []])
  await ours.importObject(needing, 'Vpc/main', idsOf(ours)[0] ?? '')
  expect((await ours.apply(needing)).exitCode).toBe(0)
  expect([idsOf(ours).length, brief((await ours.plan(needing)).plan)]).toEqual([2, []])
})

test('a saved plan is carried out but for what is in doubt', async () => {
  const { ours } = environments('no credentials')
  await unanswered(ours, ours, texts, ['createVpc'])
  const made = all(texts, vpc('other', '10.30.0.0/24'))
  const applied = await ours.applySaved(made, saved((await ours.plan(made)).plan))
  expect(applied).toMatchObject({ exitCode: 8, outcome: { added: 1, failed: [{ code: 'ambiguous_adoption', address: 'Vpc/main' }] } })
  expect(applied.document.resources.map((one) => one.address)).toEqual(['Vpc/other'])
})

test('a lost create that is long past is no rival of what appeared since', async () => {
  const { ours, theirs } = environments()
  await losing(ours, theirs)
  await ours.clock.advance(86_400_000)
  expect(await unanswered(ours, ours, texts, ['createVpc'])).toMatchObject({ exitCode: 0, diagnostics: [] })
  expect([await recorded(ours), idsOf(ours).length]).toEqual([idsOf(ours), 1])
})

test('one that was lost a moment before is a rival for good', async () => {
  const { ours, theirs } = environments()
  await losing(ours, theirs)
  await unanswered(ours, ours, texts, ['createVpc'])
  await ours.clock.advance(86_400_000)
  expect(await ours.apply(texts)).toMatchObject({ exitCode: 8, outcome: { failed: [{ code: 'ambiguous_adoption' }] } })
})
