// The lock under real processes: a crowd, kill -9, and a process that is stopped and wakes again.
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { bundleProgram } from '../../../../test/builders/bundled-program.ts'

/** Takes the lock, says so, and holds it until its standard input ends; on each line that comes in it says whether it still has it. */
const program = `
import { randomBytes } from 'node:crypto'
import { createInterface } from 'node:readline'
import { realClock } from '../../../base/clock.ts'
import { realFileSystem } from './file-system.ts'
import { takeLock } from './lock-file.ts'
import { realMachine } from '../../process-identity.ts'
const [path, scale, timeoutMs] = process.argv.slice(2)
const machine = await realMachine(process.pid)
const owner = { id: String(process.pid), operation: 'apply', who: 'test@' + machine.identity.host, host: machine.identity.host, pid: process.pid, created: '', run_url: null }
try {
  const lock = await takeLock({ path, fileSystem: realFileSystem(), clock: realClock(Number(scale)), randomBytes, machine }, owner, Number(timeoutMs))
  console.log('held')
  for await (const line of createInterface({ input: process.stdin })) {
    if (line === 'release') { await lock.release(1); console.log('released') } else console.log(lock.valid() && (await lock.confirm()) ? 'valid' : 'lost')
  }
} catch (error) {
  console.log('refused ' + error.exitCode + ' ' + (error.diagnostics?.[0]?.detail ?? error.stack))
}
process.exit()
`

interface Child {
  readonly process: ChildProcess
  next(): Promise<string>
  say(line: string): Promise<string>
}

let folder = ''
let children: Child[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'iac-lock-'))
  await bundleProgram(program, import.meta.dirname, join(folder, 'contender.mjs'))
})

afterEach(() => {
  for (const { process } of children) process.kill('SIGKILL')
  children = []
})

afterAll(() => rm(folder, { recursive: true }))

function contend(name: string, options: { readonly scale?: number; readonly timeoutMs?: number } = {}): Child {
  const { scale = 1, timeoutMs = 0 } = options
  const child = spawn(process.execPath, [join(folder, 'contender.mjs'), join(folder, name), String(scale), String(timeoutMs)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async (): Promise<string> => {
    const line = await lines.next()
    return line.done ? 'ended' : line.value
  }
  const one: Child = {
    process: child,
    next,
    say: (line) => {
      child.stdin.write(`${line}\n`)
      return next()
    },
  }
  children.push(one)
  return one
}

describe('the lock between processes', { timeout: 60_000 }, () => {
  test('of a crowd exactly one gets it; after kill -9 of that one exactly one of the next crowd, at once', async () => {
    for (let round = 0; round < 2; round += 1) {
      const crowd = Array.from({ length: 20 }, () => contend('crowd'))
      const said = await Promise.all(crowd.map((one) => one.next()))
      expect(
        said.filter((line) => line === 'held'),
        said.join('\n'),
      ).toHaveLength(1)
      expect(said.filter((line) => line.startsWith('refused 7'))).toHaveLength(19)
      const holder = crowd[said.indexOf('held')]
      expect(said.find((line) => line.startsWith('refused'))).toContain(`process ${holder?.process.pid}`)
      holder?.process.kill('SIGKILL')
      await new Promise((resolve) => holder?.process.once('exit', resolve))
    }
  })

  test('a stopped holder keeps it until the lease has passed, then has lost it when it wakes', async () => {
    const holder = contend('stopped', { scale: 30 })
    expect(await holder.next()).toBe('held')
    expect(await holder.say('?')).toBe('valid')
    holder.process.kill('SIGSTOP')
    expect(await contend('stopped', { scale: 30 }).next()).toContain('refused 7')
    const second = contend('stopped', { scale: 30, timeoutMs: 240_000 })
    expect(await second.next()).toBe('held')
    holder.process.kill('SIGCONT')
    expect(await holder.say('?')).toBe('lost')
    expect(await second.say('?')).toBe('valid')
    expect(await holder.say('release')).toBe('released')
    expect(await second.say('?')).toBe('valid')
  })

  test('a holder stopped for less than the lease goes on once it has renewed', async () => {
    const holder = contend('nap', { scale: 30 })
    expect(await holder.next()).toBe('held')
    holder.process.kill('SIGSTOP')
    await new Promise((resolve) => setTimeout(resolve, 1500))
    holder.process.kill('SIGCONT')
    const deadline = Date.now() + 5000
    let said = await holder.say('?')
    while (said !== 'valid' && Date.now() < deadline) said = await holder.say('?')
    expect(said).toBe('valid')
  })

  test('what was released is free at once', async () => {
    const holder = contend('handed')
    expect(await holder.next()).toBe('held')
    const waiting = contend('handed', { timeoutMs: 20_000 })
    expect(await holder.say('release')).toBe('released')
    expect(await waiting.next()).toBe('held')
  })
})
