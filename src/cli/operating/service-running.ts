// Waits until a service of the managed cluster runs again after what was done to it.
import { objectOf } from '../../api/answers/answer.ts'
import { ApiError } from '../../api/calls/call.ts'
import { UnreachableError } from '../../api/calls/failed-call.ts'
import type { Client } from '../../api/client.ts'
import { slower } from '../../base/backoff.ts'
import { diagnostic, Failure } from '../../base/diagnostic.ts'
import type { JsonObject } from '../../base/json.ts'
import { shellWord } from '../../base/words/shell-word.ts'
import type { Surroundings } from '../surroundings/surroundings.ts'
import type { Target } from './find-object.ts'

type Reading = Pick<Client, 'read'>
type Service = Pick<Target, 'address' | 'id' | 'workspaceId' | 'operations'>

const WAIT_MS = 20 * 60_000
const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 5000

/** Reads the service until it is RUNNING with all its replicas ("Service status"); throws Failure 8 where it fails, goes, takes longer than 20 minutes, or cannot be read: what was done to it is done. */
export async function untilRunning({ clock }: Pick<Surroundings, 'clock'>, client: Reading, target: Service): Promise<void> {
  const { address, id, workspaceId, operations } = target
  const untilMs = clock.now() + WAIT_MS
  let pauseMs = FIRST_PAUSE_MS
  for (;;) {
    const answer = objectOf(
      await client.read(operations.reading(id, workspaceId)).catch((error: unknown) => {
        if (!(error instanceof UnreachableError || error instanceof ApiError)) throw error
        throw failed(address, `was changed as asked, and whether it runs is not known: ${error.message}`)
      }),
    )
    const status = statusOf(answer)
    if (answer === undefined || status === 'DELETING') throw failed(address, 'is being deleted, or gone')
    if (status === 'FAILED') throw failed(address, 'is FAILED')
    if (status === 'STOPPED' || (status === 'RUNNING' && isWhole(objectOf(answer['live'])))) return
    if (clock.now() + pauseMs > untilMs) throw failed(address, `is still ${status ?? 'in no known state'} after 20 minutes`)
    await clock.sleep(pauseMs)
    pauseMs = slower(pauseMs, LONGEST_PAUSE_MS)
  }
}

function statusOf(answer: JsonObject | undefined): string | undefined {
  const status = (objectOf(answer?.['service']) ?? answer)?.['status']
  return typeof status === 'string' ? status.toUpperCase() : undefined
}

/** What the answer does not tell is taken for good. */
function isWhole(live: JsonObject | undefined): boolean {
  const { desired_replicas: desired, available_replicas: available, updating } = live ?? {}
  if (updating === true) return false
  return typeof desired !== 'number' || (typeof available === 'number' && available >= desired)
}

/** Its log is not printed: it may hold secrets, and without the manifests nothing tells which. */
function failed(address: string, what: string): Failure {
  return new Failure(8, [diagnostic('operation_failed', `${address} ${what}`, { address, hint: `see \`iac logs ${shellWord(address)}\`` })])
}
