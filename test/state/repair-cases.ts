// What a damaged state that is put right keeps, on every backend.
import { expect, test } from 'vitest'
import { fold } from '../../src/state/fold.ts'
import { recordOf } from '../builders/journal.ts'
import { begin, documentOf, ownerOf } from './store-ground.ts'
import type { Ground } from './store-ground.ts'

/** Part of the suite of all backends. */
export function repairCases({ fresh, at, leased, harm }: Ground): void {
  test.each(['damage', 'lose', 'age'] as const)('by %s loses nothing of what an interrupted run made: a restored state has it', async (what) => {
    const name = fresh()
    const made = recordOf('7', { address: 'Vpc/made' })
    await leased(at(name), async (lease) => {
      await lease.append([begin])
      await lease.write(documentOf(1), [])
      await lease.write(documentOf(2), [])
      await lease.append([
        { ...begin, serial: 2 },
        { t: 'record', resource: made },
      ])
    })
    await harm(what, name)
    const lease = await at(name).lock(ownerOf('one'), 0)
    // As a restore writes it.
    await lease.write({ ...documentOf(2), serial: 3 }, [{ t: 'restored', serial: 2 }])
    await lease.release()
    const { document, entries } = await at(name).read()
    expect(fold(document, entries).resources.get('Vpc/made')).toMatchObject({ id: '7' })
  })
}
