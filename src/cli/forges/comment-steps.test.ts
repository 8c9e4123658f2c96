// Which comments are made, changed, hidden and removed, and that runs at the same time agree.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { keyDigits, marked, readMark } from './comment-mark.ts'
import type { CommentMode, Wanted } from './comment-steps.ts'
import { commentSteps, isOutdated } from './comment-steps.ts'
import type { Post } from './forge.ts'

const key = keyDigits({ project: 'shop', environment: null, tag: 'default', folder: '' })
const runOf = (number: number): string => number.toString(16).padStart(32, '0')

function wantedOf(number: number, planMs: number, mode: CommentMode | 'gone' = 'update'): Wanted {
  return { mode, mark: { key, run: runOf(number), planMs, isHidden: false }, text: `plan of ${number}\n` }
}

function postOf(id: number, number: number, planMs: number, rest: Partial<Post> = {}): Post {
  return { id: `${id}`, author: 'bot', body: marked(wantedOf(number, planMs).mark, `plan of ${number}\n`), ...rest }
}

const short = (steps: ReturnType<typeof commentSteps>): readonly string[] =>
  steps.map((one) => (one.does === 'create' ? 'create' : `${one.does} ${one.post.id}`))

describe('update', () => {
  test.each<[string, readonly Post[], readonly string[]]>([
    ['nothing there', [], ['create']],
    ['an earlier plan', [postOf(7, 1, 10)], ['update 7']],
    ['a later plan', [postOf(7, 1, 99)], []],
    ['the same plan and text', [postOf(7, 2, 50)], []],
    ['the same text of an earlier plan', [postOf(7, 2, 40)], ['update 7']],
    ['two of runs at once, the older is kept by number, not by digit', [postOf(10, 1, 10), postOf(9, 3, 20)], ['update 9', 'remove 10']],
    ['a later plan in the younger of two', [postOf(9, 1, 10), postOf(10, 3, 99)], ['update 9', 'remove 10']],
    ['ours by the mark, written by another', [postOf(7, 1, 10, { author: 'mallory' })], ['create']],
    ['written by us, without a mark', [postOf(7, 1, 10, { body: 'LGTM' })], ['create']],
    ['a mark that is quoted', [postOf(7, 1, 10, { body: `> ${postOf(7, 1, 10).body}` })], ['create']],
    ['one that is hidden', [postOf(7, 1, 10, { body: marked({ ...wantedOf(1, 10).mark, isHidden: true }, 'x') })], ['create']],
    [
      'of another project',
      [postOf(7, 1, 10, { body: marked({ ...wantedOf(1, 10).mark, key: keyDigits({ project: 'x', environment: null, tag: 'default', folder: '' }) }, 'x') })],
      ['create'],
    ],
  ])('%s', (_, posts, steps) => {
    expect(short(commentSteps(wantedOf(2, 50), posts, 'bot'))).toEqual(steps)
  })

  test('the older of two gets what the later plan says', () => {
    const [step] = commentSteps(wantedOf(2, 50), [postOf(9, 1, 10), postOf(10, 3, 99)], 'bot')
    expect(step).toMatchObject({ does: 'update', body: postOf(10, 3, 99).body })
  })

  test('how a forge keeps line ends is no difference', () => {
    const kept = postOf(7, 2, 50)
    expect(commentSteps(wantedOf(2, 50), [{ ...kept, body: kept.body.replaceAll('\n', '\r\n').trimEnd() }], 'bot')).toEqual([])
  })
})

test('new leaves all others alone, and is written once', () => {
  expect(short(commentSteps(wantedOf(2, 50, 'new'), [postOf(7, 1, 10)], 'bot'))).toEqual(['create'])
  expect(commentSteps(wantedOf(2, 50, 'new'), [postOf(7, 1, 10), postOf(8, 2, 50)], 'bot')).toEqual([])
})

