// Twenty processes that race for one lock, on every backend, round after round: one has it at a time, whoever dies with it.
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bundleProgram } from '../builders/bundled-program.ts'
import { campaign, drawn } from '../builders/long-form.ts'
import type { StatePlace } from '../builders/state-places.ts'
import { statePlaces } from '../builders/state-places.ts'

/** On each line, a time in milliseconds, it asks for the lock for so long. Whoever has it makes a file that must not be there yet; with no time to wait it keeps both until the next line. */
const program = `
import { randomBytes } from 'node:crypto'
import { closeSync, openSync, rmSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { parse } from 'yaml'
import { realClock } from '../../src/base/clock.ts'
import { openStore } from '../../src/cli/storage/open-store.ts'
import { stateBackends } from '../../src/project/configuration/state-backends.ts'
const [text, project, witness] = process.argv.slice(2)
const fields = parse(text)
const clock = realClock()
const surroundings = { clock, randomBytes, processId: process.pid, environment: process.env, workingFolder: '/', homeFolder: '/nowhere', version: '1', userId: process.geteuid?.(), heed: () => undefined }
const store = await openStore(stateBackends[fields.backend].settingsOf(fields, null, project), '/', surroundings)
const owner = { id: String(process.pid), operation: 'apply', who: 'test@here', host: 'here', pid: process.pid, created: '', run_url: null }
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
console.log('ready')
for (let line = await lines.next(); !line.done; line = await lines.next()) {
  try {
    const lease = await store.lock(owner, Number(line.value))
    closeSync(openSync(witness, 'wx'))
    if (line.value === '0') {
      console.log('held')
      await lines.next()
    } else await clock.sleep(2)
    rmSync(witness)
    const warning = await lease.release()
    console.log(warning ?? 'had')
  } catch (error) {
    console.log('exitCode' in error ? 'refused ' + error.exitCode + (error.exitCode === 7 ? '' : error.message) : String(error.stack))
  }
}
`

const COUNT = 20
/** Rounds, and of these one in so many in which each waits for its turn, and one in which the holder is killed. */
const rounds = Number(process.env['TEST_ROUNDS'] ?? campaign(20, 6, 4))
const turns = 20
const WAIT_MS = 120_000

interface Racer {
  readonly child: ChildProcess
  say(line: string): Promise<string>
  next(): Promise<string>
}

const present = Object.values(statePlaces).filter((one) => one.missing === undefined)

describe.each(drawn(present, 1, 'places of locks'))('the lock of a state in $title', { timeout: 1_200_000, tags: ['longer'] }, ({ open, shared }) => {
  const folder = mkdtempSync(join(tmpdir(), 'iac-races-'))
  const witness = join(folder, 'witness')
  let place: StatePlace
  let racers: Racer[] = []
  beforeAll(async () => {
    place = await open()
    await bundleProgram(program, import.meta.dirname, join(folder, 'racer.mjs'))
  }, 60_000)
  afterAll(async () => {
    for (const { child } of racers) child.kill('SIGKILL')
    await place.close()
    rmSync(folder, { recursive: true })
  })

  async function enter(): Promise<Racer> {
    const env = { PATH: process.env['PATH'] ?? '', ...place.environment }
    const child = spawn(process.execPath, [join(folder, 'racer.mjs'), place.settings('raced'), 'raced', witness], { env, stdio: ['pipe', 'pipe', 'inherit'] })
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    const next = async (): Promise<string> => {
      const line = await lines.next()
      return line.done ? 'ended' : line.value
    }
    const say = (line: string): Promise<string> => {
      child.stdin.write(`${line}\n`)
      return next()
    }
    expect(await next()).toBe('ready')
    return { child, say, next }
  }
  /** All ask at once, and nobody waits: one has it, and gives it back or dies with it. */
  async function race(dies: boolean): Promise<void> {
    const said = await Promise.all(racers.map((one) => one.say('0')))
    expect(said.toSorted()).toEqual(['held', ...Array.from({ length: COUNT - 1 }, () => 'refused 7')])
    const at = said.indexOf('held')
    const holder = racers[at]
    if (!dies) return expect(await holder?.say('release')).toBe('had')
    holder?.child.kill('SIGKILL')
    expect(await holder?.next()).toBe('ended')
    rmSync(witness)
    racers[at] = await enter()
  }

  test(`has one of ${COUNT} at a time in ${rounds} rounds, and its epochs rise by one`, async () => {
    racers = await Promise.all(Array.from({ length: COUNT }, enter))
    let epoch = 0
    for (let round = 0; round < rounds; round += 1) {
      const isTurn = round % turns === 2
      if (isTurn) expect(await Promise.all(racers.map((one) => one.say(String(WAIT_MS))))).toEqual(racers.map(() => 'had'))
      else await race(round % turns === 4)
      epoch += isTurn ? COUNT : 1
      expect([round, place.epoch('raced')]).toEqual([round, shared ? epoch : undefined])
    }
  })
})
