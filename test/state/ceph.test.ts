// The backend s3 against a store that is not ours: the object gateway of Ceph, in the long form.
import { describe } from 'vitest'
import { hasCeph, startCeph } from '../builders/ceph.ts'
import { isLongForm } from '../builders/long-form.ts'
import { bucketAt, makeBucket, storeAt } from './s3-places.ts'
import { storeSuite } from './store-suite.ts'
import type { Backend } from './store-suite.ts'

if (isLongForm && !hasCeph) console.warn('LEFT OUT: the suite of the state over radosgw, since radosgw, ceph-mon or ceph-osd is not installed')

describe.runIf(isLongForm && hasCeph)('s3 at a gateway of Ceph', () => {
  storeSuite(async (): Promise<Backend> => {
    const server = await startCeph()
    const bucket = bucketAt(server.origin)
    await makeBucket(server.origin)
    const at = (name: string): string => `${name}/state.json`
    const textOf = async (key: string): Promise<string> => (await bucket.get(key, 1 << 20))?.bytes.toString('utf8') ?? ''
    return {
      store: (name, { clock, process, leaseMs }) => storeAt(server.origin, { name, clock, leaseMs, process }),
      damage: async (name) => void (await bucket.put(at(name), (await textOf(at(name))).replace('main', 'niam'))),
      garble: async (name) => {
        for (const line of await bucket.list(`${at(name)}.journal/`)) await bucket.put(`${at(name)}.journal/${line}`, 'no journal')
      },
      lose: (name) => bucket.remove(at(name)),
      close: () => server.stop(),
    }
  })
})
