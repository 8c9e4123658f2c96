// A value that only the making of an object answers, in a field that live shows by its digests: nothing tells whether it is there, and what is recorded counts.
import { expect, test } from 'vitest'
import { manifest } from '../builders/project.ts'
import { createWorld } from '../builders/world.ts'
import { all, brief, effects } from './stage.ts'

const token = manifest('ApiToken', 'bot', 'name: bot-token\ngrants: { INSTANCE: READ }\nlifetime: 90d\nrotate_before: 14d')
const template = (...variables: readonly string[]) =>
  manifest('AppTemplate', 'shop', `description: sells\nimage: shop:1\nports: []\nenvironment:\n${variables.map((one) => `  - ${one}`).join('\n')}`)
const code = '{ key: TOKEN, value: "${ApiToken[\'bot\'].code}" }'
const within = '{ key: URL, value: "https://${ApiToken[\'bot\'].code}@shop" }'

test.each([
  ['by itself', [code]],
  ['within a text', [within]],
  ['beside others', ['{ key: MODE, value: live }', code, within]],
])('%s it is sent once, and is no change or drift afterwards', async (_, variables) => {
  const world = createWorld({ staff: true })
  const texts = all(token, template(...variables))
  const sent = effects(world)
  expect((await world.apply(texts)).exitCode).toBe(0)
  expect(sent).toEqual(['createWorkspaceToken', 'createAppTemplate'])
  const { plan } = await world.plan(texts)
  expect([brief(plan), plan.drift, (await world.apply(texts)).exitCode, sent.length]).toEqual([[], [], 0, 2])
})

test('what stands beside it changes by one update, with a token made for that', async () => {
  const world = createWorld({ staff: true })
  await world.apply(all(token, template('{ key: MODE, value: live }', code)))
  const next = all(token, template('{ key: MODE, value: test }', code))
  const sent = effects(world)
  expect((await world.apply(next)).exitCode).toBe(0)
  expect(sent.filter((one) => one === 'updateAppTemplate')).toHaveLength(1)
  const held = world.sandbox.world.tables.appTemplates.all().find((one) => one.name === 'shop')
  expect(JSON.stringify(held)).toContain('"test"')
  expect(brief((await world.plan(next)).plan)).toEqual([])
})
