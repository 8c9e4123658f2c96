// The faults that must be survived, each with the tests that show it, or why it is not shown yet.

import { row } from './row.ts'
import type { Row } from './row.ts'
import { stateRows } from './state-rows.ts'

const faults = 'test/simulation/faults.ts'
const kills = 'test/crash/kills.test.ts › is gone on with by the next one, without a double, an orphan or a manual step'
const everywhere = 'test/simulation/crash-enumeration.test.ts › a crash before and after every effect and every sync is survived'
const odd = 'test/scenarios/odd-answers.test.ts'
const lostCreates = 'test/scenarios/lost-creates.test.ts'
const disk = 'src/state/backends/local/local-store.test.ts'
const lock = 'src/state/backends/local/lock-file.test.ts'
const processes = 'src/state/backends/local/lock-processes.test.ts'
const crash = 'src/state/backends/local/local-crash.test.ts'

export const rows: readonly Row[] = [
  row('P1', 'kill -9 before the lock is taken', everywhere),
  row(
    'P2',
    'after the lock, before the first request',
    'test/crash/locks.test.ts › the lock of a run that was killed is taken over at once',
    `${lock} › takes over at once what a dead process held`,
  ),
  row('P3', 'after the intent is durable, before bytes leave', kills, everywhere),
  row('P4', 'request sent, answer not received', kills, everywhere, `${lostCreates} › one is adopted once its workflow has ended`),
  row('P5', 'answer received, not recorded', kills, everywhere),
  row('P6', 'accepted, polling', everywhere),
  row('P7', 'workflow finished, id not yet in the state', everywhere),
  row('P8', 'during the state write', `${crash} › at every point of a run loses nothing`, everywhere),
  row(
    'P9',
    'during a journal append',
    'src/state/journal-file.test.ts › gives the lines before a last one that was cut off anywhere',
    `${disk} › a torn journal is reported, goes on, and is whole afterwards`,
    'test/cli/damaged-state.test.ts › a journal whose last line was cut off is told by plan, status and apply',
  ),
  row(
    'P10',
    'after the state write, before the journal is cut down',
    'src/state/fold.test.ts › changes nothing when it is replayed over the document that contains it',
    `${crash} › at every point of a run loses nothing`,
  ),
  row('P11', 'after all work, before the unlock', everywhere, `${processes} › of a crowd exactly one gets it; after kill -9`),
  row(
    'P12',
    'during recovery itself',
    `${crash} › during the recovery from a crash loses nothing`,
    'test/simulation/simulation.test.ts › keep every invariant',
  ),
  row('P13', 'between update request and answer', kills),
  row('P14', 'between delete request and answer', kills),
  row(
    'P15',
    'in the middle of a replacement',
    kills,
    'test/scenarios/failures.test.ts › in the middle of a replacement leaves the old half to be deleted, once',
  ),
  row('P16', 'SIGINT once', 'test/crash/signals.test.ts › once: no request that changes anything is sent any more'),
  row('P17', 'SIGINT twice, SIGTERM, SIGHUP', 'test/crash/signals.test.ts › what ends at once'),
  row(
    'P18',
    'SIGSTOP and SIGCONT',
    'test/crash/signals.test.ts › a process that is paused',
    `${processes} › a stopped holder keeps it until the lease has passed`,
  ),
  row(
    'P19',
    'out of memory, uncaught exceptions',
    'test/crash/defects.test.ts › a heap that is full',
    'test/crash/defects.test.ts › an exception that nobody catches',
  ),
  row('P20', 'power loss', `${crash} › by power, with more ways for the disk to keep and tear`, `${crash} › is noticed here: without syncs of`),
  row(
    'P21',
    'the terminal or pipe goes away',
    'test/crash/signals.test.ts › a reader that goes away',
    'test/crash/terminal.test.ts › that goes away ends the run, and nothing is lost',
  ),

  row('N1', 'lost answer to a create', `${faults} › the answer to a create is lost`, `${lostCreates} › is not sent again`, 'test/conformance/life.ts › lost'),
  row('N2', 'lost request', `${faults} › a request with an effect is lost`, `${lostCreates} › is sent again as soon as the window has passed`),
  row('N3', 'late delivery', `${faults} › a create arrives long after it was given up`),
  row('N4', 'a request that a proxy delivers twice', `${odd} › a create that a proxy delivers twice: one is managed, the other named, none deleted`),
  row('N5', '429 with odd Retry-After', `${faults} › 429 with any Retry-After`, 'src/api/retry.test.ts › retryAfterMs'),
  row('N6', 'a storm of 429', `${faults} › a storm of 429`, 'src/api/client.test.ts › a storm of refusals slows down and fails nothing'),
  row('N7', '5xx on a request with an effect', `${faults} › 5xx after the effect`, 'src/api/answers/classify.test.ts › classify'),
  row('N8', '500 on reads', `${faults} › 500 on reads`),
  row(
    'N9',
    'connection refused, DNS, TLS',
    `${faults} › id: 'N9'`,
    'src/api/transport/socket-transport.test.ts › a refused connection was not sent',
    'src/api/transport/socket-transport.test.ts › a handshake of TLS that ends in',
    'src/api/send.test.ts › a certificate that is refused ends it before the first answer of the run, and is waited for after it',
  ),
  row(
    'N10',
    'no answer, ever',
    `${faults} › no answer, ever; nothing was done`,
    'src/api/client.test.ts › a service that says nothing is left after 60 s, one that drips as well',
    'src/api/transport/silence.test.ts › an address',
  ),
  row(
    'N11',
    'a body that is too long',
    `${faults} › a body that is too long`,
    'src/api/transport/socket-transport.test.ts › stops at the cap',
    'src/api/hostile.test.ts › that is too large is not asked for again',
  ),
  row('N12', 'bodies that cannot be understood', `${faults} › truncated JSON`, `${faults} › 200 with HTML`),
  row('N13', '3xx', `${faults} › a redirect`, 'src/api/transport/socket-transport.test.ts › does not follow a redirect'),
  row(
    'N14',
    'proxies and captive portals',
    `${faults} › a page to sign in, in place of the service`,
    'src/api/transport/socket-transport.test.ts › is named without its password; nothing was sent, and it was asked once',
    'src/api/transport/silence.test.ts › a proxy that was asked for a tunnel',
    'src/api/transport/connections.test.ts › is an answer like any other, and the request is sent once',
  ),
  row(
    'N15',
    'the keep-alive race',
    `${faults} › id: 'N15'`,
    'src/api/transport/connections.test.ts › a kept connection that is closed as the next request is written',
  ),
  row('N16', 'clock skew', `${odd} › decides nothing: the same requests in the same time`, 'src/api/client.test.ts › learns the clock of the service'),
  row('N17', 'reset in the middle of a list', `${faults} › a reset in the middle of a list`),
  row('N18', 'a black hole over IPv6', 'src/api/transport/silent-address.test.ts › is reached by its other address'),
  row(
    'N19',
    'all answers late',
    `${faults} › all answers late by half a minute`,
    'src/api/transport/throttle.test.ts › one whose answers all come 30 s late is asked for little at once',
  ),

  row(
    'Q1',
    'a create whose workflow failed, nothing there',
    "test/simulation/draw.ts › id: 'Q1'",
    'test/scenarios/late.test.ts › is none where its answer was lost, too',
  ),
  row('Q2', 'a create whose workflow failed, something unusable there', "test/simulation/draw.ts › id: 'Q2'"),
  row('Q3', 'a workflow that was aborted', "test/simulation/draw.ts › id: 'Q3'"),
  row('Q4', 'a workflow that timed out', "test/simulation/draw.ts › id: 'Q4'"),
  row(
    'Q5',
    'a workflow that never ends',
    'src/api/workflows/workflows.test.ts › one that never ends times out, to the moment',
    'test/scenarios/recovery.test.ts › do not run into each other where one is not settled in time',
  ),
  row(
    'Q6',
    'unknown words for a state',
    `${faults} › a word for the state that is not known`,
    'src/api/workflows/workflows.test.ts › an unknown state is taken as running and named once',
  ),
  row('Q7', 'states that go back', `${faults} › states that go back`),
  row('Q8', 'a workflow that is not known yet', `${faults} › a workflow that is not known right after it was accepted`),
  row('Q9', 'a workflow that is no longer known', `${faults} › workflows that are no longer known`),
  row('Q10', 'accepted without an id', 'test/scenarios/recovery.test.ts › takes all where the requests were the same', 'src/api/answers/answer.test.ts › idIn'),
  row(
    'Q11',
    'completed, and the object is not there yet',
    "test/simulation/draw.ts › id: 'Q11'",
    'test/scenarios/late.test.ts › what outlives the object goes in the same run',
  ),
  row('Q12', 'lists that lag behind', `${faults} › lists that lag behind`),
  row('Q13', 'items that move between pages', 'src/api/pages.test.ts › what moves while it is read by number is found by a second look'),
  row(
    'Q14',
    'lists that are cut off or go in circles',
    `${faults} › a list without its next page`,
    'src/api/pages.test.ts › a cursor that goes in circles gives way to numbers',
    'src/api/pages.test.ts › an empty page that promises more is no end; promises that are never kept are an error',
    'src/api/pages.test.ts › without a word about what comes next',
    'src/api/hostile.test.ts › of pages that each lead to another ends after 10,000 of them',
  ),
  row('Q15', 'a filter that is ignored', 'src/api/pages.test.ts › a filter that is ignored is applied here, and no more sent in this run'),
  row(
    'Q16',
    'deleted by others between plan and apply',
    'test/scenarios/outages.test.ts › while it is carried out are told, and made anew by the next run',
    'test/scenarios/saved-plan.test.ts › when an object that it touches has changed, with 6',
  ),
  row(
    'Q17',
    'changed by others between plan and apply',
    'test/scenarios/question.test.ts › is left alone where it was changed meanwhile, and done by the next run',
    'test/scenarios/saved-plan.test.ts › when an object that it touches has changed, with 6',
  ),
  row(
    'Q18',
    'a stranger makes the same between plan and create',
    'test/scenarios/taking-over.test.ts › what somebody else makes while the question stands',
    `${lostCreates} › takes nothing that it could not have made, though that has its name`,
  ),
  row('Q19', 'a name that is taken', 'test/scenarios/guards.test.ts › are named where another one like it would be made'),
  row(
    'Q20',
    '409 busy',
    `${faults} › 409: busy`,
    'test/scenarios/busy.test.ts › while a workflow on the object is under way, which is named',
    'test/scenarios/busy.test.ts › without a reason that shows within the lag of reads it ends the operation',
    'test/scenarios/late.test.ts › is no error: it is looked for as long as reads may lag',
  ),
  row('Q21', '400 or 422 on a create', `${faults} › 422 on a create`),
  row(
    'Q22',
    'a quota that the service refuses',
    `${faults} › the quota is reached`,
    'test/scenarios/failures.test.ts › stops further creates of the kind (%d), and nothing else; it ends with 8',
  ),
  row(
    'Q23',
    '401 in the middle',
    `${faults} › 401 in the middle`,
    'test/scenarios/outages.test.ts › a token that is no longer accepted stops everything with 4',
  ),
  row(
    'Q24',
    '403 on one request',
    `${faults} › 403 on one request`,
    'test/scenarios/failures.test.ts › for want of a permission leads to 4, and other branches go on',
  ),
  row('Q25', '404 on a delete', `${faults} › a delete that was carried out answers 404`),
  row(
    'Q26',
    'a delete that is accepted and never ends',
    'test/scenarios/leaving.test.ts › is done with 0, stays in the state, and is forgotten once the object is gone',
  ),
  row('Q27', 'a delete that is refused', `${faults} › a delete is refused`),
  row('Q28', 'the service changes what was sent', 'test/conformance/in-process.test.ts › in process'),
  row('Q29', 'members that nobody knows', `${faults} › members that nobody knows`),
  row('Q30', 'precision of numbers', 'src/base/json.test.ts › exact', 'src/api/calls/encode.test.ts › ids are exact integers'),
  row(
    'Q31',
    'hostile ids',
    'src/api/calls/encode.test.ts › no parameter leads to another path',
    'test/cli/hostile-service.test.ts › of a workspace or a VPC leads nowhere',
  ),
  row('Q32', 'one id for two creates', `${odd} › one id for two creates stops everything, and nothing is recorded under a wrong address`),
  row('Q33', 'reads that lag behind', `${faults} › reads that lag behind`, 'test/scenarios/late.test.ts › of what was made: it is not there'),
  row('Q34', 'a third of everything fails', `${faults} › a third of everything fails`, 'src/api/client.test.ts › a brown-out of 30 % is survived'),

  ...stateRows,
]
