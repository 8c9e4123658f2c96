// Keeping a comment against a forge that loses answers, lags behind and has others writing.
import { describe, expect, test } from 'vitest'
import { virtualClock } from '../../base/clock.ts'
import { failure } from '../../base/diagnostic.ts'
import { keyDigits, marked } from './comment-mark.ts'
import type { CommentMode, Wanted } from './comment-steps.ts'
import type { Forge, Post } from './forge.ts'
import { keepComment } from './keep-comment.ts'

const key = keyDigits({ project: 'shop', environment: null, tag: 'default', folder: '' })

function wantedOf(run: string, planMs: number, mode: CommentMode = 'update'): Wanted {
  return { mode, mark: { key, run: run.repeat(32), planMs, isHidden: false }, text: `plan ${run}\n` }
}

/** A forge in memory; `lost` of its first creations answer nothing, `lag` of its first lists show what stood there at the beginning. */
function memoryForge(given: readonly Post[] = [], { lost = 0, lag = 0 } = {}) {
  const posts = new Map(given.map((one) => [one.id, one]))
  const calls: string[] = []
  let [creations, lists] = [0, 0]
  const forge: Forge = {
    whoAmI: async () => 'bot',
    comments: async () => ((lists += 1) <= lag ? given : [...posts.values()]),
    async create(body) {
      const post = { id: `${100 + creations}`, author: 'bot', body }
      calls.push(`create ${post.id}`)
      posts.set(post.id, post)
      return (creations += 1) <= lost ? undefined : post
    },
    update: async (post, body) => void (calls.push(`update ${post.id}`), posts.has(post.id) && posts.set(post.id, { ...post, body })),
    remove: async (post) => void (calls.push(`remove ${post.id}`), posts.delete(post.id)),
    hide: async (post) => void calls.push(`hide ${post.id}`),
  }
  return { forge, calls, texts: () => [...posts.values()].map((one) => one.body.split('\n').slice(1).join('\n')) }
}

const keep = (forge: Forge, wanted: Wanted) => keepComment(forge, wanted, virtualClock())

test('it is made once, and changed after that', async () => {
  const { forge, texts } = memoryForge([{ id: '1', author: 'mallory', body: marked(wantedOf('e', 999).mark, 'plan e\n') }])
  expect(await keep(forge, wantedOf('a', 1))).toEqual({ done: [{ action: 'create', id: '100' }], isOutdated: false })
  expect(await keep(forge, wantedOf('b', 2))).toEqual({ done: [{ action: 'update', id: '100' }], isOutdated: false })
  expect(await keep(forge, wantedOf('a', 1))).toEqual({ done: [], isOutdated: true })
  expect(texts()).toEqual(['plan e\n', 'plan b\n'])
})

test.each([
  ['an answer is lost', { lost: 1 }],
  ['a list lags behind', { lag: 3 }],
])('it is made once although %s', async (_, harm) => {
  const { forge, calls, texts } = memoryForge([], harm)
  await keep(forge, wantedOf('a', 1))
  expect([calls, texts()]).toEqual([['create 100'], ['plan a\n']])
})

test('two runs at once leave one, with the later plan', async () => {
  const { forge, texts } = memoryForge()
  await Promise.all([keep(forge, wantedOf('a', 2)), keep(forge, wantedOf('b', 1))])
  expect(texts()).toEqual(['plan a\n'])
})

test('an earlier one is hidden by the forge, and says so itself', async () => {
  const { forge, calls, texts } = memoryForge([{ id: '1', author: 'bot', body: marked(wantedOf('a', 1).mark, 'plan a\n') }])
  await keep(forge, wantedOf('b', 2, 'hide-and-new'))
  expect(calls).toEqual(['create 100', 'hide 1', 'update 1'])
  expect(texts()[0]).toContain('<summary>Outdated')
  await keep(forge, wantedOf('c', 3, 'hide-and-new'))
  expect(calls.slice(3)).toEqual(['create 101', 'hide 100', 'update 100'])
})

describe('a plan of a commit', () => {
  const head = '5'.repeat(40)
  const of = (commit: string): Wanted => ({ ...wantedOf('b', 2), commit })

  test('that is not the head of the request any more changes nothing', async () => {
    const { forge, calls } = memoryForge([{ id: '1', author: 'bot', body: marked(wantedOf('a', 1).mark, 'plan a\n') }])
    expect(await keep({ ...forge, head: async () => head }, of('4'.repeat(40)))).toEqual({ done: [], isOutdated: true, head })
    expect(calls).toEqual([])
  })

  test.each<[string, () => Promise<string | undefined>]>([
    ['that is the head', async () => head],
    ['where the token may not read the head', async () => await Promise.reject(failure('forge_refused', 'no'))],
    ['where the forge does not say', async () => undefined],
  ])('%s is told', async (_, asked) => {
    const { forge, texts } = memoryForge()
    expect(await keep({ ...forge, head: asked }, of(head))).toMatchObject({ isOutdated: false })
    expect(texts()).toEqual(['plan b\n'])
  })
})

test('a machine whose clock is ahead freezes nothing: plans are of no later than the forge is', async () => {
  const { forge, texts } = memoryForge()
  const at = (nowMs: number): Forge => ({ ...forge, nowMs: () => nowMs })
  await keep(at(10_000), wantedOf('a', 3_600_000))
  expect(await keep(at(70_000), wantedOf('b', 60_000))).toEqual({ done: [{ action: 'update', id: '100' }], isOutdated: false })
  expect(texts()).toEqual(['plan b\n'])
})

test('one that never comes to be is a failure, after ever longer pauses', async () => {
  const { forge } = memoryForge()
  const clock = virtualClock()
  await expect(keepComment({ ...forge, create: async () => undefined }, wantedOf('a', 1), clock)).rejects.toThrow('sent several times')
  expect(clock.now()).toBe(63_000)
})
