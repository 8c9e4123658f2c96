// The names that completion asks for: those of the service, or none, and never a word of what went wrong.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { realClock } from '../../src/base/clock.ts'
import { runCommand } from '../../src/cli/program.ts'
import { manifest } from '../builders/project.ts'
import { operatingBench } from './operating-bench.ts'
import { newFolder, runCli, surroundingsFor } from './run-cli.ts'

const nothing = { code: 0, stdout: '', stderr: '' }

test('are those in the workspace of the project, of kinds without names what they are known by, or the ids', async () => {
  const disk = (name: string): string => manifest('Disk', name, 'size: 10GiB\nbackend: CEPH\nregion: fra-1')
  const { run } = await operatingBench(
    `${disk('more')}${disk('data')}${manifest('FloatingIp', 'mail', 'type: IPv4\nregion: fra-1\nddos: false')}${manifest('BgpConfiguration', 'main', 'asn: 64512')}`,
  )
  expect(await run(['completion', 'names', 'disks', '--quiet'])).toEqual({ ...nothing, stdout: 'data\nmore\n' })
  expect((await run(['completion', 'names', 'Workspace'])).stdout).toBe('default\n')
  expect((await run(['completion', 'names', 'floatingips'])).stdout).toMatch(/^\d+(\.\d+){3}\n$/)
  expect((await run(['completion', 'names', 'bgpconfigurations'])).stdout).toMatch(/^\d+\n$/)
  for (const word of ['nothing', 'apps']) expect(await run(['completion', 'names', word])).toEqual(nothing)
})

test.each([
  ['nobody is signed in', {}],
  ['the address is not allowed', { IAC_BASE_URL: 'http://example.com' }],
  ['nothing listens', { IAC_BASE_URL: 'http://127.0.0.1:1' }],
])('are none where %s', async (_, environment) => {
  expect(await runCli(['completion', 'names', 'vpcs', '--quiet'], { folder: newFolder(), environment, token: 'a'.repeat(40) })).toEqual(nothing)
})

test('are none of a service that takes its time, and the call ends', async () => {
  let arrive = (): void => undefined
  const arrived = new Promise<void>((resolve) => (arrive = resolve))
  const sockets: Socket[] = []
  const server = createServer(({ socket }) => {
    sockets.push(socket)
    arrive()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const bound = server.address()
  const printed = { stdout: '', stderr: '' }
  const environment = { IAC_BASE_URL: `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : ''}` }
  const clock = realClock()
  // The moment is over as soon as the service was asked.
  const sleep = (ms: number, signal?: AbortSignal): Promise<void> => (ms === 1500 ? arrived : clock.sleep(ms, signal))
  const surroundings = surroundingsFor({ folder: newFolder(), environment, token: 'a'.repeat(40) }, printed)
  expect(await runCommand(['completion', 'names', 'vpcs', '--quiet'], { ...surroundings, clock: { ...clock, sleep } })).toBe(0)
  expect(printed).toEqual({ stdout: '', stderr: '' })
  if (sockets[0]?.destroyed === false) await once(sockets[0], 'close')
})

test.each([
  [['names'], 'names needs a KIND'],
  [['bash', 'vpcs'], 'bash takes no KIND'],
])('refuse %j', async (words, said) => {
  expect(await runCli(['completion', ...words], { folder: newFolder() })).toMatchObject({ code: 3, stderr: expect.stringContaining(said) })
})