test('hide-and-new hides nothing before its own is there, and then all but the latest plan', () => {
  const wanted = wantedOf(2, 50, 'hide-and-new')
  expect(short(commentSteps(wanted, [postOf(7, 1, 10)], 'bot'))).toEqual(['create'])
  const steps = commentSteps(wanted, [postOf(7, 1, 10), postOf(8, 2, 50)], 'bot')
  expect(short(steps)).toEqual(['hide 7'])
  expect(steps[0]?.does === 'hide' && readMark(steps[0].body)).toMatchObject({ mark: { isHidden: true }, text: expect.stringContaining('plan of 1') })
  expect(short(commentSteps(wanted, [postOf(8, 2, 50), postOf(9, 3, 60)], 'bot'))).toEqual(['hide 8'])
})

test('gone removes all of ours but what a later plan tells, and makes nothing', () => {
  const posts = [postOf(7, 1, 10), postOf(8, 2, 50), postOf(9, 3, 99), postOf(10, 1, 10, { author: 'mallory' }), postOf(11, 1, 10, { body: 'LGTM' })]
  const wanted: Wanted = { ...wantedOf(2, 50), mode: 'gone' }
  expect(short(commentSteps(wanted, posts, 'bot'))).toEqual(['remove 7', 'remove 8'])
  expect(commentSteps(wanted, [], 'bot')).toEqual([])
})

test('a mark from after the time of the forge is believed no time', () => {
  const [ahead, wanted] = [postOf(7, 1, 3_600_000), wantedOf(2, 50)]
  expect(short(commentSteps(wanted, [ahead], 'bot'))).toEqual([])
  expect(short(commentSteps({ ...wanted, forgeMs: 1000 }, [ahead], 'bot'))).toEqual(['update 7'])
  expect(isOutdated({ ...wanted, forgeMs: 1000 }, [ahead], 'bot')).toBe(false)
  expect(short(commentSteps({ ...wanted, mode: 'gone', forgeMs: 1000 }, [ahead], 'bot'))).toEqual(['remove 7'])
  // Dates of answers are whole seconds, and clocks differ a little.
  expect(short(commentSteps({ ...wanted, forgeMs: 1000 }, [postOf(7, 1, 2500)], 'bot'))).toEqual([])
})

test('a later plan of another run is told', () => {
  expect(isOutdated(wantedOf(2, 50), [postOf(7, 1, 99)], 'bot')).toBe(true)
  expect(isOutdated(wantedOf(2, 50), [postOf(7, 1, 50), postOf(8, 3, 99, { author: 'mallory' })], 'bot')).toBe(false)
})

/** Runs take turns as drawn, each looking and then acting on what it saw, until nothing is left to do. */
function interleaved(mode: CommentMode, runs: readonly Wanted[], turns: readonly number[]): readonly Post[] {
  let posts: readonly Post[] = []
  let next = 1
  const seen = new Map<Wanted, ReturnType<typeof commentSteps>>()
  const turn = (run: Wanted): number => {
    const steps = seen.get(run)
    seen.delete(run)
    if (!steps) {
      const found = commentSteps(run, posts, 'bot')
      if (found.length > 0) seen.set(run, found)
      return found.length
    }
    for (const step of steps) {
      if (step.does === 'create') posts = posts.concat({ id: `${next++}`, author: 'bot', body: step.body })
      else if (step.does === 'remove') posts = posts.filter((one) => one.id !== step.post.id)
      else posts = posts.map((one) => (one.id === step.post.id ? { ...one, body: step.body } : one))
    }
    return steps.length
  }
  for (const at of turns) turn(runs[at % runs.length] ?? wantedOf(1, 1, mode))
  for (let round = 0; round < 20; round += 1) if (runs.map(turn).every((left) => left === 0)) return posts
  throw new Error('the runs do not agree')
}

test('runs at once end with one comment, that of the latest plan, in whatever order they act', () => {
  const cases = fc.record({
    mode: fc.constantFrom('update' as const, 'hide-and-new' as const),
    count: fc.integer({ min: 1, max: 4 }),
    turns: fc.array(fc.nat(3), { maxLength: 20 }),
  })
  fc.assert(
    fc.property(cases, ({ mode, count, turns }) => {
      const runs = Array.from({ length: count }, (_, at) => wantedOf(at + 1, 100 - at, mode))
      const left = interleaved(mode, runs, turns)
        .flatMap((one) => readMark(one.body) ?? [])
        .filter(({ mark }) => !mark.isHidden)
      expect(left.map(({ text }) => text)).toEqual(['plan of 1\n'])
    }),
  )
})
