// What is drawn anew, in a terminal of its own: the built program under `script`, with keys that are pressed.
import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { realClock } from '../../src/base/clock.ts'
import { manifest } from '../builders/project.ts'
import type { OperatingBench } from './operating-bench.ts'
import { operatingBench } from './operating-bench.ts'

const program = join(import.meta.dirname, '../../dist/main.js')
const hasTerminals = spawnSync('script', ['--version']).status === 0
const web = manifest('Instance', 'web', 'type: PLAN\nplan: ryzen-4\nregion: fra-1')
const around = `${web}${manifest('K3sCluster', 'main', '')}${manifest('K3sNode', 'one', 'instance: web')}`
const service = manifest('K3sService', 'shop', 'image: nginx:1.27\nmode: SPREAD\ntarget_instances: [web]')

interface Terminal {
  /** Resolves once the terminal has shown this. */
  shows(text: RegExp): Promise<string>
  press(key: string): void
  /** The exit code, and all that was shown. */
  readonly ended: Promise<readonly [number | null, string]>
}

/** Runs `iac` in a terminal of 100 columns and 12 rows. */
function terminal(bench: OperatingBench, words: string): Terminal {
  const environment = { ...process.env, IAC_BASE_URL: bench.url, IAC_TOKEN: bench.sandbox.token, CI: '', TERM: 'xterm' }
  const line = `stty cols 100 rows 12; exec '${process.execPath}' '${program}' ${words}`
  const child = spawn('script', ['-qefc', line, '/dev/null'], { cwd: bench.folder, env: environment })
  let shown = ''
  const waiting = new Set<() => void>()
  child.stdout.on('data', (data: Buffer) => {
    shown += data.toString()
    for (const look of waiting) look()
  })
  return {
    shows: (text) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!text.test(shown)) return
          waiting.delete(look)
          resolve(shown)
        }
        waiting.add(look)
        look()
      }),
    press: (key) => void child.stdin.write(key),
    ended: new Promise((resolve) => child.on('close', (code) => resolve([code, shown]))),
  }
}

test.runIf(hasTerminals)('get --watch is drawn in place until ^C, which is 130', async () => {
  const bench = await operatingBench(web)
  const { shows, press, ended } = terminal(bench, 'get instances --watch')
  await shows(/web .* true /)
  await bench.run(['power', 'Instance/web', 'off', '--auto-approve'])
  await shows(/\r\u001b\[2A\u001b\[J[^]*web .* false /)
  press('\u0003')
  const [code, shown] = await ended
  expect(code).toBe(130)
  for (const line of shown.split(/\r\n|\u001b\[J/)) expect(line.replaceAll(/\u001b\[\d*[A-Z]|\r|\^C/g, '').length).toBeLessThan(100)
})

test.runIf(hasTerminals)('logs --follow goes on until ^C, at once', async () => {
  const bench = await operatingBench(around + service, { clock: realClock(60) })
  const { shows, press, ended } = terminal(bench, 'logs K3sService/shop --follow')
  await shows(/ alive 5\r\n/)
  const pressedMs = performance.now()
  press('\u0003')
  expect((await ended)[0]).toBe(130)
  expect(performance.now() - pressedMs).toBeLessThan(10_000)
})

test.runIf(hasTerminals)('power asks, shows how far it is, and waits for it after ^C, and says what goes on after another', async () => {
  const bench = await operatingBench(web, { courses: [{ operation: 'instance.power', outcome: 'COMPLETED', durationMs: 20_000 }] })
  const { shows, press, ended } = terminal(bench, 'power Instance/web cycle')
  await shows(/Enter a value:/)
  press('yes\n')
  await shows(/0 of 1 done, 1 running[^]*modifying: power cycle \d\/\d/)
  press('\u0003')
  await shows(/stopping: what runs is waited for/)
  press('\u0003')
  const [code, shown] = await ended
  expect([code, shown]).toEqual([130, expect.stringMatching(/"power cycle" goes on at the service as workflow [0-9a-f-]{36}/)])
  expect((await bench.run(['status'])).stdout).toMatch(/Instance\/web +power cycle +[0-9a-f-]{36}/)
})

test.runIf(hasTerminals)('a log that nobody reads any more ends by itself', async () => {
  const bench = await operatingBench(around + service, { clock: realClock(60) })
  const environment = { ...process.env, IAC_BASE_URL: bench.url, IAC_TOKEN: bench.sandbox.token }
  const child = spawn('sh', ['-c', `'${process.execPath}' '${program}' logs K3sService/shop --follow | head -1`], { cwd: bench.folder, env: environment })
  expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0)
})
