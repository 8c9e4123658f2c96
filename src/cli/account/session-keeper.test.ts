// When a session is refreshed, and what is stored of it.
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { surroundingsFor } from '../../../test/cli/run-cli.ts'
import type { Call, Outcome } from '../../api/calls/call.ts'
import type { WireResponse } from '../../api/transport/wire.ts'
import type { JsonValue } from '../../base/json.ts'
import { profilesPath, profilesText } from '../surroundings/profiles.ts'
import { createSessionKeeper } from './session-keeper.ts'

const HOUR_MS = 3_600_000
const profile = { base_url: 'https://api.test', token: 'the-token', token_id: '7', expires: '2026-01-02T00:00:00.000Z' }
const at = (hours: number): string => new Date(Date.parse(profile.expires) + hours * HOUR_MS).toISOString()

interface Setting {
  readonly status?: number
  /** Hours after the end of the session that the service's clock shows. */
  readonly hours?: number
  readonly send?: (write: (members: object | undefined) => void) => Outcome
  readonly read?: JsonValue
}

const accepted = (body: JsonValue): Outcome => ({ is: 'accepted', answer: { status: 200, body } })

/** Lets one answer come, and gives what was sent, what is stored then, and what was said. */
async function afterAnswer({ status = 200, hours = -5, send = () => accepted({ expires: at(19) }), read = null }: Setting) {
  const surroundings = surroundingsFor({ folder: mkdtempSync(join(tmpdir(), 'iac-keeper-')) }, { stdout: '', stderr: '' })
  const path = profilesPath(surroundings)
  mkdirSync(dirname(path), { recursive: true })
  const write = (members: object | undefined): void =>
    writeFileSync(path, profilesText(members === undefined ? {} : { work: { ...profile, ...members } }), { mode: 0o600 })
  write({})
  const sent: Call[] = []
  const notes: string[] = []
  const client = {
    send: async (one: Call) => {
      sent.push(one)
      return send(write)
    },
    read: async () => read,
  }
  const keeper = createSessionKeeper({ surroundings, stored: { name: 'work', profile }, client: async () => client, note: (text) => void notes.push(text) })
  const response: WireResponse = {
    status,
    headers: { date: new Date(Date.parse(at(hours))).toUTCString() },
    text: async () => '',
    chunks: async function* () {},
  }
  const transport = keeper.watched(async () => response)
  const request = { method: 'GET', path: '/v1/any', headers: {} }
  await Promise.all([transport(request), transport(request)])
  await keeper.settled()
  await transport(request)
  await keeper.settled()
  const { profiles }: { readonly profiles: Readonly<Record<string, unknown>> } = JSON.parse(readFileSync(path, 'utf8'))
  return { sent: sent.map(({ body }) => body), stored: profiles['work'], notes }
}

test.each([
  ['7 hours before its end', { hours: -7 }, 0, profile.expires],
  ['6 hours before its end', { hours: -6 }, 1, at(19)],
  ['after its end as stored, while the token is alive', { hours: 3 }, 1, at(19)],
  ['where the answer is a refusal', { status: 401 }, 0, profile.expires],
  ['where the refresh is refused, and the service says when it ends', { send: () => accepted({ expires: 'never' }), read: { expires: at(9) } }, 1, at(9)],
  ['where nothing tells', { send: () => accepted({ expires: 5 }), read: { expires: null } }, 1, profile.expires],
])('%s', async (_, setting, count, expires) => {
  const { sent, stored, notes } = await afterAnswer(setting)
  expect(sent).toEqual(Array.from({ length: count }, () => ({ code: 'the-token' })))
  expect([stored, notes]).toEqual([{ ...profile, expires }, []])
})

test('a session that was signed out of, or made anew, while it was refreshed is not stored', async () => {
  const left = await afterAnswer({
    send(write) {
      write(undefined)
      return accepted({ expires: at(19) })
    },
  })
  expect([left.sent.length, left.stored, left.notes]).toEqual([1, undefined, []])
  const anew = await afterAnswer({
    send(write) {
      write({ token: 'another', expires: at(22) })
      return accepted({ expires: at(19) })
    },
  })
  expect(anew.stored).toMatchObject({ token: 'another', expires: at(22) })
})

test('what goes wrong is said, and is no error', async () => {
  const { notes } = await afterAnswer({
    send() {
      throw new Error('the disk is full')
    },
  })
  expect(notes).toEqual(['the session of the profile work was not refreshed: the disk is full'])
})
