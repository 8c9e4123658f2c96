// Many waiters on one signal: one listener, every action once.
import { describe, expect, test, vi } from 'vitest'
import { onAbort } from './abort.ts'

describe('onAbort', () => {
  test('calls every action once, in order, and none that was taken back', () => {
    const controller = new AbortController()
    const called: number[] = []
    const takes = [1, 2, 3].map((one) => onAbort(controller.signal, () => void called.push(one)))
    takes[1]?.()
    controller.abort()
    controller.abort()
    expect(called).toEqual([1, 3])
  })

  test('a signal that is aborted already acts at once', () => {
    let called = 0
    onAbort(AbortSignal.abort(), () => (called += 1))()
    expect(called).toBe(1)
  })

  test('adds one listener to the signal, however many wait', () => {
    const controller = new AbortController()
    const added = vi.spyOn(controller.signal, 'addEventListener')
    for (let at = 0; at < 100; at += 1) onAbort(controller.signal, () => undefined)
    expect(added).toHaveBeenCalledTimes(1)
  })
})
