// Bugs in journal, lease, fence and encryption of the shared states, each with the test that finds it.

/** `from` stands once in the file, and `to` in its place is the bug; `title` are words of the test in `test` that fails then. */
export interface PlantedBug {
  readonly bug: string
  readonly file: string
  readonly from: string
  readonly to: string
  readonly test: string
  readonly title: string
}

const lock = 'src/state/lease/shared-lock.ts'
const commits = 'src/state/lease/group-commit.ts'
const s3Lease = 'src/state/backends/s3/s3-lease.ts'
const s3Store = 'src/state/backends/s3/s3-store.ts'
const postgresLease = 'src/state/backends/postgres/postgres-lease.ts'
const httpLock = 'src/state/backends/http/http-lock.ts'
const sealing = 'src/state/sealing.ts'
const server = 'test/state/http.test.ts'
const sealed = 'src/state/sealing.test.ts'
const file = 'test/state/local.test.ts'
const bucket = 'test/state/s3.test.ts'
const database = 'test/state/postgres.test.ts'

export const plantedBugs: readonly PlantedBug[] = [
  {
    bug: 'a lease is valid for its whole length',
    file: lock,
    from: 'const validPart = 2 / 3',
    to: 'const validPart = 1',
    test: bucket,
    title: 'is not valid any more, without a call, where no sign of life could be given for two thirds of a lease',
  },
  {
    bug: 'renewals are not counted',
    file: lock,
    from: 'renewals: record.renewals + 1 }',
    to: 'renewals: record.renewals }',
    test: bucket,
    title: 'of a run that lives is kept for longer than a lease',
  },
  {
    bug: 'a lock is taken over at once',
    file: lock,
    from: 'askedMs - watched.sinceMs >= record.lease_ms',
    to: 'askedMs - watched.sinceMs >= 0',
    test: bucket,
    title: 'of a run that gives no sign of life is another’s once its lease is over, and not before',
  },
  {
    bug: 'epochs do not grow, so that the numbers of lines come again after a take-over',
    file: lock,
    from: '(await place.leastEpoch?.()) ?? 0) + 1,',
    to: '(await place.leastEpoch?.()) ?? 0),',
    test: database,
    title: 'a run that died leaves what it appended, and the next one goes on behind it',
  },
  {
    bug: 'a lock that was lost is had again with the next sign of life',
    file: lock,
    from: 'valid: () => !isLost && ',
    to: 'valid: () => ',
    test: 'src/state/lease/shared-lock.test.ts',
    title: 'that is lost while a sign of life is under way stays lost when that arrives',
  },
  {
    bug: 'whoever breaks a lock does not say so in it',
    file: lock,
    from: 'owner: null, broken: true })',
    to: 'owner: null })',
    test: 'src/state/backends/s3/former-holders.test.ts',
    title: 'what was under way when the lock was broken is refused',
  },
  {
    bug: 'a state leaves although its run slept through the lease',
    file: s3Lease,
    from: "'absent', () => checkLeft(writing))\n    if (tag !== undefined) return tag",
    to: "'absent')\n    if (tag !== undefined) return tag",
    test: 'src/state/backends/s3/former-holders.test.ts',
    title: 'a state is not sent any more by whoever slept through its lease after its last look at the lock',
  },
  {
    bug: 'appends that overlap share a write that has begun',
    file: commits,
    from: '        batch = undefined\n        return flush(collected)',
    to: '        const begun = flush(collected.slice())\n        return begun.finally(() => (batch = undefined))',
    test: bucket,
    title: 'appends that come while another is under way become durable in their order',
  },
  {
    bug: 'a line of the journal is not chained to the one before',
    file: s3Lease,
    from: 'after: last ?? null, opens: false',
    to: 'after: null, opens: false',
    test: bucket,
    title: 'each line is there for others from when it was appended',
  },
  {
    bug: 'the state is written whatever its version',
    file: s3Lease,
    from: "bucket.put(keys.state, text, held ? { is: held.tag } : 'absent', () => checkLeft(writing))",
    to: 'bucket.put(keys.state, text)',
    test: bucket,
    title: 'keeps a state from a former holder that was paused between its look at the lock and its write',
  },
  {
    bug: 'whoever takes a lock over does not fence the state off',
    file: s3Store,
    from: 'if (held.superseded) await fence',
    to: 'if (keys.where === String(held.superseded)) await fence',
    test: bucket,
    title: "between its look at the lock and its write ('over';",
  },
  {
    bug: 'lines are deleted before the document is written',
    file: s3Lease,
    from: 'const tag = await putState(writing, text)',
    to: 'await cleanUp({ ...writing, last: start, generations: [] }, serial, text)\n    const tag = await putState(writing, text)',
    test: bucket,
    title: 'and a run that dies at any one request leaves what the next can go on with',
  },
  {
    bug: 'a line that is handed over once the lock is being given back is written',
    file: commits,
    from: 'if (isOver) return Promise.reject(givenBack(where))',
    to: '',
    test: file,
    title: 'what is asked for once the lock is being given back is refused',
  },
  {
    bug: 'the lock is given back before the last write',
    file: s3Lease,
    from: 'commits.end(() => giveBack(lock, writing.serial, writing.keys.where, parts.close))',
    to: 'giveBack(lock, writing.serial, writing.keys.where, parts.close)',
    test: bucket,
    title: 'what is under way when the lock is given back is durable before',
  },
  {
    bug: 'whether the store keeps to conditions is not looked at',
    file: s3Store,
    from: 'if (isFirst) await checkConditions(',
    to: 'if (keys.where === String(isFirst)) await checkConditions(',
    test: bucket,
    title: 'that ignores conditions is refused before anything is written',
  },
  {
    bug: 'the state is written without a look at the lock',
    file: postgresLease,
    from: 'return ours.length > 0 && found',
    to: 'return found',
    test: database,
    title: 'that is broken is lost to its holder',
  },
  {
    bug: 'a line is appended without a look at the lock',
    file: postgresLease,
    from: '$6 FROM held ON CONFLICT',
    to: '$6 ON CONFLICT',
    test: database,
    title: 'that is broken is lost to its holder',
  },
  {
    bug: 'after a write that never became known the lease goes on',
    file: postgresLease,
    from: '    writing.failed = error\n',
    to: '',
    test: database,
    title: 'in the middle of a run ends what may begin, once its lease is over',
  },
  {
    bug: 'a second write of a run counts as written once the first is there',
    file: httpLock,
    from: '`${epoch}-${key}-${renewals}`',
    to: '`${epoch}-${key}-${String(renewals).slice(9)}`',
    test: server,
    title: 'each line is there for others from when it was appended',
  },
  {
    bug: 'a lock on a server is taken over at once',
    file: httpLock,
    from: 'return stillMs >= leaseMs ||',
    to: 'return stillMs >= 0 ||',
    test: server,
    title: 'of a run that gives no sign of life is another’s once its lease is over, and not before',
  },
  {
    bug: 'what stands on a server is written over without a look at whose it is',
    file: 'src/state/backends/http/wire-place.ts',
    from: '      await check(standing)\n',
    to: '',
    test: server,
    title: 'keeps what it has against a run that was superseded between its look and its write',
  },
  {
    bug: 'what is encrypted is not bound to its place',
    file: sealing,
    from: 'canonicalJson([format, place, shown])',
    to: 'canonicalJson([format, place.slice(9), shown])',
    test: sealed,
    title: 'altered at any place, put elsewhere, or cut, it is damaged',
  },
  {
    bug: 'each text is encrypted under the same nonce',
    file: sealing,
    from: 'const nonce = randomBytes(nonceBytes)',
    to: 'const nonce = Buffer.alloc(nonceBytes)',
    test: sealed,
    title: 'a text is opened with what is shown, and another time looks otherwise',
  },
  {
    bug: 'a text in clear is taken where there are keys',
    file: sealing,
    from: 'if (takesClear) return kept',
    to: 'if (takesClear || kept.length > 0) return kept',
    test: file,
    title: 'in clear is refused where there are keys',
  },
  {
    bug: 'what an old key encrypted counts as encrypted by the first',
    file: sealing,
    from: 'readSealed(kept)?.key === keyId(firstKey().secret)',
    to: 'readSealed(kept) !== undefined',
    test: file,
    title: 'gets another first key with its next write, and its whole past by resealing',
  },
]
