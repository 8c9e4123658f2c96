// Stores of the backend s3 for its tests: one state in a bucket at an address of the loopback.
import { AwsClient } from 'aws4fetch'
import { randomBytes } from 'node:crypto'
import { socketTransport } from '../../src/api/transport/socket-transport.ts'
import type { OpenTransport } from '../../src/api/transport/socket-transport.ts'
import type { WireRequest, WireResponse } from '../../src/api/transport/wire.ts'
import { realClock } from '../../src/base/clock.ts'
import { createBucket } from '../../src/state/backends/s3/bucket.ts'
import type { Bucket } from '../../src/state/backends/s3/bucket.ts'
import { lastingCaller } from '../../src/state/backends/s3/caller.ts'
import { s3Store } from '../../src/state/backends/s3/s3-store.ts'
import { inClear } from '../../src/state/sealing.ts'
import type { Sealing } from '../../src/state/sealing.ts'
import type { StateStore } from '../../src/state/store.ts'
import { bucketName, testKeys } from '../builders/s3-server.ts'

/** What a journal begins with, and whoever takes the lock. */
export const begin = { t: 'begin', run: 'r', lineage: 'l', serial: 0, tool_version: '1', salt: Buffer.alloc(32).toString('base64') } as const
export const owner = { id: 'one', operation: 'apply', who: 'a@b', host: 'b', pid: 1, created: '2026-01-01T00:00:00Z', run_url: null }

/** The process of those who do not say who they are. */
export const identity = { host: 'h', boot: 'b', namespace: '', pid: 1, start: '1' }

/** Which state, and who comes to it. */
export interface Where {
  readonly name?: string
  readonly leaseMs?: number
  readonly clock?: ReturnType<typeof realClock>
  readonly sealing?: Sealing
  readonly process?: typeof identity
  readonly bucket?: string
  readonly keys?: { readonly accessKeyId: string; readonly secretAccessKey: string }
  /** A process that is over sends nothing more, and hears nothing. */
  readonly life?: { isOver: boolean }
}

/** The state in the bucket at this address. */
export function storeAt(origin: string, where: Where = {}): StateStore {
  const {
    name = 'shop',
    leaseMs = 3000,
    clock = realClock(),
    sealing = inClear,
    process = identity,
    bucket = bucketName,
    keys = testKeys,
    life = { isOver: false },
  } = where
  const address = { where: `the bucket ${bucket}`, origin, folder: `/${bucket}`, region: 'us-east-1', caller: lastingCaller(keys) }
  const never = new Promise<never>(() => undefined)
  const connect = (): OpenTransport => {
    const { transport, close } = socketTransport({ baseUrl: origin })
    const living = async (request: WireRequest): Promise<WireResponse> => {
      const answer = life.isOver ? never : transport(request)
      await answer.catch(() => undefined)
      return life.isOver ? never : answer
    }
    return { transport: living, close }
  }
  const machine = { identity: process, isGone: async () => false }
  return s3Store({ address, connect, key: `${name}/state.json`, clock, randomBytes, machine, leaseMs, sealing })
}

/** Objects of the tests' bucket, past everything that a state is. */
export function bucketAt(origin: string, bucket: string = bucketName): Bucket {
  const address = { where: 'the bucket', origin, folder: `/${bucket}`, region: 'us-east-1', caller: lastingCaller(testKeys) }
  const { transport } = socketTransport({ baseUrl: origin })
  return createBucket({ address, transport, clock: realClock(), patience: () => undefined, quietMs: 5000 })
}

/** Makes a bucket at a store that does not have it, or lets one that is there keep its versions. */
export async function makeBucket(origin: string, { bucket = bucketName, keepsVersions = false } = {}): Promise<void> {
  const client = new AwsClient({ ...testKeys, service: 's3', region: 'us-east-1' })
  const body = '<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>'
  const made = await client.fetch(`${origin}/${bucket}${keepsVersions ? '?versioning' : ''}`, { method: 'PUT', ...(keepsVersions && { body }) })
  if (!made.ok) throw new Error(`no bucket: ${made.status}`)
}
