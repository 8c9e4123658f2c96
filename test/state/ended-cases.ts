// What comes too late: asked for by a run that has ended.
import { expect, test } from 'vitest'
import { refusalOf } from '../builders/refusal.ts'
import { begin, documentOf, done, nothing, ownerOf } from './store-ground.ts'
import type { Ground } from './store-ground.ts'

/** A lock that was given back is nobody's any more, or another run's. */
export function endedCases({ fresh, at }: Ground): void {
  test('what is asked for once the lock is being given back is refused, and nothing of it is kept', async () => {
    const name = fresh()
    const lease = await at(name).lock(ownerOf('one'), 0)
    await lease.append([begin])
    const released = lease.release()
    const late = [lease.append([done(1)]), lease.write(documentOf(1), []), lease.resealHistory(), lease.read()].map(refusalOf)
    expect([lease.valid(), await released]).toEqual([false, undefined])
    const later = [lease.append([done(2)]), lease.write(documentOf(2), [])].map(refusalOf)
    const givenBack = expect.stringMatching(/^7 the lock of .* was given back /)
    expect(await Promise.all([...late, ...later])).toEqual(Array.from({ length: 6 }, () => givenBack))
    expect(await at(name).read()).toEqual({ ...nothing, entries: [begin] })
    expect(await at(name).holder()).toBeUndefined()
  })
}
