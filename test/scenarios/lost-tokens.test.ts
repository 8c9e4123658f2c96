// Tokens whose create was lost while somebody else made one like it, to the same end: a code that was told to nobody can have let nobody in.
import { describe, expect, test } from 'vitest'
import { manifest } from '../builders/project.ts'
import { createWorld } from '../builders/world.ts'
import type { World } from '../builders/world.ts'
import { brief } from './stage.ts'

const tokens = ({ sandbox }: World) => sandbox.world.tables.tokens.all().filter((one) => one.name === 'bot-token')

/** A run that died with its create on the way, and the token that somebody else has made since, and uses. */
async function abandoned(hasArrived: boolean, spec = '') {
  let isDying = true
  const world = createWorld({
    transport: (inner) => async (request) => {
      if (!isDying || request.method !== 'POST' || !request.path.endsWith('/tokens')) return inner(request)
      isDying = false
      if (hasArrived) await inner(request)
      return new Promise(() => undefined)
    },
  })
  const expires = new Date(world.clock.wall() + 90 * 86_400_000).toISOString()
  const text = (more = '') => manifest('ApiToken', 'bot', `name: bot-token\ngrants: { INSTANCE: READ }\nexpires: '${expires}'\n${more}`)
  void world.apply(text(spec))
  await world.clock.sleep(500)
  const theirs = (await world.beside().apply(text())).document.resources[0]?.id ?? ''
  await world.clock.sleep(3000)
  world.sandbox.world.tables.tokens.update(theirs, { lastUsedMs: world.clock.wall() })
  return { world, texts: text(spec), theirs, made: tokens(world).map((one) => one.id) }
}

describe.each([
  ['that nobody waits for', ''],
  ['whose code goes into a file', 'write_code_to: { file: bot.token }'],
])('a token %s', (_, spec) => {
  test('that was never made is made, and the one that is used stays whose it is', async () => {
    const { world, texts, theirs, made } = await abandoned(false, spec)
    const { exitCode, document } = await world.apply(texts)
    expect([exitCode, made, tokens(world).map((one) => one.id)]).toEqual([0, [theirs], [theirs, document.resources[0]?.id]])
    expect((await world.destroy()).exitCode).toBe(0)
    expect(tokens(world).map((one) => one.id)).toEqual([theirs])
  })
  test('that was made is told from the one that is used', async () => {
    const { world, texts, theirs, made } = await abandoned(true, spec)
    expect([made.length, (await world.apply(texts)).exitCode]).toEqual([2, 0])
    expect(brief((await world.plan(texts)).plan)).toEqual([])
    expect((await world.destroy()).exitCode).toBe(0)
    expect(tokens(world).map((one) => one.id)).toEqual([theirs])
  })
})

test('a token whose making is told in whole seconds is not taken for used', async () => {
  const world = createWorld({
    transport: (inner) => async (request) => {
      const answer = await inner(request)
      if (request.method !== 'GET' || !/tokens/.test(request.path)) return answer
      const text = async () =>
        (await answer.text(1e6))
          .replace(/"last_used":(null|"[^"]*"),?/g, '')
          .replace(/"created":"([^"]+?)(\.\d+)?Z"/g, (_, at) => `"created":"${at}Z","last_used":"${at}.900Z"`)
      return { ...answer, text }
    },
  })
  const expires = new Date(world.clock.wall() + 90 * 86_400_000).toISOString()
  let sent = 0
  world.sandbox.faults.hook = ({ operation }) => (/create.*Token/.test(operation ?? '') && (sent += 1) === 1 ? { reset: 'after' } : undefined)
  await world.apply(manifest('ApiToken', 'bot', `name: bot-token\ngrants: { INSTANCE: READ }\nexpires: '${expires}'\n`))
  expect([sent, world.sandbox.world.tables.tokens.all().filter((one) => one.name === 'bot-token').length]).toEqual([1, 1])
})
