// What may happen to state, journal, lock and saved plans.
import { row } from './row.ts'
import type { Row } from './row.ts'

const bucket = 'test/state/s3.test.ts'
const server = 'test/state/http.test.ts'
const serverFaults = 'test/state/http-faults.test.ts'
const suite = 'test/state/store-suite.ts'
const database = 'test/state/postgres.test.ts'
const sharedLock = 'src/state/lease/shared-lock.test.ts'
const disk = 'src/state/backends/local/local-store.test.ts'
const lock = 'src/state/backends/local/lock-file.test.ts'
const processes = 'src/state/backends/local/lock-processes.test.ts'

export const stateRows: readonly Row[] = [
  row('S1', 'two applies on one machine', 'test/crash/locks.test.ts › the second is refused at once, and told who has the lock'),
  row(
    'S2',
    'two applies on two machines',
    `${suite} › of many that start together exactly one has it, again and again`,
    'test/state/lock-races.test.ts › and its epochs rise by one',
    `${processes} › of a crowd exactly one gets it`,
  ),
  row(
    'S3',
    'the holder dies',
    'test/crash/locks.test.ts › the lock of a run that was killed is taken over at once',
    `${lock} › takes over from another machine only once its record was still for the whole lease`,
    'src/state/process-identity.test.ts › a process of a container may live, although its boot is another one',
  ),
  row(
    'S4',
    'the holder is paused beyond its lease',
    `${processes} › a stopped holder keeps it until the lease has passed`,
    `${bucket} › keeps a state from a former holder that was paused between its look at the lock and its write`,
    `${server} › keeps what it has against a run that was superseded between its look and its write`,
    `${disk} › cannot rename its state over the new one, nor append where anybody reads`,
    'test/simulation/harness.ts › a run that was taken over from wrote state or journal',
    'src/api/send.test.ts › what may not leave any more is not sent, at whatever try, nor from the queue',
    'test/crash/taken-over.test.ts › begins nothing more and overwrites nothing once it wakes up, and ends with 8',
    'src/state/backends/local/local-lease.test.ts › does not begin a journal in the place of the one that another run has begun',
    'src/state/backends/local/local-lease.test.ts › does not put its journal in the place of the one that another run has found and taken up',
  ),
  row(
    'S5',
    'lost answer to a lock',
    `${database} › whose answer is lost while %s has done it, once`,
    `${bucket} › at any one request of a run`,
    `${serverFaults} › at any one request of a run`,
    `${sharedLock} › whose first answer is lost is ours`,
  ),
  row(
    'S6',
    'lost answer to an unlock',
    `${database} › whose answer is lost while %s has done it, once`,
    `${bucket} › at any one request of a run`,
    `${serverFaults} › at any one request of a run`,
    `${sharedLock} › is given back although its record is another version of ours`,
  ),
  row(
    'S7',
    'a database session that ends',
    `${database} › that ends the session loses nothing of the run, and nothing stands twice`,
    `${database} › that falls silent within its transaction locks nobody out for longer than a lease`,
    `${database} › in the middle of a run ends what may begin, once its lease is over`,
  ),
  row(
    'S8',
    'conflicts of conditional writes',
    `${bucket} › ConditionalRequestConflict`,
    `${bucket} › at any one request of a run`,
    `${serverFaults} › at any one request of a run`,
  ),
  row(
    'S9',
    'a store that ignores conditions',
    `${bucket} › that ignores conditions is refused before anything is written`,
    `${server} › without lock addresses is warned of, and the run that finds another one ends`,
  ),
  row(
    'S10',
    'a state write that fails',
    `${disk} › full or refusing while writing the state: the old one and the journal stay`,
    'src/state/delivery/delivering-store.test.ts › what ran is recorded here, no intent is taken, and the next run delivers it',
    'test/cli/http-state.test.ts › a server that is lost in the middle ends an apply with 8; what it did not take is kept here and delivered, and nothing is made twice',
  ),
  row(
    'S11',
    'lost answer to a state write',
    `${database} › whose answer is lost while %s has done it, once`,
    `${bucket} › at any one request of a run`,
    `${serverFaults} › at any one request of a run`,
  ),
  row(
    'S12',
    'an older state comes back',
    `${disk} › an older or foreign state is refused`,
    `${disk} › an older state is refused where nothing but history or lock tells of the newer one`,
    `${suite} › by %s is told, and nothing but a write of a whole state is possible`,
  ),
  row(
    'S13',
    'the state is missing although it existed',
    `${suite} › by %s is told, and nothing but a write of a whole state is possible`,
    `${disk} › a missing file is no empty state while journal, history or lock remember it`,
    'test/cli/damaged-state.test.ts › a backup goes into the place of a state of which the lock alone is left',
    'src/state/backends/local/missing-journal.test.ts › is missed where history or lock tell that it stood there',
    `${bucket} › misses a journal that went while its state stayed`,
  ),
  row('S14', 'a damaged state file', 'src/state/document.test.ts › refuses an empty, cut off or altered file'),
  row('S15', 'a newer format', 'src/state/document.test.ts › refuses a newer format and names both'),
  row('S16', 'an older format', 'src/state/document.test.ts › reads an older format by its upgrades, one after another, and writes its own'),
  row(
    'S17',
    'a wrong key',
    'test/cli/encrypted-state.test.ts › instead it is refused with 9, and nothing is changed',
    'test/state/local.test.ts › local › encrypted › is refused to another key, and not touched',
    'test/state/local.test.ts › local › encrypted › gets another first key with its next write, and its whole past by resealing, from clear as well',
  ),
  row(
    'S18',
    'clear state where encryption is configured',
    'test/cli/encrypted-state.test.ts › a state in clear is refused where there are keys, until rekey encrypts it',
    'test/state/local.test.ts › local › encrypted › in clear is refused where there are keys',
  ),
  row(
    'S19',
    'an old ciphertext is replayed',
    'src/state/sealing.test.ts › altered at any place, put elsewhere, or cut, it is damaged',
    `${disk} › an older or foreign state is refused`,
  ),
  row('S20', 'another lineage', `${disk} › an older or foreign state is refused`, `${disk} › refuses a serial that is not newer, and another lineage`),
  row(
    'S21',
    'a full disk while appending',
    `${disk} › full while appending: refused from then on, and the next lease goes on whole`,
    'test/crash/disk.test.ts › a full disk',
  ),
  row('S22', 'a full disk while writing the state', `${disk} › full or refusing while writing the state: the old one and the journal stay`),
  row(
    'S23',
    'read-only folders, other things in the place of files',
    `${disk} › a folder without write permission is told before anything`,
    'test/crash/disk.test.ts › a folder that cannot be written',
  ),
  row('S24', 'a sync that fails', `${disk} › after a sync that failed no append is ever believed, and nothing may leave`),
  row('S25', 'a rename that fails', `${disk} › full or refusing while writing the state: the old one and the journal stay`),
  row('S26', 'a state edited by hand', 'src/state/document.test.ts › takes a file edited by hand only where that is asked for'),
  row(
    'S27',
    'saved plans that no longer fit or were altered',
    'test/scenarios/saved-plan.test.ts › when the state has changed, with 6',
    'test/scenarios/saved-plan.test.ts › when an object that it touches has changed, with 6',
    'test/scenarios/saved-plan.test.ts › in another project, with 6, though neither was ever applied',
    'test/scenarios/forged-plans.test.ts › with anything in its place is refused, or has no effect that the plan did not have',
    'test/scenarios/forged-plans.test.ts › is protected stays, though nothing else in the plan is wrong',
  ),
  row(
    'S28',
    'a saved plan carried out twice',
    'test/scenarios/saved-plan.test.ts › the second time, with 6',
    'test/scenarios/saved-plan.test.ts › the second time where it was the first apply, with 6',
    'test/scenarios/recovery.test.ts › a saved plan is not carried out again after the state could not be written',
  ),
  row('S29', 'manifests changed after the plan was saved', 'test/scenarios/saved-plan.test.ts › is carried out from the file alone, unknown values included'),
  row(
    'S30',
    'a migration between backends that is interrupted',
    'src/state/delivery/move-state.test.ts › ended before or after any write, it is finished by another one, and never both places take a run',
    'test/cli/http-state.test.ts › a state moves there from a file, encrypted on the way',
  ),
  row(
    'S31',
    'a journal of another lineage',
    'src/state/journal-file.test.ts › is damaged where a line is missing, repeated, or of another journal',
    `${disk} › an older or foreign state is refused`,
  ),
  row(
    'S32',
    'network file systems without locks',
    'src/state/backends/local/network-folder.test.ts › asks the system itself',
    'test/cli/shared-folder.test.ts › is warned of',
    `${lock} › gives the lock of a dead holder to exactly one, even without a name in the kernel`,
  ),
]
