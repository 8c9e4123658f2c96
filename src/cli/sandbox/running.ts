// Where a running sandbox leaves its address for `iac sandbox env`, and whether it still answers there.
import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Clock } from '../../base/clock.ts'
import { Failure, failure } from '../../base/diagnostic.ts'
import { makeOwnFolder, readOwnFile, replaceOwnFile } from '../../base/files/own-files.ts'
import type { UserId } from '../../base/files/own-files.ts'
import { stringifyJson } from '../../base/json.ts'
import { CONTROL_PREFIX } from '../../sandbox/control/guard.ts'
import { ofDisk } from '../../state/backends/local/state-files.ts'
import { OWN_FOLDER } from '../storage/own-places.ts'

/** Of a sandbox that is asked for its health: it is on this machine, which may have much else to do. */
const ANSWERS_WITHIN_MS = 10_000

/** The file with address and tokens, mode 0600. */
export function runningFile(folder: string): string {
  return join(folder, OWN_FOLDER, 'sandbox-running.json')
}

/** Leaves address and tokens there, in the place of what another one left. Throws a Failure `file_unwritable`. */
export function leaveRunning(file: string, left: Readonly<Record<string, string | number>>, userId: UserId): void {
  const folder = dirname(file)
  try {
    makeOwnFolder(dirname(folder), folder, userId)
    replaceOwnFile(file, `${stringifyJson(left)}\n`)
  } catch (error) {
    if (error instanceof Failure) throw error
    throw failure('file_unwritable', `${file} cannot be written`, { detail: error instanceof Error ? error.message : '' })
  }
}

/** What a sandbox left there; undefined where none did. Throws a Failure 1 where the disk refuses, 9 for what is not to be believed. */
export function leftRunning(file: string, userId: UserId): string | undefined {
  try {
    return readOwnFile(file, userId)
  } catch (error) {
    throw ofDisk(file, error)
  }
}

/** Takes the file away, unless a sandbox that was started later has left its own. */
export async function forgetRunning(file: string, left: { readonly control_token: string }, userId: UserId): Promise<void> {
  const text = leftRunning(file, userId) ?? ''
  if (text.includes(left.control_token)) await rm(file, { force: true })
}

/** Whether the sandbox that left this address answers there: a killed one leaves its file behind, and its port and pid may be another's by now. */
export async function isAnswering(left: { readonly url: string; readonly control_token: string }, clock: Clock): Promise<boolean> {
  const { socketTransport } = await import('../../api/transport/socket-transport.ts')
  const { transport, close } = socketTransport({ baseUrl: left.url })
  const [late, answered] = [new AbortController(), new AbortController()]
  void clock.sleep(ANSWERS_WITHIN_MS, answered.signal).then(
    () => late.abort(),
    () => undefined,
  )
  try {
    const headers = { 'x-sandbox-token': left.control_token }
    const { status } = await transport({ method: 'GET', path: `${CONTROL_PREFIX}/health`, headers, signal: late.signal })
    // Made anew at each start: only this one takes it.
    return status === 200
  } catch {
    return false
  } finally {
    answered.abort()
    await close()
  }
}
