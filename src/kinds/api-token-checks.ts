// What is wrong with a token without any call: how long it lives, what it may, what it is bound to, where its code goes.
import { instantMs } from '../base/instant.ts'
import { parseDuration } from '../base/units.ts'
import { shellWord } from '../base/words/shell-word.ts'
import type { Peer, PeerProblem, Problem } from './definition/kind.ts'
import { mapOf } from './definition/live-fields.ts'
import { holdsToken, isGiven, isToken, knownText } from './definition/token.ts'

type Given = Readonly<Record<string, unknown>>

const DAY_MS = 86_400_000
// "Limits": 7 to 365 days from now.
const LEAST_MS = 7 * DAY_MS
const MOST_MS = 365 * DAY_MS
// A second less would be refused where two clocks differ by it.
const INSIDE_MS = 60_000

/** When a token that lives so long ends, inside of what the service takes by its clock. */
export function endOf(livesMs: number, nowMs: number): string {
  const ms = Math.min(Math.max(livesMs, LEAST_MS + INSIDE_MS), MOST_MS - INSIDE_MS)
  // Whole seconds: a service may keep no less, and what it shows tells the token from others.
  return new Date(Math.floor((nowMs + ms) / 1000) * 1000).toISOString()
}

/** The rules of the section "Tokens" over one spec. */
export function checkToken(spec: Given): Problem[] {
  return [...checkEnd(spec), ...checkGrants(spec), ...checkSubject(spec), ...checkFile(spec)]
}

function checkEnd({ expires, lifetime, rotate_before: before }: Given): Problem[] {
  if (isGiven(expires) === isGiven(lifetime))
    return [{ path: [isGiven(expires) ? 'lifetime' : 'expires'], message: 'exactly one of expires and lifetime says how long it lives' }]
  if (isGiven(before) && isGiven(expires))
    return [{ path: ['rotate_before'], message: 'what takes its place would end at the same instant', hint: 'say how long it lives: lifetime' }]
  const [livesMs, beforeMs] = [durationOf(lifetime), durationOf(before)]
  const problems: Problem[] = []
  if (livesMs === 'none') problems.push({ path: ['lifetime'], message: `"${String(lifetime)}" is no duration`, hint: 'such as 90d' })
  else if (livesMs !== undefined && (livesMs < LEAST_MS || livesMs > MOST_MS)) problems.push({ path: ['lifetime'], message: 'a token lives 7 to 365 days' })
  if (beforeMs === 'none') problems.push({ path: ['rotate_before'], message: `"${String(before)}" is no duration`, hint: 'such as 14d' })
  else if (typeof livesMs === 'number' && beforeMs !== undefined && beforeMs >= livesMs)
    problems.push({ path: ['rotate_before'], message: 'it would be replaced by every apply: that is as long as it lives' })
  return problems
}

/** Milliseconds; `none` for a text that is no duration, undefined where it is not there or not known. */
function durationOf(value: unknown): number | 'none' | undefined {
  const text = knownText(value)
  return text === undefined ? undefined : (parseDuration(text) ?? 'none')
}

function checkGrants({ grants }: Given): Problem[] {
  const map = mapOf(grants)
  if (!map || holdsToken(map) || Object.values(map).some((level) => level !== 'NONE')) return []
  return [{ path: ['grants'], message: 'at least one kind is granted READ or WRITE' }]
}

function checkSubject({ subject, subject_id: id }: Given): Problem[] {
  if (isToken(subject)) return []
  if (subject === 'RESOURCE') return isGiven(id) ? [] : [{ path: ['subject'], message: 'a token of subject RESOURCE names it in subject_id' }]
  return isGiven(id) ? [{ path: ['subject_id'], message: 'only a token of subject RESOURCE is bound to one' }] : []
}

function checkFile({ write_code_to: to }: Given): Problem[] {
  const file = knownText(mapOf(to)?.['file'])
  if (file === undefined) return []
  const path = ['write_code_to', 'file']
  const parts = file.split(/[/\\]/)
  if (file.startsWith('/') || /^[A-Za-z]:/.test(file) || parts.some((part) => part === '' || part.startsWith('.')))
    return [{ path, message: 'a file inside of the project folder, and in no folder that begins with a dot' }]
  return /\.ya?ml$/i.test(file) ? [{ path, message: 'a file that is read as a manifest cannot hold a code' }] : []
}

/** A token of the user stands in no workspace, any other in one; two tokens never write into one file. */
export function checkTokenPlaces(peers: readonly Peer[]): PeerProblem[] {
  const problems: PeerProblem[] = []
  const files = new Map<string, string>()
  for (const { address, kind, workspace, spec } of peers) {
    if (kind !== 'ApiToken') continue
    const isOfUser = spec['subject'] === 'USER'
    if (!isToken(spec['subject']) && isOfUser !== (workspace === ''))
      problems.push({
        address,
        path: ['subject'],
        message: isOfUser ? 'a token of the USER is in no workspace' : 'only a token of the USER is in no workspace',
        hint: isOfUser ? 'write metadata.workspace: null' : 'write subject: USER',
      })
    const file = knownText(mapOf(spec['write_code_to'])?.['file'])
    // Some file systems do not tell letters by their case, and some users write the other slash.
    const place = file?.normalize('NFC').toLowerCase().replaceAll('\\', '/')
    const other = place === undefined ? undefined : files.get(place)
    if (place !== undefined) files.set(place, address)
    if (other !== undefined) problems.push({ address, path: ['write_code_to', 'file'], message: `${other} writes its code into that file, too` })
  }
  return problems
}

/** Warnings: the code of a token that is taken over was told when it was made, and nothing reads it again. */
export function adviseTokens(peers: readonly Peer[]): PeerProblem[] {
  return peers.flatMap(({ address, kind, action, spec }) => {
    const file = mapOf(spec['write_code_to'])?.['file']
    if (kind !== 'ApiToken' || action !== 'import' || file === undefined) return []
    const message = `its code was told when it was made, and cannot be read: ${knownText(file) ?? 'the file of write_code_to'} is not written`
    return [
      {
        address,
        path: ['write_code_to', 'file'],
        message,
        hint: `put the code there yourself; or --replace ${shellWord(address)} in a later run, which makes another token`,
      },
    ]
  })
}

/** An end that the service would refuse by its clock ("Authentication" 5). */
export function refuseEnd(expires: unknown, nowMs: number): Problem[] {
  const text = knownText(expires)
  const leftMs = text === undefined ? NaN : instantMs(text) - nowMs
  if (Number.isNaN(leftMs) || (leftMs >= LEAST_MS && leftMs <= MOST_MS)) return []
  return [{ path: ['expires'], message: 'a token ends 7 to 365 days after it is made' }]
}

/** The API takes numbers only, and no answer told the one of this resource. */
export function refuseSubject(subjectId: unknown): Problem[] {
  if (!knownText(subjectId)?.includes('/')) return []
  return [{ path: ['subject_id'], message: 'the answer that told the id of what it is bound to was lost', hint: 'deploy another one under another name' }]
}
