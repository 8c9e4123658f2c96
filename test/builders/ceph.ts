// A Ceph object gateway of the tests' own: one monitor, one store in memory and radosgw on ports of the loopback, gone with the test.
import { execFileSync, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { freePort } from './postgres.ts'
import { testKeys } from './s3-server.ts'

export interface CephServer {
  readonly origin: string
  stop(): Promise<void>
}

const programs = ['ceph-mon', 'ceph-osd', 'radosgw', 'radosgw-admin', 'ceph', 'monmaptool', 'ceph-authtool']
const stepMs = 30_000

/** Whether Debian's packages radosgw, ceph-mon and ceph-osd, or the like, are installed. */
export const hasCeph = programs.every((name) => (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, name))))

/** Starts a cluster of one machine whose gateway knows the caller of `testKeys`. */
export async function startCeph(): Promise<CephServer> {
  const folder = mkdtempSync(join(tmpdir(), 'iac-ceph-'))
  const [monitor, gateway] = [await freePort(), await freePort()]
  const [cluster, store] = [randomUUID(), randomUUID()]
  const at = (name: string): string => join(folder, name)
  mkdirSync(at('mon'))
  mkdirSync(at('osd'))
  writeFileSync(at('ceph.conf'), settings(folder, cluster, monitor))
  const started: ChildProcess[] = []
  // A test run that is cut off leaves none behind.
  const killAll = (): void => started.forEach((child) => child.kill('SIGKILL'))
  process.once('exit', killAll)
  const run = (program: string, ...args: readonly string[]): string =>
    execFileSync(program, ['-c', at('ceph.conf'), ...args], { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], timeout: stepMs })
  const start = (program: string, ...args: readonly string[]): void =>
    void started.push(spawn(program, ['-c', at('ceph.conf'), '-f', ...args], { cwd: folder, stdio: 'ignore' }))
  run('ceph-authtool', '--create-keyring', at('keyring'), '--gen-key', '-n', 'mon.', '--cap', 'mon', 'allow *')
  run('monmaptool', '--create', '--fsid', cluster, '--addv', 'a', `[v2:127.0.0.1:${monitor}]`, at('monmap'))
  run('ceph-mon', '--mkfs', '-i', 'a', '--monmap', at('monmap'), '--keyring', at('keyring'))
  start('ceph-mon', '-i', 'a')
  const number = run('ceph', 'osd', 'new', store).trim()
  run('ceph-osd', '-i', number, '--mkfs', '--osd-uuid', store)
  run('ceph', 'osd', 'crush', 'add', number, '1.0', 'root=default', 'host=localhost')
  start('ceph-osd', '-i', number)
  run(
    'radosgw-admin',
    'user',
    'create',
    '--uid=tests',
    '--display-name=tests',
    `--access-key=${testKeys.accessKeyId}`,
    `--secret-key=${testKeys.secretAccessKey}`,
  )
  start('radosgw', '-n', 'client.admin', `--rgw_data=${folder}`, `--rgw_frontends=beast endpoint=127.0.0.1:${gateway}`)
  const origin = `http://127.0.0.1:${gateway}`
  await untilAnswered(origin)
  return {
    origin,
    async stop() {
      for (const child of started.toReversed()) {
        const ended = new Promise((resolve) => child.once('exit', resolve))
        child.kill('SIGKILL')
        await ended
      }
      process.off('exit', killAll)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Nobody proves who he is within the cluster; the gateway's own wish for a secret way would keep it out. */
function settings(folder: string, cluster: string, monitor: number): string {
  const lines = {
    fsid: cluster,
    'mon host': `[v2:127.0.0.1:${monitor}/0]`,
    'mon initial members': 'a',
    'public addr': '127.0.0.1',
    'cluster addr': '127.0.0.1',
    'auth cluster required': 'none',
    'auth service required': 'none',
    'auth client required': 'none',
    'ms mon client mode': 'crc',
    'ms bind ipv6': 'false',
    'osd objectstore': 'memstore',
    'osd pool default size': '1',
    'osd pool default min size': '1',
    'osd pool default pg num': '8',
    'osd pool default pg autoscale mode': 'off',
    'osd crush chooseleaf type': '0',
    'mon allow pool size one': 'true',
    // However full the disk of the tests is.
    'mon data avail crit': '1',
    'mon data avail warn': '1',
    'mon data': join(folder, 'mon'),
    'osd data': join(folder, 'osd'),
    'run dir': folder,
    'admin socket': join(folder, '$name.asok'),
    'log file': join(folder, '$name.log'),
    'pid file': '',
  }
  const text = Object.entries(lines).map(([name, value]) => `${name} = ${value}\n`)
  return `[global]\n${text.join('')}[mon.a]\nhost = localhost\n`
}

async function untilAnswered(origin: string): Promise<void> {
  const untilMs = performance.now() + stepMs
  for (;;) {
    try {
      await (await fetch(origin)).text()
      return
    } catch (error) {
      if (performance.now() > untilMs) throw error
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}
