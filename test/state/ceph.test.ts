// The backend s3 against a store that is not ours: the object gateway of Ceph, in the long form.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasCeph, startCeph } from '../builders/ceph.ts'
import type { CephServer } from '../builders/ceph.ts'
import { isLongForm } from '../builders/long-form.ts'
import { begin, bucketAt, makeBucket, owner, storeAt } from './s3-places.ts'
import type { Backend } from './store-ground.ts'
import { storeSuite } from './store-suite.ts'

if (isLongForm && !hasCeph) console.warn('LEFT OUT: the suite of the state over radosgw, since radosgw, ceph-mon or ceph-osd is not installed')

describe.runIf(isLongForm && hasCeph)('s3 at a gateway of Ceph', { tags: ['longer'] }, () => {
  let server: CephServer
  beforeAll(async () => void (server = await startCeph()), 60_000)
  afterAll(() => server.stop())

  storeSuite(
    async (): Promise<Backend> => {
      const bucket = bucketAt(server.origin)
      await makeBucket(server.origin)
      const at = (name: string): string => `${name}/state.json`
      const textOf = async (key: string): Promise<string> => (await bucket.get(key, 1 << 20))?.bytes.toString('utf8') ?? ''
      return {
        store: (name, { clock, process, leaseMs, sealing }) => storeAt(server.origin, { name, clock, leaseMs, process, sealing }),
        damage: async (name) => void (await bucket.put(at(name), (await textOf(at(name))).replace('main', 'niam'))),
        garble: async (name) => {
          for (const line of await bucket.list(`${at(name)}.journal/`)) await bucket.put(`${at(name)}.journal/${line}`, 'no journal')
        },
        async stored(name) {
          const keys = await bucket.list(`${name}/`)
          return (await Promise.all(keys.map(async (key) => `${key}\n${await textOf(`${name}/${key}`)}`))).join('\n')
        },
        age: async (name) => void (await bucket.put(at(name), await textOf(`${at(name)}.history/0000000000000001`))),
        blur: async (name) => void (await bucket.put(`${at(name)}.lock`, 'no lock')),
        lose: (name) => bucket.remove(at(name)),
        close: async () => undefined,
      }
    },
    { late: true },
  )

  // It ignores conditions there.
  test('a bucket of it that keeps its versions is refused, by whoever has used it before, too', async () => {
    const bucket = 'versions'
    await makeBucket(server.origin, { bucket })
    const lease = await storeAt(server.origin, { bucket }).lock(owner, 0)
    await lease.append([begin])
    expect(await lease.release()).toBeUndefined()
    await makeBucket(server.origin, { bucket, keepsVersions: true })
    for (const name of ['shop', 'new']) {
      await expect(storeAt(server.origin, { bucket, name }).lock(owner, 0)).rejects.toThrow('ignores conditions (If-None-Match)')
      expect((await storeAt(server.origin, { bucket, name }).read()).entries).toHaveLength(name === 'shop' ? 1 : 0)
    }
    // What was removed there is not there.
    expect(await bucketAt(server.origin, bucket).list('new')).toEqual([])
  })
})
