// Generations that are kept as one text.
import { expect, test } from 'vitest'
import { inClear } from '../../sealing.ts'
import { generationText, withGenerations } from './history.ts'
import type { History } from './wire-document.ts'

const kept = { where: 'it', sealing: inClear }

async function historyOf(texts: readonly (readonly [number, string])[]): Promise<History> {
  let history: History | null = null
  for (const [serial, text] of texts) history = await withGenerations(history, [{ serial, text }], kept)
  return history ?? { serials: [], text: '' }
}

test('gives back what was put into it, twenty at most, newest first; alike ones take hardly any room', async () => {
  const long = Array.from({ length: 5000 }, (_, index) => `line ${index * 7919}`).join('\n')
  const texts = Array.from({ length: 25 }, (_, index) => [index + 1, `${long}${index + 1}`] as const)
  const history = await historyOf(texts)
  expect(history.serials).toEqual(Array.from({ length: 20 }, (_, index) => 25 - index))
  for (const serial of [6, 13, 25]) expect(await generationText(history, serial, kept)).toBe(`${long}${serial}`)
  expect(await generationText(history, 5, kept)).toBeUndefined()
  expect(history.text.length).toBeLessThan(long.length)
})

test('leaves out the oldest beyond 32 MiB together behind the newest, and a single one that is longer', async () => {
  const large = 'x'.repeat(20 << 20)
  const history = await historyOf([
    [1, 'small'],
    [2, `${large}2`],
    [3, `${large}3`],
    [4, `${large}4`],
  ])
  expect(history.serials).toEqual([4, 3])
  expect((await withGenerations(history, [{ serial: 5, text: large + large }], kept)).serials).toEqual([4])
})

test('that is damaged says so, and what is put in front of it is kept alone', async () => {
  const history = await historyOf([
    [1, 'one'],
    [2, 'two'],
  ])
  for (const damaged of [
    { ...history, text: 'bm9uZQ==' },
    { ...history, serials: [2] },
    { ...history, serials: [3, 2, 1] },
  ]) {
    await expect(generationText(damaged, 2, kept)).rejects.toThrow(/history of it is damaged/)
    expect(await withGenerations(damaged, [{ serial: 9, text: 'nine' }], kept)).toMatchObject({ serials: [9] })
  }
})
